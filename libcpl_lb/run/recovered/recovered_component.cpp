// One component of a run that died: aligns the events of its processes and finds where its loop may lie.
#include "run/recovered/recovered_component.hpp"

#include "run/recovered/recovery.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <functional>
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

// More or fewer events at the beginning of some processes do not show when they fell silent.
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
    // The loop ends when the first process that couples throughout fell silent while others went on: later events are
    // those of an incomplete component.
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

namespace {

constexpr std::size_t most_named = 8;

// "3, 5, 6 and 12 more".
std::string some_of(const std::vector<std::int32_t> &ranks, std::size_t all) {
    std::string text;
    for (std::size_t i = 0; i < std::min(ranks.size(), most_named); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(ranks[i]);
    if (all > most_named) text += fmt::format(" and {} more", all - most_named);
    return text;
}

void tell_missing(const SpoolRun &run, std::vector<std::string> &remarks) {
    const auto size = static_cast<std::size_t>(run.files.front().identity().size);
    remarks.push_back(say(Sentence::remark_recovered, {{"found", std::to_string(run.files.size())},
                                                       {"all", counted(size, "process", "processes")},
                                                       {"run", run.id},
                                                       {"token", fmt::format("{}", run.token)},
                                                       {"started", run.started}}));
    if (run.files.size() >= size) return;
    std::vector<std::int32_t> missing; // the first ones
    auto file = run.files.begin();
    for (std::int32_t rank = 0; static_cast<std::size_t>(rank) < size && missing.size() < most_named; ++rank) {
        if (file != run.files.end() && file->identity().rank == rank)
            ++file;
        else
            missing.push_back(rank);
    }
    const std::size_t count = size - run.files.size();
    remarks.push_back(say(Sentence::remark_no_spool, {{"processes", counted(count, "process", "processes")},
                                                      {"ranks", some_of(missing, count)}}));
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> found; // by component: found, all
    for (const SpoolFile &f : run.files) {
        auto &[here, all] = found[f.components().front()];
        ++here;
        all = f.identity().component_processes;
    }
    for (const auto &[name, numbers] : found) {
        const auto &[here, all] = numbers;
        if (here >= all) continue;
        remarks.push_back(say(Sentence::remark_part_of_component,
                              {{"name", name}, {"found", std::to_string(here)}, {"all", std::to_string(all)}}));
    }
}

// The words for so many problems of a process.
using Words = std::function<std::string(std::int64_t)>;

// One remark for all processes that share a cause.
class Tally {
public:
    void add(const Words &words, std::int32_t rank, std::int64_t count = 1) {
        Entry &entry = causes_[words(1)];
        entry.words = words;
        entry.count += count;
        entry.ranks.push_back(rank);
    }
    void add(Sentence sentence, std::int32_t rank) {
        add([sentence](std::int64_t) { return say(sentence); }, rank);
    }
    void tell(std::vector<std::string> &remarks) const {
        for (const auto &[one, e] : causes_) {
            remarks.push_back(fmt::format("{} (on {} {})", e.words(e.count),
                                          word_for(e.ranks.size(), "process", "processes"),
                                          some_of(e.ranks, e.ranks.size())));
        }
    }

private:
    struct Entry {
        Words words;
        std::int64_t count = 0;
        std::vector<std::int32_t> ranks;
    };
    std::map<std::string, Entry> causes_; // by the words for one
};

std::string bad_words(std::int64_t chunks) {
    return say(Sentence::remark_damaged, {{"how", "words that no recorder writes" +
                                                      (chunks > 1 ? fmt::format(", in {} chunks", chunks) : "")}});
}

std::string still_open(std::int64_t count) {
    return say(Sentence::remark_still_open,
               {{"events", counted(count, "event was", "events were")}, {"it", word_for(count, "it", "each")}});
}

std::string no_begin(std::int64_t count) {
    return say(Sentence::remark_no_begin,
               {{"count", std::to_string(count)}, {"its", word_for(count, "its", "their")}});
}

void tally_process(const SpoolFile &file, const ProcessFacts &facts, Tally &tally) {
    const std::int32_t rank = file.identity().rank;
    const DecodeProblems &p = facts.problems;
    for (const std::string &damage : file.damage())
        tally.add([damage](std::int64_t) { return say(Sentence::remark_damaged, {{"how", damage}}); }, rank);
    if (p.damaged_chunks > 0) tally.add(bad_words, rank, p.damaged_chunks);
    if (p.forgotten_end > 0) tally.add(still_open, rank, p.forgotten_end);
    if (p.end_without_begin > 0) tally.add(no_begin, rank, p.end_without_begin);
    const std::uint64_t flags = file.status().flags;
    if ((flags & spool_flag_to_memory) != 0) tally.add(Sentence::remark_spool_did_not_grow, rank);
    if ((flags & spool_flag_full) != 0) tally.add(Sentence::remark_spool_full, rank);
    if (!facts.clock_known) tally.add(Sentence::remark_no_calibration, rank);
}

} // namespace

std::vector<std::string> recovery_remarks(const SpoolRun &run, const std::vector<ProcessFacts> &facts) {
    std::vector<std::string> remarks;
    tell_missing(run, remarks);
    Tally tally;
    for (std::size_t i = 0; i < run.files.size(); ++i)
        tally_process(run.files[i], facts[i], tally);
    tally.tell(remarks);
    if (run.files.front().identity().nodes > 1) {
        remarks.push_back(
            say(Sentence::remark_no_drift, {{"nodes", std::to_string(run.files.front().identity().nodes)}}));
    }
    if (run.files.front().identity().sliced != 0) remarks.push_back(say(Sentence::remark_spool_slice));
    remarks.push_back(say(Sentence::remark_not_in_spools));
    const auto sums_inside = [](const SpoolFile &f) { return (f.status().flags & spool_flag_inside) != 0; };
    if (std::any_of(run.files.begin(), run.files.end(), sums_inside))
        remarks.push_back(say(Sentence::remark_inside_not_known));
    remarks.insert(remarks.end(), run.remarks.begin(), run.remarks.end());
    return remarks;
}

} // namespace cpl_lb
