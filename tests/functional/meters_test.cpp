// Memory, energy and counters through the whole chain: a model under mpirun, its json and its text.
#include "run_scenario.hpp"
#include "tests/meters/recorded_tree.hpp"

#include <catch2/catch.hpp>
#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using cpl_lb_test::RecordedTree;
using scenario::run;

static const scenario::Program program("meter_scenarios");

namespace {

constexpr double MiB = 1048576;

std::string text_of(const scenario::Result &r) {
    return scenario::slurp(r.folder / "load_balancing_info.txt");
}
nlohmann::json region(const nlohmann::json &component, const std::string &name) {
    for (const auto &r : component.at("regions"))
        if (r.at("name") == name) return r;
    return {};
}
nlohmann::json counter(const nlohmann::json &list, const std::string &name) {
    for (const auto &c : list)
        if (c.at("name") == name) return c;
    return {};
}

} // namespace

TEST_CASE("a process that allocates and touches 200 MiB shows it") {
    const auto r = run("allocate", 2, "CPL_LB_SAMPLE=0.01");
    REQUIRE(r.exit_code == 0);
    CHECK(r.complaints.empty());
    const auto lean = r.component("lean"), fat = r.component("fat");
    // The same program otherwise; 10 MiB for what differs by chance and by the root's own work.
    CHECK(fat.at("hwm_B").get<double>() >= 200 * MiB);
    CHECK(fat.at("hwm_B").get<double>() - lean.at("hwm_B").get<double>() == Approx(200 * MiB).margin(10 * MiB));
    CHECK(region(fat, "grow").at("memory_change_B").at("sum").get<double>() == Approx(200 * MiB).epsilon(0.02));
    CHECK(region(lean, "grow").at("memory_change_B").at("sum").get<double>() <= 10 * MiB);
    // In time: it was not there at first, and it was at the end.
    const auto &series = fat.at("memory").at("rss_series_B").at("max");
    REQUIRE(series.size() >= 2);
    std::size_t first = 0;
    while (series.at(first).is_null()) // the other process came first
        ++first;
    CHECK(series.back().get<double>() - series.at(first).get<double>() >= 195 * MiB);
    CHECK(fat.at("memory").at("executable_B").at("max") ==
          static_cast<double>(std::filesystem::file_size(scenario::beside(scenario::program()))));
    CHECK(r.info().at("meters").at("hwm_B").at("sum").get<double>() ==
          lean.at("hwm_B").get<double>() + fat.at("hwm_B").get<double>());
    CHECK(text_of(r).find("Memory (MiB of one process)") != std::string::npos);
}

TEST_CASE("memory meters switched off give null, not 0") {
    const auto r = run("allocate", 2, "CPL_LB_RSS=0 CPL_LB_ENERGY=0");
    REQUIRE(r.exit_code == 0);
    CHECK(r.component("fat").at("hwm_B").is_null());
    CHECK(r.component("fat").at("energy_J").is_null());
    CHECK(r.info().at("meters").at("not_there").empty()); // nobody asked
    CHECK(region(r.component("fat"), "grow").at("memory_change_B").at("mean").is_null());
    CHECK(text_of(r).find("Memory (MiB") == std::string::npos);
}

namespace {

// Two busy loops for each processor compete.
scenario::Result run_beside_busy_loops(const std::string &name, int processes, const std::string &environment) {
    std::vector<pid_t> others;
    for (long i = 0; i < 2 * sysconf(_SC_NPROCESSORS_ONLN); ++i) {
        const pid_t child = fork();
        if (child == 0)
            for (volatile double n = 0; n >= 0;)
                n = n + 1e-9;
        if (child > 0) others.push_back(child);
    }
    scenario::Result r = run(name, processes, environment);
    for (const pid_t child : others) {
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
    }
    return r;
}

} // namespace

// The kernel's own words are the truth, whatever else the machine does: what the loop had of it cannot be more than
// the process had from before cpl_lb_init to behind cpl_lb_terminate.
TEST_CASE("time without a processor is the kernel's, by process, and called a disturbance from 5 % of the loop on") {
    const auto r = run_beside_busy_loops("compute", 3, "CPL_LB_SAMPLE=0.01");
    REQUIRE(r.exit_code == 0);
    const auto all = r.info().at("meters").at("no_processor_s");
    std::size_t disturbed = 0;
    for (const std::string name : {"ocean", "atmosphere"}) {
        const auto c = r.component(name);
        const auto &none = c.at("no_processor");
        if (none.at("count") == 0) continue; // this kernel does not count
        CHECK(none.at("count") == c.at("ranks").size());
        const int most = none.at("process").get<int>();
        CHECK(none.at("max").get<double>() <= r.said.at("no_processor_" + std::to_string(most)) + 1e-6);
        CHECK(none.at("max").get<double>() <= all.at("max").get<double>() + 1e-6);
        CHECK(none.at("min").get<double>() >= 0);
        const auto &outside = none.at("outside_mpi").at("max");
        if (outside.is_null()) continue;
        CHECK(outside.get<double>() <= none.at("max").get<double>());
        if (outside.get<double>() >= 0.05 * c.at("loop_s").get<double>()) ++disturbed;
    }
    // Words only of what stands in the figures; both may wait for each other by less than they would need to.
    const bool said = text_of(r).find("Caution: processes of ") != std::string::npos;
    if (disturbed == 0) CHECK_FALSE(said);
}

