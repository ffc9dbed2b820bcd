// Pass 2 of the load balance for many processes of one component. What depends only on the events and the window is
// calculated once, and the waiting once for each pattern (waiting_patterns.hpp). Buffers are kept from row to row.
#pragma once

#include "analysis/load_balance.hpp"
#include "analysis/own_share.hpp"
#include "analysis/waiting_patterns.hpp"

#include <cstdint>
#include <vector>

namespace cpl_lb {

class ShareCalculator {
public:
    // `events` outlives this object. `processes`: the number of all rows; 0: not known.
    ShareCalculator(const EventTable &events, const Window &window, Interval run, std::int32_t counterparts,
                    std::int64_t processes = 0);
    ShareCalculator(const ShareCalculator &) = delete; // its parts refer to each other
    ShareCalculator &operator=(const ShareCalculator &) = delete;

    // Adds the share of the process with this row: one element for each event.
    void add(const Row &row, Share &sum);

    // The same in parts, for processes that all took part in the same events, with the same events inside exchanges.
    // Their waiting is one pattern, that of any row, valid until the next call. Each works out its own operations and
    // time away (OwnShare), from the operations' places and, if wanted, from Omega_p. walk() returns the row's events
    // of other kinds inside its exchanges; the next three functions are for that row.
    const EventSet &walk(const Row &row);
    [[nodiscard]] const WaitingPattern &waiting_of(const Row &row, bool with_omega);
    void add_waiting(const WaitingPattern &pattern, Share &sum) const;
    void add_own(const Row &row, const WaitingPattern &pattern, Share &sum);
    [[nodiscard]] const std::vector<OperationsInParts> &operations() const { return places_of_operations_; }
    [[nodiscard]] const std::vector<Nanoseconds> &coarse_ends() const { return coarse_ends_; }
    [[nodiscard]] const std::vector<Nanoseconds> &fine_ends() const { return fine_ends_; }

private:
    EventRoles roles_;
    std::vector<std::uint32_t> counterparts_; // of the exchanges, ascending
    bool has_window_ = false;
    ByPart<Interval> parts_;
    std::vector<Nanoseconds> fine_ends_, coarse_ends_; // ends of the segments, with the steps and without
    WaitingPatterns patterns_;
    std::vector<OperationsInParts> places_of_operations_;
    OwnShare own_;
    EventSet nested_; // the current row's events of other kinds inside exchanges
};

} // namespace cpl_lb
