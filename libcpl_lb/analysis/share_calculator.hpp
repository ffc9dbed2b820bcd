// Pass 2 of the load balance for many processes of one component: what depends on the events and the window
// alone is worked out once, buffers are kept from row to row. A few nanoseconds for an event of a row.
//
// Omega_p, the waiting of process p, is made by a sweep in the order of S_k: each exchange of p adds what of its
// [S_k, E_k] no earlier one covers, so that every instant belongs to the covering event with the smallest S_k
// (of equals, to the earlier in the table); the [S_m, E_m] of other kinds inside p's exchanges are taken out.
#pragma once

#include "analysis/load_balance.hpp"
#include "analysis/nesting.hpp"
#include "analysis/segments.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace cpl_lb {

class ShareCalculator {
public:
    // `events` outlives this object.
    ShareCalculator(const EventTable &events, const Window &window, Interval run, std::int32_t counterparts);

    // Adds the share of the process with this row: one element for each event.
    void add(const Row &row, Share &sum);

private:
    enum class Role : std::uint8_t { none, put, get, mapping, output, restart, other };
    static constexpr std::size_t interval_count = 4; // start-up, loop, shut-down, whole
    using Flags = std::uint32_t;                     // bit i: interval i

    // Own durations of one process in one interval.
    struct Operations {
        WideNanoseconds mapping = 0, output = 0, restart = 0;
        bool mapped = false, put_out = false, restarted = false;
    };

    static Role role_of(Kind kind);
    // What the passes need of an event's key, in four bytes.
    [[nodiscard]] std::uint32_t code_of(const EventKey &key, const EventSpan &span) const;
    [[nodiscard]] Role role(EventIndex k) const { return static_cast<Role>(codes_[k] & 0xfU); }
    [[nodiscard]] Flags touched_by(EventIndex k) const { return codes_[k] >> 4U & 0xfU; }
    [[nodiscard]] std::uint32_t counterpart(EventIndex k) const { return codes_[k] >> 8U; }
    [[nodiscard]] bool is_exchange(EventIndex k) const { return role(k) == Role::put || role(k) == Role::get; }
    [[nodiscard]] bool is_operation(EventIndex k) const {
        return role(k) >= Role::mapping && role(k) <= Role::restart;
    }

    // Whether the row at hand counts in the means of an interval: as one of C, or where nobody exchanges.
    [[nodiscard]] bool counts(std::size_t interval) const {
        return (touched_ >> interval & 1U) != 0 || (anyone_exchanges_ >> interval & 1U) == 0;
    }
    // By S, of equals the earlier in the table.
    [[nodiscard]] bool waits_earlier(EventIndex a, EventIndex b) const {
        const Nanoseconds S_a = spans_[a].last_start;
        const Nanoseconds S_b = spans_[b].last_start;
        return S_a != S_b ? S_a < S_b : a < b;
    }
    void order_exchanges();
    void add_operation(EventIndex k, Nanoseconds own);
    void walk_nesting(const Row &row);
    // What each exchange of the row adds to the union of their [S_k, E_k], ascending.
    template <class Sink>
    void for_each_piece(const Row &row, Sink &&sink);
    void sweep(const Row &row);
    void collect(Share &sum) const;

    const std::vector<EventSpan> &spans_;
    std::vector<std::uint32_t> codes_;       // counterpart << 8 | intervals that an exchange touches << 4 | role
    std::vector<EventIndex> exchange_order_; // by S; empty: the table is in that order
    std::array<Interval, interval_count> intervals_{};
    Interval loop_{};
    Flags anyone_exchanges_ = 0;
    bool only_exchanges_ = true;
    std::vector<Nanoseconds> fine_ends_, coarse_ends_;

    // Of the row at hand.
    RowOrder order_;
    NestingStack stack_;
    std::vector<EventIndex> nested_; // of other kinds, inside exchanges; by S
    bool has_operations_ = false;
    bool was_away_ = false;
    Flags touched_ = 0;
    std::array<Operations, interval_count> operations_{};
    SegmentSums waiting_, away_, operations_beside_waiting_;
    std::vector<Nanoseconds> waiting_for_get_, waiting_for_put_;
};

} // namespace cpl_lb