TEST_CASE("of a process that exchanges nothing, and may sit in MPI, it is not known whether it could compute") {
    const auto r = run_beside_busy_loops("compute", 3, "CPL_LB_SAMPLE=0.01 FIRST_COUPLES=1");
    REQUIRE(r.exit_code == 0);
    const auto none = r.component("ocean").at("no_processor");
    if (none.at("count") == 0) return; // this kernel does not count
    CHECK(none.at("count") == 2);
    const auto count = none.at("outside_mpi").at("count").get<int>();
    CHECK(count <= 1);
    if (count == 1) CHECK(none.at("outside_mpi_process") == 0);
}

TEST_CASE("joules of a recorded node, with a wrap, shared by cores") {
    RecordedTree tree("one_node");
    const auto r = run("energy", 4, "CPL_LB_SAMPLE=0.01 CPL_LB_SYSFS=" + tree.root());
    REQUIRE(r.exit_code == 0);
    CHECK(r.complaints.empty());
    const auto info = r.info();
    // By hand in the tree: package 5.32885 J, DRAM 2.5 J, sum 7.82885 J; psys 39 J stays outside.
    const auto &node = info.at("meters").at("nodes").at(0);
    CHECK(node.at("package_J").get<double>() == Approx(5.32885));
    CHECK(node.at("dram_J").get<double>() == Approx(2.5));
    CHECK(node.at("psys_J").get<double>() == Approx(39));
    CHECK(node.at("energy_J").get<double>() == Approx(7.82885));
    CHECK(node.at("gpu_J").is_null());
    CHECK(node.at("energy_source") == "rapl");
    // 1 and 3 of 4 cores: 7.82885 / 4 = 1.9572125 and 5.8716375, and called estimates.
    CHECK(r.component("ocean").at("energy_J").get<double>() == Approx(1.9572125));
    CHECK(r.component("atmosphere").at("energy_J").get<double>() == Approx(5.8716375));
    CHECK(r.component("ocean").at("energy").at("is_estimate") == true);
    // One year simulated.
    CHECK(info.at("cpmip").at("ajpsy").get<double>() == Approx(7.82885));
    CHECK(text_of(r).find("estimate: by core share") != std::string::npos);
}

// The node of the test before, with a package of two GPUs, of which the first counts for both. The stub's counter
// goes from 4,000,000 to 6,000,000 x 15.25 uJ: 30.5 J.
TEST_CASE("joules and memory of AMD GPUs, from the library to the text") {
    const auto with_gpus = [](const std::string &device) {
        RecordedTree tree("one_node");
        tree.write("gpus", device + " 100 0 4000000 0 0 0 1073741824\n" + device + " 200 0 0 0 0 0 4096");
        return run("energy", 4,
                   "CPL_LB_SAMPLE=0.01 CPL_LB_SYSFS=" + tree.root() + " ROCM_SMI_STUB=" + tree.root() +
                       "/gpus AMD_DEVICE=" + device +
                       " LD_LIBRARY_PATH=" + scenario::beside("../stubs/rocm_smi_stub") + ":$LD_LIBRARY_PATH");
    };
    const auto r = with_gpus("740c"); // MI250X
    REQUIRE(r.exit_code == 0);
    CHECK(r.complaints.empty());
    const auto info = r.info();
    const auto &node = info.at("meters").at("nodes").at(0);
    CHECK(node.at("energy_source") == "rapl, rocm_smi");
    CHECK(node.at("gpu_J").get<double>() == Approx(30.5));
    CHECK(node.at("energy_J").get<double>() == Approx(38.32885)); // 7.82885 + 30.5
    CHECK(node.at("module_J").is_null());
    // 3 of 4 cores.
    CHECK(r.component("atmosphere").at("energy").at("gpu_J").get<double>() == Approx(22.875));
    CHECK(r.component("atmosphere").at("energy_J").get<double>() == Approx(28.7466375));
    CHECK(info.at("cpmip").at("ajpsy").get<double>() == Approx(38.32885));
    const auto &others = info.at("meters").at("others");
    REQUIRE(others.size() == 2); // memory of two GPUs
    CHECK(others.at(0).at("meter") == "amd_gpu_memory");
    CHECK(others.at(0).at("quantity") == "amd-gpu-0");
    CHECK(others.at(0).at("over").at("min") == 1073741824.0);
    CHECK(others.at(0).at("over").at("max") == 2147483648.0);
    CHECK(others.at(1).at("over").at("max") == 4096.0);
    CHECK(text_of(r).find("38.3") != std::string::npos);
    CHECK(text_of(r).find("amd_gpu_memory") != std::string::npos);

    // MI300A: the same counter is that of processors, GPU and memory together.
    const auto apu = with_gpus("74a0");
    REQUIRE(apu.exit_code == 0);
    const auto info_of_apu = apu.info();
    const auto &module = info_of_apu.at("meters").at("nodes").at(0);
    CHECK(module.at("module_J").get<double>() == Approx(30.5));
    CHECK(module.at("energy_J").get<double>() == Approx(30.5)); // 38.32885 if they were added
    CHECK(module.at("gpu_J").is_null());
    CHECK(text_of(apu).find("Energy is of modules (processors, GPUs and memory)") != std::string::npos);
}

