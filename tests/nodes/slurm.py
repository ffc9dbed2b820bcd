"""Slurm on made-up nodes: slurmctld on the login node, one slurmd on each other, munge on all."""
import os
import re
import time

from rig import Job, end_with_children, read

CPUS = 4  # of each node, whatever the machine has


# For Slurm a GPU is a character device that is there. It opens none, because no control group keeps others from them.
IN_PLACE_OF_GPUS = '/dev/null', '/dev/zero'


class Slurm:
    """With statement, on a rig: the batch system is there inside it. kinds: of nodes that are not alike, by name the words
    behind their name in slurm.conf; "Gres=gpu:TYPE:2" gives one two GPUs without devices."""

    def __init__(self, rig, kinds=None):
        self.rig = rig
        self.kinds = kinds or {','.join(rig.names[1:]): f'CPUs={CPUS}'}
        self.conf = rig.shared / 'slurm.conf'
        self.daemons = []

    def __enter__(self):
        rig, folder = self.rig, self.rig.shared / 'slurm'
        folder.mkdir()
        key = folder / 'key'
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        self.conf.write_text(f'''ClusterName=made_up
SlurmctldHost=login
AuthType=auth/munge
AuthInfo=socket=/tmp/munge.sock
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir=/tmp/slurmd
SlurmctldPidFile=/tmp/slurmctld.pid
SlurmdPidFile=/tmp/slurmd.pid
SlurmctldLogFile={folder}/log.login
SlurmdLogFile={folder}/log.%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
SchedulerParameters=bf_interval=1,sched_interval=1,batch_sched_delay=0
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=pmix
GresTypes=gpu
{self._nodes()}PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
''')
        (rig.shared / 'cgroup.conf').write_text('CgroupPlugin=cgroup/v1\n')  # found by itself only where one is mounted
        (rig.shared / 'gres.conf').write_text(''.join(
            f'NodeName={name} Name=gpu Type={words.split("Gres=gpu:")[1].split(":")[0]} Flags=nvidia_gpu_env File={device}\n'
            for name, words in self.kinds.items() if 'Gres=gpu:' in words for device in IN_PLACE_OF_GPUS))
        (folder / 'state').mkdir()
        for number, name in enumerate(rig.names):
            self._daemon(number, ['munged', '--force', '--foreground', '--socket=/tmp/munge.sock', '--num-threads=1',
                                  f'--key-file={key}', '--pid-file=/tmp/munged.pid', '--seed-file=/tmp/munged.seed',
                                  f'--log-file=/tmp/munged.log'])
        self._daemon(0, ['slurmctld', '-D', '-f', self.conf])
        for number, name in enumerate(rig.names[1:], 1):
            self._daemon(number, ['slurmd', '-D', '-f', self.conf, '-N', name])
        since = time.monotonic()
        while self.run(['sinfo', '-h', '-t', 'idle', '-o', '%D']).printed.strip() != str(len(rig.names) - 1):
            assert time.monotonic() < since + 60, self.what_went_wrong()
            time.sleep(0.2)
        return self

    def __exit__(self, *_):
        for started in self.daemons:
            started.process.kill()
            started.process.wait()

    def _nodes(self):
        return ''.join(f'NodeName={name} {words} State=UNKNOWN\n' for name, words in self.kinds.items())

    def _daemon(self, number, command):
        self.daemons.append(self.rig.start(number, command, self.environment()))

    def environment(self):
        return {'SLURM_CONF': str(self.conf)}

    def what_went_wrong(self):
        logs = sorted((self.rig.shared / 'slurm').glob('log.*'))
        return '\n'.join([read(log) for log in logs] + [read(d.errors) for d in self.daemons])

    def run_groups(self, command, environment, processes):
        """As run(), of steps with several groups. When two groups begin at once, srun of Slurm 22.05 may wait for a thread of its
        PMIx plugin that never ends (pmixp_abort_agent_stop), after all processes have: such a job has ended well."""
        started = self.rig.start(0, command, {**self.environment(), **environment})
        all_came = None
        while started.process.poll() is None and time.monotonic() < started.since + 90:
            time.sleep(0.2)
            if all_came is None and len(re.findall(r'^process \d+: init', read(started.printed), re.M)) == processes:
                all_came = time.monotonic()
            if all_came is not None and time.monotonic() > all_came + 10 and self.nothing_runs():
                end_with_children(started.process.pid)
                started.process.wait()
                self.run(['scancel', '--full', '--user', 'root'])
                return Job(0, read(started.printed), read(started.errors), time.monotonic() - started.since)
        return self.rig.finish(started)

    def nothing_runs(self):
        """No step of a job has a process on a node: each would have a slurmstepd above it."""
        look = ['sh', '-c', 'grep -q slurmstepd /proc/[0-9]*/comm 2> /dev/null']
        return all(self.rig.run(number, look).status != 0 for number in range(1, len(self.rig.names)))

    def run(self, command, environment=None, cwd=None):
        """On the login node."""
        return self.rig.run(0, command, {**self.environment(), **(environment or {})}, cwd)
