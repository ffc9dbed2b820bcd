// Finds out who writes the rows of a component: the processes, on any node, that see the timeline's file.
#include "run/live/row_gather.hpp"

#include <algorithm>
#include <map>
#include <random>

namespace cpl_lb {

template <class Way, Either<RowPlace> P>
static void wire_members(Way &way, P &place) {
    way.pass(place.file, place.result, place.start_at, place.stop_at, place.raster_at, place.inside_at, place.events,
             place.device, place.inode, place.token);
}

namespace {

std::uint64_t random_number() {
    std::random_device random;
    return (std::uint64_t{random()} << 32U | random()) | 1U;
}

// The answer of a node's first writer.
std::uint64_t answer_to(std::uint64_t token, int index) {
    return (token ^ (static_cast<std::uint64_t>(index) + 1)) * 0x9fb21c651e98df25U;
}

} // namespace

// The leader says how the rows go; those who could write them see whether they reach the file.
bool RowGather::agree_on_way(RowSink *sink) {
    WireWriter out;
    if (group_.leads() && sink->good()) {
        const std::optional<RowPlace> handed = sink->hand_over();
        if (handed) {
            place_ = *handed;
            attempt([&] { try_out_file(); });
        }
        if (!error_.empty()) sink->fail(error_);
        if (sink->good()) way_ = handed ? Way::fixed_places : Way::in_pieces;
    }
    out.pass(way_, place_);
    Bytes bytes = out.take();
    if (!group_.broadcast_all(bytes)) return false;
    WireReader in(bytes);
    in.pass(way_, place_);
    in.finish("the place of rows");
    if (way_ != Way::fixed_places) return true;
    if (!group_.leads()) open_file();
    return agree_on_writers();
}

// The leader writes a number that nobody can know into the file, for those on other nodes.
void RowGather::try_out_file() {
    file_ = std::make_unique<RowFile>(place_);
    const auto of_this_node = [&](std::int32_t node) { return node == node_of(0); };
    if (events_ == 0 || std::all_of(nodes_.begin(), nodes_.end(), of_this_node)) return;
    place_.token = random_number();
    file_->make_room(group_.size());
    file_->write_mark(0, 0, place_.token);
    file_->flush();
}

// If the file is out of reach (a container, another file system), the row goes to the leader.
void RowGather::open_file() {
    const int me = group_.index();
    attempt([&] {
        if (is_of_leaders_node(me)) {
            file_ = std::make_unique<RowFile>(place_);
            return;
        }
        file_ = std::make_unique<RowFile>(place_, RowFile::From::another_node);
        if (first_writer_of(node_of(me)) != me) return;
        file_->write_mark(me, own_events(me).first, answer_to(place_.token, me));
        file_->flush();
    });
    if (!error_.empty()) file_.reset();
    error_.clear();
}

// The part of a process's row that lies in pages which hold only rows of its node.
EventRange RowGather::own_events(int index) const {
    int first = index, last = index;
    while (first > 0 && node_of(first - 1) == node_of(index))
        --first;
    while (last + 1 < group_.size() && node_of(last + 1) == node_of(index))
        ++last;
    return events_of_own_pages(place_, first, last, index);
}

// Nothing: rows there are shorter than pages.
std::optional<int> RowGather::first_writer_of(std::int32_t node) const {
    for (const std::int32_t index : nodes_.places_of(node))
        if (!own_events(index).empty()) return index;
    return {};
}

// On the leader: whether what a node wrote is what is read here. If not, or if one of its processes sees another
// file, all rows of that node are sent.
void RowGather::check_other_nodes() {
    std::map<std::int32_t, bool> good;
    for (int i = 0; i < group_.size(); ++i) {
        if (is_of_leaders_node(i)) continue;
        const bool sees = way_of(i) != RowsOf::others;
        const auto [at, is_new] = good.emplace(node_of(i), sees);
        at->second = at->second && sees;
    }
    for (auto &[node, is_good] : good) {
        const std::optional<int> first = is_good ? first_writer_of(node) : std::nullopt;
        is_good = false;
        if (!first) continue;
        attempt([&, at = *first, &is_good = is_good] {
            RowFile again(place_); // a new open: file systems promise no more than that it sees what was closed
            is_good = again.read_mark(at, own_events(at).first) == answer_to(place_.token, at);
        });
        error_.clear();
    }
    for (int i = 0; i < group_.size(); ++i)
        if (!is_of_leaders_node(i))
            writers_[static_cast<std::size_t>(i)] = good[node_of(i)] ? RowsOf::own_pages : RowsOf::others;
}

bool RowGather::agree_on_writers() {
    const RowsOf mine = is_of_leaders_node(group_.index()) ? RowsOf::own_node : RowsOf::own_pages;
    writers_[static_cast<std::size_t>(group_.index())] = file_ ? mine : RowsOf::others;
    if (nodes_.places_of(node_of(0)).size() == 1 && place_.token == 0) { // all know that nobody else can write
        writers_[0] = RowsOf::own_node;
        return true;
    }
    const auto either = [](RowsOf &a, RowsOf b) { a = std::max(a, b); };
    if (!group_.reduce(std::span(writers_), either)) return false;
    if (group_.leads() && place_.token != 0) check_other_nodes();
    return group_.broadcast(std::as_writable_bytes(std::span(writers_)));
}

} // namespace cpl_lb
