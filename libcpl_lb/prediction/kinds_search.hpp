// The search of balance_kinds: boxes of node counts, and lower bounds of the best answer in each.
#pragma once

#include "prediction/kinds_optimiser.hpp"
#include "prediction/optimiser_tables.hpp"

#include <cstdint>
#include <limits>
#include <queue>
#include <vector>

namespace cpl_lb {

class KindsSearch {
public:
    static constexpr double proven_within = 1e-9; // as in the optimiser of cores

    // Throws PredictionError if a pair has no count in common, or if there are too many ways to assign components to
    // kinds.
    explicit KindsSearch(const KindsProblem &problem);

    // Throws PredictionError if nothing fits.
    void run(KindsGoal goal, std::int64_t most_boxes);
    // After run(): finds the least weight that keeps the time.
    void save_nodes(std::int64_t most_boxes);

    [[nodiscard]] KindsAnswer best() const; // kinds, nodes, seconds
    [[nodiscard]] std::vector<double> best_computing_s() const;
    [[nodiscard]] double gap() const { return gap_; } // as a share; of the last run
    [[nodiscard]] std::int64_t evaluated() const { return evaluated_; }

private:
    using Places = std::vector<std::size_t>; // by unit

    // A component, or two on halves of the same nodes, on one kind. Counts that need more nodes but save no time are
    // left out, so that a shorter time always needs more nodes.
    struct Option {
        std::size_t kind = 0;
        std::vector<double> nodes;
        std::vector<std::vector<double>> seconds; // by member and place
        std::vector<RangeMinimum> least_s;        // by member
        std::vector<HullOfTimes> hulls;           // by member
        std::vector<RangeMinimum> extra_J;        // one, with power: beyond idling
    };
    struct Unit {
        std::vector<std::size_t> members;
        std::vector<Option> options;
    };
    // All combinations between two places of each unit, on given kinds.
    struct Box {
        Places option, low, high;
        double bound = 0;
        friend bool operator<(const Box &a, const Box &b) { return a.bound > b.bound; } // the least bound first
    };
    enum class Goal { time, price, energy, weight };

    void add_unit(std::vector<std::size_t> members);
    [[nodiscard]] Option option_of(const std::vector<const OnKind *> &members) const;
    [[nodiscard]] std::vector<Box> all_boxes() const;
    void search(std::int64_t most_boxes);
    void split(const Box &box, std::priority_queue<Box> &open);
    bool offer(const Box &box, const Places &places);
    void improve(const Box &box, std::int64_t most_tries);

    [[nodiscard]] const Option &chosen(const Box &box, std::size_t unit) const {
        return units_[unit].options[box.option[unit]];
    }
    [[nodiscard]] std::vector<double> computing(const Box &box, const Places &places) const;
    [[nodiscard]] std::vector<double> nodes_on(const Box &box, std::size_t kind, const Places &places) const;
    [[nodiscard]] double weighted(const Box &box, const Places &places, bool idle_W) const;
    [[nodiscard]] bool fits(const Box &box, const Places &places) const;
    [[nodiscard]] std::size_t largest_that_fits(const Box &box, Places places, std::size_t unit, std::size_t least,
                                                std::size_t most) const;
    [[nodiscard]] double value(double seconds, const Box &box) const;
    [[nodiscard]] double useful_below_s(const Box &box) const;
    void enter_fastest(const Box &box, std::size_t unit, std::size_t low, std::size_t high,
                       std::vector<double> &seconds) const;
    bool bound(Box &box) const;
    bool raise_low(Box &box, std::vector<double> &fastest) const;
    double separated(const Box &box, const std::vector<double> &shares, std::vector<double> &at) const;

    const KindsProblem &problem_;
    ProcessorPool pool_;
    std::vector<Unit> units_;
    Goal goal_ = Goal::time;
    double most_s_ = std::numeric_limits<double>::infinity();
    Box best_box_;
    Places best_;
    double best_value_ = std::numeric_limits<double>::infinity();
    double best_s_ = 0, best_weight_ = 0, gap_ = 0;
    std::int64_t evaluated_ = 0;
};

} // namespace cpl_lb
