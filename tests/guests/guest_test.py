#!/usr/bin/env python3
"""Counts a known loop and known joules on an emulated ARM machine: guest_test.py KERNEL ROOT BUILD MODEL WORK.

qemu emulates the whole machine (-icount: its counter of instructions is exact) with Debian's own kernel (KERNEL, made by
cmake/foreign_kernel.sh), which counts with its driver armv8_pmuv3. In it runs MODEL (counted_model) of the cross build in
BUILD, with Debian's packages of ARM in ROOT: once as root and once as nobody. WORK gets the console and the results.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent
QEMU = "qemu-system-aarch64"
LIMIT_S = 1200  # 3 minutes beside much other work
SHIFT = 1  # each instruction takes 2^SHIFT ns of the guest's time
NOBODY = 65534
NAMELIST = """&namcpl_lb
   cn_counters = 'perf::INSTRUCTIONS:u, perf::CYCLES:u, perf::INSTRUCTIONS'
   cn_dir = '/tmp/results_{user}'
   rn_sample = 0.05
   ln_report = .false.
   ln_timeline = .false.
/
"""
USER, CYCLES, ALL = "perf::INSTRUCTIONS:u", "perf::CYCLES:u", "perf::INSTRUCTIONS"


def archive(files):
    """An initramfs: the cpio format that the kernel's Documentation/driver-api/early-userspace describes."""
    out = bytearray()
    for number, (name, mode, data) in enumerate([*files, ("TRAILER!!!", 0, b"")], 1):
        fields = [number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0]
        out += b"070701" + b"".join(b"%08x" % field for field in fields) + name.encode() + b"\0"
        out += bytes(-len(out) % 4) + data
        out += bytes(-len(out) % 4)
    return bytes(out)


def initramfs(kernel):
    folder, program, file = 0o040755, 0o100755, 0o100644
    files = [("bin", folder, b""), ("modules", folder, b""), ("bin/busybox", program, (kernel / "busybox").read_bytes()),
             ("init", program, (HERE / "init.sh").read_bytes())]
    files += [(f"modules/{m.name}", file, m.read_bytes()) for m in sorted((kernel / "modules").iterdir())]
    files += [(f"namelist_{user}", file, NAMELIST.format(user=user).encode()) for user in (0, NOBODY)]
    return archive(files)


