// The NVML reader on a stub (tests/stubs/nvml_stub.c).
#include "tests/meters/environment.hpp"
#include "tests/meters/values.hpp"

#include <cmath>

using namespace cpl_lb;
using namespace cpl_lb_test;

namespace {

ReaderOptions stub_options() {
    ReaderOptions options;
    options.nvml_library = NVML_STUB;
    options.clock = test_clock;
    return options;
}

int times_open() {
    return ask_stub(NVML_STUB, "nvml_stub_open");
}

void with_stub(ReaderOptions &options) {
    options.nvml_library = NVML_STUB;
}

} // namespace

TEST_CASE("Joules of each GPU since open") {
    const ScopedVariable before("NVML_STUB_ENERGY_MJ", "1000000");
    auto reader = opened(make_nvml_reader(stub_options()));
    CHECK(names_of(*reader) == std::vector<std::string>{"gpu-0", "gpu-1"});
    CHECK(reader->quantities()[0].scope == Scope::device);
    CHECK(read_all(*reader) == std::vector<double>{0, 0});
    const ScopedVariable after("NVML_STUB_ENERGY_MJ", "1002500");
    // GPU 0: 2500 mJ, GPU 1 twice that.
    check_values(*reader, {{"gpu-0", 2.5}, {"gpu-1", 5}});
    CHECK(times_open() == 1);
    reader.reset();
    CHECK(times_open() == 0);
}

TEST_CASE("A counter that was reset during the run is n/a") {
    const ScopedVariable before("NVML_STUB_ENERGY_MJ", "5000");
    const auto reader = opened(make_nvml_reader(stub_options()));
    const ScopedVariable after("NVML_STUB_ENERGY_MJ", "10");
    CHECK(std::isnan(value_of(*reader, "gpu-0")));
    CHECK(mentions(reader->remarks(), "gpu-0 was reset"));
}

TEST_CASE("Each NVML call that fails gives its words") {
    for (const auto &[failure, expected] : std::vector<std::pair<std::string, std::string>>{
             {"init=9", "nvmlInit: stub error 9"},
             {"count=999", "nvmlDeviceGetCount: stub error 999"},
             {"energy=3", "nvmlDeviceGetTotalEnergyConsumption: stub error 3"}}) {
        const ScopedVariable failing("NVML_STUB_FAIL", failure);
        const auto reader = make_nvml_reader(stub_options());
        const Availability answer = reader->open();
        CHECK_FALSE(answer.works);
        CHECK(answer.reason == expected);
        CHECK(reader->quantities().empty());
    }
    const ScopedVariable none("NVML_STUB_GPUS", "0");
    CHECK(make_nvml_reader(stub_options())->open().reason == "NVML lists no GPU on this node");
    CHECK(times_open() == 0);
}

TEST_CASE("A GPU that cannot be read: the other works, and the sum is n/a") {
    const ScopedVariable energy("NVML_STUB_ENERGY_MJ", "1000");
    const ScopedVariable failing("NVML_STUB_FAIL", "energy=3");
    const ScopedVariable only("NVML_STUB_FAIL_GPU", "1");
    const auto reader = opened(make_nvml_reader(stub_options()));
    CHECK(value_of(*reader, "gpu-0") == 0);
    CHECK(std::isnan(value_of(*reader, "gpu-1")));
    CHECK(mentions(reader->remarks(), "no energy of gpu-1: stub error 3"));

    EnergyOn node("no_meters", with_stub);
    node.open().check({{"gpu", unknown}, {"package_and_dram", unknown}}); // the GPUs alone
}

TEST_CASE("GPU energy stands beside that of the processors") {
    EnergyOn node("one_socket", with_stub);
    const ScopedVariable before("NVML_STUB_ENERGY_MJ", "0");
    node.open();
    const ScopedVariable after("NVML_STUB_ENERGY_MJ", "1000");
    node.step(0);
    node.check({{"gpu", 1 + 2}, {"package_and_dram", 4.25}});
}

