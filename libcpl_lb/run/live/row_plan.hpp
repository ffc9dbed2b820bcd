// Who writes the rows of a component into its timeline's file.
//
// If the file's format has fixed places, each process of the leader's node writes its row itself, all at the same
// time. Processes of another node do the same if a trial shows that they see the same file: they write the pages that
// hold only rows of their node (docs/decisions/rows_of_other_nodes.md). All other rows go to the leader in pieces.
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
    enum class Writes : std::uint8_t { nothing, its_row, its_pages };

    bool has_file = false;
    RowPlace place;
    std::size_t events = 0;     // in each row
    NumberList nodes;           // of each process
    std::vector<Writes> writes; // of each process

    [[nodiscard]] Writes writes_of(int index) const { return writes[static_cast<std::size_t>(index)]; }
    [[nodiscard]] Writes &writes_of(int index) { return writes[static_cast<std::size_t>(index)]; }
    [[nodiscard]] std::int32_t node_of(int index) const { return nodes[static_cast<std::size_t>(index)]; }
};

struct PlannedRows {
    RowPlan plan;
    std::unique_ptr<RowFile> file; // null: this process cannot write to it
};

// Collective over the group. sink: on the leader. Empty if a message failed.
[[nodiscard]] std::optional<PlannedRows> plan_rows(Group &group, const NumberList &nodes, std::size_t events,
                                                   RowSink *sink);

// The part of a process's row in pages that hold only rows of its node.
[[nodiscard]] EventRange own_pages(const RowPlan &plan, int index);

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
