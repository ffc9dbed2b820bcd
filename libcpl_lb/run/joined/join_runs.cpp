// Finds the places of the runs in time, and writes them as one.
#include "run/joined/join_runs.hpp"

#include "analysis/exchanges.hpp"
#include "analysis/kind_raster.hpp"
#include "data/field_parts.hpp"
#include "io/files/file_error.hpp"
#include "io/files/result_file.hpp"
#include "io/json/info_json.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "io/timeline/timeline_writer.hpp"
#include "report/text_summary.hpp"
#include "run/joined/joined_clock.hpp"
#include "run/joined/joined_parts.hpp"
#include "run/loaded/load_run.hpp"
#include "run/loaded/run_folder.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace cpl_lb {
namespace {

std::vector<Nanoseconds> times_of(const Component &c, Kind kind, std::int32_t field, std::int32_t counterpart) {
    std::vector<Nanoseconds> times;
    for (std::size_t k = 0; k < c.table.keys.size(); ++k) {
        const EventClass &what = c.table.keys.what(k);
        const EventSpan &span = c.table.spans[k];
        if (what == EventClass{kind, field, counterpart} && !span.empty())
            times.push_back(kind == Kind::put ? span.first_start : span.last_stop);
    }
    std::sort(times.begin(), times.end());
    return times;
}

// The fields that components of one run send to components of the other, named at both ends.
std::vector<CrossedField> fields_between(std::span<const Component> from, std::span<const Component> to,
                                         const FieldParts &parts) {
    std::vector<CrossedField> fields;
    for (const Component &source : from) {
        const std::vector<EventClass> &classes = source.table.keys.classes();
        for (const EventClass &sent : std::set<EventClass>(classes.begin(), classes.end())) {
            if (sent.kind != Kind::put || sent.field == 0 || parts.is_part(sent.field)) continue;
            for (const Component &target : to) {
                if (target.id != sent.counterpart) continue;
                fields.push_back({times_of(source, Kind::put, sent.field, target.id),
                                  times_of(target, Kind::get, sent.field, source.id)});
            }
        }
    }
    return fields;
}

PlacedRuns placed(const JoinedSources &sources, std::span<const std::string> labels,
                  const std::vector<std::string> &field_names) {
    const FieldParts parts(field_names);
    std::vector<double> own_s;
    for (const JoinedSource &source : sources)
        own_s.push_back(is_known(source.run.clock.error_bound_s) ? source.run.clock.error_bound_s : 0);
    const auto compare = [&](std::size_t a, std::size_t b) {
        const RunInfo &first = sources[a].run.run, &second = sources[b].run.run;
        const std::span<const Component> here = sources[a].components, there = sources[b].components;
        const double both_s = own_s[a] + own_s[b];
        if (const auto one = by_one_node(first.zero, second.zero, both_s)) return *one;
        return by_exchanges({fields_between(here, there, parts), fields_between(there, here, parts)},
                            *clocks_of_day(first, second), both_s);
    };
    PlacedRuns place = place_runs(labels, own_s, compare);
    for (const JoinedSource &source : sources) { // a run does not know this about its own clock
        const ClockInfo &own = source.run.clock;
        if (!is_known(own.error_bound_s)) place.error_bound_s = unknown;
        if (!own.why_not_comparable.empty()) place.why_not_comparable = source.label + ": " + own.why_not_comparable;
    }
    return place;
}

// The numbers of names and ranks.
void unite_names(CoupledRun &joined, std::span<CoupledRun *const> runs, const JoinedNames &names) {
    joined.component_names = names.component_names;
    joined.field_names = names.field_names;
    std::int32_t first_rank = 0;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        CoupledRun &run = *runs[r];
        renumber(run, names, names.runs[r], first_rank);
        first_rank += static_cast<std::int32_t>(run.run.processes + run.run.missing_count);
        for (const Component &c : run.components)
            for (const std::int32_t rank : c.ranks)
                first_rank = std::max(first_rank, rank + 1);
    }
}

// All components in one run, where each source sees its own.
void gather_components(CoupledRun &joined, JoinedSources &sources) {
    for (JoinedSource &source : sources)
        std::ranges::move(source.run.components, std::back_inserter(joined.components));
    std::span<Component> left = joined.components;
    for (JoinedSource &source : sources) {
        source.components = left.first(source.run.components.size());
        left = left.subspan(source.components.size());
        source.run.components.clear();
    }
}

