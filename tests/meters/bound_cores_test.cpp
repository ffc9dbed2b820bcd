// Cores of an affinity mask, on a made-up node: 2 sockets of 2 cores with 2 hardware threads each. Processors 0 and 4
// are one core, 1 and 5, 2 and 6, 3 and 7; 0, 1, 4, 5 are the first socket.
#include "meters/processors.hpp"
#include "tests/meters/recorded_tree.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace cpl_lb;
using cpl_lb_test::RecordedTree;

namespace {

struct Node {
    Node() {
        tree.write("devices/system/cpu/online", "0-7");
        for (int p = 0; p < 8; ++p) {
            const std::string topology = "devices/system/cpu/cpu" + std::to_string(p) + "/topology/";
            tree.write(topology + "thread_siblings_list", std::to_string(p % 4) + "," + std::to_string(p % 4 + 4));
            tree.write(topology + "package_cpus_list", p % 4 < 2 ? "0-1,4-5" : "2-3,6-7");
        }
    }
    RecordedTree tree{"no_meters"};
    const std::string root = tree.root();
};

} // namespace

TEST_CASE("cores of a mask, and no hardware threads") {
    const Node node;
    const std::string &root = node.root;
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
    const Node node;
    const std::string &root = node.root, &proc = node.root;
    CHECK(cores_of_node(root, proc) == 4); // eight processors, two threads each
    node.tree.write("self/cgroup", "0::/job_7");
    CHECK(cores_of_node(root, proc) == 4); // the group has no processors of its own
    node.tree.write("fs/cgroup/job_7/cpuset.cpus.effective", "0-2,4");
    CHECK(cores_of_node(root, proc) == 3); // 0 and 4 are one core
    node.tree.write("fs/cgroup/job_7/cpuset.cpus.effective", "no list");
    CHECK(cores_of_node(root, proc) == 4);
    CHECK(cores_of_node("/nonexistent", proc) == 0);
}

TEST_CASE("a NUMA node is a whole part, too") {
    const Node node;
    node.tree.write("devices/system/node/node0/cpulist", "0,4");
    CHECK(bound_cores({0, 4}, node.root).whole_part);
    CHECK_FALSE(bound_cores({0, 5}, node.root).whole_part);
}

TEST_CASE("a node that does not say") {
    CHECK(bound_cores({0}, "/nonexistent").cores == 0);
    CHECK(threads_of_core("/nonexistent") == 1);
    const RecordedTree tree("no_meters");
    // Without topology each processor is a core.
    tree.write("devices/system/cpu/online", "0-3");
    CHECK(bound_cores({0, 3}, tree.root()).cores == 2);
    tree.write("devices/system/cpu/online", "nonsense");
    CHECK(bound_cores({0, 3}, tree.root()).cores == 0);
}

TEST_CASE("processors as the kernel lists them") {
    CHECK(processor_list({}).empty());
    CHECK(processor_list({3}) == "3");
    CHECK(processor_list({0, 1, 2, 5, 7, 8}) == "0-2,5,7-8");
}
