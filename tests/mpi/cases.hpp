// What is tried with messages in memory, by many seeds and with many delays, and then under real MPIs: one body each.
#pragma once

#include "mpi/transport.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cpl_lb::testing {

// Every rank calls it, and none stops ahead of a later message because a figure is wrong. The result: what is wrong,
// in words; empty: nothing. Throws MessageFailed.
struct Case {
    const char *name;
    std::string (*body)(Transport &transport, std::uint64_t seed);
};

[[nodiscard]] std::span<const Case> group_cases();    // groups, the meeting, process maps and clocks
[[nodiscard]] std::span<const Case> gather_cases();   // what terminate makes of the events of all
[[nodiscard]] std::span<const Case> row_cases();      // rows, waiting, times away, files
[[nodiscard]] std::span<const Case> node_row_cases(); // rows of several nodes into one file
// Needs folders that a script has made.
[[nodiscard]] inline std::vector<Case> all_cases() {
    std::vector<Case> all;
    for (const std::span<const Case> some : {group_cases(), gather_cases(), row_cases(), node_row_cases()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

// The first thing that is wrong.
class Findings {
public:
    void expect(bool holds, const std::string &what) {
        if (!holds && text_.empty()) text_ = what;
    }
    [[nodiscard]] const std::string &text() const { return text_; }

private:
    std::string text_;
};

[[nodiscard]] inline std::vector<int> ranks_below(int size) {
    std::vector<int> ranks(static_cast<std::size_t>(size));
    for (int r = 0; r < size; ++r)
        ranks[static_cast<std::size_t>(r)] = r;
    return ranks;
}

// A number that any rank can work out for any other.
[[nodiscard]] inline std::uint64_t figure_of(std::uint64_t seed, std::uint64_t rank, std::uint64_t i) {
    std::uint64_t x = seed * 0x9fb21c651e98df25U + rank * 0xd6e8feb86659fd93U + i * 0xa0761d6478bd642fU + 1;
    x ^= x >> 32U;
    x *= 0xe7037ed1a0b428dbU;
    return x ^ (x >> 29U);
}
[[nodiscard]] inline std::uint64_t figure_at(std::uint64_t seed, int rank, std::size_t i) {
    return figure_of(seed, static_cast<std::uint64_t>(rank), i);
}

} // namespace cpl_lb::testing
