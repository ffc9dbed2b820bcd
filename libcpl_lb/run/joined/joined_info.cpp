// Earliest and latest times, sums of processes, and remarks with the name of their run.
#include "run/joined/joined_info.hpp"

#include "support/sentences.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

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

} // namespace

void enter_info(CoupledRun &joined, const JoinedSources &sources, const PlacedRuns &place, const std::string &run,
                double simulated_s) {
    RunInfo &info = joined.run;
    info.platform = sources.front().run.run.platform;
    info.platform_facts = sources.front().run.run.platform_facts;
    std::int32_t nodes = 0;
    info.year_days = sources.front().run.run.year_days;
    info.job = sources.front().run.run.job;
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

void enter_remarks(CoupledRun &joined, const JoinedSources &sources, const PlacedRuns &place) {
    std::string names;
    for (const JoinedSource &source : sources)
        names += (names.empty() ? "" : ", ") + source.label;
    std::vector<std::string> remarks = {
        say(Sentence::remark_joined, {{"count", std::to_string(sources.size())}, {"names", names}})};
    remarks.insert(remarks.end(), place.remarks.begin(), place.remarks.end());
    for (const JoinedSource &source : sources) {
        if (source.run.run.zero.time.empty())
            remarks.push_back(say(Sentence::remark_joined_in_seconds, {{"name", source.label}}));
        for (const std::string &remark : source.run.remarks)
            remarks.push_back(source.label + ": " + remark);
    }
    joined.remarks.insert(joined.remarks.begin(), remarks.begin(), remarks.end());
}

} // namespace cpl_lb
