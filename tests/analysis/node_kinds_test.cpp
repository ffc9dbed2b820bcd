// Kinds of nodes from their cores and GPUs, and lists of nodes as batch systems write them.
#include "analysis/run_cost.hpp"
#include "support/node_names.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

namespace {

using namespace cpl_lb;

bool fits(const char *pattern, const char *name) {
    return place_in(read_node_patterns(pattern), name) >= 0;
}

std::string error_of(const std::string &list) {
    try {
        (void)read_node_patterns(list);
    } catch (const std::invalid_argument &e) {
        return e.what();
    }
    return "";
}

} // namespace

TEST_CASE("node kinds: as cores and GPUs tell them") {
    NodeMeters node;
    CHECK(automatic_kind(node).empty());
    node.installed_cores = 128;
    CHECK(automatic_kind(node) == "128 cores"); // nothing is said of GPUs that are not known
    node.gpus.resize(1);
    CHECK(automatic_kind(node) == "128 cores");
    node.gpus_known = true;
    CHECK(automatic_kind(node) == "128 cores + 1 x GPU");
    node.installed_cores = 72;
    node.gpus = {{"NVIDIA H100", "1"}, {"A100", "2"}, {"NVIDIA H100", "3"}};
    CHECK(automatic_kind(node) == "72 cores + 2 x NVIDIA H100 + 1 x A100");
    node.gpus.clear();
    node.installed_cores = 1;
    CHECK(automatic_kind(node) == "1 core");
}

TEST_CASE("node kinds: names that patterns name") {
    CHECK(fits("nid001", "nid001"));
    CHECK_FALSE(fits("nid001", "nid0011"));
    CHECK(fits("nid[001-084]", "nid084"));
    CHECK_FALSE(fits("nid[001-084]", "nid085"));
    CHECK_FALSE(fits("nid[001-084]", "nid84")); // as many digits as were written
    CHECK_FALSE(fits("nid[001-084]", "nid0001"));
    CHECK(fits("nid[1-20]", "nid12")); // and more where the numbers grow
    CHECK(fits("nid[001-084,090]", "nid090"));
    CHECK(fits("nid[1-4]-ib", "nid3-ib"));
    CHECK_FALSE(fits("nid[1-4]-ib", "nid3"));
    CHECK(fits("r[1-2]2", "r12")); // digits behind the brackets
    CHECK_FALSE(fits("nid[1-4]", "nid"));
}

TEST_CASE("node kinds: places in Slurm's lists") {
    const std::vector<NodePattern> list = read_node_patterns("gpu[01-03,07],login,cpu[1-2]");
    CHECK(place_in(list, "gpu01") == 0);
    CHECK(place_in(list, "gpu07") == 3);
    CHECK(place_in(list, "login") == 4);
    CHECK(place_in(list, "cpu2") == 6);
    CHECK(place_in(list, "cpu3") == -1);
}

TEST_CASE("node kinds: what is no list") {
    for (const char *wrong : {"a,", ",a", "", "a,,b"})
        CHECK(error_of(wrong) == "a name of nodes is missing between commas, or at an end");
    for (const char *wrong : {"a[1-2", "a1-2]", "a[2-1]", "a[]", "a[x-y]", "a[1-2][3-4]", "a[1-]", "a[001-2]",
                              "a[1234567890]", "a[[1-2]]"})
        CHECK(error_of(wrong) == "'" + std::string(wrong) + "' is not like nid[0001-0084,0090]");
}
