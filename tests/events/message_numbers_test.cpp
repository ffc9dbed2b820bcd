// Which calls are one exchange: lists of messages, each with the numbers that were worked out by hand.
#include "events/message_numbers.hpp"

#include <catch2/catch.hpp>
#include <initializer_list>
#include <utility>
#include <vector>

using namespace cpl_lb;

namespace {

using Numbers = std::vector<std::uint32_t>;

// Each partner alone in its call.
MessageLog calls_with(std::initializer_list<std::uint32_t> peers) {
    MessageLog log{Kind::get, 1, {}};
    for (const std::uint32_t peer : peers)
        log.messages.push_back(peer | logged_last);
    return log;
}

NumbersOfPeer given(const MessageLog &log) {
    const auto all = [](std::uint32_t) { return true; };
    return numbers_given(places_of(log, all), count_exchanges(places_of(log, all)));
}

// As "0.1": exchange 0, first call.
std::vector<std::pair<std::uint32_t, std::uint32_t>> calls(const MessageLog &log, const NumbersOfPeer &numbers = {}) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> result;
    for (const NumberedCall &c : numbered_calls(log, numbers))
        result.emplace_back(c.number, c.part);
    return result;
}
using Calls = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

} // namespace

TEST_CASE("partners with as many messages are counted, in whatever order they come") {
    CHECK(given(calls_with({7, 8, 9, 7, 8, 9})) == NumbersOfPeer{{7, {0, 1}}, {8, {0, 1}}, {9, {0, 1}}});
    CHECK(given(calls_with({7, 7, 8, 8})) == NumbersOfPeer{{7, {0, 1}}, {8, {0, 1}}}); // 7 is ahead
}

TEST_CASE("a partner that comes now and then belongs to the exchange that the others are in") {
    // 0 each time, 1 with the first and the sixth: GROMACS sends headers like this.
    const NumbersOfPeer numbers = given(calls_with({0, 1, 0, 0, 0, 0, 0, 1, 0}));
    CHECK(numbers.at(0) == Numbers{0, 1, 2, 3, 4, 5, 6});
    CHECK(numbers.at(1) == Numbers{0, 5});
    // A farm: who is done gets the next piece of work. 2 is the busiest, with four.
    const NumbersOfPeer farm = given(calls_with({1, 2, 3, 2, 2, 1, 2}));
    CHECK(farm == NumbersOfPeer{{1, {0, 2}}, {2, {0, 1, 2, 3}}, {3, {0}}});
}

TEST_CASE("a partner that lacks the first message is counted from the second") {
    MessageLog log = calls_with({0});
    for (int n = 0; n < 20; ++n)
        log.messages.insert(log.messages.end(), {0 | logged_last, 1 | logged_last});
    const NumbersOfPeer numbers = given(log);
    CHECK(numbers.at(1).front() == 1);
    CHECK(numbers.at(1).back() == 20);
}

TEST_CASE("one partner may have three messages in each exchange, and another two") {
    const MessageLog log = calls_with({0, 1, 0, 0, 1, 0, 1, 0, 0, 1});
    CHECK(given(log) == NumbersOfPeer{{0, {0, 0, 0, 1, 1, 1}}, {1, {0, 0, 1, 1}}});
    // A process of the same component that has one partner only is told how many exchanges there were.
    const auto all = [](std::uint32_t) { return true; };
    CHECK(count_exchanges(places_of(calls_with({0, 0, 0, 0}), all)) == 4);
    CHECK(numbers_given(places_of(calls_with({0, 0, 0, 0}), all), 2) == NumbersOfPeer{{0, {0, 0, 1, 1}}});
}

