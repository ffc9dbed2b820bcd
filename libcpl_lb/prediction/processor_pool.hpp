// How the cores of components add up: side by side, or one after the other on the same cores.
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

    // Cores or watts of the whole, from those of `each` component: the sum of parts side by side, the largest of
    // parts one after the other.
    [[nodiscard]] double of_all(const std::vector<double> &each) const;

    // How of_all goes with one component alone, the others being as in `each`: max(least, beside + its cores).
    struct WithOthers {
        double least = 0, beside = 0;
    };
    [[nodiscard]] std::vector<WithOthers> with_others(const std::vector<double> &each) const;

    // Weights w with sum w_c n_c <= of_all(n) for all n >= 0, for lower bounds. Parts that share cores divide their
    // weight by `gains`, what one more core is worth to each component.
    [[nodiscard]] std::vector<double> weights(const std::vector<double> &gains) const;

    // Components one after the other, "ice + atm"; empty if each has cores of its own.
    [[nodiscard]] std::string shared_in_words(const std::vector<std::string> &names) const;
};

// Each component on cores of its own.
[[nodiscard]] ProcessorPool cores_of_their_own(std::size_t components);

// By component: those that have cores in common with it, ascending.
using Sharing = std::vector<std::vector<std::size_t>>;

// From who shares cores with whom: components without any in common are side by side, groups in
// which everybody shares with everybody of the other groups are one after the other. What is neither (A shares with B
// and B with C, but C not with A, all in one group of four in a chain) counts side by side, which takes the most.
[[nodiscard]] ProcessorPool pool_of(const Sharing &shares);

} // namespace cpl_lb
