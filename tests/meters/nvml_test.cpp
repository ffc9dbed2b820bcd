// The NVML reader on a stub (tests/stubs/nvml_stub.c).
#include "meters/energy.hpp"
#include "meters/energy_readers.hpp"
#include "meters/reader.hpp"
#include "meters/table.hpp"

#include "tests/meters/environment.hpp"
#include "tests/meters/values.hpp"

#include <cmath>
#include <dlfcn.h>

using namespace cpl_lb;
using namespace cpl_lb_test;

namespace {

ReaderOptions stub_options() {
    ReaderOptions options;
    options.nvml_library = NVML_STUB;
    return options;
}

int times_open() {
    void *library = ::dlopen(NVML_STUB, RTLD_NOW | RTLD_NOLOAD);
    REQUIRE(library != nullptr);
    const auto open = reinterpret_cast<int (*)()>(::dlsym(library, "nvml_stub_open"));
    REQUIRE(open != nullptr);
    return open();
}

Nanoseconds nvml_time = 0;
Nanoseconds nvml_clock() noexcept {
    return nvml_time;
}

} // namespace

TEST_CASE("Joules of each GPU since open") {
    const ScopedVariable before("NVML_STUB_ENERGY_MJ", "1000000");
    auto reader = make_nvml_reader(stub_options());
    REQUIRE(reader->open().works);
    CHECK(names_of(*reader) == std::vector<std::string>{"gpu-0", "gpu-1"});
    CHECK(reader->quantities()[0].scope == Scope::device);
    CHECK(read_all(*reader) == std::vector<double>{0, 0});
    const ScopedVariable after("NVML_STUB_ENERGY_MJ", "1002500");
    // GPU 0: 2500 mJ, GPU 1 twice that.
    CHECK(value_of(*reader, "gpu-0") == Approx(2.5));
    CHECK(value_of(*reader, "gpu-1") == Approx(5));
    CHECK(times_open() == 1);
    reader.reset();
    CHECK(times_open() == 0);
}

TEST_CASE("A counter that was reset during the run is n/a") {
    const ScopedVariable before("NVML_STUB_ENERGY_MJ", "5000");
    const auto reader = make_nvml_reader(stub_options());
    REQUIRE(reader->open().works);
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
    const auto reader = make_nvml_reader(stub_options());
    REQUIRE(reader->open().works);
    CHECK(value_of(*reader, "gpu-0") == 0);
    CHECK(std::isnan(value_of(*reader, "gpu-1")));
    CHECK(mentions(reader->remarks(), "no energy of gpu-1: stub error 3"));

    ReaderOptions options = stub_options();
    options.sysfs_root = "/nonexistent";
    EnergyMeter meter(options, steady_now);
    REQUIRE(meter.open().works); // the GPUs alone
    meter.sample();
    CHECK(std::isnan(meter.totals().gpu_J));
    CHECK(std::isnan(meter.totals().package_and_dram_J));
}

TEST_CASE("GPU energy stands beside that of the processors") {
    RecordedTree tree("one_socket");
    ReaderOptions options = options_for(tree);
    options.nvml_library = NVML_STUB;
    const ScopedVariable before("NVML_STUB_ENERGY_MJ", "0");
    EnergyMeter meter(options, steady_now);
    REQUIRE(meter.open().works);
    tree.step();
    const ScopedVariable after("NVML_STUB_ENERGY_MJ", "1000");
    meter.sample();
    CHECK(meter.totals().gpu_J == Approx(1 + 2));
    CHECK(meter.totals().package_and_dram_J == Approx(4.25));
}

TEST_CASE("Grace-Hopper: the module contains processor and GPU and is not added to them") {
    RecordedTree tree("grace"); // processor and its DRAM 100 W, then 200 W; the module by hwmon 300 W, then 500 W
    ReaderOptions options = options_for(tree);
    options.nvml_library = NVML_STUB;
    const ScopedVariable one("NVML_STUB_GPUS", "1"), name("NVML_STUB_NAME", "NVIDIA GH200 480GB");
    const ScopedVariable before("NVML_STUB_ENERGY_MJ", "0"), power("NVML_STUB_MODULE_MW", "300000 999999");
    EnergyMeter meter(options, nvml_clock);
    REQUIRE(meter.open().works);
    CHECK(meter.source() == "hwmon, nvml");
    tree.step();
    nvml_time += from_seconds(10);
    const ScopedVariable after("NVML_STUB_ENERGY_MJ", "2000000"), more("NVML_STUB_MODULE_MW", "500000 999999");
    meter.sample();
    CHECK(meter.totals().module_J == Approx(4000)); // (300 + 500) / 2 x 10, once
    CHECK(meter.totals().package_J == Approx(1500));
    CHECK(meter.totals().gpu_J == Approx(2000));
    CHECK(meter.totals().total_J == Approx(4000)); // 3500 J of it in the parts, 7500 J if they were added
    CHECK_FALSE(mentions(meter.remarks(), "apart: "));
    CHECK_FALSE(mentions(meter.remarks(), "add up to"));
}