// 0 sends a header and a field in each of 20 steps, 1 a field, 2 now and then: 40, 20 and 5 messages. Who is asked
// whether 20 are known says so by its own times.
TEST_CASE("two messages of one partner are one exchange where the process exchanges half as often") {
    const auto all = [](std::uint32_t) { return true; };
    MessageLog log{Kind::get, 1, {}};
    for (std::uint32_t step = 0; step < 20; ++step) {
        log.messages.insert(log.messages.end(), {0 | logged_last, 0 | logged_last, 1 | logged_last});
        if (step % 4 == 0) log.messages.push_back(2 | logged_last);
    }
    CHECK(count_exchanges(places_of(log, all)) == 40);
    CHECK(count_exchanges(places_of(log, all), 20) == 20);
    const NumbersOfPeer numbers = numbers_given(places_of(log, all), 20);
    CHECK(numbers.at(0)[38] == 19);
    CHECK(numbers.at(0)[39] == 19);
    CHECK(numbers.at(1)[19] == 19);
    CHECK(numbers.at(2) == Numbers{0, 4, 8, 12, 16});
    // 30 do not go into 40, and 40 are one in each.
    CHECK(count_exchanges(places_of(log, all), 30) == 40);
    CHECK(count_exchanges(places_of(log, all), 40) == 40);
    // A partner with 13 in 20 exchanges is neither regular nor rare.
    for (int n = 0; n < 13; ++n)
        log.messages.push_back(3 | logged_last);
    CHECK(count_exchanges(places_of(log, all), 20) == 40);
}

TEST_CASE(
    "a process is asked for its times only where it has twice as many messages with one partner as with another") {
    CHECK(messages_with_partners(std::vector{calls_with({0, 0, 1, 2}), calls_with({1, 1})}) == Numbers{1, 2});
    CHECK(may_be_several_in_each(Numbers{20, 40}));
    CHECK(may_be_several_in_each(Numbers{13, 39}));
    CHECK_FALSE(may_be_several_in_each(Numbers{40}));
    CHECK_FALSE(may_be_several_in_each(Numbers{2, 40})); // 20 in each are none
    CHECK_FALSE(may_be_several_in_each(Numbers{30, 40}));
    CHECK_FALSE(may_be_several_in_each(Numbers{}));
    CHECK(nearest_count(Numbers{5, 20, 40}, 21) == 20); // and one at set-up
    CHECK(nearest_count(Numbers{5, 20, 40}, 39) == 40);
    CHECK(nearest_count(Numbers{5, 20, 40}, 30) == 0); // a third off
    CHECK(nearest_count(Numbers{}, 30) == 0);
}

TEST_CASE("messages of partners that give the numbers themselves are not numbered here") {
    const auto of_2 = [](std::uint32_t peer) { return peer == 2; };
    CHECK(numbers_given(places_of(calls_with({1, 2}), of_2), 1) == NumbersOfPeer{{2, {0}}});
    CHECK(count_exchanges(places_of(calls_with({1, 1, 2}), of_2)) == 1);
    CHECK(count_exchanges(places_of(calls_with({1}), of_2)) == 0);
    CHECK(numbers_given(places_of(calls_with({1}), of_2), 0).empty());
}

TEST_CASE("the second call for one exchange is its second part") {
    CHECK(calls(calls_with({7, 8, 7, 8})) == Calls{{0, 1}, {0, 2}, {1, 1}, {1, 2}});
    CHECK(calls({Kind::get, 1, {7, 8 | logged_last, 8, 7 | logged_last}}) == Calls{{0, 1}, {1, 1}}); // MPI_Waitall
    // A probe sees the message that the next call takes; a wait is for the message before.
    CHECK(calls({Kind::get, 1, {7 | logged_next | logged_last, 7 | logged_last, 7 | logged_last}}) ==
          Calls{{0, 1}, {0, 2}, {1, 1}});
    CHECK(calls({Kind::put, 1, {7 | logged_last, 7 | logged_again | logged_last, 7 | logged_last}}) ==
          Calls{{0, 1}, {0, 2}, {1, 1}});
}

