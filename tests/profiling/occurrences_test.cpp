// Which messages are one occurrence of a field: sequences of processes, and which of them begin one.
#include "profiling/occurrences.hpp"

#include <catch2/catch.hpp>
#include <initializer_list>
#include <string>

using cpl_lb::profiling::Occurrences;

namespace {

// "+": begins one; "-": belongs to the one before.
std::string of_processes(std::initializer_list<int> processes) {
    Occurrences occurrences;
    std::string said;
    for (const int process : processes)
        said += occurrences.begins(1, {.field = 3, .process = process}) ? '+' : '-';
    return said;
}

} // namespace

TEST_CASE("the n-th message with each process is the n-th exchange") {
    CHECK(of_processes({0, 0, 0}) == "+++");
    CHECK(of_processes({0, 1, 2, 0, 1, 2}) == "+--+--");
    CHECK(of_processes({0, 1, 2, 2, 1, 0}) == "+--+--"); // in any order
    CHECK(of_processes({0, 0, 1, 1}) == "++--");         // the first is ahead
    CHECK(of_processes({0, 0, 1, 1, 0, 0, 1, 1}) == "++--++--");
}

TEST_CASE("who took no part for long comes anew, so that later exchanges are not taken for old ones") {
    // 1 is four behind the tenth at most: its first five are taken for the last five of 0.
    CHECK(of_processes({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1}) == "++++++++++-----++");
}

TEST_CASE("kinds and fields are counted by themselves, and a process that is not known always begins one") {
    Occurrences occurrences;
    CHECK(occurrences.begins(1, {.field = 3, .process = 0}));
    CHECK(occurrences.begins(2, {.field = 3, .process = 1}));
    CHECK(occurrences.begins(1, {.field = 4, .process = 1}));
    CHECK_FALSE(occurrences.begins(1, {.field = 3, .process = 1}));
    CHECK(occurrences.begins(1, {.field = 3}));
    CHECK(occurrences.begins(1, {.field = 3, .process = -32766}));
}
