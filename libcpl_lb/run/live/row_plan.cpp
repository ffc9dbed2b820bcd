// Finds out which processes, on any node, see the timeline's file: the leader and the nodes write numbers into it
// that nobody else knows.
#include "run/live/row_plan.hpp"

#include "run/live/unite.hpp"

#include <algorithm>
#include <map>
#include <random>

namespace cpl_lb {

static void wire_members(auto &way, Either<RowPlace> auto &place) {
    way.pass(place.file, place.result, place.start_at, place.stop_at, place.raster_at, place.inside_at, place.events,
             place.device, place.inode, place.token);
}

namespace {

using Writes = RowPlan::Writes;

std::uint64_t random_number() {
    std::random_device random;
    return (std::uint64_t{random()} << 32U | random()) | 1U;
}

// The answer of a node's first writer.
std::uint64_t answer_to(std::uint64_t token, int index) {
    return (token ^ (static_cast<std::uint64_t>(index) + 1)) * 0x9fb21c651e98df25U;
}

bool is_of_leaders_node(const RowPlan &plan, int index) {
    return plan.node_of(index) == plan.node_of(0);
}

// Empty if rows on this node are shorter than pages.
std::optional<int> first_writer_of(const RowPlan &plan, std::int32_t node) {
    for (const std::int32_t index : plan.nodes.places_of(node))
        if (!own_pages(plan, index).empty()) return index;
    return {};
}

// The leader writes a random number into the file, for processes on other nodes to read.
void try_out_file(RowPlan &plan, RowFile &file) {
    const auto of_this_node = [&](std::int32_t node) { return node == plan.node_of(0); };
    if (plan.events == 0 || std::ranges::all_of(plan.nodes, of_this_node)) return;
    plan.place.token = random_number();
    file.make_room(static_cast<std::int64_t>(plan.nodes.size()));
    file.write_mark(0, 0, plan.place.token);
    file.flush();
}

// On the leader.
std::unique_ptr<RowFile> open_own_file(RowPlan &plan, RowSink &sink) {
    const std::optional<RowPlace> handed = sink.hand_over();
    if (!handed) return nullptr;
    plan.place = *handed;
    std::unique_ptr<RowFile> file;
    const std::string error = failure_of([&] {
        file = std::make_unique<RowFile>(plan.place);
        try_out_file(plan, *file);
    });
    plan.has_file = error.empty();
    if (!plan.has_file) sink.fail(error);
    return file;
}

// If the file is out of reach (a container, another file system), the row goes to the leader.
std::unique_ptr<RowFile> open_file(const RowPlan &plan, int me) {
    std::unique_ptr<RowFile> file;
    const std::string error = failure_of([&] {
        if (is_of_leaders_node(plan, me)) {
            file = std::make_unique<RowFile>(plan.place);
            return;
        }
        file = std::make_unique<RowFile>(plan.place, RowFile::From::another_node);
        if (first_writer_of(plan, plan.node_of(me)) != me) return;
        file->write_mark(me, own_pages(plan, me).first, answer_to(plan.place.token, me));
        file->flush();
    });
    if (!error.empty()) file.reset();
    return file;
}

// On the leader: whether it reads what a node's first writer wrote.
bool reads_what_was_written(const RowPlan &plan, int writer) {
    bool same = false;
    const std::string error = failure_of([&] {
        RowFile again(plan.place); // a new open: file systems only promise that it sees what was closed
        same = again.read_mark(writer, own_pages(plan, writer).first) == answer_to(plan.place.token, writer);
    });
    return same && error.empty();
}

// If one of a node's processes sees another file, or none, all rows of that node are sent.
void check_other_nodes(RowPlan &plan) {
    const int processes = static_cast<int>(plan.writes.size());
    std::map<std::int32_t, bool> good;
    for (int i = 0; i < processes; ++i) {
        if (is_of_leaders_node(plan, i)) continue;
        const bool sees = plan.writes_of(i) != Writes::nothing;
        const auto [at, is_new] = good.emplace(plan.node_of(i), sees);
        at->second = at->second && sees;
    }
    for (auto &[node, is_good] : good) {
        const std::optional<int> first = is_good ? first_writer_of(plan, node) : std::nullopt;
        is_good = first && reads_what_was_written(plan, *first);
    }
    for (int i = 0; i < processes; ++i)
        if (!is_of_leaders_node(plan, i))
            plan.writes_of(i) = good[plan.node_of(i)] ? Writes::its_pages : Writes::nothing;
}

bool agree_on_writers(Group &group, bool has_file, RowPlan &plan) {
    const Writes mine = is_of_leaders_node(plan, group.index()) ? Writes::its_row : Writes::its_pages;
    plan.writes_of(group.index()) = has_file ? mine : Writes::nothing;
    if (plan.nodes.places_of(plan.node_of(0)).size() == 1 && plan.place.token == 0) { // nobody else can write
        plan.writes[0] = Writes::its_row;
        return true;
    }
    if (!group.reduce(std::span(plan.writes), keep_larger)) return false;
    if (group.leads() && plan.place.token != 0) check_other_nodes(plan);
    return group.broadcast(std::as_writable_bytes(std::span(plan.writes)));
}

} // namespace

EventRange own_pages(const RowPlan &plan, int index) {
    const int processes = static_cast<int>(plan.writes.size());
    int first = index, last = index;
    while (first > 0 && plan.node_of(first - 1) == plan.node_of(index))
        --first;
    while (last + 1 < processes && plan.node_of(last + 1) == plan.node_of(index))
        ++last;
    return events_of_own_pages(plan.place, first, last, index);
}

std::optional<PlannedRows> plan_rows(Group &group, const NumberList &nodes, std::size_t events, RowSink *sink) {
    PlannedRows rows;
    RowPlan &plan = rows.plan;
    plan.events = events;
    plan.nodes = nodes;
    plan.writes.resize(static_cast<std::size_t>(group.size()));
    if (group.leads()) rows.file = open_own_file(plan, *sink);
    if (!tell_all(group, "the place of rows", plan.has_file, plan.place)) return {};
    if (!plan.has_file) return rows;
    if (!group.leads()) rows.file = open_file(plan, group.index());
    if (!agree_on_writers(group, rows.file != nullptr, plan)) return {};
    return rows;
}

} // namespace cpl_lb
