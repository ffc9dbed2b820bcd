// What one process knows of its own arrivals, for the parts of its component's imbalance (docs/definitions.md,
// section 2). It answers with figures of the chosen exchanges or of the whole: never with something of size
// processes x exchanges. Which part of the arrivals of all changes slowly from exchange to exchange: the length of a
// running mean, and the period after which arrivals are alike again.
#pragma once

#include "analysis/chosen_exchanges.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace cpl_lb {

// The range of arrivals at one exchange over processes. It has no padding, because it is sent.
struct ArrivalSpread {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();

    void add(double arrival) {
        if (is_known(arrival)) add({arrival, arrival});
    }
    void add(const ArrivalSpread &other) {
        least = std::min(least, other.least);
        most = std::max(most, other.most);
    }
    [[nodiscard]] double range() const { return most > least ? most - least : 0; } // 0 without arrivals
};
struct ArrivalSum {
    Nanoseconds sum = 0; // of arrivals after the first one
    std::int64_t processes = 0;

    void add(const ArrivalSum &other) {
        sum += other.sum;
        processes += other.processes;
    }
};

// The numbers of an arrival record: the shares of being last, of all and of unusual exchanges, the mean lateness in
// each group, and the batches.
inline constexpr std::size_t arrival_batches = 16, record_means = 2;
[[nodiscard]] constexpr std::size_t arrival_record_size(std::uint32_t groups) {
    return record_means + groups + arrival_batches;
}

// Arrivals that move slowly from process to process: a running mean, and behind it a mean of each phase of a period.
struct MovingRule {
    std::size_t window = 0;           // values of the running mean; 0: too few values for one
    std::size_t phases = 0;           // 0: no period
    std::vector<std::uint16_t> phase; // of each value of the group, below `phases`
    // Whether the rule fits so many values. False if it came in a damaged message.
    [[nodiscard]] bool fits(std::size_t values) const;
    double period_s = unknown; // on the run's clock
};

// What the leader found out; needed for the last step.
struct ArrivalModel {
    bool has_means = false;         // the processes' own means differ by more than chance
    std::vector<double> of_node;    // mean lateness by group, of this process's node; 0 where nodes do not differ
    std::vector<MovingRule> moving; // by group
};

// The residuals' spreads of each exchange: less the nodes' means, less the processes' means, less what moves.
struct ResidualSpreads {
    std::vector<ArrivalSpread> nodes, processes, moving;
};

// Sums of squares over a group, in ns^2. It has no padding, because it is sent.
struct MovingSquares {
    WideNanoseconds moving = 0; // of what moves
    WideNanoseconds all = 0;    // of the values from which it was taken
    void add(const MovingSquares &other) {
        moving += other.moving;
        all += other.all;
    }
};

// By group: the places of its exchanges in the list of the chosen ones, ascending.
using PlacesOfGroups = std::span<const std::vector<std::uint32_t>>;

class OwnArrivals {
public:
    // starts: those of the chosen exchanges, in their order; `absent` if this process took no part. `chosen` outlives
    // this object.
    OwnArrivals(const ChosenExchanges &chosen, std::span<const Nanoseconds> starts);

    // Adds this process's share.
    void add_sums(std::span<ArrivalSum> sums) const;
    // Adds how much later this process comes to each exchange than to those of its group right before and after it;
    // the largest value of all processes counts. This hides what is always the same or moves slowly.
    void add_peaks(PlacesOfGroups groups, std::span<ArrivalSpread> peaks) const;

    // mean: of each exchange over all processes. unusual: for each exchange, not 0 if it is unusual.
    void settle(PlacesOfGroups groups, std::span<const double> mean, std::span<const std::uint8_t> unusual);

    // After settle(): adds the products of values 0 to sums.size() - 1 places apart, less this process's mean, in
    // ns^2.
    void add_products(PlacesOfGroups groups, std::uint32_t group, std::span<WideNanoseconds> sums) const;
    // arrival_record_size() numbers; NaN: took no part. Batches are means without what repeats after a period.
    [[nodiscard]] std::vector<float> record(PlacesOfGroups groups, std::span<const MovingRule> moving) const;
    void add_residuals(PlacesOfGroups groups, const ArrivalModel &model, ResidualSpreads &spreads,
                       std::span<MovingSquares> squares) const;

private:
    [[nodiscard]] std::vector<double> usual_values(std::span<const std::uint32_t> places, double less) const;

    const ChosenExchanges &chosen_;
    std::vector<double> arrival_; // s after the first one, later after the mean of all; NaN: took no part
    std::vector<std::uint8_t> unusual_;
    std::vector<double> mean_;       // of this process, by group
    std::vector<std::uint8_t> last_; // 1: it came last
    double last_share_ = 0;
};

// How many distances between values (OwnArrivals::add_products) are needed for so many values.
[[nodiscard]] std::size_t lags_of(std::size_t values);

// The rule for the exchanges at these places of the list. dates: of all exchanges in the list, or empty. Without
// dates the period comes from the products summed over all processes.
[[nodiscard]] MovingRule moving_rule(const ChosenExchanges &chosen, std::span<const std::uint32_t> places,
                                     std::span<const std::int64_t> dates, std::span<const WideNanoseconds> products,
                                     std::size_t processes);

// The share of white noise that the rule takes out of so many values.
[[nodiscard]] double noise_taken(const MovingRule &rule, std::size_t values);
// Whether the rule takes out more than it would of chance values.
[[nodiscard]] bool moves(const MovingRule &rule, const MovingSquares &squares, std::size_t values,
                         std::size_t processes);

} // namespace cpl_lb
