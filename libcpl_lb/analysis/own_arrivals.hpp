// What one process knows of its own arrivals, for the parts of its component's imbalance (docs/definitions.md,
// section 2). It answers with figures of the chosen exchanges or of the whole: never with something of size
// processes x exchanges.
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

// The numbers of an arrival record: the share of being last, the mean lateness in each group, and the batches.
inline constexpr std::size_t arrival_batches = 16, record_means = 1;
[[nodiscard]] constexpr std::size_t arrival_record_size(std::uint32_t groups) {
    return record_means + groups + arrival_batches;
}

// What the leader found out; needed for the last step.
struct ArrivalModel {
    bool has_means = false;      // the processes' own means differ by more than chance
    std::vector<double> of_node; // mean lateness by group, of this process's node; 0 where nodes do not differ
};

// The residuals' spreads of each exchange: less the nodes' means, less the processes' means.
struct ResidualSpreads {
    std::vector<ArrivalSpread> nodes, processes;
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
    // the largest value of all processes counts. This hides what is always the same or changes slowly.
    void add_peaks(PlacesOfGroups groups, std::span<ArrivalSpread> peaks) const;

    // mean: of each exchange over all processes. stalled: for each exchange, not 0 if it is.
    void settle(PlacesOfGroups groups, std::span<const double> mean, std::span<const std::uint8_t> stalled);

    // After settle(): arrival_record_size() numbers; NaN: took no part. Batches are means.
    [[nodiscard]] std::vector<float> record() const;
    void add_residuals(PlacesOfGroups groups, const ArrivalModel &model, ResidualSpreads &spreads) const;

private:
    const ChosenExchanges &chosen_;
    std::vector<double> arrival_; // s after the first one, later after the mean of all; NaN: took no part
    std::vector<std::uint8_t> stalled_;
    std::vector<double> mean_; // of this process, by group
    double last_share_ = 0;
};

} // namespace cpl_lb
