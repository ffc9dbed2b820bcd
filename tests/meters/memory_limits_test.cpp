// Limits of memory in trees of control groups as Slurm and containers make them, and limits of this process.
#include "meters/memory_limits.hpp"
#include "tests/meters/recorded_tree.hpp"

#include <catch2/catch.hpp>
#include <sys/resource.h>

using namespace cpl_lb;
using cpl_lb_test::RecordedTree;

namespace {

constexpr double MiB = 1048576.0, GB = 1e9;
constexpr const char *no_limit = "9223372036854771712"; // of version 1

struct Node {
    RecordedTree tree{"no_meters"};

    void process(const std::string &groups, const std::string &mounts) const {
        tree.write("self/cgroup", groups);
        tree.write("self/mountinfo", "22 27 0:21 / /proc rw,relatime - proc proc rw\n" + mounts);
    }
    void limit(const std::string &file, const std::string &value) const { tree.write("fs/cgroup/" + file, value); }
    [[nodiscard]] MemoryLimits limits() const { return memory_limits_here(tree.root(), tree.root()); }
};

const std::string first_version =
    "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory\n"
    "31 23 0:30 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu\n"
    "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw";
const std::string second_version = "31 23 0:28 / /sys/fs/cgroup rw,nosuid,nodev - cgroup2 cgroup2 rw,nsdelegate";

} // namespace

TEST_CASE("a node without control groups: its memory, and no other limit") {
    const Node node;
    const MemoryLimits limits = node.limits();
    CHECK(limits.node_B > 64 * MiB);
    CHECK(limits.group_B == MemoryLimits::none);
    CHECK(limits.group == 0);
}

// sbatch --mem=4G: the limit is on the job and on its step, and the same.
TEST_CASE("Slurm with version 1: the smallest limit up to the root, the outermost of equal ones") {
    const Node node;
    const std::string job = "memory/slurm/uid_1000/job_7";
    node.process("4:memory:/slurm/uid_1000/job_7/step_0/task_0\n3:cpuset:/\n0::/", first_version);
    node.limit("memory/memory.limit_in_bytes", no_limit);
    node.limit("memory/slurm/memory.limit_in_bytes", no_limit);
    node.limit(job + "/memory.limit_in_bytes", "4294967296");
    node.limit(job + "/step_0/memory.limit_in_bytes", "4294967296");
    node.limit(job + "/step_0/task_0/memory.limit_in_bytes", no_limit);
    CHECK(node.limits().group_B == 4096 * MiB);
    const std::int32_t group = node.limits().group;
    CHECK(group > 0);
    // Another task of the job, in another step, shares the job's limit.
    node.process("4:memory:/slurm/uid_1000/job_7/step_1/task_0\n0::/", first_version);
    CHECK(node.limits().group_B == 4096 * MiB);
    CHECK(node.limits().group == group);
    node.limit(job + "/step_1/memory.limit_in_bytes", "1073741824");
    CHECK(node.limits().group_B == 1024 * MiB);
    CHECK(node.limits().group != group);
}

TEST_CASE("Slurm with version 2: memory.max and memory.high on the way to the root") {
    const Node node;
    const std::string job = "system.slice/slurmstepd.scope/job_7";
    node.process("0::/" + job + "/step_0/user/task_0", second_version);
    node.limit(job + "/memory.max", "600000000");
    node.limit(job + "/step_0/memory.max", "max");
    node.limit(job + "/step_0/user/memory.max", "max");
    CHECK(node.limits().group_B == 0.6 * GB);
    node.limit(job + "/step_0/memory.high", "500000000");
    CHECK(node.limits().group_B == 0.5 * GB);
    node.limit("system.slice/memory.max", "400000000");
    CHECK(node.limits().group_B == 0.4 * GB);
}

TEST_CASE("a container of version 2 sees its own group as the root") {
    const Node node;
    node.process("0::/", second_version);
    node.limit("memory.max", "2000000000");
    CHECK(node.limits().group_B == 2 * GB);
    // A process that came from outside: its group is not to be seen here.
    node.process("0::/../session_3", second_version);
    node.limit("../session_3/memory.max", "1000000000");
    CHECK(node.limits().group_B == 2 * GB);
}

// docker run --memory=2g: the path is that of the whole node, but only the container's group is mounted.
TEST_CASE("a container of version 1 sees the path from outside") {
    const Node node;
    const std::string mounts =
        "35 31 0:32 /docker/5ad1 /sys/fs/cgroup/memory ro,nosuid master:15 - cgroup cgroup rw,memory";
    node.process("9:memory:/docker/5ad1\n0::/docker/5ad1", mounts);
    node.limit("memory/memory.limit_in_bytes", "2000000000");
    CHECK(node.limits().group_B == 2 * GB);
    node.process("9:memory:/docker/5ad1/part\n", mounts);
    node.limit("memory/part/memory.limit_in_bytes", "1000000000");
    CHECK(node.limits().group_B == 1 * GB);
}

TEST_CASE("both versions beside each other, several controllers in one tree, elsewhere mounted") {
    const Node node;
    node.process("4:cpu,memory:/a\n0::/b", "35 31 0:32 / /sys/fs/cgroup/cpu,memory rw - cgroup cgroup rw,cpu,memory\n"
                                           "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw");
    node.limit("cpu,memory/a/memory.limit_in_bytes", "3000000000");
    CHECK(node.limits().group_B == 3 * GB);
    node.limit("unified/b/memory.max", "2000000000");
    CHECK(node.limits().group_B == 2 * GB);
}

TEST_CASE("what is damaged or missing is no limit") {
    const Node node;
    node.tree.write("self/cgroup", "0::/job"); // no list of mounts: the usual folder
    node.limit("job/memory.max", "700000000");
    CHECK(node.limits().group_B == 0.7 * GB);
    node.limit("job/memory.max", "no number");
    CHECK(node.limits().group_B == MemoryLimits::none);
    node.process("memory\n::\n0:", "nonsense\n - \n1 - cgroup2");
    CHECK(node.limits().group_B == MemoryLimits::none);
}

TEST_CASE("limits of the process") {
    const Node node;
    const auto with = [&](auto resource, rlim_t bytes) {
        rlimit before{};
        getrlimit(resource, &before);
        const rlimit lower{bytes, before.rlim_max};
        REQUIRE(setrlimit(resource, &lower) == 0);
        const double process_B = node.limits().process_B;
        setrlimit(resource, &before);
        return process_B;
    };
    CHECK(with(RLIMIT_AS, rlim_t{1} << 50U) == 1125899906842624.0);
    CHECK(with(RLIMIT_DATA, rlim_t{1} << 49U) == 562949953421312.0);
}

TEST_CASE("the default bound: 5 % of the smallest share, at most 512 MiB, at least 1 MiB") {
    MemoryLimits limits;
    limits.node_B = 64e9;
    CHECK(default_memory_bound_B(limits, 1, 1) == std::size_t{512} << 20U);
    CHECK(default_memory_bound_B(limits, 128, 1) == 25'000'000); // 64e9 / 128 / 20
    limits.group_B = 600e6;
    CHECK(default_memory_bound_B(limits, 4, 2) == 15'000'000); // 600e6 / 2 / 20
    limits.process_B = 200e6;
    CHECK(default_memory_bound_B(limits, 4, 2) == 10'000'000); // 200e6 / 20
    limits.process_B = 1e6;
    CHECK(default_memory_bound_B(limits, 4, 2) == std::size_t{1} << 20U);
}
