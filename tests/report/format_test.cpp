// Numbers keep their digits, names cannot break a line.
#include "data/time.hpp"
#include "report/format.hpp"

#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/messages.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <unistd.h>

using namespace cpl_lb;

TEST_CASE("numbers keep their digits from nanoseconds to months") {
    CHECK(number_text(unknown) == "n/a");
    CHECK(number_text(0) == "0.000");
    CHECK(number_text(41.527) == "41.527");
    CHECK(number_text(379707.2214) == "379707.221");
    CHECK(number_text(0.1) == "0.100");
    CHECK(number_text(0.0123456) == "0.012346");
    CHECK(number_text(0.000001) == "0.000001000");
    CHECK(number_text(0.00012345) == "0.000123");
    CHECK(number_text(0.0000012) == "0.000001200");
    CHECK(number_text(0.000000012) == "1.200e-08");
    CHECK(number_text(-0.848) == "-0.848");
    CHECK(number_text(7'776'000.5) == "7776000.500"); // three months
    CHECK(number_text(1e14) == "100000000000000.000");
    CHECK(number_text(3e21) == "3.000e+21");
    CHECK(per_cent_text(0.19252) == "19.25");
    CHECK(per_cent_text(unknown) == "n/a");
    CHECK(share_in_words(0.2349) == "23 %");
    CHECK(share_in_words(0.0996) == "10 %");
    CHECK(share_in_words(0.0134) == "1.3 %");
    CHECK(share_in_words(0.0001) == "less than 0.1 %");
}

TEST_CASE("numbers with decimals have an end") {
    CHECK(decimal_text(12.345678, 2) == "12.35");
    CHECK(decimal_text(-0.5, 0) == "-0");
    CHECK(decimal_text(999'999'999'999'999.0, 0) == "999999999999999"); // below 1e15
    CHECK(decimal_text(1e308, 2) == "1.000e+308");
    CHECK(decimal_text(-1e15, 1) == "-1.000e+15");
    CHECK(decimal_text(INFINITY, 2) == "n/a");
    CHECK(decimal_text(unknown, 2) == "n/a");
    CHECK(change_text(0.126, 2) == "+0.13");
    CHECK(change_text(-0.126, 2) == "-0.13");
    CHECK(change_text(-INFINITY, 2) == "n/a");
    CHECK(per_cent_text(1e100) == "1.000e+102"); // 100 times that
    CHECK(share_in_words(1e100) == "1.000e+102 %");
}

TEST_CASE("a number stands with its word") {
    CHECK(counted(1, "cycle") == "1 cycle");
    CHECK(counted(0, "cycle") == "0 cycles");
    CHECK(counted(2, "process", "processes") == "2 processes");
    CHECK(counted(1, "process", "processes") == "1 process");
    CHECK(word_for(1.0, "day") == "day");
    CHECK(word_for(1.5, "day") == "days");
}

