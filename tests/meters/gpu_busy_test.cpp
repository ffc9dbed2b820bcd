// How busy GPUs are, on a stub of NVML, and which GPUs this process uses.
#include "meters/gpu_driver.hpp"
#include "meters/process_gpus.hpp"
#include "meters/process_meters.hpp"

#include "tests/meters/environment.hpp"
#include "tests/meters/values.hpp"

#include <cmath>
#include <dlfcn.h>
#include <map>

using namespace cpl_lb;
using namespace cpl_lb_test;

namespace {

void at_second(double s) {
    test_time = from_seconds(s);
}

const GpuBusyReader &of(const std::unique_ptr<Reader> &reader) {
    return dynamic_cast<const GpuBusyReader &>(*reader);
}

// Without samples.
std::unique_ptr<Reader> nvidia_reader(const std::string &library = NVML_STUB) {
    ReaderOptions options;
    options.nvml_library = library;
    options.clock = test_clock;
    at_second(0);
    return make_nvidia_gpu_busy_reader(options);
}

// NVML's stub, whose driver keeps the samples in a file: lines of GPU, time [us], per cent.
class NvidiaMachine {
public:
    NvidiaMachine() : tree_("no_meters"), file_("NVML_STUB_SAMPLES", tree_.root() + "/samples") { at_second(0); }
    void keep(const std::string &samples) const { tree_.write("samples", samples); }
    [[nodiscard]] static std::unique_ptr<Reader> reader() { return opened(nvidia_reader()); }

private:
    RecordedTree tree_;
    ScopedVariable file_;
};

std::map<std::string, std::string> variables;
const char *value_in_test(const char *name) {
    const auto at = variables.find(name);
    return at == variables.end() ? nullptr : at->second.c_str();
}

} // namespace

TEST_CASE("The GPUs of a node: kind and UUID of each, in the driver's order") {
    const auto reader = opened(nvidia_reader());
    CHECK(of(reader).knows_gpus());
    REQUIRE(of(reader).gpus().size() == 2);
    CHECK(of(reader).gpus()[0].gpu.kind == "NVIDIA H100");
    CHECK(of(reader).gpus()[1].gpu.uuid == "GPU-00000000-0000-0000-0000-000000000001");
    CHECK(names_of(*reader) == std::vector<std::string>{"gpu-0", "gpu-0/clock", "gpu-1", "gpu-1/clock"});
}

// Samples of 20 % and 60 % in 2 s: 0.4 x 2 s. Then one of 100 % in 1 s. The first was there before the run began.
TEST_CASE("All samples that the driver kept since the last reading count, not the latest alone") {
    const NvidiaMachine machine;
    machine.keep("0 1000000 90\n1 1000000 0");
    const auto reader = machine.reader();
    at_second(2);
    machine.keep("0 1000000 90\n1 1000000 0\n0 2000000 20\n1 2000000 0\n0 3000000 60\n1 3000000 0");
    CHECK(value_of(*reader, "gpu-0") == Approx(0.8));
    machine.keep("0 2000000 20\n0 3000000 60\n0 4000000 100\n1 3000000 0\n1 4000000 50");
    at_second(3);
    const std::vector<double> values = read_all(*reader);
    CHECK(values[0] == Approx(1.8)); // 0.8 + 1
    // Its reading at 2 s counts 2 s of 0 %, this one 1 s of 50 %.
    CHECK(values[2] == Approx(0.5));
    CHECK(values[1] == 0.5); // 990 of 1980 MHz
    CHECK(reader->remarks().empty());
}

TEST_CASE("Without a new sample of the driver nothing is known yet") {
    const NvidiaMachine machine;
    machine.keep("0 1000000 90\n1 1000000 0");
    const auto reader = machine.reader();
    at_second(1);
    CHECK(std::isnan(value_of(*reader, "gpu-0")));
    machine.keep("0 1000000 90\n1 1000000 0\n0 1500000 50");
    at_second(2);
    CHECK(value_of(*reader, "gpu-0") == Approx(1)); // 2 s of 50 %
}

// From 1 s to 11 s nothing is kept: 10 s of the 10.5 s.
TEST_CASE("What the driver forgot is told") {
    const NvidiaMachine machine;
    machine.keep("0 1000000 90\n1 1000000 0");
    const auto reader = machine.reader();
    machine.keep("0 11000000 40\n0 11500000 60\n1 1500000 0");
    at_second(10.5);
    CHECK(value_of(*reader, "gpu-0") == Approx(5.25));
    CHECK(
        reader->remarks() ==
        std::vector<std::string>{"gpu-0: the driver had forgotten its utilisation of 10.0 s of 10.5 s before it was "
                                 "asked: the mean of the rest stands for them"});
}

// Straight lines between instants: 0 % at 0 s, 50 % at 4 s: 1 s.
TEST_CASE("A driver without samples tells the last instant") {
    const ScopedVariable failing("NVML_STUB_FAIL", "samples=3");
    const auto reader = opened(nvidia_reader());
    const ScopedVariable rate("NVML_STUB_RATE", "50");
    at_second(4);
    CHECK(value_of(*reader, "gpu-0") == Approx(1));
    CHECK(mentions(reader->remarks(),
                   "gpu-0: the driver tells its utilisation of the last instant only: it was read at "
                   "most 4.0 s apart"));
}

TEST_CASE("Slices: n/a with the reason, and the other GPU is read") {
    const ScopedVariable mig("NVML_STUB_MIG", "1");
    const auto reader = opened(nvidia_reader());
    CHECK(of(reader).gpus()[0].why_not_busy.empty());
    CHECK(of(reader).gpus()[1].why_not_busy ==
          "it is divided into slices (MIG), and the driver tells no utilisation of these");
    CHECK(std::isnan(value_of(*reader, "gpu-1")));
    CHECK(of(reader).gpus()[1].gpu.kind == "NVIDIA H100");
}