void enter_simulated(CoupledRun &joined, const JoinedSources &sources, double given_s) {
    double &length = joined.run.simulated_s;
    length = given_s;
    bool differ = false;
    for (const JoinedSource &source : sources) {
        const double own_s = source.run.run.simulated_s;
        if (is_known(given_s) || !is_known(own_s)) continue;
        differ = differ || (is_known(length) && length != own_s);
        length = own_s;
    }
    if (!differ) return;
    length = unknown;
    joined.remarks.push_back(say(Sentence::remark_joined_lengths));
}

// Texts of one form: the smallest is the earliest.
void keep_earliest(std::string &time, const std::string &other) {
    if (!other.empty() && (time.empty() || other < time)) time = other;
}

// run, simulated_s: given by the user; empty and unknown: not given. Takes the meters of `joined`.
void enter_info(CoupledRun &joined, const JoinedSources &sources, const PlacedRuns &place, const std::string &run,
                double simulated_s) {
    RunInfo &info = joined.run;
    const RunInfo &first = sources.front().run.run;
    info.platform = first.platform;
    info.platform_facts = first.platform_facts;
    info.year_days = first.year_days;
    info.job = first.job;
    std::int32_t nodes = 0;
    for (std::size_t r = 0; r < sources.size(); ++r) {
        const RunInfo &own = sources[r].run.run;
        keep_earliest(info.submitted, own.submitted);
        keep_earliest(info.started, own.started);
        info.ended = std::max(info.ended, own.ended);
        info.processes += own.processes;
        info.missing_count += own.missing_count;
        info.missing.insert(info.missing.end(), own.missing.begin(), own.missing.end());
        info.origin = std::max(info.origin, own.origin);
        if (info.coupler.empty()) info.coupler = own.coupler;
        if (own.job != info.job) info.job.clear();
        if (place.shift[r] == 0) info.zero = own.zero;
        nodes += sources[r].run.clock.nodes;
        if (joined.clock.source.empty()) joined.clock.source = sources[r].run.clock.source;
    }
    info.missing.resize(std::min(info.missing.size(), most_missing_named));
    info.id = !run.empty() ? run : (info.job.empty() ? "joined" : info.job) + "-" + begin_in_words(info);
    const std::vector<NodeMeters> &named = joined.meters.nodes;
    joined.clock.nodes = named.empty() ? nodes : static_cast<std::int32_t>(named.size());
    joined.clock.error_bound_s = place.error_bound_s;
    joined.clock.why_not_comparable = place.why_not_comparable;
    enter_simulated(joined, sources, simulated_s);
}

// The remarks about the joining, and those of each run.
void enter_remarks(CoupledRun &joined, const JoinedSources &sources, const PlacedRuns &place,
                   const std::string &labels) {
    std::vector<std::string> remarks = {
        say(Sentence::remark_joined, {{"count", std::to_string(sources.size())}, {"names", labels}})};
    remarks.insert(remarks.end(), place.remarks.begin(), place.remarks.end());
    for (const JoinedSource &source : sources) {
        if (source.run.run.zero.time.empty())
            remarks.push_back(say(Sentence::remark_joined_in_seconds, {{"name", source.label}}));
        for (const std::string &remark : source.run.remarks)
            remarks.push_back(source.label + ": " + remark);
    }
    joined.remarks.insert(joined.remarks.begin(), remarks.begin(), remarks.end());
}

void shift_row(Row &row, Nanoseconds shift) {
    for (std::vector<Nanoseconds> *times : {&row.start, &row.stop})
        for (Nanoseconds &t : *times)
            if (t != absent) t += shift;
    for (Interval &away : row.away)
        away = {away.start + shift, away.stop + shift};
}

// All times of its own figures.
void shift_times(Component &component, Nanoseconds shift) {
    const Component untouched;
    component.first_init += shift;
    component.last_terminate += shift;
    if (component.window_first != untouched.window_first) component.window_first += shift;
    if (component.window_last != untouched.window_last) component.window_last += shift;
    for (EventSpan &span : component.table.spans) {
        if (span.empty()) continue;
        span.first_start += shift;
        span.last_start += shift;
        span.last_stop += shift;
    }
    for (Interval &away : component.away)
        away = {away.start + shift, away.stop + shift};
    for (Step &step : component.balance.steps)
        step.start_s += to_seconds(shift);
}

