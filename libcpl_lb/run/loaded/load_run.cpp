// Reads the timelines twice, settles names and ids, and adds what is only in the json.
#include "run/loaded/load_run.hpp"

#include "analysis/change_points.hpp"
#include "analysis/cpmip.hpp"
#include "analysis/exchanges.hpp"
#include "analysis/load_balance.hpp"
#include "analysis/members.hpp"
#include "io/files/file_error.hpp"
#include "io/files/file_handle.hpp"
#include "io/json/info_json.hpp"
#include "run/assemble.hpp"
#include "run/loaded/run_folder.hpp"
#include "run/loaded/timeline_passes.hpp"
#include "support/sentences.hpp"
#include "support/threads.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace cpl_lb {
namespace {

std::string in_quotes(const std::string &id) {
    return id.empty() ? "without a name" : "'" + id + "'";
}

// The json, if it describes the same run as the timelines.
CoupledRun from_json(const RunFolder &folder) {
    CoupledRun run;
    if (folder.json.empty()) return run;
    CoupledRun told = run_from_json(folder.json, read_text_file(folder.json));
    if (folder.run_id.empty() || told.run.id == folder.run_id) return told;
    run.remarks.push_back(say(Sentence::remark_other_json, {{"run", in_quotes(told.run.id)}}));
    return run;
}

// The user's order, which must name every component that has a timeline; it may name others.
void take_order(std::vector<OpenTimeline> &timelines, const std::vector<std::string> &order) {
    for (auto name = order.begin(); name != order.end(); ++name) {
        if (std::find(order.begin(), name, *name) != name)
            throw std::invalid_argument("--order names " + *name + " twice");
    }
    for (OpenTimeline &timeline : timelines) {
        Component &component = timeline.component;
        const auto found = std::ranges::find(order, component.name);
        if (found == order.end())
            throw FileError(timeline.reader->path(), "--order does not name its component, " + component.name);
        const auto id = static_cast<std::int32_t>(found - order.begin()) + 1;
        if (component.id != 0 && component.id != id) {
            throw FileError(timeline.reader->path(), "says that its component is number " +
                                                         std::to_string(component.id) + ", --order says " +
                                                         std::to_string(id));
        }
        component.id = id;
    }
}

// A remark on how the ids were found; empty if they do not matter.
std::string deduce_order(std::vector<OpenTimeline> &timelines) {
    std::vector<NamedExchanges> exchanges;
    exchanges.reserve(timelines.size());
    for (const OpenTimeline &timeline : timelines)
        exchanges.push_back(named_exchanges(timeline.component.table.keys));
    if (std::ranges::all_of(exchanges, [](const NamedExchanges &e) { return e.empty(); })) return "";
    const auto ids = ids_that_fit(exchanges);
    std::string order;
    for (std::size_t i = 0; i < timelines.size(); ++i) {
        timelines[i].component.id = ids ? (*ids)[i] : static_cast<std::int32_t>(i) + 1;
        order += (i > 0 ? ", " : "") + timelines[i].component.name + " " + std::to_string(timelines[i].component.id);
    }
    return "the timelines do not tell the numbers of their components; they are taken " +
           std::string(ids ? "from the only order that fits their exchanges: " : "in the order of the alphabet: ") +
           order + " (--order sets the order of the run)";
}

// Ids from 1 without gaps or duplicates; files without ids get the free ones. Returns a remark, or an empty text.
std::string settle_ids(std::vector<OpenTimeline> &timelines, const std::vector<std::string> &order) {
    std::string remark;
    if (!order.empty())
        take_order(timelines, order);
    else if (std::ranges::all_of(timelines, [](const OpenTimeline &t) { return t.component.id == 0; }))
        remark = deduce_order(timelines);
    std::set<std::int32_t> taken;
    for (const OpenTimeline &timeline : timelines) {
        const std::int32_t id = timeline.component.id;
        if (id == 0) continue;
        if (!taken.insert(id).second)
            throw FileError(timeline.reader->path(),
                            "another timeline has the same component_id " + std::to_string(id));
    }
    std::int32_t next = 1;
    for (OpenTimeline &timeline : timelines) {
        if (timeline.component.id != 0) continue;
        while (taken.contains(next))
            ++next;
        timeline.component.id = next++;
    }
    std::ranges::sort(timelines, {}, [](const OpenTimeline &timeline) { return timeline.component.id; });
    return remark;
}

void settle_ranks(std::vector<OpenTimeline> &timelines) {
    std::int32_t next = 0;
    for (OpenTimeline &timeline : timelines) {
        std::vector<std::int32_t> &ranks = timeline.component.ranks;
        if (ranks.empty())
            for (std::int64_t p = 0; p < timeline.reader->processes(); ++p)
                ranks.push_back(next++);
    }
}

void pad_names(std::vector<std::string> &names, std::size_t size, const std::string &word) {
    for (std::size_t id = names.size() + 1; id <= size; ++id)
        names.push_back(word + " " + std::to_string(id));
}

// Names by id: those of the files, or a number for ids without a name.
void settle_names(CoupledRun &run, const std::vector<OpenTimeline> &timelines,
                  const std::vector<std::string> &order) {
    run.component_names = order;
    run.field_names.clear();
    std::int32_t most_components = 0;
    std::int32_t most_fields = 0;
    for (const OpenTimeline &timeline : timelines) {
        const TimelineHeader &header = timeline.reader->header();
        if (header.component_names.size() > run.component_names.size()) run.component_names = header.component_names;
        if (header.field_names.size() > run.field_names.size()) run.field_names = header.field_names;
        most_components = std::max(most_components, timeline.component.id);
        for (const EventClass &key : timeline.component.table.keys.classes()) {
            most_components = std::max(most_components, key.counterpart);
            most_fields = std::max(most_fields, key.field);
        }
    }
    pad_names(run.component_names, static_cast<std::size_t>(most_components), "component");
    pad_names(run.field_names, static_cast<std::size_t>(most_fields), "field");
    for (const OpenTimeline &timeline : timelines)
        run.component_names[static_cast<std::size_t>(timeline.component.id) - 1] = timeline.component.name;
}

// The component of the same number and name; null: `run` has none.
const Component *same_in(const CoupledRun &run, const Component &component) {
    const auto found = std::ranges::find_if(
        run.components, [&](const Component &c) { return c.id == component.id && c.name == component.name; });
    return found == run.components.end() ? nullptr : &*found;
}

// The json's figures of processes in the same loop need not be worked out anew. Older versions have none.
const ComponentBalance *told_balance(const CoupledRun &told, const Component &component, const Window &window) {
    const Component *same = same_in(told, component);
    if (same == nullptr || !window.known()) return nullptr;
    constexpr double rounding_s = 1e-9;
    const double difference_s = same->balance.loop_s - to_seconds(window.interval().length());
    if (same->ranks.size() != component.ranks.size() || !(std::abs(difference_s) <= rounding_s)) return nullptr;
    return &same->balance;
}

// Returns computing_change() of each component.
std::vector<ComputingChange> second_pass(CoupledRun &run, std::vector<OpenTimeline> &timelines,
                                         const CoupledRun &told) {
    const auto counterparts = static_cast<std::int32_t>(run.component_names.size());
    std::vector<SharePass> passes;
    std::vector<const ComponentBalance *> known; // may be null
    std::vector<std::unique_ptr<ArrivalsOfAll>> arrivals;
    std::size_t all = 0, arrivals_bytes = 0; // arrivals_bytes: of the largest component, during their analysis
    for (const Component &component : run.components)
        all += component.ranks.size();
    for (std::size_t i = 0; i < timelines.size(); ++i) {
        const Component &component = run.components[i];
        const WindowLimits limits{component.window_first, component.window_last};
        const Interval whole{component.first_init, component.last_terminate};
        const Window window = find_window(component.table, limits);
        known.push_back(told_balance(told, component, window));
        arrivals.emplace_back();
        const auto here = static_cast<std::size_t>(timelines[i].reader->processes());
        if (known.back() == nullptr || !known.back()->imbalance_parts.told()) {
            arrivals.back() = std::make_unique<ArrivalsOfAll>(component.table, window, here,
                                                              most_chosen(here, timelines.size(), all));
            constexpr std::size_t bytes_of_one = 16;
            arrivals_bytes = std::max(arrivals_bytes, bytes_of_one * here * arrivals.back()->chosen().list.size());
        }
        const bool waiting = known.back() == nullptr || known.back()->process_waiting_s.count == 0;
        passes.push_back({timelines[i].reader.get(), &component.table, window, whole, counterparts, waiting,
                          arrivals.back().get(), timelines[i].progress});
    }
    const std::vector<ProcessSums> sums = sums_over_processes(passes);
    std::vector<ComputingChange> changes(passes.size());
    const auto judge = [&](std::size_t i) {
        ComponentBalance &balance = run.components[i].balance;
        balance = balance_of(run.components[i].table, passes[i].window, passes[i].run, sums[i].share);
        balance.process_waiting_s =
            passes[i].process_waiting ? sums[i].waiting.seconds() : known[i]->process_waiting_s;
        balance.imbalance_parts = arrivals[i] ? arrivals[i]->parts() : known[i]->imbalance_parts;
        arrivals[i].reset();
        changes[i] = computing_change(balance);
    };
    const auto count = static_cast<std::int64_t>(passes.size());
    share_rows(count, 1, row_workers(count, arrivals_bytes), {},
               [&](std::size_t, std::int64_t first, std::int64_t) { judge(static_cast<std::size_t>(first)); });
    return changes;
}

void name_syncs(CoupledRun &run) {
    std::vector<Component *> components;
    for (Component &c : run.components)
        components.push_back(&c);
    const Nanoseconds bound = is_known(run.clock.error_bound_s) ? from_seconds(run.clock.error_bound_s) : 0;
    name_sync_counterparts(components, bound);
}

// Adds what the json says about the components in addition to their events.
void add_from_json(CoupledRun &run, const CoupledRun &told) {
    for (Component &component : run.components) {
        const Component *same = same_in(told, component);
        if (same == nullptr) continue;
        using C = Component;
        const auto take = [&](auto... members) { ((component.*members = same->*members), ...); };
        take(&C::properties, &C::regions, &C::parameters, &C::control_flow, &C::meters, &C::inside, &C::fields,
             &C::no_processor, &C::missing_processes);
        if (same->ranks.size() != component.ranks.size()) continue;
        take(&C::most_threads, &C::own_cores, &C::nodes, &C::on_nodes, &C::processes_on_nodes, &C::gpus);
    }
    for (const Component &component : told.components) {
        if (same_in(run, component) == nullptr)
            run.remarks.push_back(say(Sentence::remark_no_timeline, {{"name", component.name}}));
    }
}

void fill_in_run(CoupledRun &run, const RunFolder &folder, const std::vector<OpenTimeline> &timelines) {
    if (run.run.id.empty()) run.run.id = folder.run_id;
    if (run.run.id.empty() && folder.json.empty()) run.run.coupler = "OASIS3-MCT"; // whose own files name no run
    for (const OpenTimeline &timeline : timelines) {
        const TimelineHeader &header = timeline.reader->header();
        const auto larger = [](double a, double b) { return is_known(a) && !(b > a) ? a : b; };
        run.run.simulated_s = larger(run.run.simulated_s, header.simulated_s);
        run.clock.error_bound_s = larger(run.clock.error_bound_s, header.clock_error_bound_s);
        if (folder.json.empty() && header.year_days > 0) run.run.year_days = header.year_days;
        if (run.run.zero.time.empty()) run.run.zero.time = header.zero_time;
        if (run.clock.why_not_comparable.empty()) run.clock.why_not_comparable = header.why_not_comparable;
    }
}

void add_remarks(CoupledRun &run, const RunFolder &folder, const std::vector<OpenTimeline> &timelines) {
    std::string others;
    for (const std::string &id : folder.other_run_ids)
        if (!id.empty()) others += (others.empty() ? "" : ", ") + in_quotes(id);
    if (!others.empty()) {
        run.remarks.push_back(
            say(Sentence::remark_other_runs, {{"others", others}, {"run", in_quotes(folder.run_id)}}));
    }
    if (std::ranges::find(folder.other_run_ids, "") != folder.other_run_ids.end())
        run.remarks.push_back(say(Sentence::remark_no_run_named));
    for (const OpenTimeline &timeline : timelines) {
        if (!timeline.reader->single_precision()) continue;
        run.remarks.push_back(say(Sentence::remark_single_precision, {{"name", timeline.component.name}}));
    }
}

CoupledRun load(const RunFolder &folder, const CoupledRun &told, const TimelineHints &hints,
                const ProgressOf &progress_of) {
    const auto began = std::chrono::steady_clock::now();
    std::vector<OpenTimeline> timelines = open_timelines(folder.timelines, progress_of);
    const std::string remark = settle_ids(timelines, hints.order);
    settle_ranks(timelines);
    RunParts parts;
    parts.told = told.cpmip; // rows that need meters, other runs or the job's history
    CoupledRun &run = parts.run;
    run.run = told.run;
    run.clock = told.clock;
    run.remarks = told.remarks;
    run.meters = told.meters;
    settle_names(run, timelines, hints.order);
    add_remarks(run, folder, timelines);
    if (!remark.empty()) run.remarks.push_back(remark);
    run.components.reserve(timelines.size());
    for (OpenTimeline &timeline : timelines)
        run.components.push_back(std::move(timeline.component));
    fill_in_run(run, folder, timelines);
    if (is_known(hints.simulated_s)) run.run.simulated_s = hints.simulated_s;
    if (!hints.members.empty()) run.run.members = hints.members;
    infer_counterparts(run);
    name_syncs(run);
    parts.changes = second_pass(run, timelines, told);
    add_from_json(run, told);

    CoupledRun whole = assemble(std::move(parts));
    whole.analysis_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return whole;
}

} // namespace

