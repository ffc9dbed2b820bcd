// The control flow of annotated regions: which was entered from which, how often, in what order (Modeling Assertions,
// section 2.2). It is made only when a region is annotated. Regions without an annotation cost nothing and do not
// appear.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cpl_lb {

class RegionFlow {
public:
    struct Edge {
        int from = 0, to = 0; // ids of regions; from 0: outside of all annotated ones
        std::int64_t times = 0;
        std::size_t next = none; // another edge to the same region
    };
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    // From now on the region appears. Throws std::bad_alloc.
    void annotate(int region, bool is_open);

    // Called at a region's outermost begin and end.
    void enter(int region) noexcept;
    void leave(int region) noexcept;

    [[nodiscard]] const std::vector<Edge> &edges() const { return edges_; } // in the order of the first entry

private:
    [[nodiscard]] bool shows(int region) const noexcept {
        return static_cast<std::size_t>(region) < newest_.size() && shows_[static_cast<std::size_t>(region)];
    }
    std::vector<bool> shows_;         // by region
    std::vector<std::size_t> newest_; // by region: the last edge made to it
    std::vector<std::size_t> latest_; // by region: the edge of its latest entry; most come from the same place
    std::vector<Edge> edges_;
    std::vector<int> open_; // open regions that appear, innermost last
};

} // namespace cpl_lb
