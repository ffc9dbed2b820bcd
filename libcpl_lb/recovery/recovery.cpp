#include "recovery/recovery.hpp"

#include "analysis/cpmip.hpp"
#include "analysis/exchanges.hpp"
#include "io/file_error.hpp"
#include "io/info_json.hpp"
#include "io/result_file.hpp"
#include "io/timeline_place.hpp"
#include "prediction/run_balance.hpp"
#include "recovery/recovered_component.hpp"
#include "recovery/recovery_remarks.hpp"
#include "report/text_summary.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>

namespace cpl_lb {
namespace {

// Decoded processes stay in memory while all files together are no larger than this.
constexpr std::uint64_t most_cached_bytes = std::uint64_t{256} << 20U;

class Processes {
public:
    Processes(const SpoolRun &run, const Progress &progress)
        : run_(run), progress_(progress), kept_(run.files.size()) {
        std::uint64_t bytes = 0;
        for (const SpoolFile &f : run.files)
            bytes += f.chunks() * f.words_of_chunk() * sizeof(Mark);
        keep_ = bytes <= most_cached_bytes;
    }
    std::shared_ptr<const RecoveredProcess> get(std::size_t i) {
        // Facts, limits, two looks at the events, their rows: most processes are of one component.
        if (progress_) progress_(++looks_, 5 * static_cast<std::int64_t>(kept_.size()));
        if (kept_[i]) return kept_[i];
        auto process = std::make_shared<const RecoveredProcess>(recover_process(run_.files[i]));
        if (keep_) kept_[i] = process;
        return process;
    }

private:
    const SpoolRun &run_;
    const Progress &progress_;
    std::int64_t looks_ = 0;
    std::vector<std::shared_ptr<const RecoveredProcess>> kept_;
    bool keep_ = false;
};

ProcessFacts facts_of(const SpoolFile &file, const RecoveredProcess &process) {
    ProcessFacts facts;
    facts.first_init = process.first_init;
    facts.last_mark = process.last_mark;
    facts.clock_bound = process.clock_bound;
    facts.problems = process.decoded.problems;
    facts.clock_known = process.clock_known;
    for (std::size_t c = 0; c < process.decoded.components.size(); ++c)
        facts.parts.push_back(part_of(file, process, c));
    return facts;
}

bool took_part(const SpoolFile &file, const ProcessFacts &facts, std::size_t component) {
    return component < file.components().size() || facts.parts[component].events > 0;
}

Catalogue catalogue_of(const SpoolRun &run, const std::vector<ProcessFacts> &facts) {
    std::vector<CatalogueEntry> entries;
    Members members;
    for (std::size_t i = 0; i < run.files.size(); ++i) {
        for (std::size_t c = 0; c < facts[i].parts.size(); ++c) {
            const ComponentPart &part = facts[i].parts[c];
            entries.insert(entries.end(), part.entries.begin(), part.entries.end());
            if (took_part(run.files[i], facts[i], c))
                members[component_name(run.files[i], c)].insert(run.files[i].identity().rank);
        }
    }
    std::vector<std::string> names;
    std::vector<std::vector<std::int32_t>> ranks;
    order_components(members, names, ranks);
    return make_catalogue(std::move(entries), std::move(names), std::move(ranks));
}

std::vector<Member> members_of(const SpoolRun &run, const std::vector<ProcessFacts> &facts, const std::string &name) {
    std::vector<Member> members;
    for (std::size_t i = 0; i < run.files.size(); ++i) {
        for (std::size_t c = 0; c < facts[i].parts.size(); ++c) {
            if (!took_part(run.files[i], facts[i], c) || component_name(run.files[i], c) != name) continue;
            members.push_back({i, c, facts[i].parts[c]});
            break; // a name stands for one component
        }
    }
    return members;
}

std::string utc(std::int64_t realtime_ns) {
    const std::time_t t = realtime_ns / 1'000'000'000;
    std::tm parts{};
    std::array<char, 32> text{};
    if (gmtime_r(&t, &parts) == nullptr) return {};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

void fill_in_run(CoupledRun &run, const SpoolRun &spools, const std::vector<ProcessFacts> &facts,
                 Nanoseconds length) {
    const SpoolIdentity &first = spools.files.front().identity();
    run.run.id = spools.id;
    run.run.submitted = text_of(first.submitted);
    run.run.started = spools.started;
    constexpr std::int64_t farthest = std::int64_t{1} << 61;
    run.run.ended = utc(std::clamp(first.started_realtime_ns, -farthest, farthest) +
                        std::clamp(length, Nanoseconds{0}, farthest));
    run.run.wall_s = to_seconds(length);
    run.run.year_days = first.year_days;
    run.run.processes = static_cast<std::int64_t>(spools.files.size());
    if (first.cores > 0) {
        run.run.cores = first.cores;
        run.run.cores_from = text_of(first.cores_from);
    } else {
        for (const SpoolFile &f : spools.files)
            run.run.cores += f.identity().threads;
        run.run.cores_from = "processes x threads";
    }
    Nanoseconds bound = 0;
    for (const ProcessFacts &f : facts)
        bound = std::max(bound, f.clock_bound);
    run.clock.error_bound_s = to_seconds(bound);
    run.clock.nodes = first.nodes;
    run.clock.source = first.clock_source == 1 ? "time stamp counter" : "clock_gettime";
}

} // namespace

Recovery recover(const SpoolRun &spools, const RecoveryOptions &options) {
    const auto began = std::chrono::steady_clock::now();
    Processes processes(spools, options.progress);
    std::vector<ProcessFacts> facts;
    Nanoseconds zero = std::numeric_limits<Nanoseconds>::max();
    Nanoseconds last = std::numeric_limits<Nanoseconds>::min();
    for (std::size_t i = 0; i < spools.files.size(); ++i) {
        facts.push_back(facts_of(spools.files[i], *processes.get(i)));
        zero = std::min(zero, facts.back().first_init);
        last = std::max(last, facts.back().last_mark);
    }
    const Catalogue catalogue = catalogue_of(spools, facts);
    Recovery result;
    CoupledRun &run = result.run;
    fill_in_run(run, spools, facts, last - zero);
    run.component_names = catalogue.component_names;
    run.field_names = catalogue.field_names;
    run.remarks = recovery_remarks(spools, facts);

    const bool write = !options.output.empty();
    if (write) create_directory(options.output);
    TimelineHeader header;
    header.component_names = catalogue.component_names;
    header.field_names = catalogue.field_names;
    header.run_id = run.run.id;
    header.run_end = last - zero;
    header.year_days = run.run.year_days;
    header.clock_error_bound_s = run.clock.error_bound_s;
    const std::vector<std::string> stems = file_stems(catalogue.component_names);
    for (std::size_t c = 0; c < catalogue.members.size(); ++c) {
        RecoveredComponentInput input;
        input.spools = &spools;
        input.process = [&](std::size_t i) { return processes.get(i); };
        input.catalogue = &catalogue;
        input.id = static_cast<std::int32_t>(c) + 1;
        input.members = members_of(spools, facts, catalogue.component_names[c]);
        input.zero = zero;
        const std::string name = write ? timeline_name_in(options.output, stems[c]) : timeline_file_name(stems[c]);
        if (const std::string words = words_for_other_name(name, stems[c]); !words.empty())
            run.remarks.push_back(words);
        run.components.push_back(RecoveredComponent(input).finish(
            write ? path_in(options.output, name) : std::string(), header, options.compress));
        result.files.push_back(name);
    }
    judge_balance(run);
    count_order_violations(run);
    run.cpmip = cpmip_of(run);
    run.analysis_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (!write) return result;
    write_result_file(path_in(options.output, "load_balancing_info.txt"), text_summary(run));
    write_result_file(path_in(options.output, "load_balancing_info.json"), info_json(run));
    result.files.insert(result.files.begin(), {"load_balancing_info.txt", "load_balancing_info.json"});
    return result;
}

} // namespace cpl_lb
