// Who is late again and again, and messages of a step, from sums that are worked out by hand.
#include "analysis/waiting_share.hpp"
#include "tests/inside_run.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

namespace {

// Three processes, a loop of 20 s: 60 s of core time, 3 s of it in waits for process 0.
Component atmosphere() {
    Component c = test::inside_run().components[1];
    test::add_traffic(c);
    return c;
}

} // namespace

TEST_CASE("the late process has a share of the core time; nobody late is 0, and not recorded is not known") {
    Component c = atmosphere();
    REQUIRE(late_sender(c) != nullptr);
    CHECK(late_sender(c)->process == 0);
    CHECK(late_sender_share(c) == Approx(0.05));    // 3 / 60
    c.inside.traffic.waited_for[0].in_loop_s = 1.4; // 1.5 times the next one's 1 s is 1.5
    CHECK(late_sender(c) == nullptr);
    CHECK(late_sender_share(c) == 0);
    c.inside.traffic.waited_for.clear();
    CHECK(late_sender_share(c) == 0);
    c.inside.traffic = {};
    CHECK_FALSE(is_known(late_sender_share(c)));
    c = atmosphere();
    c.inside.useful_s = {};
    CHECK(late_sender(c) == nullptr);
    CHECK_FALSE(is_known(late_sender_share(c)));
}

TEST_CASE("messages and bytes of a step: those of the run by the steps of the loop") {
    Component c = atmosphere();
    CHECK_FALSE(is_known(traffic_of_step(c).messages)); // no steps
    c.balance.step_count = 20;
    CHECK(traffic_of_step(c).messages == Approx(21));             // (400 + 0 + 20) / 20
    CHECK(traffic_of_step(c).bytes == Approx(0.2 * 1024 * 1024)); // (3 + 1) MiB / 20
    c.inside.traffic.messages_to_others = 40;                     // counted, without their bytes
    CHECK(traffic_of_step(c).messages == Approx(23));
    CHECK_FALSE(is_known(traffic_of_step(c).bytes));
    c.inside.traffic = {};
    CHECK_FALSE(is_known(traffic_of_step(c).messages));
}
