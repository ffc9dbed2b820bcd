// From the streams of an ESMF trace to timelines and summaries.
#include "run/imported/import_esmf.hpp"

#include "io/files/file_error.hpp"
#include "io/files/result_file.hpp"
#include "io/json/info_json.hpp"
#include "report/text_summary.hpp"
#include "run/assemble.hpp"
#include "run/imported/esmf_mapping.hpp"
#include "run/imported/esmf_trace.hpp"
#include "run/united/unite_component.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"
#include "support/utc.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace cpl_lb {
namespace {

// A PET's part in a component.
struct Member {
    const MappedPet *pet;
    const MappedPart *part;
};

Catalogue catalogue_of(const MappedTrace &trace) {
    std::vector<CatalogueEntry> entries;
    Members members;
    for (const MappedPet &pet : trace.pets) {
        for (const MappedPart &part : pet.parts) {
            entries.insert(entries.end(), part.entries.begin(), part.entries.end());
            members[part.component].insert(pet.pet);
        }
    }
    return make_catalogue(std::move(entries), members);
}

std::vector<Member> members_of(const MappedTrace &trace, const std::string &component) {
    std::vector<Member> members;
    for (const MappedPet &pet : trace.pets)
        for (const MappedPart &part : pet.parts)
            if (part.component == component) members.push_back({&pet, &part});
    return members;
}

LocalEvents events_of(const MappedPart &part, const Catalogue &catalogue, Nanoseconds zero) {
    LocalEvents events;
    for (const CatalogueEntry &entry : part.entries)
        events.class_of_place.push_back(catalogue.class_of(entry));
    for (const MappedEvent &e : part.events) {
        events.place.push_back(e.entry);
        events.start.push_back(e.start - zero);
        events.stop.push_back(e.stop - zero);
    }
    for (const Interval &a : part.away)
        events.away.push_back({a.start - zero, a.stop - zero});
    return events;
}

Component component_of(const std::vector<Member> &members, Nanoseconds zero) {
    Component c;
    c.first_init = std::numeric_limits<Nanoseconds>::max();
    c.last_terminate = std::numeric_limits<Nanoseconds>::min();
    for (const Member &m : members) {
        c.ranks.push_back(m.pet->pet);
        c.first_init = std::min(c.first_init, m.pet->first - zero);
        c.last_terminate = std::max(c.last_terminate, m.pet->last - zero);
        // Later work of other PETs is that of an incomplete component.
        if (!m.pet->has_tail) c.window_last = std::min(c.window_last, m.pet->last - zero);
    }
    return c;
}

std::string milliseconds(double seconds) {
    return fmt::format("{:.3g} ms", seconds * 1e3);
}

void tell_clocks(const NodeClocks &clocks, std::vector<std::string> &remarks) {
    if (!clocks.not_known.empty()) {
        remarks.push_back(
            say(Sentence::remark_clock_not_compared,
                {{"node", clocks.not_known.front()}, {"nodes", counted(clocks.not_known.size(), "node")}}));
        return;
    }
    if (clocks.ahead.size() < 2) return;
    const auto ahead_of = [](const auto &node) { return node.second; };
    const auto [least, most] = std::ranges::minmax_element(clocks.ahead, {}, ahead_of);
    remarks.push_back(
        say(Sentence::remark_clocks_corrected, {{"nodes", std::to_string(clocks.ahead.size())},
                                                {"apart", milliseconds(to_seconds(most->second - least->second))},
                                                {"phases", counted(clocks.common_ends, "phase")},
                                                {"bound", milliseconds(clocks.error_bound_s)}}));
}

// From the first event of all to the last.
Interval span_of(const std::string &folder, const MappedTrace &trace) {
    Interval span{std::numeric_limits<Nanoseconds>::max(), std::numeric_limits<Nanoseconds>::min()};
    for (const MappedPet &pet : trace.pets) {
        span.start = std::min(span.start, pet.first);
        span.stop = std::max(span.stop, pet.last);
    }
    constexpr Nanoseconds longest = 500'000'000'000'000'000; // 15 years
    if (span.stop - span.start > longest)
        throw FileError(folder, "the times of the trace are years apart: damaged, or of several runs whose clocks "
                                "began with their machines");
    return span;
}

// What the components of a trace are made from.
struct TracedRun {
    const MappedTrace &trace;
    const Catalogue catalogue;
    Nanoseconds zero; // of the results' times
};

ComponentUnion united(const TracedRun &traced, std::size_t c) {
    const std::string &name = traced.catalogue.component_names[c];
    const std::vector<Member> members = members_of(traced.trace, name);
    Component component = component_of(members, traced.zero);
    component.name = name;
    component.id = static_cast<std::int32_t>(c) + 1;
    const std::vector<std::string> &writers = traced.trace.writers;
    component.properties.is_io_server = std::ranges::find(writers, name) != writers.end();
    const auto events = [&traced, members](std::size_t i) {
        return events_of(*members[i].part, traced.catalogue, traced.zero);
    };
    return {std::move(component), {&traced.catalogue, false, events}};
}

// The run without its components.
CoupledRun run_of(const ImportOptions &options, const EsmfTrace &trace, const NodeClocks &clocks,
                  const MappedTrace &mapped, Interval span) {
    CoupledRun run;
    RunInfo &info = run.run;
    constexpr Nanoseconds second = 1'000'000'000;
    if (is_calendar_time(span.start)) {
        info.started = utc_text(span.start / second);
        info.ended = utc_text(span.stop / second);
    }
    info.id = !options.run.empty()    ? options.run
              : !info.started.empty() ? "esmf-" + info.started
                                      : fmt::format("esmf-{}-{}", mapped.pets.size(), span.start);
    info.origin = Origin::imported;
    info.wall_s = to_seconds(span.stop - span.start);
    info.simulated_s = options.simulated_s;
    info.processes = info.cores = std::ssize(mapped.pets);
    info.cores_from = "PETs of the trace";
    info.missing_count = trace.missing_count;
    info.missing = trace.missing;
    info.missing.resize(std::min(trace.missing.size(), most_missing_named));
    run.clock.error_bound_s = clocks.error_bound_s;
    run.clock.nodes = static_cast<std::int32_t>(clocks.ahead.size());
    run.clock.source = "ESMF's trace";
    run.remarks.push_back(say(Sentence::remark_imported));
    if (!is_known(options.simulated_s)) run.remarks.push_back(say(Sentence::remark_no_simulated_time));
    tell_clocks(clocks, run.remarks);
    run.remarks.insert(run.remarks.end(), trace.remarks.begin(), trace.remarks.end());
    run.remarks.insert(run.remarks.end(), mapped.remarks.begin(), mapped.remarks.end());
    return run;
}

} // namespace

