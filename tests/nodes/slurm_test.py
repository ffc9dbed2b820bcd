"""Jobs of a real Slurm on made-up nodes: slurm_test.py BUILD MPI CASE. OpenMPI only: Debian's MPICH knows no PMIx."""
import datetime
import pathlib
import re
import shutil
import subprocess
import sys
import time

from nodes_test import model, settings
from results import Timeline, check_times, component, info
from rig import Rig, read
from slurm import Slurm

PAGES = pathlib.Path(__file__).resolve().parents[2] / 'docs'
RANKS = {'ocean': [0, 1], 'atmosphere': [2, 3]}  # of "half"
OF_OPENMPI = {'OMPI_MCA_btl': 'tcp,self', 'OMPI_MCA_pml': 'ob1', 'OMPI_MCA_btl_tcp_if_include': 'cable'}


def lines_of_page(page, begins):
    """The block of code on a page of the documentation that has this text."""
    blocks = re.findall(r'```(?:bash|sh)\n(.*?)```', (PAGES / page).read_text(), re.S)
    found = [block for block in blocks if begins in block]
    assert len(found) == 1, f'{page}: {len(found)} blocks with {begins}'
    return found[0]


def submit(slurm, name, script, *options, environment=None):
    """A job of two nodes with two processes each; its number."""
    path = slurm.rig.shared / f'{name}.sh'
    path.write_text('#!/bin/bash\n' + script)
    job = slurm.run(['sbatch', '--parsable', '-N2', '-n4', '--ntasks-per-node=2', f'--output={name}.out', *options,
                     path], {**OF_OPENMPI, **(environment or {})})
    assert job.status == 0, job
    return job.printed.strip()


def job_facts(slurm, number):
    shown = slurm.run(['scontrol', 'show', 'job', '-o', number]).printed
    return dict(word.split('=', 1) for word in shown.split() if '=' in word)


def wait_until(slurm, what, holds):
    since = time.monotonic()
    while not holds():
        assert time.monotonic() < since + 60, f'{what}\n{slurm.what_went_wrong()}'
        time.sleep(0.1)


def wait_for_end(slurm, number):
    ended = ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMEOUT', 'NODE_FAIL')
    wait_until(slurm, f'job {number} does not end', lambda: job_facts(slurm, number)['JobState'] in ended)
    return job_facts(slurm, number)


