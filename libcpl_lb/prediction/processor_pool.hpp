// Adds up the cores of components: side by side, or one after the other on the same cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

struct ProcessorPool {
    enum class Kind : std::uint8_t { component, side_by_side, one_after_other };
    Kind kind = Kind::side_by_side;
    std::size_t component = 0;        // of a leaf
    std::vector<ProcessorPool> parts; // of the others

    // Cores or watts of the whole pool, from those of `each` component: the sum over parts side by side, the largest
    // of parts one after the other.
    [[nodiscard]] double of_all(const std::vector<double> &each) const;

    // Time of the whole pool, from those of `each` component: the sum over parts one after the other, the longest of
    // parts side by side.
    [[nodiscard]] double time_of_all(const std::vector<double> &each) const;

    // of_all as a function of one component, the others as in `each`: max(least, beside + its cores).
    struct WithOthers {
        double least = 0, beside = 0;
    };
    [[nodiscard]] std::vector<WithOthers> with_others(const std::vector<double> &each) const;

    // Weights w with sum w_c n_c <= of_all(n) for all n >= 0, for lower bounds. Parts that share cores divide their
    // weight in proportion to `gains`, the value of one more core to each component.
    [[nodiscard]] std::vector<double> weights(const std::vector<double> &gains) const;

    // Whether two of so many components run one after the other on the same cores.
    [[nodiscard]] bool in_turn(std::size_t a, std::size_t b, std::size_t components) const;

    // The components that run one after the other, "ice + atm"; empty if each has cores of its own.
    [[nodiscard]] std::string shared_in_words(const std::vector<std::string> &names) const;
};

// A pool in which each component has its own cores.
[[nodiscard]] ProcessorPool cores_of_their_own(std::size_t components);
// The pool, or if it has no parts, one with cores of their own.
[[nodiscard]] ProcessorPool pool_of_all(const ProcessorPool &pool, std::size_t components);

// By component: the components with common cores, ascending.
using Sharing = std::vector<std::vector<std::size_t>>;

// Makes the pool from who shares cores with whom. Components without common cores are side by side. Groups in which
// all share with all of the other groups are one after the other. Other cases (a chain: A shares with B, B with C, C
// with D, and no others) count as side by side, which takes the most cores.
[[nodiscard]] ProcessorPool pool_of(const Sharing &shares);

} // namespace cpl_lb