Imported import_esmf(const std::string &trace_folder, const ImportOptions &options) {
    const auto began = std::chrono::steady_clock::now();
    EsmfTrace trace = read_esmf_trace(trace_folder, options.progress);
    const NodeClocks clocks = compare_node_clocks(trace.streams);
    MappedTrace mapped;
    try {
        mapped = map_esmf(trace.streams, clocks);
    } catch (const FileError &) {
        throw;
    } catch (const std::runtime_error &error) {
        throw FileError(trace_folder, error.what());
    }
    std::uint64_t bytes = 0;
    for (const EsmfStream &s : trace.streams)
        bytes += s.bytes;
    trace.streams.clear();
    const Interval span = span_of(trace_folder, mapped);
    const TracedRun traced{mapped, catalogue_of(mapped), span.start};
    RunParts parts;
    CoupledRun &run = parts.run = run_of(options, trace, clocks, mapped, span);
    run.component_names = traced.catalogue.component_names;
    run.field_names = traced.catalogue.field_names;
    const TimelineHeader header = header_of_run(run, span.stop - span.start);
    refuse_more_than_input_supports(trace_folder, header, bytes);
    create_directory(options.output);
    Imported imported{{}, {"load_balancing_info.txt", "load_balancing_info.json"}};
    const UnitedTimelines timelines{options.output, options.compress, header};
    for (std::size_t c = 0; c < traced.catalogue.members.size(); ++c)
        imported.files.push_back(timelines.add(united(traced, c), run));
    imported.run = assemble(std::move(parts));
    imported.run.analysis_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    write_result_file(path_in(options.output, imported.files[0]), text_summary(imported.run));
    write_result_file(path_in(options.output, imported.files[1]), info_json(imported.run));
    return imported;
}

} // namespace cpl_lb
