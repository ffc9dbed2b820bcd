// Finds the exchanges of a stretch in a component's table.
#include "prediction/stretch_points.hpp"

#include "prediction/matched_events.hpp"

#include <bit>
#include <map>
#include <tuple>
#include <utility>

namespace cpl_lb {

namespace {

struct Operation {
    Nanoseconds start = 0, stop = 0;
    std::uint32_t event = 0;
};

// The coupler's operations by start. An exchange of processes that do not wait for each other may contain most of
// them, and so may the next one: a tree gives the length of those inside without a look at each.
class Operations {
public:
    // Takes only operations that end in the stretch, because others lie in none of its exchanges.
    Operations(const EventTable &table, const Interval &stretch) {
        const std::vector<EventClass> &classes = table.keys.classes();
        if (std::ranges::none_of(classes, [](const auto &c) { return is_operation(c.kind); })) return;
        for (std::size_t k = 0; k < table.keys.size(); ++k) {
            const EventSpan span = table.spans[k];
            if (span.empty() || span.last_stop <= stretch.start || span.last_stop > stretch.stop) continue;
            if (is_operation(table.keys.what(k).kind))
                all_.push_back({span.first_start, span.last_stop, static_cast<std::uint32_t>(k)});
        }
        if (!std::ranges::is_sorted(all_, before)) std::ranges::sort(all_, before);
        if (all_.empty()) return;
        nodes_.resize(2 * std::bit_ceil((all_.size() + of_leaf - 1) / of_leaf));
        build({1, 0, leaves() * of_leaf});
    }

    // The length of the union of the operations that begin after this event and end with it or earlier, without the
    // time before `from`.
    [[nodiscard]] Nanoseconds inside(std::uint32_t event, const EventSpan &span, Nanoseconds from) const {
        if (all_.empty()) return 0;
        const auto first =
            std::upper_bound(all_.begin(), all_.end(), Operation{span.first_start, span.first_start, event}, before);
        return inside({1, 0, leaves() * of_leaf}, static_cast<std::size_t>(first - all_.begin()), span.last_stop,
                      from);
    }

private:
    static constexpr std::size_t of_leaf = 8;
    struct Node {
        Nanoseconds start = std::numeric_limits<Nanoseconds>::max(); // of the first one
        Nanoseconds least_stop = std::numeric_limits<Nanoseconds>::max();
        Nanoseconds most_stop = std::numeric_limits<Nanoseconds>::min();
        Nanoseconds length = 0; // of their union
    };
    // A node and the places of its operations, the last one not included.
    struct At {
        std::size_t node = 1, first = 0, last = 0;
        [[nodiscard]] bool is_leaf() const { return last - first == of_leaf; }
        [[nodiscard]] At left() const { return {2 * node, first, (first + last) / 2}; }
        [[nodiscard]] At right() const { return {2 * node + 1, (first + last) / 2, last}; }
    };

    static bool before(const Operation &a, const Operation &b) {
        return std::tie(a.start, a.event) < std::tie(b.start, b.event);
    }
    [[nodiscard]] std::size_t leaves() const { return nodes_.size() / 2; }

    // The time that a leaf's operations with stops up to `until` add to the covered time. Moves `done` to their end.
    [[nodiscard]] Nanoseconds in_leaf(const At &at, std::size_t first, Nanoseconds until, Nanoseconds &done) const {
        Nanoseconds sum = 0;
        for (std::size_t i = std::max(first, at.first); i < std::min(at.last, all_.size()); ++i) {
            const Operation &o = all_[i];
            const Nanoseconds from = std::max(done, o.start);
            if (o.stop > until || o.stop <= from) continue;
            sum += o.stop - from;
            done = o.stop;
        }
        return sum;
    }
    // The same for all operations of a node.
    [[nodiscard]] Nanoseconds added_by(const At &at, Nanoseconds done) const {
        const Node &node = nodes_[at.node];
        if (node.start >= done) return node.length;
        if (node.most_stop <= done) return 0;
        if (at.is_leaf()) return in_leaf(at, 0, node.most_stop, done);
        const Node &left = nodes_[at.left().node];
        if (left.most_stop <= done) return added_by(at.right(), done);
        // From the end of the left half on, nothing has changed since the node was built.
        return added_by(at.left(), done) + node.length - left.length;
    }
    void build(const At &at) {
        Node &node = nodes_[at.node];
        if (at.is_leaf()) {
            for (std::size_t i = at.first; i < std::min(at.last, all_.size()); ++i) {
                node.start = std::min(node.start, all_[i].start);
                node.least_stop = std::min(node.least_stop, all_[i].stop);
                node.most_stop = std::max(node.most_stop, all_[i].stop);
            }
            Nanoseconds done = node.start;
            node.length = in_leaf(at, 0, node.most_stop, done);
            return;
        }
        build(at.left());
        build(at.right());
        const Node &left = nodes_[at.left().node], &right = nodes_[at.right().node];
        node.start = std::min(left.start, right.start);
        node.least_stop = std::min(left.least_stop, right.least_stop);
        node.most_stop = std::max(left.most_stop, right.most_stop);
        node.length = left.length + added_by(at.right(), left.most_stop);
    }
    [[nodiscard]] Nanoseconds inside(const At &at, std::size_t first, Nanoseconds until, Nanoseconds &done) const {
        const Node &node = nodes_[at.node];
        if (at.last <= first || node.least_stop > until || node.most_stop <= done) return 0;
        if (at.is_leaf()) return in_leaf(at, first, until, done);
        if (at.first >= first && node.most_stop <= until) {
            const Nanoseconds sum = added_by(at, done);
            done = node.most_stop;
            return sum;
        }
        const Nanoseconds left = inside(at.left(), first, until, done);
        return left + inside(at.right(), first, until, done);
    }