TEST_CASE("two clocks on one machine are two nodes for the clock and one for the energy", "[time_namespace]") {
    RecordedTree tree("one_node");
    const auto r =
        run("energy", 4, "CPL_LB_SAMPLE=0.01 CPL_LB_SYSFS=" + tree.root(), true, TIME_NAMESPACE_SCRIPT " 3 5");
    REQUIRE(r.exit_code == 0);
    const auto info = r.info();
    CHECK(info.at("clock").at("nodes") == 2);
    REQUIRE(info.at("meters").at("nodes").size() == 1);
    CHECK(info.at("meters").at("nodes").at(0).at("processes") == 4);
    CHECK(info.at("meters").at("energy_J").get<double>() == Approx(7.82885)); // not twice
    CHECK(r.component("atmosphere").at("energy_J").get<double>() == Approx(5.8716375));
}

TEST_CASE("no energy meter: null, and the reason once") {
    RecordedTree tree("one_node");
    std::filesystem::remove_all(tree.root() + "/class");
    const auto r = run("allocate", 2, "CPL_LB_SYSFS=" + tree.root());
    REQUIRE(r.exit_code == 0);
    CHECK(r.complaints.empty()); // told in the summary, not on standard error
    const auto info = r.info();
    CHECK(info.at("cpmip").at("ajpsy").is_null());
    CHECK(r.component("fat").at("energy_J").is_null());
    CHECK(info.at("meters").at("nodes").at(0).at("energy_J").is_null());
    REQUIRE(info.at("meters").at("not_there").size() == 1);
    CHECK(info.at("meters").at("not_there").at(0).get<std::string>().find("energy: rapl: no RAPL zone") == 0);
    const std::string text = text_of(r);
    CHECK(text.find("n/a: energy: rapl") != std::string::npos);
    CHECK(text.find("n/a: energy: rapl") == text.rfind("n/a: energy: rapl"));
}

TEST_CASE("regions: nested, recursive, on some processes only") {
    const auto r = run("regions", 2, "CPL_LB_SAMPLE=0.005 CPL_LB_COUNTERS=NO_SUCH_EVENT");
    REQUIRE(r.exit_code == 0);
    CHECK(r.complaints.empty());
    const auto ocean = r.component("ocean");
    const auto outer = region(ocean, "outer"), inner = region(ocean, "inner"), only = region(ocean, "only one");
    CHECK(outer.at("calls") == 40); // 2 processes x 20
    CHECK(inner.at("calls") == 80); // it calls itself
    CHECK(outer.at("min_s").get<double>() >= 0.2);
    CHECK(inner.at("max_s").get<double>() < outer.at("min_s").get<double>());
    CHECK(only.at("processes") == 1);
    CHECK(counter(inner.at("counters"), "NO_SUCH_EVENT").at("mean").is_null());
    CHECK_FALSE(counter(inner.at("counters"), "NO_SUCH_EVENT").at("why_missing").is_null());
}

// Page faults are counted by the kernel, in a virtual machine too.
TEST_CASE("counters of regions and of the loop", "[perf]") {
    const auto r = run("regions", 2, "CPL_LB_SAMPLE=0.005 CPL_LB_COUNTERS=perf::PAGE-FAULTS,NO_SUCH_EVENT");
    REQUIRE(r.exit_code == 0);
    CHECK(r.complaints.empty());
    const auto ocean = r.component("ocean");
    const auto outer = region(ocean, "outer"), inner = region(ocean, "inner");
    const auto faults = counter(inner.at("counters"), "perf::PAGE-FAULTS");
    REQUIRE(faults.at("why_missing").is_null());
    // 20 times 64 pages, each of its own 64; the allocation itself touches a few more.
    CHECK(faults.at("min").get<double>() >= 20 * 64);
    CHECK(faults.at("max").get<double>() <= 20 * 64 * 1.5 + 100);
    CHECK(counter(outer.at("counters"), "perf::PAGE-FAULTS").at("sum").get<double>() >=
          faults.at("sum").get<double>());
    // The loop is from the second to the last of 20 events: 18 steps of 64 faults and those of the library itself.
    const auto loop = counter(ocean.at("loop_counters"), "perf::PAGE-FAULTS");
    CHECK(loop.at("count") == 2);
    CHECK(loop.at("mean").get<double>() == Approx(18 * 64).epsilon(0.4));
    CHECK(text_of(r).find("Counters in the coupling loop") != std::string::npos);
}
