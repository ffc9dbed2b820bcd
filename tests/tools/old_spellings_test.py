"""old_spellings_test.py COMMAND REPOSITORY FOLDER [machine]: what scripts wrote for earlier versions gives what the new spelling
gives: status, output and files. machine: this build is without it."""
import pathlib
import shutil
import subprocess
import sys

STUDY = 'cores,SYPD\n400,14\n800,26\n1600,38\n'
# One year in half a day on 96 cores, twice.
SACCT = ('JobID|JobName|Submit|Start|End|ElapsedRaw|AllocCPUS|State|ConsumedEnergyRaw\n'
         '11|esm|2026-03-01T00:00:00|2026-03-02T00:00:00|2026-03-02T12:00:00|43200|96|COMPLETED|4000000\n'
         '13|esm|2026-03-03T06:00:00|2026-03-04T12:00:00|2026-03-05T00:00:00|43200|96|COMPLETED|6000000\n')
SIDE_BY_SIDE = SACCT.replace('2026-03-03T06:00:00|2026-03-04T12:00:00|2026-03-05T00:00:00', '2026-03-01T06:00:00|2026-03-02T06:00:00|2026-03-02T18:00:00')
AUTOSUBMIT = ('job_name,submit,start,finish,status,ncpus,energy\n'
              'a_fc0_1_SIM,1000,1000,1005,COMPLETED,8,100\na_fc0_2_SIM,1012,1012,1017,COMPLETED,8,300\n')
FILES = {
    'study.csv': STUDY, 'jobs.txt': SACCT, 'both.txt': SIDE_BY_SIDE, 'jobs.csv': AUTOSUBMIT, 'energy.txt': 'JobID|ConsumedEnergyRaw\n11|4000000\n',
    'rows.csv': 'model,SYPD,CHSY,machine\nA,2,480,old\nA,4,120,new\n',
    'curves.csv': 'component,processes,seconds\natm,1,60\natm,2,30\nocn,1,40\nocn,2,20\n',
    'kinds.csv': 'component,kind,nodes,seconds\natm,gpu,1,60\natm,gpu,2,30\nocn,cpu,1,40\nocn,cpu,2,20\n',
    'job.in': '{ocean}\n',
    'regions.csv': 'region,flops,bytes,seconds\na,97e9,786e9,72.1\n',
    'blocks.csv': 'region,flops,loads\na,n,2*n\n',
    'queue.csv': 'job,submitted_s,nodes,seconds\nforecast,0,3,10\nclimate,1,4,5\n',
    'runs.csv': 'loop,clock_GHz,threads,seconds,flops,bytes\nk,2.6,1,192.3,1e12,\nk,2.6,4,48.07,1e12,\n',
    'work.csv': 'flops,bytes,seconds,joules\n1e9,0,1,51\n0,1e9,1,52\n2e9,2e9,1,56\n',
}
NODES = '--curves kinds.csv --layout max(atm,ocn) --kinds gpu=4:4x18,cpu=4:128'
XEON = '--machine xeon_e5_2697v3'
SH = 'data/kernels/sh.csv --parameters data/kernels/sh_cases.csv --case TCO639'