    std::vector<Operation> all_;
    std::vector<Node> nodes_; // from 1; the halves of node n are 2 n and 2 n + 1
};

} // namespace

std::vector<Placed> points_of(const Component &component, const Interval &stretch, Nanoseconds &end) {
    const EventTable &table = component.table;
    const Operations operations(table, stretch);
    std::vector<Placed> points;
    end = stretch.stop;
    for (std::size_t k = 0; k < table.keys.size(); ++k) {
        const EventSpan span = table.spans[k];
        if (span.empty() || span.last_stop <= stretch.start || span.last_start >= stretch.stop) continue;
        const Kind kind = table.keys.what(k).kind;
        if (!is_exchange(kind)) continue;
        if (span.last_stop > stretch.stop) {
            end = std::min(end, span.last_start);
            continue;
        }
        Placed p{static_cast<std::uint32_t>(k), std::max(span.last_start, stretch.start), span.last_stop, 0, 0};
        (kind == Kind::put ? p.before : p.after) = operations.inside(p.event, span, p.arrive);
        points.push_back(p);
    }
    // Times inside other components of the same processes.
    for (const Interval &away : component.away) {
        if (away.stop <= stretch.start || away.start >= stretch.stop) continue;
        if (away.stop > stretch.stop)
            end = std::min(end, away.start);
        else
            points.push_back({gave_way, std::max(away.start, stretch.start), away.stop, 0, 0});
    }
    std::ranges::stable_sort(points, {}, &Placed::arrive);
    return points;
}

std::vector<Placed> points_of(const Component &component, const std::vector<Interval> &parts, Nanoseconds &end) {
    std::vector<Placed> all;
    Nanoseconds between = 0, cut_off = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) between += parts[i].start - parts[i - 1].stop;
        std::vector<Placed> points = points_of(component, parts[i], end);
        for (Placed &p : points) {
            p.arrive -= between;
            p.leave -= between;
        }
        if (!points.empty()) points.front().cut_off = std::exchange(cut_off, 0);
        cut_off += parts[i].stop - end;
        end -= between;
        all.insert(all.end(), points.begin(), points.end());
    }
    return all;
}

PointOfEvent::PointOfEvent(const std::vector<Placed> &placed) : first_(gave_way) {
    std::uint32_t last = 0;
    for (const Placed &p : placed) {
        if (p.event == gave_way) continue;
        first_ = std::min(first_, p.event);
        last = std::max(last, p.event);
    }
    if (first_ != gave_way) points_.assign(last - first_ + 1U, none);
}

std::vector<std::size_t> most_frequent(const EventTable &table, const std::vector<Placed> &placed,
                                       const PointOfEvent &point_of_event) {
    const std::vector<std::uint32_t> like = first_alike(table.keys.classes());
    std::map<std::uint32_t, std::vector<std::size_t>> by_class;
    for (const Placed &p : placed)
        if (p.event != gave_way) by_class[like[table.keys.class_of(p.event)]].push_back(point_of_event[p.event]);
    std::vector<std::size_t> most;
    for (auto &[what, points] : by_class)
        if (points.size() > most.size()) most = std::move(points);
    return most;
}

} // namespace cpl_lb
