// Lines and numbers of timer files: what is read, and what is refused with which words.
#include "run/timers/timer_text.hpp"
#include "tests/error_of.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using test::error_of;

TEST_CASE("lines of all systems, and where they stand") {
    const TimerText text("logs/run.log", "first\r\n\r\n  third line\nlast");
    REQUIRE(text.lines().size() == 4);
    CHECK(text.lines()[0] == "first");
    CHECK(text.lines()[1].empty());
    CHECK(text.lines()[3] == "last");
    CHECK(text.name() == "run.log");
    CHECK(text.find("line") == 2);
    CHECK(text.find("nowhere") == 4);
    CHECK(text.beginning("third") == 2);
    CHECK(text.beginning("line") == 4);
    CHECK(text.at(2, "Total") == "Total (run.log, line 3)");
    CHECK(std::string(text.wrong(3, "why").what()) == "logs/run.log: line 4: why");
    CHECK(TimerText("empty", "").lines().empty());
}

TEST_CASE("numbers as Fortran and C print them") {
    const TimerText text("f", "x\n");
    CHECK(text.number(0, "12.5", "t") == 12.5);
    CHECK(text.number(0, "-3", "t") == -3);
    CHECK(text.number(0, "+1.25E+02", "t") == 125);
    CHECK(text.number(0, "0.5D-01", "t") == 0.05);
    CHECK(text.number(0, ".5", "t") == 0.5);
    CHECK(text.seconds(0, "0.000", "t") == 0);
    CHECK(text.count(0, "64", "n", 1) == 64);
}

TEST_CASE("what is no number is refused, and why") {
    const TimerText text("f", "x\n");
    const auto error = [&](const char *word) {
        return error_of([&] { static_cast<void>(text.number(0, word, "t")); });
    };
    CHECK(error("*****") == "f: line 1: t is *****: it was too large for its column");
    CHECK(error("12,5") == "f: line 1: t is '12,5': a comma in a number; write it with a point");
    CHECK(error("12.345678.901") == "f: line 1: t is '12.345678.901': two numbers without a blank between them");
    CHECK(error("1.5-2.5") == "f: line 1: t is '1.5-2.5': two numbers without a blank between them");
    CHECK(error("fast") == "f: line 1: t is 'fast', no number");
    CHECK(error("") == "f: line 1: t is missing");
    CHECK(error("NaN") == "f: line 1: t is 'NaN', no number");
    CHECK(error("inf") == "f: line 1: t is 'inf', no number");
    CHECK_FALSE(error("+-1").empty());
    CHECK_FALSE(error("0x10").empty());
    CHECK(error_of([&] { static_cast<void>(text.seconds(0, "-1", "t")); }) == "f: line 1: t is -1: no time of a run");
    CHECK(error_of([&] { static_cast<void>(text.count(0, "1.5", "n")); }) ==
          "f: line 1: n is 1.5: no whole number from 0 on");
    CHECK(error_of([&] { static_cast<void>(text.count(0, "0", "n", 1)); }) ==
          "f: line 1: n is 0: no whole number from 1 on");
}

TEST_CASE("words between blanks") {
    CHECK(words_of("  a\tb  c ") == std::vector<std::string_view>{"a", "b", "c"});
    CHECK(words_of("").empty());
    CHECK(trimmed_line("  a b\t") == "a b");
    CHECK(trimmed_line("   ").empty());
    CHECK(after("Run Time :  5 s", ":") == "5 s");
    CHECK(after("Run Time", ":").empty());
    CHECK(looks_like_number("***"));
    CHECK(looks_like_number("1,5"));
    CHECK_FALSE(looks_like_number("ocean"));
    CHECK_FALSE(looks_like_number("-"));
}
