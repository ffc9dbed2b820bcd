// What the simulator knows of its models: runs, true times, the critical path, the best counts.
#include "tests/simulator/engine.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace cpl_lb::simulator {

Run simulate(const Model &model, const Counts &counts, const Settings &settings) {
    Engine engine(model, counts, settings, true, true);
    engine.run();
    Run run{model, counts, settings.steps, std::move(engine.records()), 0, std::move(engine.nodes())};
    for (const PartRecord &part : run.parts)
        run.end_s = std::max(run.end_s, part.end_s);
    return run;
}

// From the end backwards: each action began when the one before it ended, or when somebody else came.
std::vector<double> Run::critical_s(double from_s, double to_s) const {
    std::vector<double> seconds(model.parts.size() + 1);
    const auto add = [&](std::size_t place, double begin, double end) {
        seconds[place] += std::max(0.0, std::min(end, to_s) - std::max(begin, from_s));
    };
    // The part whose action reaches `to_s` as the last: of those that end later, the one that decides the run's end.
    std::size_t part = 0;
    for (std::size_t c = 1; c < parts.size(); ++c)
        if (parts[c].end_s > parts[part].end_s) part = c;
    std::size_t node = nodes[part].size();
    while (node > 0) {
        const Node &n = nodes[part][node - 1];
        add(part, n.begin_s, n.arrive_s);
        if (n.cause_part == of_own) {
            --node;
            continue;
        }
        const Node &cause = nodes[n.cause_part][n.cause_node];
        add(model.parts.size(), cause.arrive_s, n.end_s); // the transfer
        part = n.cause_part;
        node = n.cause_node;
        // The cause was there at its arrival; what it computed lies in the actions before.
    }
    return seconds;
}

std::int64_t steps_of_cycle(const Model &model) {
    std::int64_t steps = 1;
    for (const Exchange &exchange : model.exchanges)
        steps = std::lcm(steps, static_cast<std::int64_t>(exchange.every));
    return steps;
}

// The time of a step settles after some cycles; it may come round only after several of them. The slowest part
// decides in the end, though one that started late may be the last for hundreds of steps, while sends are still
// buffered.
double step_seconds(const Model &model, const Counts &counts) {
    const std::int64_t cycle = steps_of_cycle(model);
    const std::int64_t settled = (12 / cycle + 1) * cycle;
    const std::int64_t counted = (12 / cycle + 1) * cycle;
    Engine engine(model, counts, {settled + counted, 0, 1}, false, false);
    engine.run();
    double slowest = 0;
    for (std::size_t c = 0; c < model.parts.size(); ++c) {
        const double seconds = engine.end_of_step(c, settled + counted - 1) - engine.end_of_step(c, settled - 1);
        slowest = std::max(slowest, seconds / static_cast<double>(counted));
    }
    return slowest;
}

double loop_seconds(const Model &model, const Counts &counts, std::int64_t steps) {
    Engine engine(model, counts, {steps, 0, 1}, false, false);
    engine.run();
    double slowest = 0;
    for (std::size_t c = 0; c < model.parts.size(); ++c)
        slowest = std::max(slowest, engine.end_of_step(c, steps - 2) - engine.end_of_step(c, 0));
    return slowest;
}

namespace {

// All counts of the free parts, one inside the other.
struct Search {
    const Model &model;
    const Counts &held;
    std::int64_t steps;
    Counts counts;
    Best best{{}, std::numeric_limits<double>::infinity()};

    void part(std::size_t c, std::int64_t left) {
        if (c == counts.size()) {
            const double seconds = steps > 0 ? loop_seconds(model, counts, steps) : step_seconds(model, counts);
            if (seconds < best.step_s) best = {counts, seconds};
            return;
        }
        const std::int64_t kept = held.empty() ? 0 : held[c];
        // Those to come need at least one each, or what they hold.
        std::int64_t later = 0;
        for (std::size_t d = c + 1; d < counts.size(); ++d)
            later += held.empty() || held[d] == 0 ? 1 : held[d];
        for (std::int64_t n = kept > 0 ? kept : 1; n <= (kept > 0 ? kept : left - later); ++n) {
            if (n > left - later) return;
            counts[c] = n;
            part(c + 1, left - n);
        }
    }
};

} // namespace

Best best_counts(const Model &model, std::int64_t total, const Counts &held, std::int64_t steps) {
    Search search{model, held, steps, Counts(model.parts.size()), {{}, std::numeric_limits<double>::infinity()}};
    search.part(0, total);
    if (search.best.counts.empty()) throw BadModel("no counts fit");
    return search.best;
}

} // namespace cpl_lb::simulator