def boot(kernel, root, build, model, work):
    """Seconds until the guest switched itself off."""
    for place in ("proc", "sys", "dev", "tmp"):
        (root / place).mkdir(exist_ok=True)
    (work / "initramfs").write_bytes(initramfs(kernel))
    command = [QEMU, "-machine", "virt", "-cpu", "max,pauth-impdef=on,sve=off", "-icount", f"shift={SHIFT}", "-m", "1G",
               "-smp", "1", "-nic", "none", "-display", "none", "-no-reboot", "-serial", f"file:{work}/console",
               "-kernel", kernel / "vmlinuz", "-initrd", work / "initramfs",
               "-append", f"console=ttyAMA0 panic=-1 quiet model={model.relative_to(build)}"]
    for tag, folder, options in (("root", root, ",readonly=on"), ("build", build, ",readonly=on"), ("out", work / "out", "")):
        command += ["-virtfs", f"local,path={folder},mount_tag={tag},security_model=none{options}"]
    start = time.monotonic()
    try:
        subprocess.run(command, check=True, timeout=LIMIT_S, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        sys.exit(f"the guest was not ready after {LIMIT_S} s and was ended; its last words:\n{console(work)}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"{QEMU} ended with status {error.returncode}")
    return time.monotonic() - start


def console(work):
    return "\n".join((work / "console").read_text(errors="replace").splitlines()[-25:])


class Run:
    """What the model left as this user."""

    def __init__(self, out, user):
        text = {what: (out / f"{what}_{user}").read_text() for what in ("model", "errors", "status")}
        self.errors = text["errors"]
        if text["status"].strip() != "0":
            sys.exit(f"the model ended with status {text['status']} as user {user}:\n{text['model']}{self.errors}")
        self.said = {key: float(value) for key, value in (line.split() for line in text["model"].splitlines()
                                                          if len(line.split()) == 2 and line[0].islower())}
        self.info = json.loads((out / f"results_{user}/load_balancing_info.json").read_text())

    def counted(self, region, counter):
        regions = {r["name"]: r for r in self.info["components"][0]["regions"]}
        return {c["name"]: c["sum"] for c in regions[region]["counters"]}[counter]


class Check:
    """Figures against their bounds; prints each."""

    def __init__(self):
        self.failed = 0

    def __call__(self, what, least, figure, most):
        good = figure is not None and least <= figure <= most
        self.failed += not good
        shown = "n/a" if figure is None else f"{figure:,.10g}"
        print(f"{'      ' if good else 'WRONG '}{what}: {shown} (from {least:,.10g} to {most:,.10g})")


def check_counters(run, check):
    """In user mode nothing but the program counts: its loop, and what the library does between its two readings of a counter.
    These are the wrappers of some ten system calls (three counters, the resident set, the clock), numbers made of their
    text and a mark: a few hundred lines of C++, and at 10 instructions each below 5,000. The guest's time goes on by
    2^SHIFT ns for an instruction, and its cycles are ns: 2^SHIFT for each."""
    loop, per = run.said["instructions"], 2 ** SHIFT
    nothing = run.counted("nothing", USER)
    check("instructions of an empty region", 1, nothing, 5000)
    if nothing is None:
        return  # told as wrong; the others are missing, too
    for region, times in (("once", 1), ("twice", 2)):
        check(f"instructions, {region}", loop * times, run.counted(region, USER), loop * times + 5000)
        cycles = run.counted(region, CYCLES)
        check(f"cycles, {region}", per * loop * times, cycles, per * (loop * times + 5000))
        # With the kernel: 250 interrupts of the clock a second, and the readings; below 20,000 instructions each.
        interrupts = 250 * per * 1e-9 * loop * times + 1
        check(f"instructions with the kernel's, {region}", run.counted(region, USER) + 1, run.counted(region, ALL),
              loop * times + 20000 * (interrupts + 6))


def check_energy(run, check):
    """The zones count from before cpl_lb_init has returned to after cpl_lb_terminate was called, at 50 W and 10 W."""
    node, said = run.info["meters"]["nodes"][0], run.said
    least, most = said["before_terminate"] - said["after_init"], said["after_terminate"] - said["before_init"]
    check("package, J (it wraps each 0.4 s)", 50 * least, node["package_J"], 50 * most)
    check("DRAM, J", 10 * least, node["dram_J"], 10 * most)
    check("package and DRAM, J", 60 * least, node["energy_J"], 60 * most)
    check("energy by RAPL", 1, int(node["energy_source"] == "rapl"), 1)


def check_forbidden(run, check):
    """The kernel's own rights: energy_uj is for root, and Debian's kernel.perf_event_paranoid of 3 forbids counting."""
    told = " ".join(json.dumps(what) for what in run.info["meters"]["not_there"])
    check("nobody: no energy", 1, int(run.info["meters"]["nodes"][0]["energy_J"] is None), 1)
    check("nobody: told why (CVE-2020-8694)", 1, int("Permission denied" in told and "CVE-2020-8694" in told), 1)
    check("nobody: no instructions", 1, int(run.counted("once", USER) is None), 1)
    check("nobody: told why", 1, int("the kernel forbids it to this user" in told), 1)


def main():
    kernel, root, build, model, work = (pathlib.Path(a).resolve() for a in sys.argv[1:])
    if shutil.which(QEMU) is None:
        sys.exit(f"there is no {QEMU} (Debian: qemu-system-arm)")
    if not (kernel / "vmlinuz").exists():
        sys.exit(f"there is no kernel in {kernel}: cmake/foreign_kernel.sh aarch64 gets it")
    shutil.rmtree(work, ignore_errors=True)
    (work / "out").mkdir(parents=True)
    seconds = boot(kernel, root, build, model, work)
    out = work / "out"
    if not (out / f"status_{NOBODY}").exists():
        sys.exit(f"the guest did not run the model; its last words:\n{console(work)}")
    print(f"Linux {(kernel / 'version').read_text().strip()}, {(out / 'perf').read_text().strip()}; {seconds:.0f} s")
    check, run = Check(), Run(out, 0)
    check_counters(run, check)
    check_energy(run, check)
    check_forbidden(Run(out, NOBODY), check)
    print(f"{check.failed} wrong" if check.failed else "the guest counted what it had to")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