void refuse_timers(const std::string &directory) {
    if (run_from_timers(directory))
        throw FileError(directory, "holds a run from timers of its model, without the timelines that this needs");
}

CoupledRun load_run(const std::string &directory, const TimelineHints &hints, const ProgressOf &progress_of) {
    refuse_timers(directory);
    const RunFolder folder = look_into(directory);
    return load(folder, from_json(folder), hints, progress_of);
}

std::optional<CoupledRun> run_from_timers(const std::string &directory, double simulated_s,
                                          const std::string &members) {
    const std::string json = lone_json_in(directory);
    if (json.empty()) return std::nullopt;
    CoupledRun run = run_from_json(json, read_text_file(json));
    if (!run.from_timers()) return std::nullopt;
    if (is_known(simulated_s)) {
        run.run.simulated_s = simulated_s;
        run.cpmip = cpmip_of(run);
    }
    if (!members.empty()) run.run.members = members;
    remark_on_members(run);
    return run;
}

CoupledRun load_figures(const std::string &directory, const TimelineHints &hints, const ProgressOf &progress_of) {
    const bool hinted = !hints.order.empty() || is_known(hints.simulated_s) || !hints.members.empty();
    if (hinted) {
        if (std::optional<CoupledRun> run = run_from_timers(directory, hints.simulated_s, hints.members))
            return std::move(*run);
    } else if (const std::string json = json_in(directory); !json.empty()) {
        return run_from_json(json, read_text_file(json));
    }
    return load_run(directory, hints, progress_of);
}

} // namespace cpl_lb