PAIRS = [
    # completion
    ('completion bash', 'manual completion bash'),
    ('completion zsh', 'manual completion zsh'),
    ('help completion', 'help manual completion'),
    ('completion --help', 'manual completion --help'),
    # cpmip machines
    ('cpmip --hardware rows.csv --from old --to new', 'cpmip machines rows.csv --from old --to new'),
    ('cpmip --json --hardware=rows.csv', 'cpmip machines rows.csv --json'),
    # cpmip study
    ('cpmip --scaling study.csv --at-least 20 --svg x.svg', 'cpmip study study.csv --at-least 20 --svg x.svg'),
    ('cpmip --name ESM --csv --scaling=study.csv', 'cpmip study study.csv --name ESM --csv'),
    ('cpmip --study before after --json', 'cpmip study before after --json'),
    ('help cpmip --study', 'cpmip study --help'),
    # cpmip plan
    ('cpmip --plan --scaling study.csv --years 10 --start 2027-01-15 --deadline 2027-02-15 --svg x.svg',
     'cpmip plan study.csv --years 10 --start 2027-01-15 --deadline 2027-02-15 --svg x.svg'),
    ('cpmip before after --plan --years 10 --start 2027-01-15 --json', 'cpmip plan before after --years 10 --start 2027-01-15 --json'),
    ('cpmip --plan --study before after --years 10 --start 2027-01-15', 'cpmip plan before after --years 10 --start 2027-01-15'),
    ('cpmip --sacct jobs.txt --simulated-per-job 1y --plan --scaling study.csv --years 10 --start 2027-01-15 --cpus-per-core 2',
     'cpmip plan study.csv --log jobs.txt --simulated-per-job 1y --years 10 --start 2027-01-15 --cpus-per-core 2'),
    ('cpmip --plan --scaling study.csv --years 10 --start 2027-01-15 --sacct both.txt --simulated-per-job 1y --ensemble',
     'cpmip plan study.csv --years 10 --start 2027-01-15 --log both.txt --simulated-per-job 1y'),
    # cpmip jobs
    ('cpmip --sacct jobs.txt --simulated-per-job 1y', 'cpmip jobs --log jobs.txt --simulated-per-job 1y'),
    ('cpmip --simulated-per-job=4mo --autosubmit=jobs.csv --json', 'cpmip jobs --log jobs.csv --simulated-per-job 4mo --json'),
    ('cpmip --sacct both.txt --simulated-per-job 1y --ensemble --csv', 'cpmip jobs --log both.txt --simulated-per-job 1y --ensemble --csv'),
    ('cpmip --sacct jobs.txt --simulated-per-job 1y --simulation-jobs e* --transfer-jobs t* --platform-energy 5e12 '
     '--platform-core-hours 5e7',
     'cpmip jobs --log jobs.txt --simulated-per-job 1y --simulation-jobs e* --transfer-jobs t* --platform energy=5e12 '
     '--platform core-hours=5e7'),
    # cpmip models
    ('cpmip before --compare --mode T --name ESM --svg x.svg', 'cpmip models before --mode T --name ESM --svg x.svg'),
    ('cpmip --sacct jobs.txt --simulated-per-job 1y --resolution 1.2e8 --complexity 57 --compare --json',
     'cpmip models --log jobs.txt --simulated-per-job 1y --resolution 1.2e8 --complexity 57 --json'),
    # cpmip realms and es-doc
    ('cpmip before --realm seaice=ocean --realm ocean=ocean', 'cpmip realms before --realm seaice=ocean --realm ocean=ocean'),
    ('cpmip --json --realm names before', 'cpmip realms before --json'),
    ('cpmip before --es-doc', 'cpmip es-doc before'),
    ('cpmip before --es-doc --realm ocean=ocean', 'cpmip es-doc before --realm ocean=ocean'),
    # cpmip itself
    ('cpmip before --sacct energy.txt', 'cpmip before --log energy.txt'),
    ('cpmip before --machine gaea --chip=Haswell --machine-cores 48128 --clock 2.3 --flop-per-cycle 16 --json',
     'cpmip before --platform machine=gaea --platform chip=Haswell --platform cores=48128 --platform clock=2.3 '
     '--platform flop-per-cycle=16 --json'),
    ('cpmip before --platform-energy 5.92e12 --platform-core-hours 5.88e7',
     'cpmip before --platform energy=5.92e12 --platform core-hours=5.88e7'),
    # A folder that is called as a word, behind one.
    ('cpmip --study plan before', 'cpmip study plan before'),
    # predict, balance and manager
    ('predict before --what-if', 'predict what-if before'),
    ('predict --what-if --json before', 'predict what-if --json before'),
    ('predict before --lag SST=1 --faster atmosphere=2', 'predict changes before --lag SST=1 --faster atmosphere=2'),
    ('predict before --every=QNET=2', 'predict changes before --every=QNET=2'),
    ('predict before --balanced atmosphere', 'predict changes before --balanced atmosphere'),
    ('predict before --transfer 0.5', 'predict changes before --transfer 0.5'),
    ('predict before --mapping-at ocean', 'predict changes before --mapping-at ocean'),
    ('predict before --output-every 2', 'predict changes before --output-every 2'),
    ('predict before --no-output --quiet', 'predict changes before --output-every 0 --balanced *=random'),
    ('predict before after --pes ocean=1 --lag SST=1', 'predict changes before after --pes ocean=1 --lag SST=1'),
    ('predict before --sequential ocean,atmosphere --no-output', 'predict layout before --sequential ocean,atmosphere --output-every 0'),
    ('predict before --concurrent ocean,atmosphere', 'predict layout before --concurrent ocean,atmosphere'),
    ('predict before --pes ocean=1 --serial ocean=0.2 --curve hslb', 'predict before --pes ocean=1 --curves ocean=0.2 --curves hslb'),
    ('predict ./layout --pes ocean=1', 'predict --pes ocean=1 layout'), # a folder
    (f'predict {NODES} --nodes atm=2,ocn=1', f'predict nodes {NODES} --nodes atm=2,ocn=1'),
    (f'balance {NODES}', f'balance nodes {NODES}'),
    ('balance --curves curves.csv --layout max(atm,ocn) --total 10', 'balance table --curves curves.csv --layout max(atm,ocn) --total 10'),
    ('balance before --total 8 --template job.in', 'balance before --total 8 --launch job.in'),
    ('balance before --total 8 --curve fit --serial 0.1', 'balance before --total 8 --curves hslb --curves 0.1'),
    ('manager --benchmark 3 --start INIT3', 'manager benchmark 3 --start INIT3'),
    ('manager --start INIT3 --benchmark=3 --json', 'manager benchmark 3 --start INIT3 --json'),
    ('manager before --total 8 --pes ocean=2', 'manager before --total 8 --start ocean=2'),
]
MACHINE = [
    (f'roofline regions.csv {XEON}', f'machine roofline regions.csv {XEON}'),
    (f'project --nodes 1 2 {XEON} --loops {SH}', f'machine project {SH} {XEON} --nodes 1,2'),
    (f'project {XEON} --loops={SH}', f'machine project {SH} {XEON}'),
    (f'project {XEON} --fit runs.csv --json', f'machine fit runs.csv {XEON} --json'),
    (f'project --fit runs.csv {XEON} --fit=study.csv', f'machine fit runs.csv study.csv {XEON}'),
    ('project --domain 9x9x9 --gpu k20m geforce_970 --kernels data/kernels/acraneb2.csv',
     'machine gpu k20m,geforce_970 --domain 9x9x9 --kernels data/kernels/acraneb2.csv'),
    ('project --workflow data/workflows/alaro.toml', 'machine workflow data/workflows/alaro.toml'),
    ('project --room 4 --queue queue.csv', 'machine queue queue.csv --room 4'),
    ('project --queue', 'machine queue'),
    ('energy tests/energy/sh_i7.csv', 'machine power tests/energy/sh_i7.csv'),
    ('energy --json --work work.csv', 'machine joules work.csv --json'),
    ('energy -o told.txt -- echo --work', 'machine energy -o told.txt -- echo --work'),
    ('assert --set n=5 blocks.csv', 'machine assert blocks.csv --set n=5'),
    ('assert --lines 16-20 --vector-report tests/vector_reports/gcc_12.txt', 'machine vectors tests/vector_reports/gcc_12.txt --lines 16-20'),
]
# Refused as the new spelling is: components that have processes of their own already, a table of another kind, and a value that is
# missing. All others answer.
REFUSED = {'predict before --concurrent ocean,atmosphere': 1, f'project --fit runs.csv {XEON} --fit=study.csv': 1, 'project --queue': 2}


def result_of(command, words, folder):
    pathlib.Path(folder, 'x.svg').unlink(missing_ok=True)
    done = subprocess.run([command, *words.split()], cwd=folder, capture_output=True, text=True)
    svg = pathlib.Path(folder, 'x.svg')
    return done.returncode, done.stdout, done.stderr, svg.read_text(encoding='utf-8') if svg.exists() else None


def main():
    command, repository, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding='utf-8')
    for name, target in (('before', 'data/runs/before'), ('after', 'data/runs/after'), ('layout', 'data/runs/before'), ('data', 'data'),
                         ('tests', 'tests/data')):
        (folder / name).symlink_to(repository / target)
    shutil.copytree(repository / 'data' / 'runs' / 'after', folder / 'plan')
    failed = 0
    for old, new in PAIRS + ([] if 'machine' in sys.argv[4:] else MACHINE):
        before, now = result_of(command, old, folder), result_of(command, new, folder)
        if before != now or now[0] != REFUSED.get(old, 0) or not (now[1] or now[2]):
            failed += 1
            print(f'{old}\n    {before}\n{new}\n    {now}')
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
