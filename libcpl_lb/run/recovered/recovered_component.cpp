// One component of a run that died: aligns the events of its processes and finds where its loop may lie.
#include "run/recovered/recovered_component.hpp"

#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace cpl_lb {
namespace {

// A process's part in the component.
struct Member {
    std::size_t process = 0; // index among the run's files
    std::size_t component = 0;
    const ComponentPart *part = nullptr;
};

// By rank.
std::vector<Member> members_of(const KnownRun &known, const std::string &name) {
    std::vector<Member> members;
    for (std::size_t i = 0; i < known.facts.size(); ++i) {
        const std::vector<ComponentPart> &parts = known.facts[i].parts;
        // Each name is one component.
        const auto own =
            std::ranges::find_if(parts, [&](const auto &part) { return part.took_part && part.component == name; });
        if (own != parts.end()) members.push_back({i, static_cast<std::size_t>(own - parts.begin()), &*own});
    }
    return members;
}

void enter_hardware(Component &component, const SpoolRun &spools, const std::vector<Member> &members) {
    std::set<std::int32_t> nodes, threads;
    for (const Member &m : members) {
        const SpoolIdentity &process = spools.files[m.process].identity();
        component.ranks.push_back(process.rank);
        component.own_cores += process.threads;
        nodes.insert(process.node);
        threads.insert(process.threads);
    }
    component.nodes = static_cast<std::int32_t>(nodes.size());
    component.threads = *threads.begin();
    if (threads.size() > 1) component.most_threads = *threads.rbegin();
}

// More or fewer events at the beginning of some processes do not show when they fell silent.
std::vector<std::int64_t> exchanges_of(const std::vector<Member> &members, const Catalogue &catalogue,
                                       const Alignment &alignment) {
    std::vector<std::int64_t> exchanges;
    for (std::size_t i = 0; i < members.size(); ++i) {
        std::int64_t &count = exchanges.emplace_back(members[i].part->exchanges);
        if (count == 0) continue;
        for (const ClassShifts &s : alignment.shifts)
            if (is_exchange(catalogue.classes[s.event_class].what.kind)) count += alignment.shift(i, s);
    }
    return exchanges;
}

// What a process tells about where the component's loop may lie. exchanges: its own, and the most of a process.
void add_limits(Component &c, const Member &m, const RecoveredProcess &process, Nanoseconds zero,
                std::int64_t exchanges, std::int64_t most_exchanges) {
    const DecodedProcess &decoded = process.decoded;
    const auto end_by = [&](Nanoseconds time) {
        if (time != std::numeric_limits<Nanoseconds>::max()) c.window_last = std::min(c.window_last, time - zero);
    };
    c.clock_error_bounds_s.push_back(to_seconds(process.clock_bound));
    c.first_init = std::min(c.first_init, process.first_init - zero);
    c.last_terminate = std::max(c.last_terminate, process.last_mark - zero);
    if (m.component == 0) c.dropped_events += decoded.problems.dropped;
    end_by(decoded.first_dropped);
    if (decoded.slice.stop > decoded.slice.start) {
        c.window_first = std::max(c.window_first, decoded.slice.start - zero);
        end_by(decoded.slice.stop);
    }
    // The loop ends when the first process that couples throughout fell silent while others went on: later events are
    // those of an incomplete component.
    if (exchanges == 0 || 2 * exchanges < most_exchanges) return;
    end_by(m.part->cut_off);
    if (exchanges < most_exchanges) end_by(process.last_mark);
}

} // namespace

