// Puts copies of an early cycle before the loop. Who waits for whom in them is taken from a cycle that is far enough
// from the begin: there, what was sent some cycles before is in the loop, too.
#include "prediction/rehearsal.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

constexpr std::size_t times = 16; // so often the beginning is replayed: lags are a few cycles
constexpr std::size_t longest_lag = 4;

// Place of a wait's other end, counted from the begin of the same cycle; before it, it is negative.
struct RelativeWait {
    std::size_t component = 0;
    std::ptrdiff_t point = 0;
};

class Rehearsing {
public:
    Rehearsing(const std::vector<Constituent> &loop, const std::vector<std::size_t> &of_cycle)
        : loop_(loop), of_cycle_(of_cycle) {}

    [[nodiscard]] Rehearsal made() const {
        std::vector<Constituent> longer;
        std::vector<std::size_t> added;
        for (std::size_t c = 0; c < loop_.size(); ++c) {
            added.push_back(times * of_cycle_[c]);
            longer.push_back(with_beginning(c));
        }
        return {CouplingGraph(longer), std::move(added)};
    }

private:
    [[nodiscard]] Constituent with_beginning(std::size_t c) const {
        const Constituent &loop = loop_[c];
        const std::size_t period = of_cycle_[c];
        Constituent longer = loop;
        longer.points.clear();
        longer.points.reserve(times * period + loop.points.size());
        for (std::size_t k = 0; k < times * period + loop.points.size(); ++k) {
            const std::size_t in_loop = k - times * period; // of the loop itself
            const bool is_copy = k < times * period;
            // The loop's first interval is what was left of one: it is replayed whole.
            const bool first_is_part = k == times * period && period > 0;
            SyncPoint point;
            point.computing_s = loop.points[is_copy         ? period + k % period
                                            : first_is_part ? period
                                                            : in_loop]
                                    .computing_s;
            if (k < (times + longest_lag) * period)
                point.waits_for = waits_of(c, k);
            else
                point.waits_for = shifted(loop.points[in_loop].waits_for);
            longer.points.push_back(std::move(point));
        }
        return longer;
    }
    // As the same point of the cycle that serves as the example does.
    [[nodiscard]] std::vector<PointPlace> waits_of(std::size_t c, std::size_t k) const {
        const std::size_t period = of_cycle_[c];
        const auto cycle = static_cast<std::ptrdiff_t>(k / period);
        std::vector<PointPlace> waits;
        for (const PointPlace &peer : loop_[c].points[longest_lag * period + k % period].waits_for) {
            const auto there = static_cast<std::ptrdiff_t>(of_cycle_[peer.component]);
            const std::ptrdiff_t point =
                static_cast<std::ptrdiff_t>(peer.point) + (cycle - static_cast<std::ptrdiff_t>(longest_lag)) * there;
            const auto end =
                static_cast<std::ptrdiff_t>(times * of_cycle_[peer.component] + loop_[peer.component].points.size());
            if (point >= 0 && point < end) waits.push_back({peer.component, static_cast<std::size_t>(point)});
        }
        return waits;
    }
    [[nodiscard]] std::vector<PointPlace> shifted(std::vector<PointPlace> waits) const {
        for (PointPlace &peer : waits)
            peer.point += times * of_cycle_[peer.component];
        return waits;
    }

    const std::vector<Constituent> &loop_;
    const std::vector<std::size_t> &of_cycle_;
};

bool begins_alike(const std::vector<std::uint32_t> &classes, std::size_t period) {
    const std::size_t examined = (longest_lag + 1) * period;
    if (classes.size() < examined) return false;
    return std::equal(classes.begin() + static_cast<std::ptrdiff_t>(period),
                      classes.begin() + static_cast<std::ptrdiff_t>(examined), classes.begin());
}

} // namespace

std::optional<Rehearsal> rehearse(const std::vector<Constituent> &loop,
                                  const std::vector<std::vector<std::uint32_t>> &classes,
                                  const std::vector<std::size_t> &of_cycle) {
    for (std::size_t c = 0; c < loop.size(); ++c)
        if (!begins_alike(classes[c], of_cycle[c])) return {};
    try {
        return Rehearsing(loop, of_cycle).made();
    } catch (const PredictionError &) { // the waits of that cycle, repeated, make a ring
        return {};
    }
}

} // namespace cpl_lb
