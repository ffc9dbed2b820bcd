// One clock for the run. Processes of a node share CLOCK_MONOTONIC, which is checked. Between nodes the offset comes
// from ping-pongs of one process of each node, at init and at terminate, along a binomial tree of the nodes. The
// smallest round trip counts, because a mean would contain delays by the scheduler. The error is at most half that
// round trip; the bounds add up along the tree. A straight line through both ends corrects the drift.
#pragma once

#include "data/time.hpp"
#include "mpi/group.hpp"
#include "mpi/process_map.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace cpl_lb {

inline constexpr int ping_count = 20;

// common = local + offset, known to +- bound, at local time `at`. All in nanoseconds.
struct ClockOffset {
    std::int64_t at = 0;
    std::int64_t offset = 0;
    std::int64_t bound = 0;
};

class CommonClock {
public:
    CommonClock() = default;
    CommonClock(const ClockOffset &first, const ClockOffset &last) : first_(first), last_(last) {}

    [[nodiscard]] std::int64_t to_common(std::int64_t local) const {
        if (is_one_offset()) return local + first_.offset;
        const std::int64_t span = last_.at - first_.at;
        const auto drift = static_cast<WideNanoseconds>(last_.offset - first_.offset) * (local - first_.at) / span;
        return local + first_.offset + static_cast<std::int64_t>(drift);
    }
    // Converts many times in place and adds `added` to each.
    void to_common(std::span<std::int64_t> times, std::int64_t added) const {
        if (is_one_offset()) {
            for (std::int64_t &t : times)
                t += first_.offset + added;
        } else {
            for (std::int64_t &t : times)
                t = to_common(t) + added;
        }
    }
    // The single offset of all times, if the clocks do not drift apart.
    [[nodiscard]] std::optional<std::int64_t> one_offset() const {
        return is_one_offset() ? std::optional(first_.offset) : std::nullopt;
    }
    [[nodiscard]] std::int64_t bound() const { return first_.bound > last_.bound ? first_.bound : last_.bound; }

private:
    [[nodiscard]] bool is_one_offset() const { return last_.at <= first_.at || last_.offset == first_.offset; }
    ClockOffset first_;
    ClockOffset last_;
};

// Collective over `all`. Processes that do not read the clock of their node's lowest rank become another node,
// together with others of the same host that read the same clock. This separates copies of one machine with the same
// boot id.
void check_nodes(Group &all, ProcessMap &process_map, const std::string &host);

// Collective over `present`: the offset of this process. reference: the known offset of the leader's clock to the
// run's clock (zero at init).
[[nodiscard]] ClockOffset measure_offset(Group &present, const ProcessMap &process_map, const ClockOffset &reference);

} // namespace cpl_lb
