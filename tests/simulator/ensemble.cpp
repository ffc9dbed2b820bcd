// Members as parts of a model: each computes, sends its forecast, and receives the analysis when all have sent
// theirs.
#include "tests/simulator/ensemble.hpp"

#include "tests/simulator/as_run.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>

namespace cpl_lb::simulator {
namespace {

std::string numbered(const char *form, std::int64_t number) {
    char text[40];
    std::snprintf(text, sizeof text, form, static_cast<int>(number)); // NOLINT: the forms stand below
    return text;
}

// Arrivals of the last process of each member, by meeting.
std::vector<std::vector<double>> arrivals_at_meetings(const Run &run, std::size_t members) {
    std::vector<std::vector<double>> arrivals;
    for (std::size_t m = 0; m < members; ++m) {
        std::size_t k = 0;
        for (const Event &event : run.parts[m].events) {
            if (event.is_send) continue;
            if (k == arrivals.size()) arrivals.emplace_back(members);
            arrivals[k++][m] = *std::max_element(event.start_s.begin(), event.start_s.end());
        }
    }
    return arrivals;
}

} // namespace

std::string node_name(std::int32_t node) {
    return numbered("nid%03d", node + 1);
}

Ensemble ensemble(const EnsembleSettings &settings) {
    Ensemble made{settings, {}};
    const auto members = static_cast<std::int64_t>(settings.members);
    for (std::int64_t m = 0; m < members; ++m) {
        const std::int64_t first = m * settings.processes / settings.cores_of_node;
        const std::int64_t last = ((m + 1) * settings.processes - 1) / settings.cores_of_node;
        std::vector<std::int32_t> &nodes = made.nodes.emplace_back();
        for (std::int64_t n = first; n <= last; ++n)
            nodes.push_back(static_cast<std::int32_t>(n));
    }
    return made;
}

bool Ensemble::is_cut(std::size_t member) const {
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (const std::vector<std::int32_t> &of_member : nodes)
        fewest = std::min(fewest, of_member.size());
    return nodes[member].size() > fewest;
}

Model Ensemble::model() const {
    const EnsembleSettings &s = settings;
    Model model;
    Part assimilation{"assimilation", ideal(s.assimilation_s), {}};
    for (std::size_t m = 0; m < s.members; ++m) {
        const std::size_t forecast = model.exchanges.size(), analysis = forecast + 1;
        const auto number = static_cast<std::int64_t>(m + 1);
        model.exchanges.push_back({"forecast", m, s.members, 0, s.every, -1, 0});
        model.exchanges.push_back({numbered("analysis_%02d", number), s.members, m, 0, s.every, -1, 0});
        double factor = is_cut(m) ? s.cut_factor : 1;
        const std::vector<std::int32_t> &on = nodes[m];
        if (std::find(on.begin(), on.end(), static_cast<std::int32_t>(s.slow_node)) != on.end())
            factor *= s.node_factor;
        Part part{numbered("atmosphere_%02d", number),
                  ideal(s.work_s * factor * static_cast<double>(s.processes)),
                  {compute(1), send(forecast), receive(analysis)}};
        part.noise = s.noise;
        part.imbalance = s.imbalance;
        if (s.weight) part.course = {"of the member", [m, w = s.weight](std::int64_t step) { return w(m, step); }};
        model.parts.push_back(std::move(part));
        assimilation.step.push_back(receive(forecast));
    }
    assimilation.step.push_back(compute(1));
    for (std::size_t m = 0; m < s.members; ++m)
        assimilation.step.push_back(send(2 * m + 1));
    model.parts.push_back(std::move(assimilation));
    return model;
}

Counts Ensemble::counts() const {
    Counts all(settings.members, settings.processes);
    all.push_back(1);
    return all;
}

CoupledRun as_ensemble_run(const Ensemble &ensemble, const Run &run) {
    CoupledRun result = as_coupled_run(run);
    std::size_t count = 0;
    for (std::size_t m = 0; m < ensemble.nodes.size(); ++m) {
        result.components[m].on_nodes = ensemble.nodes[m];
        result.components[m].nodes = static_cast<std::int32_t>(ensemble.nodes[m].size());
        count = std::max(count, static_cast<std::size_t>(ensemble.nodes[m].back()) + 1);
    }
    result.meters.nodes.resize(count);
    for (std::size_t n = 0; n < count; ++n)
        result.meters.nodes[n].name = node_name(static_cast<std::int32_t>(n));
    return result;
}

std::size_t MeetingTruth::mostly_last() const {
    return static_cast<std::size_t>(std::max_element(last.begin(), last.end()) - last.begin());
}

MeetingTruth meeting_truth(const Ensemble &ensemble, const Run &run) {
    const std::size_t members = ensemble.settings.members;
    const auto cores = static_cast<double>(ensemble.settings.processes);
    const std::vector<std::vector<double>> all = arrivals_at_meetings(run, members);
    MeetingTruth truth;
    truth.late_s.resize(members);
    truth.last.resize(members);
    for (std::size_t k = 1; k < all.size(); ++k) {
        const auto [first, latest] = std::minmax_element(all[k].begin(), all[k].end());
        double cost = 0;
        for (std::size_t m = 0; m < members; ++m) {
            cost += cores * (*latest - all[k][m]);
            truth.late_s[m] += all[k][m] - *first;
        }
        truth.last[static_cast<std::size_t>(latest - all[k].begin())] += *latest - *first;
        truth.cost_core_s += cost;
        truth.spread_s += *latest - *first;
        ++truth.meetings;
    }
    const auto meetings = static_cast<double>(truth.meetings);
    for (std::size_t m = 0; m < members; ++m) {
        truth.late_s[m] /= meetings;
        truth.last[m] /= truth.spread_s;
    }
    truth.spread_s /= meetings;
    const double begin = *std::min_element(all[1].begin(), all[1].end());
    const double end = *std::max_element(all.back().begin(), all.back().end());
    truth.share = truth.cost_core_s / ((end - begin) * cores * static_cast<double>(members));
    return truth;
}

} // namespace cpl_lb::simulator
