// Finds the places of the runs in time, and writes them as one.
#include "run/joined/join_runs.hpp"

#include "analysis/exchanges.hpp"
#include "data/field_parts.hpp"
#include "io/files/file_error.hpp"
#include "io/files/result_file.hpp"
#include "io/json/info_json.hpp"
#include "io/timeline/timeline_reader.hpp"
#include "report/text_summary.hpp"
#include "run/joined/joined_info.hpp"
#include "run/joined/joined_meters.hpp"
#include "run/joined/joined_names.hpp"
#include "run/joined/joined_sources.hpp"
#include "run/joined/joined_timeline.hpp"
#include "run/joined/placed_runs.hpp"
#include "run/loaded/load_run.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace cpl_lb {
namespace {

std::vector<std::string> labels_of(const JoinedSources &sources) {
    std::vector<std::string> labels;
    for (const JoinedSource &source : sources)
        labels.push_back(source.label);
    return labels;
}

double own_bound_s(const CoupledRun &run) {
    return is_known(run.clock.error_bound_s) ? run.clock.error_bound_s : 0.0;
}

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
std::vector<CrossedField> fields_between(const CoupledRun &from, const CoupledRun &to, const FieldParts &parts) {
    std::vector<CrossedField> fields;
    for (const Component &source : from.components) {
        for (const EventClass &sent :
             std::set<EventClass>(source.table.keys.classes().begin(), source.table.keys.classes().end())) {
            if (sent.kind != Kind::put || sent.field == 0 || parts.is_part(sent.field)) continue;
            for (const Component &target : to.components) {
                if (target.id != sent.counterpart) continue;
                fields.push_back({times_of(source, Kind::put, sent.field, target.id),
                                  times_of(target, Kind::get, sent.field, source.id)});
            }
        }
    }
    return fields;
}

PlacedRuns placed(const JoinedSources &sources, const std::vector<std::string> &field_names) {
    const FieldParts parts(field_names);
    std::vector<double> own_s;
    for (const JoinedSource &source : sources)
        own_s.push_back(own_bound_s(source.run));
    const auto compare = [&](std::size_t a, std::size_t b) {
        const CoupledRun &first = sources[a].run, &second = sources[b].run;
        const double both_s = own_s[a] + own_s[b];
        if (const auto one = by_one_node(first.run.zero, second.run.zero, both_s)) return *one;
        return by_exchanges({fields_between(first, second, parts), fields_between(second, first, parts)},
                            *clocks_of_day(first.run, second.run), both_s);
    };
    PlacedRuns place = place_runs(labels_of(sources), own_s, compare);
    for (const JoinedSource &source : sources) { // a run does not know this about its own clock
        const ClockInfo &own = source.run.clock;
        if (!is_known(own.error_bound_s)) place.error_bound_s = unknown;
        if (!own.why_not_comparable.empty()) place.why_not_comparable = source.label + ": " + own.why_not_comparable;
    }
    return place;
}

// First unites the numbers of names and ranks, then infers unnamed counterparts by the rule for all runs.
void unite_names(CoupledRun &joined, JoinedSources &sources, bool prefix) {
    std::vector<const CoupledRun *> runs;
    for (const JoinedSource &source : sources)
        runs.push_back(&source.run);
    const JoinedNames names = join_names(runs, labels_of(sources), prefix);
    joined.component_names = names.component_names;
    joined.field_names = names.field_names;
    std::int32_t first_rank = 0;
    for (std::size_t r = 0; r < sources.size(); ++r) {
        CoupledRun &run = sources[r].run;
        renumber(run, names, names.runs[r], first_rank);
        first_rank += static_cast<std::int32_t>(run.run.processes + run.run.missing_count);
        for (const Component &c : run.components)
            for (const std::int32_t rank : c.ranks)
                first_rank = std::max(first_rank, rank + 1);
    }
}

// All components in one run; their runs are left without.
void gather_components(CoupledRun &joined, JoinedSources &sources) {
    for (JoinedSource &source : sources) {
        std::move(source.run.components.begin(), source.run.components.end(), std::back_inserter(joined.components));
        source.run.components.clear();
    }
}

void infer_counterparts_between(CoupledRun &joined, JoinedSources &sources) {
    std::vector<std::size_t> counts;
    for (const JoinedSource &source : sources)
        counts.push_back(source.run.components.size());
    gather_components(joined, sources);
    infer_counterparts(joined);
    auto next = std::make_move_iterator(joined.components.begin());
    for (std::size_t r = 0; r < sources.size(); ++r) {
        const auto end = next + static_cast<std::ptrdiff_t>(counts[r]);
        sources[r].run.components.assign(next, end);
        next = end;
    }
    joined.components.clear();
}

TimelineHeader header_of(const CoupledRun &run) {
    TimelineHeader header;
    header.component_names = run.component_names;
    header.field_names = run.field_names;
    header.run_id = run.run.id;
    header.job = run.run.job;
    header.zero_time = run.run.zero.time;
    header.why_not_comparable = run.clock.why_not_comparable;
    header.simulated_s = run.run.simulated_s;
    header.year_days = run.run.year_days;
    header.clock_error_bound_s = run.clock.error_bound_s;
    header.run_end = extent_of(run.components).stop;
    return header;
}

// The tables of the components are freed one after the other.
void write_timelines(JoinedRuns &result, CoupledRun &joined, const JoinedSources &sources, const PlacedRuns &place,
                     const JoinOptions &options) {
    const TimelineHeader header = header_of(joined);
    const std::vector<std::string> stems = file_stems(joined.component_names);
    auto component = joined.components.begin();
    for (std::size_t r = 0; r < sources.size(); ++r) {
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
        if (!name.starts_with("timeline_") || !name.ends_with(".nc")) continue;
        if (std::find(result.files.begin(), result.files.end(), name) != result.files.end()) continue;
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
    CoupledRun joined;
    unite_names(joined, sources, options.prefix);
    infer_counterparts_between(joined, sources);
    const PlacedRuns place = placed(sources, joined.field_names);
    for (std::size_t r = 0; r < sources.size(); ++r)
        for (Component &c : sources[r].run.components)
            shift_times(c, place.shift[r]);
    refuse_gaps(sources);
    std::vector<CoupledRun *> runs;
    for (JoinedSource &source : sources)
        runs.push_back(&source.run);
    joined.meters = join_meters(runs);
    enter_info(joined, sources, place, options.run, options.simulated_s);
    enter_remarks(joined, sources, place);
    gather_components(joined, sources);
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