TEST_CASE("names are shown safely") {
    CHECK(safe_name("ocean") == "ocean");
    CHECK(safe_name("a\nb\tc\rd\x1b[31m") == "a\\nb\\tc\\rd\\x1b[31m");
    CHECK(safe_name("a\\n") == "a\\n");
    CHECK(safe_name(safe_name("a\x1b\n\\")) == safe_name("a\x1b\n\\")); // as often as one likes
    CHECK(safe_name("\xc3\xa9t\xc3\xa9") == "\xc3\xa9t\xc3\xa9");
    CHECK(safe_name("\xff\xfe") == "\\xff\\xfe");
    CHECK(safe_name("\xc0\xaf") == "\\xc0\\xaf");                   // overlong '/'
    CHECK(safe_name("\xed\xa0\x80") == "\\xed\\xa0\\x80");          // surrogate
    CHECK(safe_name("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80"); // beyond U+10FFFF
    CHECK(safe_name("\xc3") == "\\xc3");
    CHECK(safe_name("a\xe2\x80\xae"         // NOLINT(misc-misleading-bidirectional): the subject
                    "b") == "a\\u{202e}b"); // right-to-left override
    CHECK(safe_name(std::string("a\0b", 3)) == "a\\x00b");
    CHECK(safe_name("<script>\"'&") == "<script>\"'&"); // harmless in plain text
}

TEST_CASE("text that holds safe names keeps its lines and its backslashes") {
    CHECK(safe_text("a\\x1b\nb\x1b[2J\tc\r") == "a\\x1b\nb\\x1b[2J\\tc\\r");
    CHECK(safe_text("\xc2\x9b"            // CSI. NOLINT(misc-misleading-bidirectional): the subject
                    "2J\xe2\x81\xa6\x7f") // an isolate
          == "\\u{9b}2J\\u{2066}\\x7f");
    CHECK(safe_text("\xff \xc3\xa9") == "\\xff \xc3\xa9");
}

TEST_CASE("what is quoted in a message is cut, between characters") {
    CHECK(excerpt("abc", 3) == "abc");
    CHECK(excerpt("abcd", 3) == "abc...");
    CHECK(excerpt("\xc3\xa9\xc3\xa9\xc3\xa9", 2) == "\xc3\xa9\xc3\xa9...");
    CHECK(excerpt(std::string(100'000, 'x')) == std::string(60, 'x') + "...");
    CHECK(first_bytes("\xc3\xa9\xc3\xa9", 3) == "\xc3\xa9");
    CHECK(first_bytes("ab", 3) == "ab");
}

TEST_CASE("a line on standard error obeys nobody, and has at most 2,000 bytes of others") {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    const int kept = ::dup(STDERR_FILENO);
    REQUIRE(::dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
    tell("of \x1b[31mred\nor\xc2\x9b " + std::string(100'000, 'x'));
    REQUIRE(::dup2(kept, STDERR_FILENO) == STDERR_FILENO);
    ::close(kept);
    ::close(ends[1]);
    std::string line(4096, ' ');
    line.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::read(ends[0], line.data(), line.size()))));
    ::close(ends[0]);
    // 3 + 1 + 4 + 3 + 1 + 2 + 2 + 1 bytes before the x.
    CHECK(line == "cpl_lb: of \\x1b[31mred or\\u{9b} " + std::string(2000 - 17, 'x') + "\n");
}

TEST_CASE("what is no number is not printed as one") {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    for (const double value : {infinite, -infinite}) {
        CHECK(number_text(value) == "n/a");
        CHECK(per_cent_text(value) == "n/a");
        CHECK(share_in_words(value) == "an unknown share");
    }
}

TEST_CASE("columns of a terminal") {
    CHECK(display_columns("abc") == 3);
    CHECK(display_columns("\xc3\xa9") == 1);
    CHECK(display_columns("e\xcc\x81") == 1);                // combining acute
    CHECK(display_columns("\xe6\xb5\xb7\xe6\xb4\x8b") == 4); // two wide characters
    CHECK(display_columns("\xf0\x9f\x8c\x8a") == 2);         // a wave
}

TEST_CASE("long names keep their beginning and their end") {
    CHECK(short_name("ocean", 5) == "ocean");
    CHECK(short_name("abcdefghijklmnop", 10) == "abcde...op");
    const std::string cut = short_name(std::string(10'000, 'x') + "1", 60);
    CHECK(display_columns(cut) == 60);
    CHECK(cut.back() == '1');
    CHECK(display_columns(
              short_name("\xe6\xb5\xb7\xe6\xb5\xb7\xe6\xb5\xb7\xe6\xb5\xb7\xe6\xb5\xb7\xe6\xb5\xb7", 9)) <= 9);
}

TEST_CASE("columns of a table widen to what they hold") {
    TextTable table;
    table.row({"Model", "s"});
    table.row({"\xc3\xa9", "7776000.500"});
    table.row({"atmosphere", "0.001"});
    CHECK(table.text() == "Model                 s\n"
                          "\xc3\xa9           7776000.500\n"
                          "atmosphere        0.001\n");
}

TEST_CASE("the times of a table have one unit, and three decimals of it") {
    const auto table_of = [](double longest, double other) {
        TextTable table;
        table.row({"Model", "time [{s}]", "idle"});
        table.row({"a", InSeconds{longest}, InSeconds{other, "idle "}});
        table.row({"{s}", InSeconds{unknown}, InSeconds{0}});
        return table;
    };
    // 4.116 s and 0.001535 s = 0.002 s
    CHECK(table_of(4.116, 0.001535).text() == "Model  time [s]        idle\n"
                                              "a         4.116  idle 0.002\n"
                                              "{s}         n/a       0.000\n");
    // 0.25 s = 250 ms, 33.85 us = 0.034 ms
    CHECK(table_of(0.25, 0.00003385).text() == "Model  time [ms]        idle\n"
                                               "a        250.000  idle 0.034\n"
                                               "{s}          n/a       0.000\n");
    CHECK(table_of(0.00025, 1e-9).text().find(" 250.000  idle 0.001\n") != std::string::npos); // us
    CHECK(table_of(0.00025, 1e-9).unit() == "us");
    CHECK(table_of(1, 0).unit() == "s");
    CHECK(table_of(0.999, 0).unit() == "ms");
    CHECK(table_of(0.001, 0).unit() == "ms");
    CHECK(table_of(0.000999, 0).unit() == "us");
    CHECK(table_of(0, unknown).unit() == "s");
    // Of several: from the least to the most, in the same unit. Without any no range is said.
    TextTable ranges;
    ranges.row({"Model", "{s}"});
    ranges.row({"a", InSeconds{0.2, "idle ", 0.1, 0.35}});
    ranges.row({"b", InSeconds{unknown, "", unknown, unknown}});
    CHECK(ranges.text() == "Model                                 ms\n"
                           "a      idle 200.000 (100.000 to 350.000)\n"
                           "b                                    n/a\n");
    // What is there, and what is not, look different.
    CHECK(table_of(2, 0.0004).text().find("idle <0.001\n") != std::string::npos);
    CHECK(table_of(2, -0.0004).text().find("idle >-0.001\n") != std::string::npos);
    CHECK(table_of(2, 1e20).text().find("idle 1.000e+20\n") != std::string::npos);
}

TEST_CASE("numbers of a column have the same decimals") {
    TextTable table;
    table.row({"Node", "J", "small", "none"});
    table.row({"a", Decimal{1234.5}, Decimal{0.0123}, Decimal{unknown}});
    table.row({"b", Decimal{0.25}, Decimal{0.05}, Decimal{unknown}});
    CHECK(table.text() == "Node         J     small  none\n"
                          "a     1234.500  0.012300   n/a\n"
                          "b        0.250  0.050000   n/a\n");
    CHECK(number_texts({4.116, 0.001535, 0}) == std::vector<std::string>{"4.116000", "0.001535", "0.000000"});
    CHECK(number_texts({4.116, unknown}) == std::vector<std::string>{"4.116", "n/a"});
}

TEST_CASE("a table that is too wide stands in parts, each with the names of its rows") {
    TextTable table({1});
    table.row({"Model", "of", "first", "second", "third"});
    table.row({"ocean", "x", "1", "2", "3"});
    // 5 + 2 + 2 = 9 columns of names; 9 + 2 + 5 = 16, 16 + 2 + 6 = 24 > 22; 9 + 2 + 6 = 17, 17 + 2 + 5 = 24 > 22
    CHECK(table.text(22) == "Model  of  first\nocean  x       1\n\n"
                            "Model  of  second\nocean  x        2\n\n"
                            "Model  of  third\nocean  x       3\n");
    CHECK(table.text(24) == "Model  of  first  second\nocean  x       1       2\n\n"
                            "Model  of  third\nocean  x       3\n");
    CHECK(table.text(31) == table.text());
    CHECK(table.text(1) == table.text(22)); // a part has a column at least
}

TEST_CASE("sentences are broken at spaces") {
    CHECK(wrapped("one two three", 7) == "one two\nthree\n");
    CHECK(wrapped("onetwothree four", 5) == "onetwothree\nfour\n");
    CHECK(wrapped("", 5) == "\n");
}