ComponentUnion recover_component(const SpoolRun &spools, const KnownRun &known, const ProcessSource &process,
                                 std::int32_t id) {
    const Catalogue &catalogue = known.catalogue;
    Component component;
    component.name = catalogue.component_names[static_cast<std::size_t>(id) - 1];
    component.id = id;
    component.first_init = std::numeric_limits<Nanoseconds>::max();
    component.last_terminate = std::numeric_limits<Nanoseconds>::min();
    const std::vector<Member> members = members_of(known, component.name);
    enter_hardware(component, spools, members);
    const bool use_dates =
        std::ranges::all_of(members, [](const Member &m) { return m.part->dated || m.part->events == 0; });
    const auto events = [&spools, &known, process, members](std::size_t i) {
        const Member &m = members[i];
        return events_of(spools.files[m.process], *process(m.process), m.component, known.catalogue, known.zero);
    };
    ComponentUnion united(std::move(component), {&catalogue, use_dates, events});
    const std::vector<std::int64_t> exchanges = exchanges_of(members, catalogue, united.alignment());
    const std::int64_t most = exchanges.empty() ? 0 : std::ranges::max(exchanges);
    for (std::size_t i = 0; i < members.size(); ++i)
        add_limits(united.component(), members[i], *process(members[i].process), known.zero, exchanges[i], most);
    return united;
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

// By component: processes with a file, and all.
std::map<std::string, std::pair<std::int64_t, std::int64_t>> processes_of_components(const SpoolRun &run) {
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> processes;
    for (const SpoolFile &f : run.files) {
        auto &[here, all] = processes[f.components().front()];
        ++here;
        all = f.identity().component_processes;
    }
    return processes;
}

void tell_missing(const SpoolRun &run, const RunInfo &info, std::vector<std::string> &remarks) {
    const auto size = static_cast<std::size_t>(run.files.front().identity().size);
    remarks.push_back(say(Sentence::remark_recovered, {{"found", std::to_string(run.files.size())},
                                                       {"all", counted(size, "process", "processes")},
                                                       {"run", run.id},
                                                       {"token", run.token},
                                                       {"started", run.started}}));
    if (run.files.size() >= size) return;
    const std::size_t count = size - run.files.size();
    remarks.push_back(say(Sentence::remark_no_spool, {{"processes", counted(count, "process", "processes")},
                                                      {"ranks", some_of(info.missing, count)}}));
    for (const auto &[name, processes] : processes_of_components(run)) {
        const auto &[here, all] = processes;
        if (here >= all) continue;
        remarks.push_back(say(Sentence::remark_part_of_component,
                              {{"name", name}, {"found", std::to_string(here)}, {"all", std::to_string(all)}}));
    }
}

// One remark for all processes that share a cause.
class Tally {
public:
    void add(const std::string &words, std::int32_t rank) { causes_[words].ranks.push_back(rank); }
    // words: for so many problems of a process.
    void add(std::string (*words)(std::int64_t), std::int32_t rank, std::int64_t count) {
        Entry &entry = causes_[words(1)];
        entry.words = words;
        entry.count += count;
        entry.ranks.push_back(rank);
    }
    void tell(std::vector<std::string> &remarks) const {
        for (const auto &[one, e] : causes_) {
            remarks.push_back(fmt::format("{} (on {} {})", e.words != nullptr ? e.words(e.count) : one,
                                          word_for(e.ranks.size(), "process", "processes"),
                                          some_of(e.ranks, e.ranks.size())));
        }
    }

private:
    struct Entry {
        std::string (*words)(std::int64_t) = nullptr; // null: the words for one
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
        tally.add(say(Sentence::remark_damaged, {{"how", damage}}), rank);
    if (p.damaged_chunks > 0) tally.add(bad_words, rank, p.damaged_chunks);
    if (p.forgotten_end > 0) tally.add(still_open, rank, p.forgotten_end);
    if (p.end_without_begin > 0) tally.add(no_begin, rank, p.end_without_begin);
    const std::uint64_t flags = file.status().flags;
    if ((flags & spool_flag_to_memory) != 0) tally.add(say(Sentence::remark_spool_did_not_grow), rank);
    if ((flags & spool_flag_full) != 0) tally.add(say(Sentence::remark_spool_full), rank);
    if (!facts.clock_known) tally.add(say(Sentence::remark_no_calibration), rank);
}

} // namespace

void enter_missing_of_components(std::vector<Component> &components, const SpoolRun &spools) {
    auto processes = processes_of_components(spools);
    for (Component &c : components) {
        const auto &[here, all] = processes[c.name];
        c.missing_processes = std::max<std::int64_t>(all - here, 0);
    }
}

std::vector<std::string> recovery_remarks(const SpoolRun &run, const RunInfo &info,
                                          const std::vector<ProcessFacts> &facts) {
    std::vector<std::string> remarks;
    tell_missing(run, info, remarks);
    Tally tally;
    for (std::size_t i = 0; i < run.files.size(); ++i)
        tally_process(run.files[i], facts[i], tally);
    tally.tell(remarks);
    const SpoolIdentity &first = run.files.front().identity();
    if (first.nodes > 1) remarks.push_back(say(Sentence::remark_no_drift, {{"nodes", std::to_string(first.nodes)}}));
    if (first.sliced != 0) remarks.push_back(say(Sentence::remark_spool_slice));
    remarks.push_back(say(Sentence::remark_not_in_spools));
    const auto sums_inside = [](const SpoolFile &f) { return (f.status().flags & spool_flag_inside) != 0; };
    if (std::ranges::any_of(run.files, sums_inside)) remarks.push_back(say(Sentence::remark_inside_not_known));
    remarks.insert(remarks.end(), run.remarks.begin(), run.remarks.end());
    return remarks;
}

} // namespace cpl_lb
