// The reader of AMD GPUs on a stub (tests/stubs/rocm_smi_stub.c). Its counters count 15.25 uJ.
#include "meters/energy.hpp"
#include "meters/energy_readers.hpp"
#include "meters/reader.hpp"
#include "meters/table.hpp"

#include "tests/meters/environment.hpp"
#include "tests/meters/values.hpp"

#include <cmath>

using namespace cpl_lb;
using namespace cpl_lb_test;

namespace {

void with_stub(ReaderOptions &options) {
    options.rocm_smi_library = ROCM_SMI_STUB;
}

// A machine without other meters, and its GPUs in a file of lines as the stub reads them.
struct AmdMachine : EnergyOn {
    explicit AmdMachine(const std::string &gpus, const std::string &name = "no_meters")
        : EnergyOn(name, with_stub), file("ROCM_SMI_STUB", tree.root() + "/gpus") {
        tell(gpus);
    }
    void tell(const std::string &gpus) const { write("gpus", gpus); }
    [[nodiscard]] ReaderOptions options() const { return changed(options_for(tree), with_stub); }
    [[nodiscard]] std::unique_ptr<Reader> gpus() const { return make_rocm_smi_reader(options()); }

    ScopedVariable file;
};

int times_open() {
    return ask_stub(ROCM_SMI_STUB, "rsmi_stub_open");
}

} // namespace

TEST_CASE("Joules of each AMD GPU since open, by the resolution that the library tells") {
    const AmdMachine machine("740c 100 0 4000000 0 0 0 0\n740c 200 0 1 0 0 0 0");
    auto reader = machine.gpus();
    REQUIRE(reader->open().works);
    CHECK(names_of(*reader) == std::vector<std::string>{"amd-gpu-0", "amd-gpu-1"});
    CHECK(reader->quantities()[0].domain == Domain::gpu);
    CHECK(read_all(*reader) == std::vector<double>{0, 0});
    machine.tell("740c 100 0 6000000 0 0 0 0\n740c 200 0 400001 0 0 0 0");
    // 2,000,000 x 15.25 uJ; 400,000 x 15.25 uJ
    check_values(*reader, {{"amd-gpu-0", 30.5}, {"amd-gpu-1", 6.1}});
    CHECK(reader->remarks().empty());
    CHECK(times_open() == 1);
    reader.reset();
    CHECK(times_open() == 0);
}

TEST_CASE("MI250X: one counter for the two GPUs of a package; the other one stays 0 and is no missing figure") {
    AmdMachine machine("740c 100 0 4000000 0 90000000 0 0\n740c 200 0 0 0 80000000 0 0\n"
                       "740c 300 0 5000000 0 90000000 0 0\n740c 400 0 0 0 80000000 0 0");
    machine.open();
    machine.tell("740c 100 0 6000000 0 90000000 0 0\n740c 200 0 0 0 80000000 0 0\n"
                 "740c 300 0 6000000 0 90000000 0 0\n740c 400 0 0 0 80000000 0 0");
    machine.sample(1);
    CHECK(machine.meter.totals().gpu_J == Approx(45.75)); // 3,000,000 x 15.25 uJ, and nothing of the powers
    CHECK(machine.meter.zones().size() == 2);
    CHECK(machine.remarks() == 0);
}

TEST_CASE("A GPU that is divided into several devices counts once") {
    // Partitions 0 to 2 of one address (MI300X), and another GPU in another PCI domain.
    const std::string part = " 0 1000 0 0 0 0\n";
    const AmdMachine machine("74a1 100" + part + "74a1 10000100" + part + "74a1 20000101" + part + "74a1 100000100" +
                             part);
    const auto reader = machine.gpus();
    REQUIRE(reader->open().works);
    CHECK(names_of(*reader) == std::vector<std::string>{"amd-gpu-0", "amd-gpu-3"});
}

TEST_CASE("MI300A: its counter has processors, GPU and memory in it, and is not added to the package") {
    AmdMachine machine("74a0 100 0 4000000 0 0 0 0", "one_socket");
    machine.open();
    CHECK(machine.meter.source() == "rapl, rocm_smi");
    machine.tree.step(); // package 3.5 J + DRAM 0.75 J
    machine.tell("74a0 100 0 6000000 0 0 0 0");
    machine.sample(1);
    CHECK(machine.meter.totals().module_J == Approx(30.5));
    CHECK(machine.meter.totals().total_J == Approx(30.5)); // 34.75 J if they were added
    CHECK(machine.meter.totals().package_and_dram_J == Approx(4.25));
    CHECK(std::isnan(machine.meter.totals().gpu_J));
    CHECK(machine.remarks() == 0);
}

TEST_CASE("Modules alone are the energy of the node; parts that are more than they are named") {
    AmdMachine machine("74a0 100 0 1000000 0 0 0 0\n74a0 200 0 1000000 0 0 0 0");
    machine.open_by("rocm_smi");
    machine.tell("74a0 100 0 3000000 0 0 0 0\n74a0 200 0 2000000 0 0 0 0");
    machine.sample(1);
    CHECK(machine.meter.totals().total_J == Approx(45.75));

    AmdMachine wrong("74a0 100 0 1 0 0 0 0", "one_socket");
    wrong.write("class/powercap/intel-rapl:0/energy_uj", "0");
    wrong.open();
    wrong.write("class/powercap/intel-rapl:0/energy_uj", "200000000"); // 200 J
    wrong.tell("74a0 100 0 6000001 0 0 0 0");                          // 91.5 J
    wrong.sample(10);
    CHECK(wrong.says("package, DRAM and GPUs add up to 200 J, but the modules used 92 J"));
}

