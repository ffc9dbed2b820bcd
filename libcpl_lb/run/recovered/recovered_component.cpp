// One component of a run that died: aligns the events of its processes and finds where its loop may lie.
#include "run/recovered/recovered_component.hpp"

#include "run/recovered/spool_folder.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace cpl_lb {

RecoveredComponent::RecoveredComponent(RecoveredComponentInput input) : in_(std::move(input)) {
    component_.name = in_.catalogue->component_names[static_cast<std::size_t>(in_.id) - 1];
    component_.id = in_.id;
    use_dates_ = std::all_of(in_.members.begin(), in_.members.end(),
                             [](const Member &m) { return m.part.dated || m.part.events == 0; });
    std::set<std::int32_t> nodes;
    std::set<std::int32_t> threads;
    for (const Member &m : in_.members) {
        const SpoolIdentity &process = in_.spools->files[m.process].identity();
        component_.ranks.push_back(process.rank);
        component_.own_cores += process.threads;
        nodes.insert(process.node);
        threads.insert(process.threads);
    }
    component_.nodes = static_cast<std::int32_t>(nodes.size());
    component_.threads = *threads.begin();
    if (threads.size() > 1) component_.most_threads = *threads.rbegin();
    if (!use_dates_) align_events();
    find_limits();
}

LocalEvents RecoveredComponent::events(const Member &member) const {
    return events_of(in_.spools->files[member.process], *in_.process(member.process), member.component,
                     *in_.catalogue, in_.zero);
}

void RecoveredComponent::align_events() {
    AlignmentInput input;
    input.classes = in_.catalogue->classes.size();
    input.ranks = component_.ranks;
    for (const Member &m : in_.members) {
        std::map<std::uint32_t, std::uint32_t> by_class; // several names may be one class
        for (std::size_t i = 0; i < m.part.entries.size(); ++i)
            by_class[in_.catalogue->class_of(m.part.entries[i])] += m.part.counts[i];
        std::vector<RecordedCount> &counts = input.counts.emplace_back();
        for (const auto &[event_class, count] : by_class)
            counts.push_back({event_class, count});
    }
    input.events = [this](std::size_t i) { return events(in_.members[i]); };
    alignment_ = align_occurrences(input);
}

// More or fewer events at the beginning of some processes say nothing about when they fell silent.
std::int64_t RecoveredComponent::exchanges(std::size_t member) const {
    std::int64_t count = in_.members[member].part.exchanges;
    if (count == 0) return 0;
    for (const ClassShifts &s : alignment_.shifts)
        if (is_exchange(in_.catalogue->classes[s.event_class].what.kind)) count += alignment_.shift(member, s);
    return count;
}

void RecoveredComponent::find_limits() {
    component_.first_init = std::numeric_limits<Nanoseconds>::max();
    component_.last_terminate = std::numeric_limits<Nanoseconds>::min();
    std::int64_t most_exchanges = 0;
    for (std::size_t i = 0; i < in_.members.size(); ++i)
        most_exchanges = std::max(most_exchanges, exchanges(i));
    for (std::size_t i = 0; i < in_.members.size(); ++i)
        add_limits(i, most_exchanges);
}

void RecoveredComponent::add_limits(std::size_t member, std::int64_t most_exchanges) {
    const Member &m = in_.members[member];
    const std::shared_ptr<const RecoveredProcess> held = in_.process(m.process);
    const RecoveredProcess &process = *held;
    Component &c = component_;
    c.clock_error_bounds_s.push_back(to_seconds(process.clock_bound));
    const DecodedProcess &decoded = process.decoded;
    constexpr Nanoseconds never = std::numeric_limits<Nanoseconds>::max();
    c.first_init = std::min(c.first_init, process.first_init - in_.zero);
    c.last_terminate = std::max(c.last_terminate, process.last_mark - in_.zero);
    if (m.component == 0) c.dropped_events += decoded.problems.dropped;
    if (decoded.first_dropped != never) c.window_last = std::min(c.window_last, decoded.first_dropped - in_.zero);
    if (decoded.slice.stop > decoded.slice.start) {
        c.window_first = std::max(c.window_first, decoded.slice.start - in_.zero);
        c.window_last = std::min(c.window_last, decoded.slice.stop - in_.zero);
    }
    // The loop ends where the first of the processes that couple all the time fell silent, while others went on:
    // after that their events are those of a component that is not whole.
    const std::int64_t mine = exchanges(member);
    if (mine == 0 || 2 * mine < most_exchanges) return;
    c.window_last = std::min(c.window_last, m.part.cut_off == never ? never : m.part.cut_off - in_.zero);
    if (mine < most_exchanges) c.window_last = std::min(c.window_last, process.last_mark - in_.zero);
}

Component &RecoveredComponent::with_events() {
    if (!union_) {
        from_.catalogue = in_.catalogue;
        from_.alignment = &alignment_;
        from_.use_dates = use_dates_;
        from_.events = [this](std::size_t i) { return events(in_.members[i]); };
        union_.emplace(std::move(component_), from_);
    }
    return union_->component();
}

Component RecoveredComponent::finish(const std::string &path, TimelineHeader header, bool compress) {
    static_cast<void>(with_events());
    return union_->finish(path, std::move(header), compress);
}

} // namespace cpl_lb