TEST_CASE("The module by NVML alone: the averaged power, else the instant one; what differs by 10 % is said") {
    const ScopedVariable one("NVML_STUB_GPUS", "1"), name("NVML_STUB_NAME", "NVIDIA GH200 480GB");
    const auto reader_of = [] { return make_nvml_reader(stub_options(), nvml_clock); };
    {
        const ScopedVariable power("NVML_STUB_MODULE_MW", "0 400000");
        const auto reader = reader_of();
        REQUIRE(reader->open().works);
        CHECK(names_of(*reader) == std::vector<std::string>{"gpu-0", "module-0"});
        nvml_time += from_seconds(5);
        CHECK(value_of(*reader, "module-0") == Approx(2000));
        CHECK(mentions(reader->remarks(), "nvml: module-0 tells power, not energy"));
        const ScopedVariable gone("NVML_STUB_FAIL", "fields=15");
        CHECK(std::isnan(value_of(*reader, "module-0")));
    }
    RecordedTree tree("grace");
    ReaderOptions options = options_for(tree);
    options.nvml_library = NVML_STUB;
    const ScopedVariable power("NVML_STUB_MODULE_MW", "200000 0");
    EnergyMeter meter(options, nvml_clock);
    REQUIRE(meter.open().works);
    tree.step();
    nvml_time += from_seconds(10);
    meter.sample();
    // (4000 - 2000) / 4000
    CHECK(mentions(meter.remarks(), "the energy of the modules is 4000 J by hwmon and 2000 J by nvml; these differ "
                                    "by 50 %, and the results use hwmon"));
}

TEST_CASE("Where several GPUs may be on one module, each telling the same power, none is asked") {
    const ScopedVariable power("NVML_STUB_MODULE_MW", "900000 900000");
    for (const char *name : {"NVIDIA GB200", "NVIDIA H100 80GB HBM3"}) {
        const ScopedVariable called("NVML_STUB_NAME", name);
        const auto reader = make_nvml_reader(stub_options(), nvml_clock);
        REQUIRE(reader->open().works);
        CHECK(names_of(*reader) == std::vector<std::string>{"gpu-0", "gpu-1"});
    }
    const ScopedVariable none("NVML_STUB_MODULE_MW", "0 0"), hopper("NVML_STUB_NAME", "NVIDIA GH200 480GB");
    const auto reader = make_nvml_reader(stub_options(), nvml_clock);
    REQUIRE(reader->open().works);
    CHECK(names_of(*reader) == std::vector<std::string>{"gpu-0", "gpu-1"});
}

TEST_CASE("Memory in use on each NVIDIA GPU: as nvidia-smi tells it, and with what an older driver adds") {
    ReaderOptions options = stub_options();
    const ScopedVariable used("NVML_STUB_MEMORY_B", "1073741824");
    auto reader = make_nvidia_gpu_memory_reader(options);
    REQUIRE(reader->open().works);
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
    reader = make_nvidia_gpu_memory_reader(options);
    REQUIRE(reader->open().works);
    CHECK(read_all(*reader) == std::vector<double>{1074790400, 2148532224});
    CHECK(make_nvml_reader(options)->open().works);

    // Without a driver the energy meter says so: not once more for memory.
    options.nvml_library = "/nonexistent/libnvidia-ml.so.1";
    CHECK(make_nvidia_gpu_memory_reader(options)->open().hardware_missing);
}

TEST_CASE("No driver") {
    ReaderOptions options;
    options.nvml_library = "/nonexistent/libnvidia-ml.so.1";
    const Availability answer = make_nvml_reader(options)->open();
    CHECK_FALSE(answer.works);
    CHECK(answer.reason.find("no NVIDIA driver") != std::string::npos);
}
