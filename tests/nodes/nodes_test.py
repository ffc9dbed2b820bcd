"""Runs on made-up nodes with what is known beforehand: nodes_test.py BUILD MPI CASE."""
from results import check_times, component, info, true_waiting_s
from rig import run_case

STEPS = 6
RANKS = {'ocean': [0, 2], 'atmosphere': [1, 3]}  # of "mixed"; nodes have 0 and 1, 2 and 3


def settings(folder, **more):
    known = {'CPL_LB_ENABLED': 1, 'CPL_LB_DIR': folder, 'CPL_LB_REPORT': 0, 'CPL_LB_TIMEOUT': 20}
    return {k: str(v) for k, v in {**known, **more}.items()}


def model(rig, truth, placed='mixed', steps=STEPS, ocean_ms=30, atmosphere_ms=10):
    return [rig.build / 'tests/nodes/nodes_model', placed, steps, ocean_ms, atmosphere_ms, *([truth] if truth else [])]


def good(job):
    assert job.status == 0, job
    assert job.complaints == [], job
    return job


def check_waiting(folder, truth):
    run = info(folder)
    events = 2 * (STEPS - 2)
    slack_s = 2 * run['clock']['error_bound_s'] * events
    for name, ranks in RANKS.items():
        least, most = true_waiting_s(truth, ranks)
        waiting = component(run, name)['waiting_s']
        assert least - slack_s <= waiting <= most + slack_s, \
            f'{name} waited {waiting} s, true are {least} to {most} s, give or take {slack_s} s'
    # Each pair: the atmosphere is through 20 ms before the ocean in each of the steps, where nothing disturbs it.
    assert set(component(run, 'atmosphere')['waiting_for']) == {'ocean'}


def waits(rig):
    """Two nodes of two processes: every time and every wait is what the model itself saw."""
    good(rig.run_mpi(2, model(rig, rig.shared / 'truth'), settings(rig.shared / 'out')))
    run = info(rig.shared / 'out')
    assert run['clock']['nodes'] == 2, run['clock']
    assert run['run']['processes'] == 4
    check_times(rig.shared / 'out', rig.shared / 'truth', RANKS)
    check_waiting(rig.shared / 'out', rig.shared / 'truth')


def check_all_there(rig, folder, truth):
    check_times(folder, truth, RANKS)
    names = sorted(p.name for p in folder.iterdir())
    assert names == ['load_balancing_info.json', 'load_balancing_info.txt', 'timeline_atmosphere.nc',
                     'timeline_ocean.nc'], names


def one_folder(rig):
    """Both nodes share the folder of results. Ocean and atmosphere each have their node: "half"."""
    RANKS.update(ocean=[0, 1], atmosphere=[2, 3])
    good(rig.run_mpi(2, model(rig, rig.shared / 'truth', 'half'), settings(rig.shared / 'out')))
    check_all_there(rig, rig.shared / 'out', rig.shared / 'truth')


def folder_each(rig):
    """The folder is another one on each node: all comes to the root's, and nothing stays on the other."""
    RANKS.update(ocean=[0, 1], atmosphere=[2, 3])
    for node in 1, 2:
        (rig.disk_of(node) / 'out').mkdir()
    good(rig.run_mpi(2, model(rig, rig.shared / 'truth', 'half'), settings(rig.disk / 'out')))
    check_all_there(rig, rig.disk_of(1) / 'out', rig.shared / 'truth')
    left = [p for p in rig.disk_of(2).rglob('*') if p.is_file()]
    assert not left, left


def coupled(rig):
    """The coupled example across both nodes, OpenMPI only: the same results as without cpl_lb, and who is slow."""
    programs = rig.build / 'examples/coupled'
    checksums = []
    for run, folder in ('recorded', programs), ('bare', programs / 'not_linked'):
        where = rig.shared / run
        where.mkdir()
        for name, text in {'coupled': '&namrun nn_steps = 12, nn_output = 4, nn_restart = 12 /',
                           'ocean': '&namocean nn_nx = 48, nn_ny = 36 /\n&namload rn_shared = 0.1 /',
                           'atmosphere': '&namatmosphere nn_nx = 20, nn_ny = 14 /\n&namload rn_shared = 0.45 /'}.items():
            (where / f'namelist_{name}').write_text(text + '\n')
        # On each node one process of the ocean and one of the atmosphere, beside another atmosphere or the I/O server.
        by_rank = (f'case $OMPI_COMM_WORLD_RANK in 0|3) exec {folder}/ocean;; 5) exec {folder}/ioserver;; '
                   f'*) exec {folder}/atmosphere;; esac')
        job = good(rig.run_mpi(3, ['sh', '-c', by_rank], settings(where / 'out'), cwd=where))
        checksums.append(sorted(line for line in job.printed.splitlines() if line.startswith('checksum')))
    assert len(checksums[0]) == 2 and checksums[0] == checksums[1], checksums
    run = info(rig.shared / 'recorded' / 'out')
    assert run['clock']['nodes'] == 2 and run['run']['processes'] == 6, run['run']
    # 0.45 s of work on 3 processes, 0.1 s on 2: the ocean waits some 0.1 s in each of 11 steps.
    assert run['balance']['slow_side'] == 'atmosphere', run['balance']
    assert component(run, 'ocean')['waiting_for']['atmosphere']['get_s'] > 0.5, component(run, 'ocean')['waiting_for']
    assert component(run, 'ioserver')['is_io_server'], component(run, 'ioserver')


if __name__ == '__main__':
    run_case({name: (function, {}) for name, function in {
        'waits': waits, 'one_folder': one_folder, 'folder_each': folder_each, 'coupled': coupled}.items()})
