// A set of ranks as ascending intervals: executables are blocks of ranks, so a set of 20,000 is a few numbers.
#pragma once

#include "mpi/wire.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace cpl_lb {

class RankSet {
public:
    struct Block {
        std::int32_t first, last; // both inside
        friend bool operator==(const Block &, const Block &) = default;
    };

    [[nodiscard]] static RankSet all(int size);
    void add(std::int32_t first, std::int32_t last);
    void add(const RankSet &other);
    [[nodiscard]] bool covers(std::int32_t first, std::int32_t last) const;
    [[nodiscard]] bool covers(const RankSet &other) const { return other.without(*this).empty(); }
    [[nodiscard]] bool contains(std::int32_t rank) const { return covers(rank, rank); }
    [[nodiscard]] bool empty() const { return blocks_.empty(); }
    [[nodiscard]] int count() const;
    [[nodiscard]] std::vector<int> ranks() const; // ascending
    [[nodiscard]] const std::vector<Block> &blocks() const { return blocks_; }
    [[nodiscard]] RankSet without(const RankSet &other) const;
    // "0-95, 100 and 104-127"; at most five blocks, then "... and 12 more".
    [[nodiscard]] std::string text() const;

    friend void wire_members(WireWriter &out, const RankSet &set) { out.put(set.blocks_); }
    friend void wire_members(WireReader &in, RankSet &set) {
        if (!set.read(in, std::numeric_limits<int>::max())) throw DamagedMessage("ranks");
    }
    // False if the message held no set of ranks below `size`.
    bool read(WireReader &in, int size);

    friend bool operator==(const RankSet &, const RankSet &) = default;

private:
    std::vector<Block> blocks_;
};

// The ranks as a tree: blocks of 4, 16, 64, ..., each led by its first rank. Small blocks, so that few others are
// asked in vain by a process whose executable begins at another rank than 0.
inline constexpr std::int32_t ranks_in_block = 4;
// The rank that leads the smallest block in which `rank` is not the first; -1 for rank 0.
[[nodiscard]] int leader_of(int rank);
// The ranks whose leader is `rank`, the nearest first.
[[nodiscard]] std::vector<int> led_by(int rank, int size);
// The last rank of the largest block that `rank` leads.
[[nodiscard]] std::int32_t last_of_block(int rank, int size);

} // namespace cpl_lb