TEST_CASE("the numbers of the other side hold, and go on where it knows no more") {
    CHECK(calls(calls_with({3, 3, 3}), {{3, {0, 20}}}) == Calls{{0, 1}, {20, 1}, {21, 1}});
    // Two messages in one exchange of the other side.
    CHECK(calls(calls_with({3, 3}), {{3, {4, 4}}}) == Calls{{4, 1}, {4, 2}});
}

TEST_CASE("numbers go in few words, and no more come out than there are messages") {
    const Numbers numbers{0, 1, 2, 40, 41, 7};
    CHECK(pack_numbers(numbers) == Numbers{0, 3, 40, 2, 7, 1});
    CHECK(unpack_numbers(pack_numbers(numbers), 100) == numbers);
    CHECK(unpack_numbers(Numbers{0, 4'000'000'000U}, 3) == Numbers{0, 1, 2});
    CHECK(unpack_numbers(Numbers{5}, 3).empty());
}

TEST_CASE("parts are fields of their own, and keep the number of their exchange") {
    LocalTimeline t;
    t.distinct = {make_what(2, 1), make_what(1, 2)};
    t.place = {0, 0, 1, 0, 1}; // GET, GET, PUT, GET, PUT
    std::vector<LocalField> fields = {{}, {"tag 1", "ocean"}, {"tag 2", "ocean"}};
    apply_numbers(t, {{make_what(2, 1), {{0, 1}, {0, 2}, {5, 1}}}, {make_what(1, 2), {{0, 1}, {1, 1}}}}, fields);
    REQUIRE(fields.size() == 4);
    CHECK(fields[3].name == "tag 1 #2");
    CHECK(fields[3].counterpart == "ocean");
    CHECK(t.place == std::vector<std::uint32_t>{0, 1, 2, 0, 2});
    CHECK(t.distinct == std::vector<LocalWhat>{make_what(2, 1), make_what(2, 3), make_what(1, 2)});
    // The PUTs and the part are just counted.
    CHECK(t.numbers == std::map<LocalWhat, Numbers>{{make_what(2, 1), {0, 5}}});
}

// A collective operation's field is called after the rank of its root until the parts of a program have names.
TEST_CASE("fields that are called alike become one, in the order of their events") {
    const std::vector<LocalField> fields{{"", ""}, {"from ocean", ""}, {"from ocean", ""}, {"from ice", ""}};
    const auto sync = [](std::uint32_t field) { return make_what(static_cast<unsigned>(Kind::sync), field); };
    const auto get = make_what(static_cast<unsigned>(Kind::get), 2); // of the same name, but another kind
    LocalTimeline t;
    t.distinct = {sync(1), sync(2), get, sync(3)};
    t.place = {0, 1, 2, 0, 3, 1};
    unite_alike(t, fields);
    CHECK(t.distinct == std::vector<LocalWhat>{sync(1), get, sync(3)});
    CHECK(t.place == Numbers{0, 0, 1, 0, 2, 0});
}

TEST_CASE("calls that just count need no numbers: one message each, with one partner") {
    CHECK(calls_just_count(calls_with({3, 3, 3}), {}));
    CHECK(calls_just_count(calls_with({3, 3, 3}), {{3, {0, 1, 2}}}));
    CHECK_FALSE(calls_just_count(calls_with({3, 3, 3}), {{3, {0, 0, 1}}})); // two in the first exchange
    CHECK_FALSE(calls_just_count(calls_with({3, 4, 3}), {})); // the call with 4 is the second of exchange 0
    MessageLog two_in_one = calls_with({3, 3});
    two_in_one.messages.front() &= ~logged_last;
    CHECK_FALSE(calls_just_count(two_in_one, {}));
    MessageLog probes = calls_with({3, 3});
    for (LoggedMessage &message : probes.messages)
        message |= logged_next; // the message itself is still to come
    CHECK_FALSE(calls_just_count(probes, {}));
    CHECK_FALSE(calls_just_count(calls_with({}), {}));
}