TEST_CASE("Grace-Hopper: the module contains processor and GPU and is not added to them") {
    // Processor and its DRAM 100 W, then 200 W; the module by hwmon 300 W, then 500 W.
    EnergyOn node("grace", with_stub);
    const ScopedVariable one("NVML_STUB_GPUS", "1"), name("NVML_STUB_NAME", "NVIDIA GH200 480GB");
    const ScopedVariable before("NVML_STUB_ENERGY_MJ", "0"), power("NVML_STUB_MODULE_MW", "300000 999999");
    node.open_by("hwmon, nvml");
    const ScopedVariable after("NVML_STUB_ENERGY_MJ", "2000000"), more("NVML_STUB_MODULE_MW", "500000 999999");
    node.step(10);
    // The module: (300 + 500) / 2 x 10, once. In all 3500 J of it in the parts, 7500 J if they were added.
    node.check({{"module", 4000}, {"package", 1500}, {"gpu", 2000}, {"total", 4000}});
    CHECK_FALSE(node.says("apart: "));
    CHECK_FALSE(node.says("add up to"));
}

TEST_CASE("The module by NVML alone: the averaged power, else the instant one; what differs by 10 % is said") {
    const ScopedVariable one("NVML_STUB_GPUS", "1"), name("NVML_STUB_NAME", "NVIDIA GH200 480GB");
    {
        const ScopedVariable power("NVML_STUB_MODULE_MW", "0 400000");
        const auto reader = opened(make_nvml_reader(stub_options()));
        CHECK(names_of(*reader) == std::vector<std::string>{"gpu-0", "module-0"});
        pass(5);
        check_values(*reader, {{"module-0", 2000}});
        CHECK(mentions(reader->remarks(), "nvml: module-0 tells power, not energy"));
        const ScopedVariable gone("NVML_STUB_FAIL", "fields=15");
        check_values(*reader, {{"module-0", unknown}});
    }
    const ScopedVariable power("NVML_STUB_MODULE_MW", "200000 0");
    EnergyOn node("grace", with_stub);
    node.open().tree.step();
    node.sample(10);
    // (4000 - 2000) / 4000
    CHECK(node.says("the energy of the modules is 4000 J by hwmon and 2000 J by nvml; these differ by 50 %, and the "
                    "results use hwmon"));
}

TEST_CASE("Where several GPUs may be on one module, each telling the same power, none is asked") {
    const ScopedVariable power("NVML_STUB_MODULE_MW", "900000 900000");
    for (const char *name : {"NVIDIA GB200", "NVIDIA H100 80GB HBM3"}) {
        const ScopedVariable called("NVML_STUB_NAME", name);
        const auto reader = opened(make_nvml_reader(stub_options()));
        CHECK(names_of(*reader) == std::vector<std::string>{"gpu-0", "gpu-1"});
    }
    const ScopedVariable none("NVML_STUB_MODULE_MW", "0 0"), hopper("NVML_STUB_NAME", "NVIDIA GH200 480GB");
    const auto reader = opened(make_nvml_reader(stub_options()));
    CHECK(names_of(*reader) == std::vector<std::string>{"gpu-0", "gpu-1"});
}

TEST_CASE("Memory in use on each NVIDIA GPU: as nvidia-smi tells it, and with what an older driver adds") {
    ReaderOptions options = stub_options();
    const ScopedVariable used("NVML_STUB_MEMORY_B", "1073741824");
    auto reader = opened(make_nvidia_gpu_memory_reader(options));
    CHECK(names_of(*reader) == std::vector<std::string>{"gpu-0", "gpu-1"});
    CHECK(reader->quantities()[0].measure == Measure::gauge);
    CHECK(reader->quantities()[0].unit == "B");
    CHECK(read_all(*reader) == std::vector<double>{1073741824, 2147483648});
    {
        const ScopedVariable failing("NVML_STUB_FAIL", "memory=15"), only("NVML_STUB_FAIL_GPU", "1");
        CHECK(value_of(*reader, "gpu-0") == 1073741824);
        CHECK(std::isnan(value_of(*reader, "gpu-1")));
        CHECK(make_nvidia_gpu_memory_reader(options)->open().reason == "nvmlDeviceGetMemoryInfo: stub error 15");
    }
    reader.reset();
    CHECK(times_open() == 0);

    options.nvml_library = NVML_OLD_STUB; // 1 MiB more
    reader = opened(make_nvidia_gpu_memory_reader(options));
    CHECK(read_all(*reader) == std::vector<double>{1074790400, 2148532224});
    CHECK(make_nvml_reader(options)->open().works);

    // Without a driver the energy meter says so: not once more for memory.
    options.nvml_library = "/nonexistent/libnvidia-ml.so.1";
    CHECK(make_nvidia_gpu_memory_reader(options)->open().hardware_missing);
}

TEST_CASE("No driver") {
    ReaderOptions options;
    options.nvml_library = "/nonexistent/libnvidia-ml.so.1";
    check_refused(make_nvml_reader(options)->open(), {"no NVIDIA driver"});
}
