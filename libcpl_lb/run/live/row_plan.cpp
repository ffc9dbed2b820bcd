// Finds out which processes of the leader's node can write to the timeline's file.
#include "run/live/row_plan.hpp"

#include "run/live/unite.hpp"

#include <algorithm>

namespace cpl_lb {

static void wire_members(auto &way, Either<RowPlace> auto &place) {
    way.pass(place.file, place.result, place.start_at, place.stop_at, place.raster_at, place.inside_at, place.events,
             place.device, place.inode);
}

namespace {

// On the leader.
std::unique_ptr<RowFile> open_own_file(RowPlan &plan, RowSink &sink) {
    const std::optional<RowPlace> handed = sink.hand_over();
    if (!handed) return nullptr;
    plan.place = *handed;
    std::unique_ptr<RowFile> file;
    const std::string error = failure_of([&] { file = std::make_unique<RowFile>(plan.place); });
    plan.has_file = error.empty();
    if (!plan.has_file) sink.fail(error);
    return file;
}

// If the file is out of reach (a container), the row goes to the leader.
std::unique_ptr<RowFile> open_file(const RowPlan &plan) {
    std::unique_ptr<RowFile> file;
    static_cast<void>(failure_of([&] { file = std::make_unique<RowFile>(plan.place); }));
    return file;
}

void agree_on_writers(Group &group, const NumberList &nodes, bool has_file, RowPlan &plan) {
    plan.writes[static_cast<std::size_t>(group.index())] = has_file ? 1 : 0;
    if (nodes.places_of(nodes[0]).size() == 1) { // nobody else can write
        plan.writes[0] = 1;
        return;
    }
    reduce_for_all(group, std::span(plan.writes), keep_larger);
}

} // namespace

std::vector<int> RowPlan::writers() const {
    std::vector<int> all;
    for (std::size_t i = 0; i < writes.size(); ++i)
        if (writes[i] != 0) all.push_back(static_cast<int>(i));
    return all;
}

PlannedRows plan_rows(Group &group, const NumberList &nodes, std::size_t events, RowSink *sink) {
    PlannedRows rows;
    RowPlan &plan = rows.plan;
    plan.events = events;
    plan.writes.resize(static_cast<std::size_t>(group.size()));
    if (group.leads()) rows.file = open_own_file(plan, *sink);
    tell_all(group, "the place of rows", plan.has_file, plan.place);
    if (!plan.has_file) return rows;
    const bool on_leaders_node = nodes[static_cast<std::size_t>(group.index())] == nodes[0];
    if (!group.leads() && on_leaders_node) rows.file = open_file(plan);
    agree_on_writers(group, nodes, rows.file != nullptr, plan);
    return rows;
}

} // namespace cpl_lb
