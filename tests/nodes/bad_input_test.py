"""What is wrong on one of two made-up nodes is told, with its name: bad_input_test.py BUILD MPI CASE."""
import re
import shutil

from nodes_test import good, model, settings
from results import check_times, component, info
from rig import run_case

RANKS = {'ocean': [0, 1], 'atmosphere': [2, 3]}  # of "half": each component has a node of its own
ON_NODE2 = '(on 2 of 4 processes, first 2, atmosphere, on node2)'


def one_boot_id(rig):
    """Copies of one machine: boot id and time namespace look the same, the clocks are not. Ocean and atmosphere have
    processes on both nodes."""
    mixed = {'ocean': [0, 2], 'atmosphere': [1, 3]}
    proc = rig.shared / 'proc'  # stands for /proc on both
    (proc / 'self/ns').mkdir(parents=True)
    (proc / 'self/ns/time').symlink_to('time:[4026531834]')
    (proc / 'sys/kernel/random').mkdir(parents=True)
    (proc / 'sys/kernel/random/boot_id').write_text(rig.boot_ids[1] + '\n')
    for node in 1, 2:
        (rig.disk_of(node) / 'out').mkdir()
    good(rig.run_mpi(2, model(rig, rig.shared / 'truth'),
                     settings(rig.disk / 'out', CPL_LB_PROCFS=proc, CPL_LB_RSS=0, CPL_LB_ENERGY=0)))
    clocks = 2 if rig.ahead_s[1] else 1  # where the clocks are the same, nobody can tell, and nothing depends on it
    assert info(rig.disk_of(1) / 'out')['clock']['nodes'] == clocks
    check_times(rig.disk_of(1) / 'out', rig.shared / 'truth', mixed)
    left = [p for p in rig.disk_of(2).rglob('*') if p.is_file()]
    assert not left, left


def namelists(rig):
    """Another namelist on the second node."""
    for node, sample in (1, '1.'), (2, '2.'):
        (rig.disk_of(node) / 'namelist_cpl_lb').write_text(
            f"&namcpl_lb ln_lb = .true., ln_report = .false., rn_sample = {sample}, cn_dir = '{rig.shared}/out' /\n")
    job = rig.run_mpi(2, model(rig, rig.shared / 'truth', 'half'), cwd=rig.disk)
    assert job.status == 0 and job.printed.count('init 0, terminate 0') == 4, job
    check_times(rig.shared / 'out', rig.shared / 'truth', RANKS)
    said = f'the settings of process 0 count, and the namelist that is found here differs from them: rn_sample {ON_NODE2}'
    assert said in ' '.join(job.errors.split()), job


def clock_steps(rig):
    """The clock of the second node steps by 100 s in the middle of the run."""
    skew = {f'SKEW_{rank}': '0 0 100' for rank in (2, 3)}
    preload = {'LD_PRELOAD': str(rig.build / 'tests/stubs/libskewed_clock.so'), 'CPL_LB_CLOCK': 'gettime'}
    job = rig.run_mpi(2, model(rig, '-', 'half'), {**settings(rig.shared / 'out'), **preload, **skew})
    assert job.status == 0, job
    told = job.complaints_with('the clock of a node gained 100 s')
    assert len(told) == 1 and 'on node2)' in told[0], job


def no_shm(rig):
    """Spool files have no place on the second node: it is said at the start, and the results are whole."""
    job = rig.run_mpi(2, model(rig, rig.shared / 'truth', 'half'), settings(rig.shared / 'out', CPL_LB_SPOOL=1))
    assert job.status == 0 and job.printed.count('init 0, terminate 0') == 4, job
    assert len(job.complaints) == 1, job
    assert job.complaints[0].startswith('cpl_lb: no spool files in /dev/shm: ') and ON_NODE2 in job.complaints[0], job
    check_times(rig.shared / 'out', rig.shared / 'truth', RANKS)


def full_disk(rig):
    """The folder is not shared, and on the second node its disk is full: the atmosphere's timeline is missing."""
    for node in 1, 2:
        (rig.disk_of(node) / 'out').mkdir()
    done = rig.run(2, ['sh', '-c', f'mount -t tmpfs -o size=8k tmpfs {rig.disk}/out'])
    assert done.status == 0, done
    job = rig.run_mpi(2, model(rig, '-', 'half'), settings(rig.disk / 'out'))
    assert job.status == 0, job
    assert 'terminate 0' in job.printed and len(job.complaints) == 1, job
    assert 'No space left on device' in job.complaints[0] and 'on node2)' in job.complaints[0], job
    run = info(rig.disk_of(1) / 'out')  # the figures come by messages
    assert component(run, 'atmosphere')['processes'] == 2 and component(run, 'ocean')['processes'] == 2
    names = {p.name for p in (rig.disk_of(1) / 'out').iterdir()}
    assert 'timeline_ocean.nc' in names and 'timeline_atmosphere.nc' not in names, names


def versions(rig):
    """On the second node lies a library of another version: its processes are left out, and say why."""
    library = (rig.build / f'libcpl_lb/libcpl_lb-{rig.mpi}.so').resolve()
    header = re.compile(rb'(settings of cpl_lb )\d(\.\d+\.\d+\n)')
    other = rig.shared / 'other.so'
    changed, found = header.subn(rb'\g<1>9\g<2>', library.read_bytes())
    assert found == 1, found
    other.write_bytes(changed)
    shutil.copymode(library, other)
    assert rig.run(2, ['mount', '--bind', other, library]).status == 0
    job = rig.run_mpi(2, model(rig, '-', 'half'), settings(rig.shared / 'out', CPL_LB_TIMEOUT=5))
    assert job.status == 0, job
    told = job.complaints_with('this executable on node2 has cpl_lb')
    assert len(told) == 1 and 'process 0 has cpl_lb 0.' in told[0], job
    assert len(job.complaints_with('2 of 4 processes did not come to cpl_lb_init (ranks 2-3)')) >= 1, job
    assert [c['name'] for c in info(rig.shared / 'out')['components']] == ['ocean']


CASES = {
    'one_boot_id': (one_boot_id, {'one_boot_id': True}),
    'one_boot_id_one_clock': (one_boot_id, {'one_boot_id': True, 'ahead_s': (0, 0)}),
    'namelists': (namelists, {}),
    'clock_steps': (clock_steps, {}),
    'no_shm': (no_shm, {'shm': ('256m', 'none')}),
    'full_disk': (full_disk, {}),
    'versions': (versions, {}),
}


if __name__ == '__main__':
    run_case(CASES)
