// Leaves all points that can be left, then follows who is held up by whom until a component repeats.
#include "prediction/waiting_ring.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace cpl_lb {
namespace {

class Held {
public:
    explicit Held(const std::vector<Constituent> &constituents) : all_(constituents), next_(constituents.size()) {
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t c = 0; c < all_.size(); ++c) {
                for (; next_[c] < all_[c].points.size() && !holder(c); ++next_[c])
                    moved = true;
            }
        }
    }
    // The component that has not come to a point for which this component waits.
    [[nodiscard]] std::optional<std::size_t> holder(std::size_t c) const {
        for (const PointPlace &other : all_[c].points[next_[c]].waits_for)
            if (other.point > next_[other.component]) return other.component;
        return {};
    }
    [[nodiscard]] std::optional<std::size_t> first() const {
        for (std::size_t c = 0; c < all_.size(); ++c)
            if (next_[c] < all_[c].points.size()) return c;
        return {};
    }
    [[nodiscard]] PointPlace point(std::size_t c) const { return {c, next_[c]}; }

private:
    const std::vector<Constituent> &all_;
    std::vector<std::size_t> next_; // by component: the first point that was not left
};

} // namespace

std::vector<PointPlace> waiting_ring(const std::vector<Constituent> &constituents) {
    const Held held(constituents);
    std::vector<std::size_t> way;
    std::optional<std::size_t> at = held.first();
    while (at && std::find(way.begin(), way.end(), *at) == way.end()) {
        way.push_back(*at);
        at = held.holder(*at);
    }
    std::vector<PointPlace> ring;
    if (!at) return ring;
    for (auto c = std::find(way.begin(), way.end(), *at); c != way.end(); ++c)
        ring.push_back(held.point(*c));
    return ring;
}

} // namespace cpl_lb