def command(rig, *arguments):
    done = subprocess.run([rig.build / 'libcpl_lb/tools/cpl-lb', *map(str, arguments)], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done
    return done.stdout


def chain(rig, slurm):
    """Two jobs, the second waits for the first: cores, and the submission that the line of the page finds, for ASYPD."""
    line = lines_of_page('cpmip.md', 'SubmitTime')
    numbers = []
    for name in 'first', 'second':
        words = ' '.join(map(str, model(rig, rig.shared / f'truth_{name}', 'half')))
        after = [f'--dependency=afterok:{numbers[-1]}'] if numbers else []
        numbers.append(submit(slurm, name, f'{line}\nsrun {words}\n', *after,
                              environment=settings(rig.shared / name)))
    for name, number in zip(('first', 'second'), numbers):
        facts = wait_for_end(slurm, number)
        assert facts['JobState'] == 'COMPLETED', read(rig.shared / f'{name}.out')
        run = info(rig.shared / name)['run']
        there = datetime.datetime.strptime(facts['SubmitTime'], '%Y-%m-%dT%H:%M:%S').astimezone(datetime.timezone.utc)
        assert run['submitted'] == there.strftime('%Y-%m-%dT%H:%M:%SZ'), (run, facts)
        assert run['cores'] == int(facts['NumCPUs']) == 4, (run, facts)
        check_times(rig.shared / name, rig.shared / f'truth_{name}', RANKS)
    table = command(rig, 'cpmip', rig.shared / 'first', rig.shared / 'second')
    assert re.search(r'ASYPD\s.*\d', table), table


def balanced(rig, slurm):
    """The lines that balance prints start the models as they stand there."""
    words = model(rig, '-', 'half')
    for name in RANKS:
        program = rig.shared / name
        program.write_text('#!/bin/sh\nexec ' + ' '.join(map(str, words[:-1])) + ' "$TRUTH"\n')
        program.chmod(0o755)
    job = slurm.run(['srun', '-N2', '-n4', *words], {**OF_OPENMPI, **settings(rig.shared / 'out')})
    assert job.status == 0, job
    advice = command(rig, 'balance', rig.shared / 'out', '--total', 4, '--allowed',
                     'ocean=2,atmosphere=2')
    allocation = re.search(r'^(salloc .*?) +#', advice, re.M).group(1)
    groups = re.search(r'^srun --het-group.*', advice, re.M).group(0)
    one_job, programs = re.search(r'^(srun .*--multi-prog programs.conf) .*\n((?:  \d.*\n)+)', advice, re.M).groups()
    (rig.shared / 'programs.conf').write_text(programs)
    for name, line in ('groups', f"{allocation} bash -c '{groups}'"), ('multi', one_job):
        truth = rig.shared / f'truth_{name}'
        words, around = ['bash', '-c', line], {**OF_OPENMPI, 'TRUTH': str(truth), **settings(rig.shared / name)}
        job = slurm.run_groups(words, around, processes=4) if name == 'groups' else slurm.run(words, around)
        assert job.status == 0, f'{line}\n{job}\n{slurm.what_went_wrong()}'
        check_times(rig.shared / name, truth, RANKS)
        assert [component(info(rig.shared / name), c)['processes'] for c in RANKS] == [2, 2]


def time_limit(rig, slurm):
    """The lines of the page bring the spool files of both nodes home when the job gets the signal before its limit."""
    (rig.shared / 'coupled_model').write_text(
        '#!/bin/sh\nexec ' + ' '.join(map(str, model(rig, '-', 'half', 10000, 20, 5))) + ' says\n')
    (rig.shared / 'coupled_model').chmod(0o755)
    number = submit(slurm, 'limited', lines_of_page('cluster.md', 'srun --overlap'),
                    environment=settings(rig.shared / 'out', CPL_LB_SPOOL=1))
    wait_until(slurm, 'the model does not start',
               lambda: (rig.shared / 'limited.out').exists()
               and read(rig.shared / 'limited.out').count('step 5 begins') == 4)
    # What --signal=B:TERM@120 does two minutes before the limit. Limits are whole minutes: too long for a test.
    assert slurm.run(['scancel', '--batch', '--signal=TERM', number]).status == 0
    wait_for_end(slurm, number)
    spool = rig.shared / 'spool'
    assert len(list(spool.glob('*.spool'))) == 4, f'{read(rig.shared / "limited.out")}\n{slurm.what_went_wrong()}'
    command(rig, 'recover', spool, '-o', rig.shared / 'recovered')
    run = info(rig.shared / 'recovered')
    assert run['run']['processes'] == 4 and run['run']['cores'] == 4 and run['clock']['nodes'] == 2, run['run']
    assert run['clock']['order_violations'] == 0, run['clock']


def record(rig, slurm):
    """cpl-lb-record behind srun, in front of two programs that know MPI only. The ocean sleeps 0.1 s before each of its
    8 sends, the atmosphere receives them (tests/profiling/two_models.c)."""
    lines = ''
    for name, ranks in ('ocean', '0-1'), ('atmosphere', '2-3'):
        shutil.copy(rig.build / 'tests/profiling/two_models', rig.shared / name)
        lines += f'{ranks} {rig.build}/libcpl_lb/profiling/cpl-lb-record ./{name} {name}\n'
    (rig.shared / 'programs.conf').write_text(lines)
    job = slurm.run(['srun', '-N2', '-n4', '--ntasks-per-node=2', '--multi-prog', 'programs.conf'],
                    {**OF_OPENMPI, **settings(rig.shared / 'out')})
    assert job.status == 0 and job.complaints == [], job
    run = info(rig.shared / 'out')
    assert run['clock']['nodes'] == 2 and run['clock']['order_violations'] == 0, run['clock']
    assert set(component(run, 'atmosphere')['waiting_for']) == {'ocean'}, job
    sent, received = (Timeline(rig.shared / 'out', name) for name in RANKS)
    assert sent.start.shape == received.start.shape == (2, 8), (sent.start.shape, received.start.shape)
    assert (sent.start[:, 1:] - sent.start[:, :-1]).min() >= 100e6
    bound_ns = 1e9 * run['clock']['error_bound_s']
    took_ns = received.stop - sent.start
    assert took_ns.min() >= -2 * bound_ns, took_ns
    # The clocks of the nodes are 5,000 s apart: halved, or with the wrong sign, that would be above the whole job.
    assert took_ns.max() <= 1e9 * job.seconds + 2 * bound_ns, (took_ns, job.seconds)


# The first group of a job on the first node: Slurm 22.05 does not connect its PMIx otherwise.
KINDS = {'node1': 'CPUs=8 Feature=cpu', 'node2': 'CPUs=4 Gres=gpu:a100:2 Feature=gpu'}


def kinds(rig, slurm):
    """A heterogeneous job on two kinds of nodes: the ocean has 6 of 8 CPUs of one, the atmosphere 4 CPUs and two GPUs of
    the other, one for each of its processes. What Slurm gives is in the results, and what it says to the processes."""
    drivers = rig.shared / 'drivers'
    drivers.mkdir()
    # A driver with two cards, and a CUDA that tells nothing of its contexts, so that the environment has to.
    for name in 'libnvidia-ml.so.1', 'libcuda.so.1':
        shutil.copy(rig.build / 'tests/stubs/nvml_stub/libnvidia-ml.so.1', drivers / name)
    words = ' '.join(map(str, model(rig, rig.shared / 'truth', 'half')))
    says = f'env | grep -e ^CUDA_VISIBLE -e ^SLURM_GPUS_ON_NODE -e ^SLURM_JOB_CPUS > {rig.shared}/said.$SLURM_PROCID'
    for name, lines in ('ocean', ''), ('atmosphere', f'export LD_LIBRARY_PATH={drivers} NVML_STUB_NAME=A100\n'
                                                      f'export LD_PRELOAD={drivers}/libcuda.so.1\n'):
        (rig.shared / name).write_text(f'#!/bin/sh\n{says}\n{lines}exec {words}\n')
        (rig.shared / name).chmod(0o755)
    line = ('salloc -N1 -n2 -c3 -C cpu : -N1 -n2 -c2 -C gpu --gpus-per-task=1 '
            'srun --het-group=0 ./ocean : --het-group=1 --gpus-per-task=1 ./atmosphere')
    job = slurm.run_groups(['sh', '-c', line], {**OF_OPENMPI, **settings(rig.shared / 'out')}, processes=4)
    assert job.status == 0 and not job.complaints, f'{job}\n{slurm.what_went_wrong()}'
    said = [dict(line.split('=', 1) for line in read(rig.shared / f'said.{rank}').splitlines()) for rank in range(4)]
    assert [s.get('SLURM_GPUS_ON_NODE') for s in said] == [None, None, '2', '2'], said
    assert sorted(s.get('CUDA_VISIBLE_DEVICES', '') for s in said) == ['', '', '0', '1'], said
    assert all(s['SLURM_JOB_CPUS_PER_NODE_HET_GROUP_0'] == '6' for s in said), said

    run = info(rig.shared / 'out')
    nodes = {node['name']: node for node in run['meters']['nodes']}
    assert {n: (node['installed_cores'], node['kind']) for n, node in nodes.items()} == \
        {'node1': (6, '6 cores'), 'node2': (4, '4 cores + 2 x A100')}, nodes
    assert run['run']['cores'] == 10, run['run']
    cost = run['run']['cost']
    assert cost['idle_cores'] == 10 - 4 and cost['idle_gpus'] == 0, cost
    gpus = {name: component(run, name)['gpus'] for name in RANKS}
    assert (gpus['ocean']['count'], gpus['ocean']['from']) == (0, 'the driver'), gpus
    assert (gpus['atmosphere']['count'], gpus['atmosphere']['kind']) == (2, 'A100'), gpus
    assert 'CUDA_VISIBLE_DEVICES' in gpus['atmosphere']['from'], gpus
    hours = run['run']['wall_s'] / 3600
    assert abs(cost['gpu_hours'] / (2 * hours) - 1) < 1e-3, (cost, hours)
    assert set(cost['kinds']) == {'4 cores + 2 x A100', '6 cores'}, cost


CASES = {'chain': chain, 'balanced': balanced, 'time_limit': time_limit, 'record': record, 'kinds': kinds}


def main():
    build, mpi, case = sys.argv[1:4]
    case = case.removeprefix('slurm_')
    with Rig(build, mpi, ahead_s=(0, 5000)) as rig, Slurm(rig, KINDS if case == 'kinds' else None) as slurm:
        CASES[case](rig, slurm)
    print(f'nodes {case}: good')


if __name__ == '__main__':
    main()
