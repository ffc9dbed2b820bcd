// The search of the best counts of cores or nodes: branch and bound over boxes of counts. The first boxes are one for
// each way to lay the units on kinds.
#pragma once

#include "prediction/optimiser.hpp"
#include "prediction/optimiser_tables.hpp"
#include "prediction/processor_pool.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace cpl_lb {

// What a unit may have of one kind: of cores, or of a kind of nodes.
struct CountOption {
    std::size_t kind = 0;
    std::vector<std::int64_t> counts;         // by place, ascending
    std::vector<double> taken;                // by place, in whole nodes
    std::vector<std::vector<double>> seconds; // by member and place
    std::vector<double> extra_J, idle_W;      // by place: while computing beyond idling, and idling; for least energy
};

// A component, or two on halves of the same nodes.
struct CountUnit {
    std::vector<std::size_t> members;
    std::vector<CountOption> options; // any one of these; at least one
};

struct CountProblem {
    std::size_t components = 0;
    std::vector<CountUnit> units;
    std::vector<std::int64_t> there; // by kind
    std::vector<double> weights;     // by kind: of each that is taken
    ProcessorPool pool{};
    // As in KindsProblem.
    std::function<double(const std::vector<double> &computing_s)> length_s;
    std::function<std::vector<double>(const std::vector<double> &computing_s)> path_shares;
    Objective objective = Objective::time;
    double most_seconds = std::numeric_limits<double>::infinity();
    // Leaves out counts that are too small for a useful time: this takes a length_s for each component and halving,
    // and pays with few components.
    bool raises_low = false;
};

// An answer this close to the bound, as a share, counts as proven: the difference is far below what a clock measures.
inline constexpr double proven_within = 1e-9;

using CountPlaces = std::vector<std::size_t>; // by component or unit, a place in its counts

// All combinations between two places of each.
struct CountBox {
    CountPlaces low, high;
    CountPlaces option{}; // by unit, the kind of node
    double bound = 0;
    friend bool operator<(const CountBox &a, const CountBox &b) { return a.bound > b.bound; } // the least bound first
};

class CountSearch {
public:
    // Throws PredictionError if there are too many ways to lay the units on kinds.
    explicit CountSearch(CountProblem problem);

    // Finds the best counts. False: nothing fits.
    [[nodiscard]] bool run(std::int64_t most_boxes);
    // After run(): finds the least weight that keeps the time.
    void save(std::int64_t most_boxes);

    [[nodiscard]] const CountOption &option(std::size_t unit) const { return chosen(best_box_, unit); }
    [[nodiscard]] std::size_t place(std::size_t unit) const { return best_[unit]; }
    [[nodiscard]] double gap() const { return gap_; }                   // of the last of both
    [[nodiscard]] std::int64_t evaluated() const { return evaluated_; } // boxes, of both

private:
    struct Tables {                        // of an option
        std::vector<RangeMinimum> least_s; // by member
        std::vector<HullOfTimes> hulls;    // by member
        std::vector<RangeMinimum> extra_J; // one, or none without power
    };
    using Others = std::vector<std::vector<ProcessorPool::WithOthers>>; // by kind and component

    void split_boxes(std::int64_t most_boxes);
    bool offer(const CountBox &box, const CountPlaces &places);
    [[nodiscard]] std::optional<std::size_t> widest(const CountBox &box) const;
    bool bound(CountBox &box) const;
    [[nodiscard]] std::vector<CountBox> all_boxes() const;
    [[nodiscard]] const CountOption &chosen(const CountBox &box, std::size_t unit) const {
        return problem_.units[unit].options[box.option[unit]];
    }
    [[nodiscard]] const Tables &tables(const CountBox &box, std::size_t unit) const {
        return tables_[unit][box.option[unit]];
    }
    [[nodiscard]] std::vector<double> computing(const CountBox &box, const CountPlaces &places) const;
    [[nodiscard]] std::vector<double> on_kind(const CountBox &box, std::size_t kind, const CountPlaces &places,
                                              const std::vector<double> CountOption::*what) const;
    [[nodiscard]] double weighted(const CountBox &box, const CountPlaces &places) const;
    [[nodiscard]] double idle_W(const CountBox &box, const CountPlaces &places) const;
    [[nodiscard]] bool fits(const CountBox &box, const CountPlaces &places) const;
    [[nodiscard]] Others with_others(const CountBox &box, const CountPlaces &places) const;
    [[nodiscard]] bool fits_beside(const Others &others, const CountBox &box, std::size_t unit,
                                   std::size_t place) const;
    [[nodiscard]] std::size_t largest_that_fits(const Others &others, const CountBox &box, std::size_t unit,
                                                std::size_t least, std::size_t most) const;
    [[nodiscard]] double value(double seconds, const CountBox &box) const;
    [[nodiscard]] double useful_below_s(const CountBox &box) const;
    void improve(const CountBox &box, std::int64_t most_boxes);
    bool offer_taking(const CountBox &box, CountPlaces places, const Others &others, std::size_t giver);
    void enter_fastest(const CountBox &box, std::size_t unit, std::size_t low, std::size_t high,
                       std::vector<double> &seconds) const;
    bool raise_low(CountBox &box, std::vector<double> &fastest) const;
    [[nodiscard]] double separated(const CountBox &box, const std::vector<double> &shares,
                                   std::vector<double> &at) const;

    CountProblem problem_;
    std::vector<std::vector<Tables>> tables_; // by unit and option
    double most_s_;
    bool saves_ = false; // the value is the weight
    CountBox best_box_;
    CountPlaces best_;
    double best_value_ = std::numeric_limits<double>::infinity();
    double best_s_ = 0, best_weight_ = 0;
    double gap_ = 0;
    std::int64_t evaluated_ = 0;
};

} // namespace cpl_lb