TEST_CASE("Without a counter the power is integrated, and that is said") {
    // All ones: the counter is not there. Not supported (2): the same.
    const AmdMachine machine("738c 100 0 18446744073709551615 0 100000000 0 0\n738c 200 2 0 0 50000000 0 0");
    for (const std::string &library : {std::string(ROCM_SMI_STUB), std::string(ROCM_SMI_OLD_STUB)}) {
        machine.tell("738c 100 0 18446744073709551615 0 100000000 0 0\n738c 200 2 0 0 50000000 0 0");
        ReaderOptions options = machine.options();
        options.rocm_smi_library = library; // the older one tells the average only
        const auto reader = opened(make_rocm_smi_reader(options));
        machine.tell("738c 100 0 18446744073709551615 0 300000000 0 0\n738c 200 2 0 0 50000000 0 0");
        pass(10);
        CHECK(read_all(*reader) == std::vector<double>{2000, 500}); // (100 + 300) / 2 x 10 and 50 x 10 J
        CHECK(mentions(reader->remarks(), "amd-gpu-0 tells power, not energy: joules are power x time, read at most "
                                          "10.0 s apart"));
    }
}

TEST_CASE("One GPU that cannot be read leaves no sum; a reading that fails once is made up for") {
    AmdMachine machine("740c 100 0 4000000 0 0 0 0\n740c 200 4 0 4 0 0 0");
    machine.open();
    machine.tell("740c 100 0 6000000 0 0 0 0\n740c 200 4 0 4 0 0 0");
    machine.sample(1);
    CHECK(std::isnan(machine.meter.totals().gpu_J));
    CHECK(machine.says("no energy of amd-gpu-1: stub status 4"));

    const AmdMachine busy("740c 100 0 4000000 0 0 0 0");
    const auto reader = busy.gpus();
    REQUIRE(reader->open().works);
    busy.tell("740c 100 16 0 0 0 0 0");
    CHECK(std::isnan(value_of(*reader, "amd-gpu-0")));
    busy.tell("740c 100 0 6000000 0 0 0 0");
    CHECK(value_of(*reader, "amd-gpu-0") == Approx(30.5));
    CHECK(mentions(reader->remarks(), "no energy of amd-gpu-0: stub status 16 (1 time)"));
    busy.tell("740c 100 0 5 0 0 0 0");
    CHECK(std::isnan(value_of(*reader, "amd-gpu-0")));
    CHECK(mentions(reader->remarks(), "the energy counter of amd-gpu-0 was reset during the run"));
}

TEST_CASE("Each ROCm SMI call that fails gives its words") {
    const AmdMachine machine("740c 100 2 0 4 0 0 0");
    const Availability no_right = machine.gpus()->open();
    CHECK_FALSE(no_right.works);
    CHECK(no_right.reason == "rsmi_dev_energy_count_get and rsmi_dev_power_get: stub status 4");
    CHECK(no_right.remedy.find("video and render") != std::string::npos);
    machine.tell("740c 100 0 0 0 0 0 0");
    CHECK(machine.gpus()->open().reason == "no AMD GPU on this node has counted any energy");
    {
        const ScopedVariable failing("ROCM_SMI_STUB_INIT", "8");
        CHECK(machine.gpus()->open().reason == "rsmi_init: stub status 8");
    }
    machine.tell("");
    CHECK(machine.gpus()->open().reason == "ROCm SMI lists no GPU on this node");
    ReaderOptions options;
    options.rocm_smi_library = "/nonexistent/librocm_smi64.so.1";
    const Availability none = make_rocm_smi_reader(options)->open();
    CHECK(none.reason.find("no ROCm here (") == 0);
    CHECK(none.hardware_missing);
    CHECK(times_open() == 0);
}

TEST_CASE("Memory in use on each AMD GPU") {
    AmdMachine machine("740c 100 0 1 0 0 0 1073741824\n740c 200 0 0 0 0 0 4096");
    auto reader = opened(make_amd_gpu_memory_reader(machine.options()));
    CHECK(read_all(*reader) == std::vector<double>{1073741824, 4096});
    CHECK(reader->quantities()[0].measure == Measure::gauge);
    machine.tell("740c 100 0 1 0 0 0 2147483648\n740c 200 0 0 0 0 2 0");
    CHECK(value_of(*reader, "amd-gpu-0") == 2147483648);
    CHECK(std::isnan(value_of(*reader, "amd-gpu-1")));
    reader.reset();
    machine.tell("740c 100 0 1 0 0 4 0");
    reader = make_amd_gpu_memory_reader(machine.options());
    CHECK(reader->open().reason == "rsmi_dev_memory_usage_get: stub status 4");
}
