// Hash of a sequence of small numbers.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace cpl_lb {

// Several chains take the numbers in turn, so that a processor works on all of them at once.
class OrderHash {
public:
    void add(std::uint32_t number) { chains_[count_++ % chains_.size()].add(number); }
    // Adds many numbers; the hash is the same as with one call for each.
    void add(std::span<const std::uint32_t> numbers) {
        std::size_t i = 0;
        for (; i < numbers.size() && count_ % chains_.size() != 0; ++i)
            add(numbers[i]);
        std::array<Chain, 4> chains = chains_; // in registers
        for (; i + chains.size() <= numbers.size(); i += chains.size(), count_ += chains.size())
            for (std::size_t c = 0; c < chains.size(); ++c)
                chains[c].add(numbers[i + c]);
        chains_ = chains;
        for (; i < numbers.size(); ++i)
            add(numbers[i]);
    }
    [[nodiscard]] std::uint64_t low() const { return all().low; }
    [[nodiscard]] std::uint64_t high() const { return all().high; }

private:
    struct Chain {
        std::uint64_t low = 0x9e3779b97f4a7c15U;
        std::uint64_t high = 0xc2b2ae3d27d4eb4fU;

        void add(std::uint64_t value) {
            low = std::rotl((low ^ (value + 1)) * 0x9fb21c651e98df25U, 27);
            high = std::rotl(high + (value + 1), 31) * 0xd6e8feb86659fd93U;
        }
    };
    [[nodiscard]] Chain all() const {
        Chain sum;
        for (const Chain &c : chains_) {
            sum.add(c.low);
            sum.add(c.high);
        }
        return sum;
    }
    std::array<Chain, 4> chains_;
    std::size_t count_ = 0;
};

} // namespace cpl_lb
