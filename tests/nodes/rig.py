"""Made-up nodes on one machine: namespaces, a cable between them, and MPI programs across it.

Each node has its own network, host name, mounts (boot id, /dev/shm, /tmp, a disk), IPC, processes and monotonic clock.
The system's clock (CLOCK_REALTIME) cannot be shifted: it is the same on all nodes, and so it tells the truth about the
others. Node 0, "login", is where jobs are started from; no process of a job runs there. CONTRIBUTING.md ("Nodes")
says what is only simulated.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid

HERE = pathlib.Path(__file__).resolve().parent
NETWORK = '10.77.0'


def bound_to_us(command):
    """The command dies with this process, also where a time limit of ctest kills it."""
    return ['setpriv', '--pdeathsig', 'KILL', '--', *map(str, command)]


def read(path):
    return pathlib.Path(path).read_text(errors='replace')


class Job:
    """What a finished job left."""

    def __init__(self, status, printed, errors, seconds):
        self.status, self.printed, self.errors, self.seconds = status, printed, errors, seconds

    @property
    def complaints(self):
        return [line for line in self.errors.splitlines() if line.startswith('cpl_lb: ')]

    def complaints_with(self, text):
        return [line for line in self.complaints if text in line]

    def __str__(self):
        return f'exit status {self.status} after {self.seconds:.1f} s\n{self.printed}\n{self.errors}'


class Started:
    """A job that goes on. of_mpich: its number of processes. MPICH 4.0 over UCX and TCP hangs in MPI_Finalize in one
    of ten runs, without cpl_lb, too: such a job has ended when each process has said that it came there."""

    def __init__(self, process, printed, errors, since, of_mpich):
        self.process, self.printed, self.errors, self.since, self.of_mpich = process, printed, errors, since, of_mpich

    def all_came_to_finalize(self):
        return self.of_mpich and len(re.findall(r'^process \d+: init', read(self.printed), re.M)) == self.of_mpich


def end_with_children(pid):
    """The process and all that it started."""
    try:
        for child in pathlib.Path(f'/proc/{pid}/task/{pid}/children').read_text().split():
            end_with_children(int(child))
        os.kill(pid, signal.SIGKILL)
    except (FileNotFoundError, ProcessLookupError):
        pass


class Cable:
    def __init__(self, program, namespaces):
        self.process = subprocess.Popen(bound_to_us([program, *namespaces]), stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == 'ready\n', 'no cable'

    def ask(self, command):
        self.process.stdin.write(command + '\n')
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def set(self, source, target, delay_us=0.0, jitter_us=0.0, mbit_per_s=0.0, loss=0.0):
        """One direction. loss 1 cuts it."""
        answer = self.ask(f'set {source} {target} {delay_us} {jitter_us} {mbit_per_s} {loss}')
        assert answer == 'good', answer

    def bytes(self, source, target):
        return int(self.ask(f'bytes {source} {target}'))


class Rig:
    """With statement: the nodes are there inside it. ahead_s: of the monotonic clock of node 1, 2, ...;
    one_boot_id: all nodes have the same; shm: sizes of /dev/shm, or "none"."""

    def __init__(self, build, mpi, ahead_s=(0, 0), one_boot_id=False, shm=None):
        self.build, self.mpi, self.ahead_s = pathlib.Path(build).resolve(), mpi, ahead_s
        self.names = ['login'] + [f'node{i}' for i in range(1, len(ahead_s) + 1)]
        self.boot_ids = [str(uuid.uuid4()) for _ in self.names]
        if one_boot_id:
            self.boot_ids[1:] = self.boot_ids[1:2] * len(ahead_s)
        self.shm = ['16m'] + list(shm or ['256m'] * len(ahead_s))
        self.holders, self.pids = [], []
        self.cable = None

    def __enter__(self):
        self.work = pathlib.Path(tempfile.mkdtemp(prefix='nodes.', dir=self.build))
        self.shared = self.work / 'shared'  # one folder for all nodes
        self.disk = self.work / 'disk'      # one for each, at the same path
        self.shared.mkdir()
        try:
            self._write_hosts()
            for number in range(len(self.names)):
                self._start(number)
            self.pids = [self._pid_inside(number) for number in range(len(self.names))]
            self.cable = Cable(self.build / 'tests/nodes/cable', [f'/proc/{pid}/ns/net' for pid in self.pids])
            for number in range(len(self.names)):
                self._connect(number)
            self._write_agent()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for holder in self.holders:
            try:
                os.killpg(holder.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            holder.wait()
        if self.cable:
            self.cable.process.kill()
            self.cable.process.wait()
        if os.environ.get('CPL_LB_KEEP_NODES'):
            print('kept:', self.work)
        else:
            shutil.rmtree(self.work, ignore_errors=True)

    def disk_of(self, node):
        """What node sees as rig.disk, seen from outside."""
        return self.work / self.names[node] / 'disk'

    def _write_hosts(self):
        lines = ['127.0.0.1 localhost'] + [f'{NETWORK}.{i + 1} {name}' for i, name in enumerate(self.names)]
        (self.work / 'hosts').write_text('\n'.join(lines) + '\n')

    def _start(self, number):
        name = self.names[number]
        boot_id, ready = self.work / f'boot_id.{name}', self.work / f'ready.{name}'
        boot_id.write_text(self.boot_ids[number] + '\n')
        (self.work / name).mkdir()
        spaces = ['unshare', '--net', '--uts', '--mount', '--ipc']
        if number > 0:  # jobs start where the processes of all nodes can be entered
            spaces += ['--pid', '--mount-proc', '--fork', '--kill-child', '--time']
            spaces += ['--monotonic', str(self.ahead_s[number - 1]), '--boottime', str(self.ahead_s[number - 1])]
        script = [HERE / 'node.sh', name, self.work, self.work / 'hosts', boot_id, self.shm[number], ready,
                  self.build, HERE]
        with open(self.work / f'errors.{name}', 'w') as errors:
            self.holders.append(subprocess.Popen(bound_to_us(spaces + script), start_new_session=True, stderr=errors))
        while not ready.exists():
            assert self.holders[-1].poll() is None, f'no {name}: {read(self.work / f"errors.{name}")}'
            time.sleep(0.01)

    def _pid_inside(self, number):
        holder = self.holders[number].pid
        if number == 0:
            return holder
        return int(read(f'/proc/{holder}/task/{holder}/children').split()[0])

    def _connect(self, number):
        address = f'02:00:00:00:00:{number:02x}'
        done = self.run(number, ['sh', '-c', f'sysctl -q -w net.ipv6.conf.all.disable_ipv6=1; '
                                 f'ip link set cable address {address} mtu 9000 up && '
                                 f'ip addr add {NETWORK}.{number + 1}/24 dev cable'])
        assert done.status == 0, done

    def _entering(self, number):
        pid = self.pids[number]
        spaces = ['nsenter', '--target', pid, '--net', '--uts', '--mount', '--ipc']
        return list(map(str, spaces + (['--pid', '--time'] if number > 0 else [])))

    def _write_agent(self):
        """What stands in for ssh: agent [-x] NODE COMMAND..."""
        lines = ['#!/bin/sh', 'while [ "${1#-}" != "$1" ]; do shift; done', 'node=$1', 'shift', 'case $node in']
        for number, name in enumerate(self.names[1:], 1):
            lines.append(f'  {name}) exec {" ".join(self._entering(number))} sh -c "$*" ;;')
        lines += ['esac', 'echo "no node $node" >&2', 'exit 1']
        self.agent = self.work / 'agent'
        self.agent.write_text('\n'.join(lines) + '\n')
        self.agent.chmod(0o755)

    def start(self, node, command, environment=None, cwd=None, of_mpich=0):
        """On that node; finish() waits for it."""
        self.jobs = getattr(self, 'jobs', 0) + 1
        printed, errors = self.work / f'printed.{self.jobs}', self.work / f'errors.{self.jobs}'
        cleaned = {k: v for k, v in os.environ.items() if not k.startswith(('CPL_LB_', 'SLURM_')) and k != 'TMPDIR'}
        with open(printed, 'w') as out, open(errors, 'w') as err:
            entering = self._entering(node) + [f'--wdns={cwd or self.shared}']
            process = subprocess.Popen(bound_to_us(entering) + list(map(str, command)), stdout=out,
                                       stderr=err, stdin=subprocess.DEVNULL,
                                       env={**cleaned, **(environment or {})})
        return Started(process, printed, errors, time.monotonic(), of_mpich)

    def finish(self, started, limit_s=90):
        process, status, all_came = started.process, None, None
        while status is None:
            try:
                status = process.wait(0.2)
            except subprocess.TimeoutExpired:
                if all_came is None and started.all_came_to_finalize():
                    all_came = time.monotonic()
                if all_came is not None and time.monotonic() > all_came + 3:
                    status = 0
                elif time.monotonic() > started.since + limit_s:
                    status = 'none, it hangs'
        seconds = time.monotonic() - started.since
        if process.poll() is None:
            self._end_all()
            process.kill()
            process.wait()
        return Job(status, read(started.printed), read(started.errors), seconds)

    def _end_all(self):
        """Every process of a job, on all nodes."""
        for number in range(1, len(self.names)):
            subprocess.run(self._entering(number) + ['sh', '-c', 'kill -9 -1'], check=False,
                           stderr=subprocess.DEVNULL)

    def run(self, node, command, environment=None, cwd=None):
        return self.finish(self.start(node, command, environment, cwd))

    def start_mpi(self, each, command, environment=None, options=(), cwd=None):
        """That many processes on each node, started from the login node."""
        nodes = self.names[1:]
        if self.mpi == 'openmpi':
            front = ['mpirun', '--host', ','.join(f'{n}:{each}' for n in nodes), '-np', each * len(nodes)]
            for key, value in {'btl': 'tcp,self', 'pml': 'ob1', 'btl_tcp_if_include': 'cable'}.items():
                front += ['--mca', key, value]
        else:
            front = ['mpiexec.hydra', '-launcher', 'ssh', '-launcher-exec', self.agent, '-iface', 'cable',
                     '-hosts', ','.join(f'{n}:{each}' for n in nodes), '-n', each * len(nodes)]
        transport = {'FI_PROVIDER': 'tcp;ofi_rxm', 'UCX_TLS': 'tcp,self', 'MPIR_CVAR_NOLOCAL': '1',
                     'FI_TCP_IFACE': 'cable', 'UCX_NET_DEVICES': 'cable',
                     'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1'}
        # The words of OpenMPI 4 and of OpenMPI 5 for how mpirun reaches the nodes.
        transport |= {f'OMPI_MCA_{key}': value for key, value in {
            'plm_rsh_agent': str(self.agent), 'plm_rsh_no_tree_spawn': '1', 'oob_tcp_if_include': 'cable',
            'btl_tcp_if_include': 'cable', 'routed': 'direct'}.items()}
        transport |= {f'PRTE_MCA_{key}': value for key, value in {
            'plm_ssh_agent': str(self.agent), 'plm_ssh_no_tree_spawn': '1', 'prte_if_include': 'cable',
            # Not "oversubscribe", which would put all on the first node. The nodes share the same processors.
            'rmaps_default_mapping_policy': 'slot', 'hwloc_default_binding_policy': 'none'}.items()}
        return self.start(0, [*front, *options, *command], {**transport, **(environment or {})}, cwd,
                          each * len(nodes) if self.mpi == 'mpich' else 0)

    def run_mpi(self, each, command, environment=None, options=(), cwd=None):
        return self.finish(self.start_mpi(each, command, environment, options, cwd))

    def kill_node(self, node):
        """As a power cut: its processes are gone at once, and nobody is told."""
        os.kill(self.pids[node], signal.SIGKILL)


def one(text, pattern):
    """The only match's first group."""
    found = re.findall(pattern, text)
    assert len(found) == 1, f'{pattern}: {found} in\n{text}'
    return found[0]


def run_case(cases):
    """A test called as PROGRAM BUILD MPI CASE. cases: by name a function of the rig, and what its nodes are like (words
    of Rig)."""
    build, mpi, case = sys.argv[1:4]
    function, options = cases[case]
    with Rig(build, mpi, **{'ahead_s': (0, 5000), **options}) as rig:
        function(rig)
    print(f'nodes {case}: good')
