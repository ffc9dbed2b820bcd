// Puts copies of an early cycle before the loop. Their waits are copied from a cycle far enough from the begin, where
// what was sent some cycles earlier is in the loop, too.
#include "prediction/measured_graph.hpp"

#include <algorithm>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::size_t times = 16; // number of replays of the beginning: lags are a few cycles
constexpr std::size_t longest_lag = 4;

// Uses up the loop, so that it is only once in memory.
class Rehearsing {
public:
    Rehearsing(std::vector<Constituent> loop, const std::vector<std::size_t> &of_cycle)
        : loop_(std::move(loop)), of_cycle_(of_cycle) {
        for (const Constituent &c : loop_)
            sizes_.push_back(c.points.size());
    }

    [[nodiscard]] Rehearsal made() {
        std::vector<std::size_t> added;
        for (std::size_t c = 0; c < loop_.size(); ++c) {
            added.push_back(times * of_cycle_[c]);
            add_beginning(c);
        }
        return {CouplingGraph(loop_), std::move(added)};
    }

private:
    void add_beginning(std::size_t c) {
        std::vector<SyncPoint> &loop = loop_[c].points;
        const std::size_t period = of_cycle_[c];
        const std::size_t all = times * period + loop.size();
        const std::size_t as_example = std::min((times + longest_lag) * period, all);
        std::vector<SyncPoint> longer;
        longer.reserve(all);
        for (std::size_t k = 0; k < as_example; ++k) {
            // The loop's first interval is only the rest of one, so it is replayed whole.
            const std::size_t in_loop = k < times * period    ? period + k % period
                                        : k == times * period ? period
                                                              : k - times * period;
            longer.push_back({loop[in_loop].computing_s, waits_of(c, k)});
        }
        for (std::size_t k = as_example; k < all; ++k) {
            longer.push_back(std::move(loop[k - times * period]));
            for (PointPlace &peer : longer.back().waits_for)
                peer.point += times * of_cycle_[peer.component];
        }
        loop = std::move(longer);
    }
    // The same as at this point of the cycle that serves as the example.
    [[nodiscard]] std::vector<PointPlace> waits_of(std::size_t c, std::size_t k) const {
        const std::size_t period = of_cycle_[c];
        const auto cycle = static_cast<std::ptrdiff_t>(k / period);
        std::vector<PointPlace> waits;
        for (const PointPlace &peer : loop_[c].points[longest_lag * period + k % period].waits_for) {
            const auto there = static_cast<std::ptrdiff_t>(of_cycle_[peer.component]);
            const std::ptrdiff_t point =
                static_cast<std::ptrdiff_t>(peer.point) + (cycle - static_cast<std::ptrdiff_t>(longest_lag)) * there;
            const auto end = static_cast<std::ptrdiff_t>(times * of_cycle_[peer.component] + sizes_[peer.component]);
            if (point >= 0 && point < end) waits.push_back({peer.component, static_cast<std::size_t>(point)});
        }
        return waits;
    }

    std::vector<Constituent> loop_;
    const std::vector<std::size_t> &of_cycle_;
    std::vector<std::size_t> sizes_; // points of the loop, by component
};

bool begins_alike(const std::vector<std::uint32_t> &classes, std::size_t period) {
    const std::size_t examined = (longest_lag + 1) * period;
    if (classes.size() < examined) return false;
    return std::equal(classes.begin() + static_cast<std::ptrdiff_t>(period),
                      classes.begin() + static_cast<std::ptrdiff_t>(examined), classes.begin());
}

} // namespace

std::optional<Rehearsal> rehearse(std::vector<Constituent> loop,
                                  const std::vector<std::vector<std::uint32_t>> &classes,
                                  const std::vector<std::size_t> &of_cycle) {
    for (std::size_t c = 0; c < loop.size(); ++c)
        if (!begins_alike(classes[c], of_cycle[c])) return {};
    try {
        return Rehearsing(std::move(loop), of_cycle).made();
    } catch (const PredictionError &) { // the waits of that cycle, repeated, make a ring
        return {};
    }
}

} // namespace cpl_lb