// Writes the timeline of a component anew, on the axis of the joined run. component: as it shall be in the new file,
// its own times already shifted; its events in the order of `from`. header: the members that are not the component's.
void write_shifted_timeline(const std::string &from, const std::string &to, const Component &component,
                            TimelineHeader header, Nanoseconds shift, bool compress, const Progress &progress) {
    TimelineReader reader(from);
    describe(header, component);
    header.keys = component.table.keys;
    header.away_intervals = reader.header().away_intervals;
    const Nanoseconds run_end = header.run_end;
    TimelineWriter writer(to, header, compress);
    header = {};
    reader.forget_keys();
    const Interval run{component.first_init, component.last_terminate};
    std::vector<Row> rows(static_cast<std::size_t>(reader.block_rows()));
    for (std::int64_t first = 0; first < reader.processes(); first += reader.block_rows()) {
        rows.resize(static_cast<std::size_t>(std::min(reader.block_rows(), reader.processes() - first)));
        reader.read_rows(first, rows);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const std::int64_t process = first + static_cast<std::int64_t>(r);
            shift_row(rows[r], shift);
            writer.write_rows(process, 1, rows[r].start, rows[r].stop);
            writer.write_raster(process, kind_raster(rows[r], component.table.keys, run, run_end));
            writer.write_away(process, rows[r].away);
        }
        if (progress) progress(first + static_cast<std::int64_t>(rows.size()), reader.processes());
    }
    writer.write_figures(component.figures);
    writer.write_steps(component.balance);
    if (const std::string why = writer.close(); !why.empty()) throw std::runtime_error(why);
}

// The tables of the components are freed one after the other.
void write_timelines(JoinedRuns &result, CoupledRun &joined, const JoinedSources &sources, const PlacedRuns &place,
                     const JoinOptions &options) {
    const TimelineHeader header = header_of_run(joined, extent_of(joined.components).stop);
    const std::vector<std::string> stems = file_stems(joined.component_names);
    for (std::size_t r = 0; r < sources.size(); ++r) {
        auto component = sources[r].components.begin();
        for (const std::string &from : sources[r].timelines) {
            const std::string &stem = stems[static_cast<std::size_t>(component->id) - 1];
            const std::string name = timeline_name_in(options.output, stem);
            if (const std::string words = words_for_other_name(name, stem); !words.empty())
                joined.remarks.push_back(words);
            result.timelines.push_back(path_in(options.output, name));
            const Progress progress = options.progress_of ? options.progress_of("writing " + name) : Progress{};
            write_shifted_timeline(from, result.timelines.back(), *component, header, place.shift[r],
                                   options.compress, progress);
            result.files.push_back(name);
            component->table = {};
            ++component;
        }
    }
}

// A run of this name may have been joined here before, of more parts: their timelines are not of this one.
void remove_left_over(const JoinedRuns &result, const std::string &folder, const std::string &run_id) {
    std::error_code error;
    std::vector<std::filesystem::path> old;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (!is_timeline_name(name) || std::ranges::find(result.files, name) != result.files.end()) continue;
        try {
            if (TimelineReader::run_id_of(entry->path().string()) == run_id) old.push_back(entry->path());
        } catch (const FileError &) { // reading the folder will report it
        }
    }
    for (const std::filesystem::path &path : old)
        std::filesystem::remove(path, error);
}

} // namespace

JoinedRuns join_runs(const std::vector<std::string> &folders, const JoinOptions &options) {
    if (folders.size() < 2) throw std::runtime_error("import runs: give two or more folders of results");
    JoinedSources sources = read_sources(folders, options.output, options.any_job, options.progress_of);
    std::vector<std::string> labels;
    std::vector<CoupledRun *> runs;
    for (JoinedSource &source : sources) {
        labels.push_back(source.label);
        runs.push_back(&source.run);
    }
    const std::string all_labels = joined(labels, ", ");
    CoupledRun joined;
    unite_names(joined, runs, join_names(runs, labels, options.prefix));
    joined.meters = join_meters(runs);
    gather_components(joined, sources);
    infer_counterparts(joined); // by the rule for all runs
    const PlacedRuns place = placed(sources, labels, joined.field_names);
    for (std::size_t r = 0; r < sources.size(); ++r)
        for (Component &c : sources[r].components)
            shift_times(c, place.shift[r]);
    refuse_gaps(sources);
    enter_info(joined, sources, place, options.run, options.simulated_s);
    enter_remarks(joined, sources, place, all_labels);
    create_directory(options.output);
    JoinedRuns result;
    write_timelines(result, joined, sources, place, options);
    remove_left_over(result, options.output, joined.run.id);
    result.run = load_timelines(options.output, joined);
    write_result_file(path_in(options.output, "load_balancing_info.txt"), text_summary(result.run));
    write_result_file(path_in(options.output, "load_balancing_info.json"), info_json(result.run));
    result.files.insert(result.files.begin(), {"load_balancing_info.txt", "load_balancing_info.json"});
    return result;
}

} // namespace cpl_lb
