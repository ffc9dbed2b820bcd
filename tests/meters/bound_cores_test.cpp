// Cores of an affinity mask, on a made-up node: 2 sockets of 2 cores with 2 hardware threads each. Processors 0 and 4
// are one core, 1 and 5, 2 and 6, 3 and 7; 0, 1, 4, 5 are the first socket.
#include "meters/processors.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

using namespace cpl_lb;
using test::TemporaryFolder;

namespace {

void write(const std::string &path, const std::string &text) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path) << text << "\n";
}

std::string node(const TemporaryFolder &folder, bool numa) {
    std::string root = folder / "sys";
    write(root + "/devices/system/cpu/online", "0-7");
    for (int p = 0; p < 8; ++p) {
        const std::string topology = root + "/devices/system/cpu/cpu" + std::to_string(p) + "/topology/";
        write(topology + "thread_siblings_list", std::to_string(p % 4) + "," + std::to_string(p % 4 + 4));
        write(topology + "package_cpus_list", p % 4 < 2 ? "0-1,4-5" : "2-3,6-7");
    }
    if (numa) write(root + "/devices/system/node/node0/cpulist", "0,4");
    return root;
}

} // namespace

TEST_CASE("cores of a mask, and no hardware threads") {
    const TemporaryFolder folder;
    const std::string root = node(folder, false);
    CHECK(threads_of_core(root) == 2);
    const BoundCores two = bound_cores({1, 2, 5}, root); // both threads of one core, one of another
    CHECK(two.cores == 2);
    CHECK(two.processors == "1-2,5");
    CHECK_FALSE(two.whole_part);
    const BoundCores socket = bound_cores({0, 1, 4, 5}, root);
    CHECK(socket.cores == 2);
    CHECK(socket.whole_part);
    CHECK(bound_cores({0, 1, 2, 3, 4, 5, 6, 7}, root).cores == 0); // to nothing in particular
    CHECK(bound_cores({}, root).cores == 0);
}

TEST_CASE("cores of a node for the job") {
    const TemporaryFolder folder;
    const std::string root = node(folder, false), proc = folder / "proc";
    CHECK(cores_of_node(root, proc) == 4); // eight processors, two threads each
    write(proc + "/self/cgroup", "0::/job_7");
    CHECK(cores_of_node(root, proc) == 4); // the group has no processors of its own
    write(root + "/fs/cgroup/job_7/cpuset.cpus.effective", "0-2,4");
    CHECK(cores_of_node(root, proc) == 3); // 0 and 4 are one core
    write(root + "/fs/cgroup/job_7/cpuset.cpus.effective", "no list");
    CHECK(cores_of_node(root, proc) == 4);
    CHECK(cores_of_node(folder / "none", proc) == 0);
}

TEST_CASE("a NUMA node is a whole part, too") {
    const TemporaryFolder folder;
    const std::string root = node(folder, true);
    CHECK(bound_cores({0, 4}, root).whole_part);
    CHECK_FALSE(bound_cores({0, 5}, root).whole_part);
}

TEST_CASE("a node that does not say") {
    const TemporaryFolder folder;
    CHECK(bound_cores({0}, folder / "none").cores == 0);
    CHECK(threads_of_core(folder / "none") == 1);
    // Without topology each processor is a core.
    write(folder / "sys" + "/devices/system/cpu/online", "0-3");
    CHECK(bound_cores({0, 3}, folder / "sys").cores == 2);
    write(folder / "sys" + "/devices/system/cpu/online", "nonsense");
    CHECK(bound_cores({0, 3}, folder / "sys").cores == 0);
}

TEST_CASE("processors as the kernel lists them") {
    CHECK(processor_list({}).empty());
    CHECK(processor_list({3}) == "3");
    CHECK(processor_list({0, 1, 2, 5, 7, 8}) == "0-2,5,7-8");
}
