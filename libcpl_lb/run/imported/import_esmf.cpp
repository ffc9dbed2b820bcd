// From the streams of an ESMF trace to timelines and summaries.
#include "run/imported/import_esmf.hpp"

#include "events/union_of_events.hpp"
#include "io/files/file_error.hpp"
#include "io/files/result_file.hpp"
#include "io/json/info_json.hpp"
#include "io/timeline/timeline.hpp"
#include "report/text_summary.hpp"
#include "run/assemble.hpp"
#include "run/imported/esmf_folder.hpp"
#include "run/imported/esmf_mapping.hpp"
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
    std::vector<std::string> names;
    std::vector<NumberList> ranks;
    order_components(members, names, ranks);
    return make_catalogue(std::move(entries), std::move(names), std::move(ranks));
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

Alignment alignment_of(const std::vector<Member> &members, const Component &component, const Catalogue &catalogue,
                       Nanoseconds zero) {
    AlignmentInput input;
    input.classes = catalogue.classes.size();
    input.ranks = component.ranks;
    for (const Member &m : members)
        input.counts.push_back(recorded_counts(events_of(*m.part, catalogue, zero), input.classes));
    input.events = [&](std::size_t i) { return events_of(*members[i].part, catalogue, zero); };
    return align_occurrences(input);
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
    const auto earlier = [](const auto &a, const auto &b) { return a.second < b.second; };
    const auto [least, most] = std::minmax_element(clocks.ahead.begin(), clocks.ahead.end(), earlier);
    remarks.push_back(
        say(Sentence::remark_clocks_corrected, {{"nodes", std::to_string(clocks.ahead.size())},
                                                {"apart", milliseconds(to_seconds(most->second - least->second))},
                                                {"phases", counted(clocks.common_ends, "phase")},
                                                {"bound", milliseconds(clocks.error_bound_s)}}));
}

// Adds one remark about what no ESMF trace contains.
void tell_what_is_missing(const ImportOptions &options, std::vector<std::string> &remarks) {
    remarks.push_back(say(Sentence::remark_imported));
    if (!is_known(options.simulated_s)) remarks.push_back(say(Sentence::remark_no_simulated_time));
}

struct Span {
    Nanoseconds first = std::numeric_limits<Nanoseconds>::max();
    Nanoseconds last = std::numeric_limits<Nanoseconds>::min();
};

Span span_of(const std::string &folder, const MappedTrace &trace) {
    Span span;
    for (const MappedPet &pet : trace.pets) {
        span.first = std::min(span.first, pet.first);
        span.last = std::max(span.last, pet.last);
    }
    constexpr Nanoseconds longest = 500'000'000'000'000'000; // 15 years
    if (span.last - span.first > longest)
        throw FileError(folder, "the times of the trace are years apart: damaged, or of several runs whose clocks "
                                "began with their machines");
    return span;
}

void fill_in(RunInfo &info, const ImportOptions &options, const MappedTrace &trace, Span span) {
    constexpr Nanoseconds second = 1'000'000'000;
    if (is_calendar_time(span.first)) {
        info.started = utc_text(span.first / second);
        info.ended = utc_text(span.last / second);
    }
    info.id = !options.run.empty()    ? options.run
              : !info.started.empty() ? "esmf-" + info.started
                                      : fmt::format("esmf-{}-{}", trace.pets.size(), span.first);
    info.wall_s = to_seconds(span.last - span.first);
    info.simulated_s = options.simulated_s;
    info.processes = static_cast<std::int64_t>(trace.pets.size());
    info.cores = info.processes;
    info.cores_from = "PETs of the trace";
}

class Importer {
public:
    Importer(const ImportOptions &options, const MappedTrace &trace, Span span)
        : options_(options), trace_(trace), span_(span), catalogue_(catalogue_of(trace)) {}
    void refuse_more_than(const std::string &folder, std::uint64_t bytes) const {
        TimelineHeader names;
        names.component_names = catalogue_.component_names;
        names.field_names = catalogue_.field_names;
        refuse_more_than_input_supports(folder, names, bytes);
    }
    Imported run(CoupledRun run);

private:
    Component unite(std::size_t c, const std::string &path, const TimelineHeader &header,
                    std::vector<std::string> &remarks) const;

    const ImportOptions &options_;
    const MappedTrace &trace_;
    const Span span_;
    const Catalogue catalogue_;
};

Component Importer::unite(std::size_t c, const std::string &path, const TimelineHeader &header,
                          std::vector<std::string> &remarks) const {
    const std::string &name = catalogue_.component_names[c];
    const std::vector<Member> members = members_of(trace_, name);
    Component component = component_of(members, span_.first);
    component.name = name;
    component.id = static_cast<std::int32_t>(c) + 1;
    component.properties.is_io_server =
        std::find(trace_.writers.begin(), trace_.writers.end(), name) != trace_.writers.end();
    EventsOfProcesses from;
    from.catalogue = &catalogue_;
    from.alignment = alignment_of(members, component, catalogue_, span_.first);
    from.events = [&](std::size_t i) { return events_of(*members[i].part, catalogue_, span_.first); };
    ComponentUnion united(std::move(component), std::move(from));
    std::ranges::move(united.alignment_remarks(), std::back_inserter(remarks));
    return united.finish(path, header, options_.compress);
}

Imported Importer::run(CoupledRun run) {
    Imported imported;
    run.component_names = catalogue_.component_names;
    run.field_names = catalogue_.field_names;
    const TimelineHeader header = header_of_run(run, span_.last - span_.first);
    const std::vector<std::string> stems = file_stems(catalogue_.component_names);
    for (std::size_t c = 0; c < catalogue_.members.size(); ++c) {
        const std::string name = timeline_name_in(options_.output, stems[c]);
        if (const std::string words = words_for_other_name(name, stems[c]); !words.empty())
            run.remarks.push_back(words);
        run.components.push_back(unite(c, path_in(options_.output, name), header, run.remarks));
        imported.files.push_back(name);
    }
    RunParts parts;
    parts.run = std::move(run);
    imported.run = assemble(std::move(parts));
    return imported;
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
    const Span span = span_of(trace_folder, mapped);
    Importer importer(options, mapped, span);
    importer.refuse_more_than(trace_folder, bytes);
    create_directory(options.output);
    CoupledRun run;
    fill_in(run.run, options, mapped, span);
    run.run.origin = Origin::imported;
    run.run.missing_count = trace.missing_count;
    trace.missing.resize(std::min(trace.missing.size(), most_missing_named));
    run.run.missing = trace.missing;
    run.clock.error_bound_s = clocks.error_bound_s;
    run.clock.nodes = static_cast<std::int32_t>(clocks.ahead.size());
    run.clock.source = "ESMF's trace";
    tell_what_is_missing(options, run.remarks);
    tell_clocks(clocks, run.remarks);
    run.remarks.insert(run.remarks.end(), trace.remarks.begin(), trace.remarks.end());
    run.remarks.insert(run.remarks.end(), mapped.remarks.begin(), mapped.remarks.end());
    Imported imported = importer.run(std::move(run));
    imported.run.analysis_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    write_result_file(path_in(options.output, "load_balancing_info.txt"), text_summary(imported.run));
    write_result_file(path_in(options.output, "load_balancing_info.json"), info_json(imported.run));
    imported.files.insert(imported.files.begin(), {"load_balancing_info.txt", "load_balancing_info.json"});
    return imported;
}

} // namespace cpl_lb
