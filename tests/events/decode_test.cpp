// From marks to events. Ticks are nanoseconds here (a scale that was never set), so every time can be added up by
// hand.
#include "events/decode.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <random>

using namespace cpl_lb;

namespace {

constexpr int put = 1;
constexpr int get = 2;

Mark begin_of(int kind, std::uint32_t field, std::uint64_t after = 7) {
    return make_mark(after, field, begin_code(kind));
}
Mark end_of(int kind, std::uint32_t field, std::uint64_t after = 3) {
    return make_mark(after, field, end_code(kind));
}
Mark other(MarkCode code, std::uint64_t after = 0) {
    return make_mark(after, 0, static_cast<unsigned>(code));
}

DecodedProcess decoded(const std::vector<std::vector<Mark>> &chunks, std::size_t components = 1) {
    DecodeInput input;
    input.chunks = chunks.size();
    input.chunk = [&](std::size_t i) { return std::span<const Mark>(chunks[i]); };
    input.fields = 4;
    input.components = components;
    return decode(input);
}
LocalTimeline events_of(const std::vector<Mark> &marks) {
    return decoded({marks}).components[0];
}

LocalWhat what(int kind, std::uint32_t field) {
    return make_what(static_cast<unsigned>(kind), field);
}

} // namespace

TEST_CASE("SYNC, the kind with the highest number, and the date next to it") {
    constexpr int sync = 11;
    const LocalTimeline t = events_of({begin_of(sync, 1), end_of(sync, 1), other(MarkCode::date), 3600,
                                       begin_of(sync, 1), end_of(sync, 1), begin_of(get, 1), end_of(get, 1)});
    REQUIRE(t.size() == 3);
    CHECK(t.what(0) == what(sync, 1));
    CHECK(t.what(1) == what(sync, 1));
    CHECK(t.what(2) == what(get, 1));
    CHECK(t.start == std::vector<Nanoseconds>{7, 17, 27}); // 7 before each begin, 3 to its end
    REQUIRE(t.dates.size() == 1);
    CHECK(t.dates[0].first == 1);
    CHECK(t.dates[0].date == 3600);
}

