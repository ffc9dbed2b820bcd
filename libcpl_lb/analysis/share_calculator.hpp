// Pass 2 of the load balance for many processes of one component. It works out once what depends only on the events
// and the window, and the waiting once for each pattern (waiting_patterns.hpp). It keeps its buffers from row to
// row.
#pragma once

#include "analysis/load_balance.hpp"
#include "analysis/own_share.hpp"
#include "analysis/waiting_patterns.hpp"

#include <cstdint>
#include <vector>

namespace cpl_lb {

class ShareCalculator {
public:
    // `events` outlives this object. `processes`: how many rows there are in all, 0: not known.
    ShareCalculator(const EventTable &events, const Window &window, Interval run, std::int32_t counterparts,
                    std::int64_t processes = 0);
    ShareCalculator(const ShareCalculator &) = delete; // its parts look at each other
    ShareCalculator &operator=(const ShareCalculator &) = delete;

    // Adds the share of the process with this row: one element for each event.
    void add(const Row &row, Share &sum);

    // The same in parts, for processes that all took part in the same events, with the same ones inside exchanges:
    // their waiting is one pattern, that of any row, valid until the next call. What their operations and their time
    // away come to each finds out for itself (OwnShare), from the operations' places and, if it is asked for, from
    // Omega_p. The row's events of other kinds inside its exchanges; the next three are of that row.
    const EventSet &walk(const Row &row);
    [[nodiscard]] const WaitingPattern &waiting_of(const Row &row, bool with_omega);
    void add_waiting(const WaitingPattern &pattern, Share &sum) const;
    void add_own(const Row &row, const WaitingPattern &pattern, Share &sum);
    [[nodiscard]] const std::vector<OperationsInParts> &operations() const { return places_of_operations_; }
    [[nodiscard]] const std::vector<Nanoseconds> &coarse_ends() const { return coarse_ends_; }
    [[nodiscard]] const std::vector<Nanoseconds> &fine_ends() const { return fine_ends_; }

private:
    EventRoles roles_;
    bool has_window_ = false;
    ByPart<Interval> parts_;
    std::vector<Nanoseconds> fine_ends_, coarse_ends_; // of segments: with the steps, and without
    WaitingPatterns patterns_;
    std::vector<OperationsInParts> places_of_operations_;
    OwnShare own_;
    EventSet nested_; // of other kinds, inside exchanges; of the row at hand
};

} // namespace cpl_lb
