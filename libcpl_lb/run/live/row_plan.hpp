// Who writes the rows of a component into its timeline's file.
//
// If the file's format has fixed places, each process of the leader's node writes its row itself, all at the same
// time. Rows of other nodes go to the leader in pieces: two nodes see one file through caches of their own, and a
// cache may write back a whole page of which its node changed a few bytes.
#pragma once

#include "data/events.hpp"
#include "io/timeline/row_file.hpp"
#include "mpi/group.hpp"
#include "support/held_up.hpp"
#include "support/messages.hpp"

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

// Takes the rows on the leader.
class RowSink {
public:
    RowSink() = default;
    RowSink(const RowSink &) = delete;
    RowSink &operator=(const RowSink &) = delete;
    virtual ~RowSink() = default;
    // Called once, before the rows, when the events are known. keys may be moved out and back.
    virtual void open(EventKeys &keys, std::int64_t away_intervals) = 0;
    virtual void away(int process, std::span<const Interval> intervals) = 0;
    // Called after all times away. Returns where each process may write its own row; empty if there will be no file.
    virtual std::optional<RowPlace> hand_over() = 0;
    // A process could not write its row.
    virtual void fail(const std::string &why) = 0;
};

// The same on all processes of the component.
struct RowPlan {
    bool has_file = false;
    RowPlace place;
    std::size_t events = 0;           // in each row
    std::vector<std::uint8_t> writes; // of each process: 1 if it writes its row itself

    [[nodiscard]] bool writes_row(int index) const { return writes[static_cast<std::size_t>(index)] != 0; }
    [[nodiscard]] std::vector<int> writers() const;
};

struct PlannedRows {
    RowPlan plan;
    std::unique_ptr<RowFile> file; // null: this process cannot write to it
};

// Collective over the group. sink: on the leader.
[[nodiscard]] PlannedRows plan_rows(Group &group, const NumberList &nodes, std::size_t events, RowSink *sink);

// What went wrong with a file, in words; empty if nothing did.
template <class Action>
[[nodiscard]] std::string failure_of(Action action) {
    const HeldUp by_the_file;
    try {
        action();
    } catch (const std::exception &e) {
        return in_words(e);
    }
    return {};
}

} // namespace cpl_lb