TEST_CASE("events whose end follows their begin, many of them, over chunks and around one that holds others") {
    constexpr std::uint32_t before = 1500; // more than are taken at once
    std::vector<Mark> first(1, begin_of(get, 3));
    for (std::uint32_t i = 0; i < before; ++i) {
        first.push_back(begin_of(put, i % 3));
        first.push_back(end_of(put, i % 3));
    }
    // The end of the outer one is the first word of the next chunk, and whole events follow.
    const DecodedProcess process = decoded({first, {end_of(get, 3), begin_of(put, 0), end_of(put, 0)}});
    const LocalTimeline &t = process.components[0];
    REQUIRE(t.size() == before + 2);
    CHECK(t.start[0] == 7);
    CHECK(t.stop[0] == 7 + 10 * 1500 + 3);
    // Event i begins after the outer begin (7), i - 1 whole events (10 each) and its own 7; it ends 3 later.
    for (const std::size_t i : {1U, 2U, 511U, 512U, 513U, 1024U, 1025U, 1500U}) {
        CHECK(t.start[i] == static_cast<Nanoseconds>(7 + 10 * (i - 1) + 7));
        CHECK(t.stop[i] == static_cast<Nanoseconds>(7 + 10 * (i - 1) + 10));
        CHECK(t.what(i) == what(put, static_cast<std::uint32_t>((i - 1) % 3)));
    }
    CHECK(t.start[before + 1] == 7 + 15'000 + 3 + 7);
    CHECK(t.stop[before + 1] == 7 + 15'000 + 3 + 10);
    CHECK(t.distinct == std::vector<LocalWhat>{what(get, 3), what(put, 0), what(put, 1), what(put, 2)});
    CHECK(process.problems.damaged_chunks == 0);
    CHECK(process.last_mark == 15'020);
}

// Begins take 8 bytes, events at terminate many more. After 2 begins no more are taken: the third to fifth begin and
// the two that are still open are dropped, as at the memory bound. Only whole events, whose end follows, are never
// too many.
TEST_CASE("more events than there is memory for: the later ones are dropped, and those that are open") {
    const std::vector<Mark> marks = {begin_of(put, 0), end_of(put, 0),        begin_of(put, 1),
                                     begin_of(put, 2), begin_of(put, 1),      end_of(put, 1),
                                     begin_of(get, 1), other(MarkCode::time), 500,
                                     begin_of(get, 2), end_of(put, 2)};
    DecodeInput input;
    input.chunks = 1;
    input.chunk = [&](std::size_t) { return std::span<const Mark>(marks); };
    input.fields = 4;
    input.most_events = 2;
    const DecodedProcess process = decode(input);
    const LocalTimeline &t = process.components[0];
    REQUIRE(t.size() == 1);
    CHECK(t.start[0] == 7);
    CHECK(t.stop[0] == 10);
    CHECK(process.problems.dropped == 5);
    CHECK(process.problems.forgotten_end == 0);
    CHECK(process.first_dropped == 17); // the first of the open ones: 7 + 3 + 7
    CHECK(process.last_mark == 510);    // 500 + 7 + 3
}

TEST_CASE("how events nest is told apart, and only that") {
    const auto order = [](const std::vector<Mark> &marks) { return events_of(marks).end_order; };
    const Mark b = begin_of(put, 0);
    const Mark e = end_of(put, 0);
    const Mark B = begin_of(get, 1);
    const Mark E = end_of(get, 1);
    CHECK(order({b, B, E, e}) != order({b, e, B, E}));
    CHECK(order({b, B, E, B, E, e}) != order({b, B, E, e, B, E}));
    CHECK(order({b, B, E, e, B, E}) != order({b, e, B, E, B, E}));
    CHECK(order({b, B, E, e}) == order({begin_of(put, 0, 99), B, E, end_of(put, 0, 1)})); // times do not matter
    CHECK(order({b, e, B, E}) == order({b, e}));                                          // all in order
}

namespace {

// Marks of events 0, 1, ... with a field each, in every order in which they can begin and end; -1: never.
struct Nesting {
    std::vector<Mark> marks;
    std::vector<int> begin, end; // which of the marks

    // Which events lie inside which, as bits; those that do not end reach beyond all others.
    [[nodiscard]] std::vector<bool> inside() const {
        std::vector<bool> all;
        const auto end_of_event = [&](std::size_t i) { return end[i] < 0 ? static_cast<int>(marks.size()) : end[i]; };
        for (std::size_t j = 0; j < begin.size(); ++j)
            for (std::size_t k = 0; k < j; ++k)
                all.push_back(end_of_event(j) <= end_of_event(k));
        return all;
    }
};

void every_nesting(const Nesting &so_far, std::size_t events, std::vector<Nesting> &all) {
    const int here = static_cast<int>(so_far.marks.size());
    if (so_far.begin.size() == events) all.push_back(so_far); // what has not ended never does
    if (so_far.begin.size() < events) {
        Nesting next = so_far;
        next.marks.push_back(begin_of(put, static_cast<std::uint32_t>(next.begin.size())));
        next.begin.push_back(here);
        next.end.push_back(-1);
        every_nesting(next, events, all);
    }
    for (std::size_t i = 0; i < so_far.begin.size(); ++i) {
        if (so_far.end[i] >= 0) continue;
        Nesting next = so_far;
        next.marks.push_back(end_of(put, static_cast<std::uint32_t>(i)));
        next.end[i] = here;
        every_nesting(next, events, all);
    }
}

} // namespace

TEST_CASE("no two ways in which up to four events lie inside each other look the same") {
    for (std::size_t events = 1; events <= 4; ++events) {
        std::vector<Nesting> all;
        every_nesting({}, events, all);
        std::map<std::uint64_t, std::vector<bool>> known;
        for (const Nesting &one : all) {
            const auto [entry, is_new] = known.try_emplace(events_of(one.marks).end_order, one.inside());
            REQUIRE(entry->second == one.inside());
        }
        CHECK(known.size() > (events < 2 ? 0U : events));
    }
}

TEST_CASE("a kind and field that lay at the edge of the slice only is not there") {
    const LocalTimeline t = events_of({other(MarkCode::resume), begin_of(put, 1), end_of(put, 1), begin_of(get, 2),
                                       begin_of(put, 1), end_of(put, 1), other(MarkCode::pause), end_of(get, 2)});
    REQUIRE(t.size() == 2); // without the GET that the end of the slice cut
    CHECK(t.distinct == std::vector<LocalWhat>{what(put, 1)});
    CHECK(t.start == std::vector<Nanoseconds>{7, 24}); // 7; 10 + 7 (GET) + 7
    CHECK(t.stop == std::vector<Nanoseconds>{10, 27});
}

TEST_CASE("the slice ends where recording paused for the last time") {
    // 5; 5 + 7 + 3 = 15; paused at 15 + 4 = 19; what follows ends at 19 + 7 + 3 = 29.
    const DecodedProcess process = decoded({{other(MarkCode::resume, 5), begin_of(put, 1), end_of(put, 1),
                                             other(MarkCode::pause, 4), begin_of(get, 2), end_of(get, 2)}});
    CHECK(process.slice.start == 5);
    CHECK(process.slice.stop == 19);
    CHECK(process.last_mark == 29);
}

TEST_CASE("a clock that stepped back inside an event with others inside leaves it no length") {
    const LocalTimeline t = events_of({other(MarkCode::time), 500, begin_of(put, 1, 0), begin_of(get, 2, 10),
                                       end_of(get, 2, 5), other(MarkCode::time), 400, end_of(put, 1, 0)});
    CHECK(t.start == std::vector<Nanoseconds>{500, 510});
    CHECK(t.stop == std::vector<Nanoseconds>{500, 515});
}

TEST_CASE("the end of an event that began before the slice belongs to nothing; one end more was not begun") {
    const auto problems = [](std::uint32_t open_before) {
        const Mark resume = make_mark(0, open_before, static_cast<unsigned>(MarkCode::resume));
        const DecodedProcess process =
            decoded({{resume, end_of(put, 1), begin_of(get, 2), end_of(get, 2), end_of(put, 1)}});
        CHECK(process.components[0].distinct == std::vector<LocalWhat>{what(get, 2)});
        return process.problems.end_without_begin;
    };
    CHECK(problems(2) == 0);
    CHECK(problems(1) == 1);
    CHECK(problems(0) == 2);
}

TEST_CASE("what no recorder writes ends the chunk, not the rest") {
    const std::vector<Mark> bad = {begin_of(put, 1), end_of(put, 1),   begin_of(put, 4),
                                   end_of(put, 4),   begin_of(put, 1), end_of(put, 1)}; // there are fields 0 to 3
    const DecodedProcess process = decoded({bad, {begin_of(put, 2), end_of(put, 2)}});
    CHECK(process.problems.damaged_chunks == 1);
    CHECK(process.components[0].distinct == std::vector<LocalWhat>{what(put, 1), what(put, 2)});
    CHECK(process.components[0].size() == 2);
}

// The same marks one by one, each in a chunk of its own, where nothing can be taken several at a time.
TEST_CASE("marks that come again and again are decoded as if each were the first") {
    std::mt19937 random(7);
    const auto one_of = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    // Begins and ends in any order, some end nothing, some do not end.
    const auto motif = [&] {
        std::vector<Mark> marks;
        const int length = 2 + one_of(one_of(8) == 0 ? 90 : 8);
        for (int i = 0; i < length; ++i) {
            const int kind = 1 + one_of(3);
            const auto field = static_cast<std::uint32_t>(one_of(2));
            marks.push_back(one_of(2) == 0 ? begin_of(kind, field) : end_of(kind, field));
        }
        return marks;
    };
    const auto nested = [](int kind, std::uint32_t field) {
        return std::vector<Mark>{begin_of(kind, field), begin_of(3, field), end_of(3, field), end_of(kind, field)};
    };
    const std::vector<Mark> alone = {begin_of(get, 1), end_of(get, 1)};
    for (int trial = 0; trial < 300; ++trial) {
        const std::vector<std::vector<Mark>> motifs = {nested(put, 0), nested(get, 2), alone, motif(), motif()};
        std::vector<std::vector<Mark>> one_by_one;
        bool inside = false;
        const int used = trial % 2 == 0 ? 3 : 5;
        std::uint64_t absolute = 1'000'000'000;
        for (int i = 0; i < (trial % 50 == 0 ? 3000 : 60); ++i) { // also more than are taken at once
            const std::vector<Mark> &next = motifs[static_cast<std::size_t>(one_of(used))];
            for (const Mark mark : next) {
                one_by_one.push_back({make_mark(static_cast<std::uint64_t>(one_of(9)), id_of(mark), code_of(mark))});
                if (one_of(trial % 50 == 0 ? 4000 : 40) != 0) continue;
                if (one_of(3) == 0) one_by_one.push_back({make_mark(1, 0, 17)}); // out of the slice
                if (one_of(3) == 0) one_by_one.push_back({make_mark(1, static_cast<unsigned>(one_of(2)), 18)});
                if (one_of(3) == 0) one_by_one.push_back({other(MarkCode::time), absolute += 1'000'000});
                one_by_one.push_back({other(MarkCode::date), static_cast<Mark>(one_of(5))});
                if (one_of(2) == 0) continue;
                inside = !inside; // the other component; its end where nothing was entered would be damage
                one_by_one.push_back({make_mark(1, inside ? 1 : 0, inside ? 14 : 15)});
            }
        }
        std::vector<Mark> all;
        for (const std::vector<Mark> &mark : one_by_one)
            all.insert(all.end(), mark.begin(), mark.end());
        const DecodedProcess a = decoded({all}, 2);
        const DecodedProcess b = decoded(one_by_one, 2);
        INFO("trial " << trial);
        REQUIRE(a.components.size() == b.components.size());
        for (std::size_t c = 0; c < a.components.size(); ++c) {
            const LocalTimeline &s = a.components[c];
            const LocalTimeline &t = b.components[c];
            REQUIRE(s.place == t.place);
            REQUIRE((s.start == t.start && s.stop == t.stop));
            REQUIRE(s.distinct == t.distinct);
            REQUIRE((s.ended == t.ended && s.end_order == t.end_order));
            REQUIRE((s.order.low() == t.order.low() && s.order.high() == t.order.high()));
            REQUIRE(s.dates.size() == t.dates.size());
            for (std::size_t d = 0; d < s.dates.size(); ++d)
                REQUIRE((s.dates[d].first == t.dates[d].first && s.dates[d].date == t.dates[d].date));
        }
        REQUIRE(a.problems.end_without_begin == b.problems.end_without_begin);
        REQUIRE(a.problems.forgotten_end == b.problems.forgotten_end);
        REQUIRE(a.open_at_end == b.open_at_end);
        REQUIRE(a.last_mark == b.last_mark);
    }
}
