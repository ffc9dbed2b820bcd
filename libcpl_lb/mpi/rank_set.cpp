// Sets of ranks as ascending intervals: union, difference, words; and blocks of ranks.
#include "mpi/rank_set.hpp"

#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {

RankSet RankSet::all(int size) {
    RankSet set;
    if (size > 0) set.add(0, size - 1);
    return set;
}

void RankSet::add(std::int32_t first, std::int32_t last) {
    if (covers(first, last)) return;
    Block added{first, last};
    std::vector<Block> all;
    all.reserve(blocks_.size() + 1);
    bool placed = false;
    for (const Block &b : blocks_) {
        if (b.last + 1 < added.first) {
            all.push_back(b);
        } else if (added.last + 1 < b.first) {
            if (!placed) all.push_back(added);
            placed = true;
            all.push_back(b);
        } else { // they touch: one block
            added = {std::min(added.first, b.first), std::max(added.last, b.last)};
        }
    }
    if (!placed) all.push_back(added);
    blocks_ = std::move(all);
}

void RankSet::add(const RankSet &other) {
    for (const Block &b : other.blocks_)
        add(b.first, b.last);
}

bool RankSet::covers(std::int32_t first, std::int32_t last) const {
    const auto at = std::upper_bound(blocks_.begin(), blocks_.end(), first,
                                     [](std::int32_t rank, const Block &b) { return rank < b.first; });
    return at != blocks_.begin() && std::prev(at)->last >= last;
}

int RankSet::count() const {
    int n = 0;
    for (const Block &b : blocks_)
        n += b.last - b.first + 1;
    return n;
}

std::vector<int> RankSet::ranks() const {
    std::vector<int> all;
    all.reserve(static_cast<std::size_t>(count()));
    for (const Block &b : blocks_)
        for (std::int32_t r = b.first; r <= b.last; ++r)
            all.push_back(r);
    return all;
}

RankSet RankSet::without(const RankSet &other) const {
    RankSet rest;
    for (const Block &mine : blocks_) {
        std::int32_t from = mine.first;
        for (const Block &theirs : other.blocks_) {
            if (theirs.last < from || theirs.first > mine.last) continue;
            if (theirs.first > from) rest.add(from, theirs.first - 1);
            from = theirs.last + 1;
        }
        if (from <= mine.last) rest.add(from, mine.last);
    }
    return rest;
}

std::string RankSet::text() const {
    constexpr std::size_t most = 5;
    std::string text;
    for (std::size_t i = 0; i < blocks_.size() && i < most; ++i) {
        if (i > 0) text += i + 1 == blocks_.size() ? " and " : ", ";
        const Block &b = blocks_[i];
        text += b.first == b.last ? fmt::format("{}", b.first) : fmt::format("{}-{}", b.first, b.last);
    }
    if (blocks_.size() > most) text += " and " + counted(blocks_.size() - most, "more block");
    return text;
}

bool RankSet::read(WireReader &in, int size) {
    blocks_ = in.get_vector<Block>();
    std::int32_t least = 0;
    for (const Block &b : blocks_) {
        if (b.first < least || b.last < b.first || b.last >= size) return false;
        least = b.last + 2; // blocks that touch are one
    }
    return in.good();
}

int leader_of(int rank) {
    if (rank == 0) return -1;
    std::int64_t block = ranks_in_block;
    while (rank % block == 0)
        block *= ranks_in_block;
    return static_cast<int>(rank - rank % block);
}

std::vector<int> led_by(int rank, int size) {
    std::vector<int> ranks;
    for (std::int64_t step = 1; rank % (step * ranks_in_block) == 0 && rank + step < size; step *= ranks_in_block)
        for (std::int64_t i = 1; i < ranks_in_block && rank + i * step < size; ++i)
            ranks.push_back(static_cast<int>(rank + i * step));
    return ranks;
}

std::int32_t last_of_block(int rank, int size) {
    std::int64_t block = 1;
    while (block < size && rank % (block * ranks_in_block) == 0)
        block *= ranks_in_block;
    return static_cast<std::int32_t>(std::min<std::int64_t>(rank + block, size) - 1);
}

} // namespace cpl_lb
