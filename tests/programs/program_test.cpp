// The replay itself, on programs whose times are worked out by hand: a call takes 0.5 us, a message 2 us.
#include "tests/programs/program.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

using namespace cpl_lb::programs;
using What = Action::What;

TEST_CASE("a receiver waits for its message, and the path leads back to who sent it") {
    // Process 0 computes 1 s and sends; process 1 computes 0.25 s, receives and computes 0.5 s.
    const Program p{{"a", "b"},
                    {0, 1},
                    {{{What::compute, 1'000'000'000, {}, -1}, {What::send, 0, {{1, 7}}, -1}},
                     {{What::compute, 250'000'000, {}, -1},
                      {What::receive, 0, {{0, 7}}, -1},
                      {What::compute, 500'000'000, {}, -1}}},
                    1,
                    {},
                    ""};
    const Truth r = replay(p);
    CHECK(r.messages == 1);
    CHECK(r.calls[1][0].begin == 250'000'000);
    CHECK(r.calls[1][0].end == 1'000'002'500);
    CHECK(r.end == 1'500'002'500);
    CHECK(r.path_s == std::vector<double>{1.0, 0.5});
    CHECK(replay(p, {0.1, 1}).path_s == std::vector<double>{0, 0.75}); // 0.1 s is before 0.25 s: nobody waits
}

TEST_CASE("what is computed after a message was sent is not on its path") {
    // 0 sends after 0.1 s and computes on for 5 s, which are its own end; with one tenth of that 1 ends last.
    const Program p{
        {"a", "b"},
        {0, 1},
        {{{What::compute, 100'000'000, {}, -1}, {What::send, 0, {{1, 7}}, -1}, {What::compute, 200'000'000, {}, -1}},
         {{What::receive, 0, {{0, 7}}, -1}, {What::compute, 1'000'000'000, {}, -1}}},
        1,
        {},
        ""};
    CHECK(replay(p).path_s == std::vector<double>{0.1, 1.0});
}

TEST_CASE("who receives from anybody takes what is there first") {
    const Program p{{"a", "b"},
                    {0, 0, 1},
                    {{{What::compute, 300'000'000, {}, -1}, {What::send, 0, {{2, 1}}, -1}},
                     {{What::compute, 100'000'000, {}, -1}, {What::send, 0, {{2, 1}}, -1}},
                     {{What::receive, 0, {{-1, 1}}, 0}, {What::receive, 0, {{-1, 1}}, 0}}},
                    1,
                    {},
                    ""};
    const Truth r = replay(p);
    CHECK(r.calls[2][0].messages[0].peer == 1);
    CHECK(r.calls[2][1].messages[0].peer == 0);
    CHECK(r.computing_s[0] == Approx(0.3));
    CHECK(r.computing_s[1] == 0);
}

TEST_CASE("a program that waits for what nobody sends is a mistake") {
    const Program p{{"a"}, {0}, {{{What::receive, 0, {{0, 1}}, -1}}}, 1, {}, ""};
    CHECK_THROWS_AS(replay(p), std::logic_error);
}

TEST_CASE("random programs end, and have as many messages received as sent") {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const Program p = random_program(seed);
        const Truth r = replay(p);
        std::int64_t received = 0;
        for (const std::vector<Call> &calls : r.calls)
            for (const Call &c : calls)
                if (c.what == What::receive) received += static_cast<std::int64_t>(c.messages.size());
        INFO(p.words);
        CHECK(received == r.messages);
        CHECK(r.end > 0);
    }
}
