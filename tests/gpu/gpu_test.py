#!/usr/bin/env python3
"""tests/gpu/run itself, on stubs of NVML and CUDA and a made-up nvidia-smi: it passes where all tell the same, and fails
where one of them does not. gpu_test.py BUILD STUBS. STUBS: the folder with libnvidia-ml.so.1 and libcuda.so.1."""
import os
import pathlib
import subprocess
import sys
import tempfile

RUN = pathlib.Path(__file__).parent / "run"
WATTS = 300  # of GPU 0; GPU 1 draws twice that
BASE_MIB = 500

# What nvidia-smi is asked here, of two GPUs. $SMI_WATTS, $SMI_MIB, $SMI_PERCENT: what it says. $SMI_MIG: changes at the second look.
SMI = r"""#!/bin/sh
allocated() { total=0; while read -r n; do total=$((total + n)); done < "$GPU_STUB_ALLOCATED"; echo $((total / 1048576)); }
row() { # GPU
  index=$1 watts=$(($SMI_WATTS * ($1 + 1))) mib=$(($SMI_MIB * ($1 + 1)))
  [ "$1" = 1 ] || mib=$((mib + $(allocated)))
}
case $1 in
  --query-gpu=timestamp,index,power.draw,memory.used,utilization.gpu)
    while :; do
      for gpu in 0 1; do
        row $gpu
        echo "$(date +%Y/%m/%d\ %H:%M:%S.%3N), $gpu, $watts.00, $mib, $SMI_PERCENT"
      done
      sleep 0.1
    done ;;
  --query-gpu=memory.used) for gpu in 0 1; do row $gpu; echo "$mib"; done ;;
  --query-gpu=uuid) for gpu in 0 1; do echo "GPU-00000000-0000-0000-0000-00000000000$gpu"; done ;;
  --query-gpu=index,mig.mode.current,mig.mode.pending)
    mode=Disabled
    [ -z "$SMI_MIG" ] || { [ -e "$SMI_MIG" ] && mode=Enabled; : > "$SMI_MIG"; }
    printf '0, %s, %s\n1, [N/A], [N/A]\n' $mode $mode ;;
  --query-gpu=index) [ -z "$SMI_BROKEN" ] || { echo 'NVIDIA-SMI has failed'; exit 9; }; printf '0\n1\n' ;;
  --query-gpu=name) printf 'made up\nmade up\n' ;;
  --query-gpu=driver_version) printf '999.1\n999.1\n' ;;
  *) echo "not asked before: $1" >&2; exit 2 ;;
esac
"""


def run(build, stubs, **changes):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "nvidia-smi").write_text(SMI)
        (folder / "nvidia-smi").chmod(0o755)
        (folder / "allocated").write_text("")
        environment = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}",
                           LD_LIBRARY_PATH=f"{stubs}:{os.environ.get('LD_LIBRARY_PATH', '')}", CPL_LB_SYSFS="/nonexistent",
                           GPU_STUB_ALLOCATED=str(folder / "allocated"), NVML_STUB_WATTS=str(WATTS),
                           NVML_STUB_MEMORY_B=str(BASE_MIB << 20), SMI_WATTS=str(WATTS), SMI_MIB=str(BASE_MIB), SMI_PERCENT="80", NVML_STUB_PERCENT="80 80", SMI_MIG="",
                           SMI_BROKEN="")
        environment.update({key: value.replace("FOLDER", str(folder)) for key, value in changes.items()})
        done = subprocess.run([sys.executable, RUN, build, "--seconds", "1", "--rest", "0.2", "--mib", "100", "--gap", "100"],
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout


def wrong_lines(text):
    return [line for line in text.splitlines() if line.startswith("WRONG ")]


def main():
    build, stubs = sys.argv[1:]
    problems = []

    def expect(what, good, text):
        if not good:
            problems.append(f"{what}:\n{text}")

    status, text = run(build, stubs)
    # 2 GPUs x energy and power x 2, energy of the node and of components, 2 x memory, what was allocated; UUIDs, and of 2
    # components: GPUs, who shares them, busy by nvidia-smi and by the load.
    expect("all the same", status == 0 and text.count("by nvidia-smi from") == 13 + 1 + 2 * 4 and not wrong_lines(text), text)

    status, text = run(build, stubs, SMI_WATTS=str(WATTS * 11 // 10), SMI_MIB=str(BASE_MIB + 70), SMI_PERCENT="60")
    # 10 % more are 30 W, and 5 W + 3 % are 14.9 W; 64 MiB and 5 % of the loop may differ. What the time around cpl_lb_init and cpl_lb_terminate
    # hides on a busy machine is in the next case.
    wrong = [line for line in wrong_lines(text) if "energy of all" not in line and "two components" not in line]
    expect("10 % more power, 70 MiB more, less busy", status == 1 and len(wrong) == 11 + 2, text)

    status, text = run(build, stubs, SMI_WATTS="1")
    expect("hardly any power", status == 1 and len(wrong_lines(text)) == 10, text)

    status, text = run(build, stubs, SMI_MIG="FOLDER/mig")
    expect("MIG switched on meanwhile", status == 1 and wrong_lines(text) == ["WRONG MIG: its mode is not as before"], text)

    status, text = run(build, stubs, CUDA_STUB_FAIL="cuLaunchKernel")
    expect("the load fails", status == 1 and "gpu_load: cuLaunchKernel: stub error" in text, text)

    status, text = run(build, stubs, SMI_BROKEN="1")
    expect("no card", status == 77 and "no NVIDIA card here (nvidia-smi says: NVIDIA-SMI has failed)" in text, text)

    status, text = run(tempfile.gettempdir(), stubs)
    expect("nothing is built", status == 2 and "cmake --build" in text, text)
    print("\n".join(problems) if problems else "tests/gpu/run tells right from wrong")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
