// What a transport says after the first failure: another's distress, a message that could not be begun. From then on
// every call fails at once, and nothing that did not come is taken for a message.
#include "mpi/transport.hpp"
#include "tests/mpi/on_ranks.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::testing;

namespace {

constexpr double timeout_s = 3600;
constexpr std::int64_t second = 1'000'000'000;

WorldSetup two_ranks() {
    WorldSetup setup;
    setup.ranks = 2;
    return setup;
}

// Rank 1 gives up after a second. How many calls of rank 0 fail, and when they came back.
struct Found {
    int failed_calls = 0;
    bool failed = false, distressed = false, timed_out = true;
    std::int64_t end_ns = 0;
};

Found while_the_other_gives_up(const std::function<void(Transport &)> &wait) {
    Found found;
    WorldSetup setup = two_ranks();
    setup.starts_at_ns[1] = second;
    MemoryWorld world(setup);
    world.run([&](int rank, std::unique_ptr<Carrier> carrier) {
        Transport t(std::move(carrier), timeout_s);
        t.watch_for_distress();
        if (rank == 1) return t.send_distress();
        found.failed_calls += fails([&] { wait(t); }) ? 1 : 0;
        std::int32_t word = 42;
        found.failed_calls += fails([&] { t.send(1, 5, as_wire(word)); }) ? 1 : 0;
        found.failed_calls += fails([&] { t.receive(1, 5, as_wire_out(word)); }) ? 1 : 0;
        Letter letter = t.start_receive(1, 6, sizeof word);
        found.failed_calls += fails([&] { t.wait(letter); }) ? 1 : 0;
        found.failed = t.failed();
        found.distressed = t.distressed();
        found.timed_out = t.timed_out();
        found.end_ns = t.now_ns();
        CHECK(word == 42);
    });
    return found;
}

void check_gave_up(const Found &found) {
    CHECK(found.failed_calls == 4);
    CHECK(found.failed);
    CHECK(found.distressed);
    CHECK_FALSE(found.timed_out);
    CHECK(found.end_ns < 2 * second); // of an hour
}

// As a carrier of MPI that has an error: nothing can be begun.
class BeginsNothing final : public Carrier {
public:
    explicit BeginsNothing(std::unique_ptr<Carrier> carrier) : carrier_(std::move(carrier)) {}
    [[nodiscard]] int rank() const override { return carrier_->rank(); }
    [[nodiscard]] int size() const override { return carrier_->size(); }
    [[nodiscard]] std::unique_ptr<UnderWay> start_send(int, int, std::span<const std::byte>) override {
        return nullptr;
    }
    [[nodiscard]] std::unique_ptr<UnderWay> start_receive(int, int, std::size_t) override { return nullptr; }
    void send_empty(int to, int tag) noexcept override { carrier_->send_empty(to, tag); }
    void pause(Patience &patience, std::int64_t until_ns) override { carrier_->pause(patience, until_ns); }
    [[nodiscard]] std::int64_t now_ns() override { return carrier_->now_ns(); }
    [[nodiscard]] const std::string &first_error() const override { return error_; }

private:
    std::unique_ptr<Carrier> carrier_;
    std::string error_ = "MPI_Isend: no such process";
};

} // namespace

TEST_CASE("distress: a receive that it ends has failed, and so has every later call") {
    check_gave_up(while_the_other_gives_up([](Transport &t) {
        std::int32_t word = 42;
        t.receive(1, 5, as_wire_out(word));
    }));
    check_gave_up(while_the_other_gives_up([](Transport &t) {
        Bytes data;
        t.receive_all(1, 5, data);
    }));
}

// Longer than what is sent without its receiver: it waits.
TEST_CASE("distress: a send that it ends has failed, and so has every later call") {
    check_gave_up(while_the_other_gives_up([](Transport &t) { t.send(1, 5, Bytes(100'000)); }));
    check_gave_up(while_the_other_gives_up([](Transport &t) { t.send_all(1, 5, Bytes(100'000)); }));
}

TEST_CASE("distress: what comes after the watch has ended does not count for the next") {
    MemoryWorld world(two_ranks());
    const auto ends = on_ranks(world, 2, timeout_s, [](Transport &t) {
        std::int32_t word = 7;
        if (t.rank() == 1) {
            t.send_distress();
            t.send(0, 5, as_wire(word));
            return "";
        }
        t.stop_watching();
        t.watch_for_distress();
        t.receive(1, 5, as_wire_out(word));
        return word == 7 ? "" : "not received";
    });
    CHECK(ends[0].said.empty());
    CHECK_FALSE(ends[0].distressed);
    CHECK_FALSE(ends[0].failed);
}

TEST_CASE("a message that could not be begun: failed, with the carrier's words") {
    const bool sends = GENERATE(true, false);
    MemoryWorld world(WorldSetup{});
    world.run([&](int /*rank*/, std::unique_ptr<Carrier> carrier) {
        Transport t(std::make_unique<BeginsNothing>(std::move(carrier)), timeout_s);
        std::int32_t word = 42;
        CHECK(fails([&] { sends ? t.send(0, 5, as_wire(word)) : t.receive(0, 5, as_wire_out(word)); }));
        CHECK(word == 42);
        CHECK(t.failed());
        CHECK_FALSE(t.timed_out());
        CHECK_FALSE(t.distressed());
        CHECK(t.first_error() == "MPI_Isend: no such process");
    });
}