TEST_CASE("Without rights: GPUs are known, their utilisation is not") {
    const ScopedVariable failing("NVML_STUB_FAIL", "rates=4");
    const auto reader = nvidia_reader();
    const Availability answer = reader->open();
    CHECK_FALSE(answer.works);
    CHECK_FALSE(answer.hardware_missing);
    CHECK(answer.reason == "nvmlDeviceGetUtilizationRates: stub error 4");
    CHECK(of(reader).knows_gpus());
    CHECK(of(reader).gpus().size() == 2);
}

TEST_CASE("No driver is no GPU; a driver that refuses is not known") {
    const auto none = nvidia_reader("/nonexistent/libnvidia-ml.so.1");
    CHECK(none->open().hardware_missing);
    CHECK(of(none).knows_gpus());
    for (const auto &[failure, known] : std::map<std::string, bool>{{"init=9", true}, {"init=4", false}}) {
        const ScopedVariable failing("NVML_STUB_FAIL", failure);
        const auto reader = nvidia_reader();
        CHECK_FALSE(reader->open().works);
        CHECK(of(reader).knows_gpus() == known);
    }
}

TEST_CASE("A GPU that is lost in the run: n/a from then on, and told once") {
    const auto reader = opened(nvidia_reader());
    CHECK(value_of(*reader, "gpu-1") == 0);
    {
        const ScopedVariable failing("NVML_STUB_FAIL", "rates=15");
        const ScopedVariable only("NVML_STUB_FAIL_GPU", "1");
        CHECK(std::isnan(value_of(*reader, "gpu-1")));
        CHECK(value_of(*reader, "gpu-0") == 0);
    }
    CHECK(std::isnan(value_of(*reader, "gpu-1")));
    CHECK(mentions(reader->remarks(), "no utilisation of gpu-1: stub error 15"));
}

TEST_CASE("A process that has loaded no GPU library uses no GPU") {
    ReaderOptions options;
    options.cuda_library = "/nonexistent/libcuda.so.1";
    options.hsa_library = "/nonexistent/libhsa-runtime64.so.1";
    const ProcessGpus gpus = gpus_of_process(options);
    CHECK(gpus.told);
    CHECK(gpus.uuids.empty());
}

// CUDA loaded; then initialised, without a context: it may have had one; then with one on its second device.
TEST_CASE("The GPUs on which a process has a CUDA context") {
    ReaderOptions options;
    options.cuda_library = CUDA_STUB;
    options.hsa_library = "/nonexistent/libhsa-runtime64.so.1";
    void *cuda = ::dlopen(CUDA_STUB, RTLD_NOW);
    REQUIRE(cuda != nullptr);
    CHECK(gpus_of_process(options).told);
    reinterpret_cast<int (*)(unsigned)>(::dlsym(cuda, "cuInit"))(0);
    CHECK_FALSE(gpus_of_process(options).told);
    void *context = nullptr;
    reinterpret_cast<int (*)(void **, int)>(::dlsym(cuda, "cuDevicePrimaryCtxRetain"))(&context, 1);
    const ProcessGpus gpus = gpus_of_process(options);
    CHECK(gpus.told);
    CHECK(gpus.uuids == std::vector<std::string>{"GPU-00000000-0000-0000-0000-000000000001"});
}

TEST_CASE("What the environment lets a process use") {
    const auto visible = [](std::map<std::string, std::string> all) {
        variables = std::move(all);
        const ProcessGpus gpus = gpus_of_environment(value_in_test);
        std::string text = gpus.visible_from + ":";
        for (const std::string &gpu : gpus.visible)
            text += " " + gpu;
        return text + (gpus.of_job ? " of job" : "") + (gpus.told ? " none" : "");
    };
    CHECK(visible({}) == ":");
    CHECK(visible({{"CUDA_VISIBLE_DEVICES", "2,3"}}) == "CUDA_VISIBLE_DEVICES: 2 3");
    CHECK(visible({{"CUDA_VISIBLE_DEVICES", "GPU-5a,MIG-7"}}) == "CUDA_VISIBLE_DEVICES: GPU-5a MIG-7");
    CHECK(visible({{"CUDA_VISIBLE_DEVICES", "1,-1,2"}}) == "CUDA_VISIBLE_DEVICES: 1"); // CUDA stops at -1
    CHECK(visible({{"CUDA_VISIBLE_DEVICES", ""}}) == "CUDA_VISIBLE_DEVICES: none");
    CHECK(visible({{"CUDA_VISIBLE_DEVICES", "NoDevFiles"}}) == "CUDA_VISIBLE_DEVICES: none");
    CHECK(visible({{"SLURM_JOB_GPUS", "0-2"}}) == "SLURM_JOB_GPUS: 0 1 2 of job");
    CHECK(visible({{"SLURM_JOB_GPUS", "0-3"}, {"SLURM_STEP_GPUS", "1,2"}}) == "SLURM_STEP_GPUS: 1 2 of job");
    CHECK(visible({{"CUDA_VISIBLE_DEVICES", "2"}, {"SLURM_STEP_GPUS", "0-3"}}) == "CUDA_VISIBLE_DEVICES: 2");
    // Each of the four tasks may see its own GPU as number 0.
    CHECK(visible({{"CUDA_VISIBLE_DEVICES", "0"}, {"SLURM_STEP_GPUS", "0-3"}}) == "SLURM_STEP_GPUS: 0 1 2 3 of job");
    CHECK(visible({{"SLURM_STEP_GPUS", "3-1,9999999"}}) == ":");
}
