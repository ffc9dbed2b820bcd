// Rows on their way: how many messages wait for one another, who sends when, and what a damaged one does.
#include "run/live/row_stream.hpp"

#include "data/raster.hpp"
#include "mpi/wire.hpp"
#include "support/number_list.hpp"
#include "tests/mpi/long_row.hpp"
#include "tests/mpi/on_ranks.hpp"

#include <catch2/catch.hpp>
#include <map>

using namespace cpl_lb;
using namespace cpl_lb::testing;

namespace {

constexpr std::int64_t delay_ns = 10'000'000'000; // of every message; nothing else takes any time
constexpr std::size_t events = 50'000;            // 4 pieces: 3 of 16384 and the rest

WorldSetup slow_world(int ranks) {
    WorldSetup setup;
    setup.ranks = ranks;
    setup.least_delay_ns = setup.most_delay_ns = delay_ns;
    return setup;
}

Group all_of(Transport &t) {
    return {t, NumberList::counting_from(0, static_cast<std::size_t>(t.size()))};
}

// On all ranks but the first.
void send_long_row(Group &all) {
    const std::vector<std::uint32_t> of_class(events, 0);
    OwnRow row(long_row(1, all.index(), events), of_class, {{Kind::get}, {0, 8'000'000}, 8'000'000});
    send_row(all, row);
}

std::vector<int> senders_of(const Group &all) {
    std::vector<int> senders;
    for (int i = 1; i < all.size(); ++i)
        senders.push_back(i);
    return senders;
}

struct Rows {
    std::map<int, Row> rows;
    std::size_t pictures = 0;

    RowStream::Receiver receiver() {
        return {events,
                [this](int process, std::size_t first, const Row &piece) {
                    Row &row = rows[process];
                    CHECK(row.start.size() == first);
                    row.start.insert(row.start.end(), piece.start.begin(), piece.start.end());
                    row.stop.insert(row.stop.end(), piece.stop.begin(), piece.stop.end());
                },
                [this](int, std::span<const signed char> kinds) { pictures += kinds.size(); }};
    }
    [[nodiscard]] bool all_right(int ranks) const {
        bool right = pictures == raster_bins * static_cast<std::size_t>(ranks - 1);
        for (int r = 1; r < ranks; ++r) {
            const Row theirs = long_row(1, r, events);
            right = right && rows.at(r).start == theirs.start && rows.at(r).stop == theirs.stop;
        }
        return right;
    }
};

void sleep_until(Transport &t, std::int64_t until_ns) {
    Patience patience(std::chrono::microseconds{1000});
    while (t.now_ns() < until_ns)
        t.pause(patience, until_ns);
}

} // namespace

// 8 rows of 5 messages. The first four are asked at once. Asked for one after the other a row would take three
// messages one after the other, its telling, its first four and its picture: 24 in all.
TEST_CASE("rows come while others are worked on") {
    MemoryWorld world(slow_world(9));
    for (const Ended &end : on_ranks(world, 9, 100'000, [](Transport &t) {
             Group all = all_of(t);
             if (!all.leads()) {
                 send_long_row(all);
                 return "";
             }
             Rows rows;
             RowStream stream(all, senders_of(all), rows.receiver());
             stream.finish();
             return rows.all_right(9) ? "" : "not received";
         })) {
        CHECK_FALSE(end.failed);
        CHECK(end.said.empty());
    }
    const double chain = static_cast<double>(world.true_ns()) / static_cast<double>(delay_ns);
    CHECK(chain >= 5); // two windows of 16 messages and a half, each told to begin
    CHECK(chain <= 12);
}

// 16 messages are asked for: three rows and one piece. A fifth process is not told, and sends nothing, for as long as
// the leader does something else; though its messages would be on their way without being asked for.
TEST_CASE("nobody sends before it is told to") {
    constexpr std::int64_t leader_is_away_ns = 100 * delay_ns;
    WorldSetup setup = slow_world(6);
    setup.eager_bytes = std::size_t{1} << 20U;
    MemoryWorld world(setup);
    for (const Ended &end : on_ranks(world, 6, 100'000, [](Transport &t) {
             Group all = all_of(t);
             if (!all.leads()) {
                 send_long_row(all);
                 const bool late = t.now_ns() >= leader_is_away_ns;
                 return late == (t.rank() > 4) ? "" : "sent at the wrong time";
             }
             Rows rows;
             RowStream stream(all, senders_of(all), rows.receiver());
             sleep_until(t, leader_is_away_ns);
             stream.finish();
             return rows.all_right(6) ? "" : "not received";
         })) {
        CHECK_FALSE(end.failed);
        CHECK(end.said.empty());
    }
}

TEST_CASE("rows are taken while the leader does something else") {
    MemoryWorld world(slow_world(3));
    for (const Ended &end : on_ranks(world, 3, 100'000, [](Transport &t) {
             Group all = all_of(t);
             if (!all.leads()) {
                 send_long_row(all);
                 return "";
             }
             Rows rows;
             RowStream stream(all, senders_of(all), rows.receiver());
             stream.take_what_came();
             if (!rows.rows.empty()) return "before anything can be there";
             sleep_until(t, 10 * delay_ns);
             stream.take_what_came();
             if (!rows.all_right(3)) return "not taken";
             stream.finish();
             return "";
         })) {
        CHECK_FALSE(end.failed);
        CHECK(end.said.empty());
    }
}

// Told later, where others can be told: what comes between is thrown by nobody's code but finish().
TEST_CASE("a damaged piece") {
    for (const bool between : {false, true}) {
        MemoryWorld world(slow_world(2));
        const std::vector<Ended> ends = on_ranks(world, 2, 1000, [&](Transport &t) -> std::string {
            Group all = all_of(t);
            if (!all.leads()) {
                const std::array<std::byte, 3> not_a_row{};
                t.receive(0, row_tag, {});
                t.send(0, row_tag, not_a_row);
                return "";
            }
            Rows rows;
            RowStream stream(all, senders_of(all), rows.receiver());
            if (between) sleep_until(t, 10 * delay_ns);
            if (between) stream.take_what_came();
            stream.finish();
            return "taken";
        });
        CHECK(ends[0].said == "a message with a row is damaged");
    }
}
