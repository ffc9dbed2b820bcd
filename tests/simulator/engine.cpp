// The time of simulated components, action by action.
#include "tests/simulator/engine.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb::simulator {

Engine::Engine(const Model &model, const Counts &counts, const Settings &settings, bool record, bool noise)
    : model_(model), settings_(settings), record_(record), noise_(noise), met_(model.exchanges.size()),
      node_count_(model.parts.size()),
      step_ends_(model.parts.size(), std::vector<double>(static_cast<std::size_t>(settings.steps))),
      computed_(model.parts.size()), nodes_(model.parts.size()) {
    if (counts.size() != model.parts.size()) throw BadModel("one count for each part");
    for (std::size_t c = 0; c < counts.size(); ++c) {
        const Part &part = model.parts[c];
        const double seconds = part.law.seconds(static_cast<double>(counts[c]));
        const std::size_t simulated = std::min(settings.most_processes, static_cast<std::size_t>(counts[c]));
        State state;
        state.clock_s.assign(simulated, part.startup_s);
        for (std::size_t p = 0; p < simulated; ++p) {
            const double place = simulated > 1 ? static_cast<double>(p) / static_cast<double>(simulated - 1) : 0;
            state.seconds_s.push_back(seconds * (1 - part.imbalance * place));
        }
        states_.push_back(std::move(state));
        random_.emplace_back(settings.seed * 1000003U + c);
        deviation_.push_back(0);
        records_.push_back({counts[c], simulated, {}, part.startup_s, 0});
    }
}

double Engine::slowest(std::size_t part) const {
    return *std::max_element(states_[part].clock_s.begin(), states_[part].clock_s.end());
}

void Engine::run() {
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t c = 0; c < states_.size(); ++c)
            moved = advance(c) || moved;
    }
    for (std::size_t c = 0; c < states_.size(); ++c) {
        if (states_[c].step < settings_.steps) throw BadModel(model_.parts[c].name + " waits for ever");
        records_[c].end_s = slowest(c);
    }
}

bool Engine::advance(std::size_t part) {
    State &state = states_[part];
    const std::vector<Action> &actions = model_.parts[part].step;
    bool moved = false;
    while (state.step < settings_.steps) {
        if (state.action == actions.size()) {
            step_ends_[part][static_cast<std::size_t>(state.step)] = slowest(part);
            ++state.step;
            state.action = 0;
        } else if (try_action(part)) {
            ++state.action;
            state.arrived = false;
        } else {
            return moved;
        }
        moved = true;
    }
    return moved;
}

bool Engine::try_action(std::size_t part) {
    const Action &action = model_.parts[part].step[states_[part].action];
    if (action.what == Action::What::compute) {
        double not_before_s = 0;
        if (!has_its_turn(part, not_before_s)) return false;
        compute(part, action.share, not_before_s);
        return true;
    }
    const Exchange &exchange = model_.exchanges[action.exchange];
    if (states_[part].step % exchange.every != 0) return true;
    const bool is_send = action.what == Action::What::send;
    if ((is_send ? exchange.from : exchange.to) != part) throw BadModel(exchange.field + " is not of that part");
    Met &met = met_[action.exchange];
    return is_send ? send(part, exchange, met) : receive(part, exchange, met);
}

bool Engine::has_its_turn(std::size_t part, double &from_s) const {
    for (const Turn &turn : model_.turns) {
        const std::int64_t step = states_[part].step - turn.ahead;
        if (turn.part != part || step < 0 || step >= settings_.steps) continue;
        const std::vector<double> &ends = computed_[turn.after];
        if (static_cast<std::size_t>(step) >= ends.size()) return false;
        from_s = std::max(from_s, ends[static_cast<std::size_t>(step)]);
    }
    return true;
}

void Engine::compute(std::size_t part, double share, double not_before_s) {
    State &state = states_[part];
    for (double &clock : state.clock_s)
        clock = std::max(clock, not_before_s);
    const double memory = model_.parts[part].noise_memory;
    if (noise_)
        deviation_[part] = memory * deviation_[part] + std::sqrt(1 - memory * memory) * random_[part].normal();
    const Course &course = model_.parts[part].course;
    const double noise =
        std::exp(model_.parts[part].noise * deviation_[part]) * (course.weight ? course.weight(state.step) : 1);
    const double begin = slowest(part);
    for (std::size_t p = 0; p < state.clock_s.size(); ++p)
        state.clock_s[p] += share * state.seconds_s[p] * noise;
    if (record_) nodes_[part].push_back({begin, slowest(part), slowest(part), Run::of_own, 0});
    ++node_count_[part];
    computed_[part].push_back(slowest(part));
}

// Leaves when no more sends than allowed are under way; of the last exchanges of a run nobody takes the fields.
bool Engine::send(std::size_t part, const Exchange &exchange, Met &met) {
    State &state = states_[part];
    if (!state.arrived) met.sends.push_back({slowest(part), next_node(part)});
    state.arrived = true;
    const auto place = static_cast<std::size_t>(&exchange - model_.exchanges.data());
    const std::int64_t taken =
        static_cast<std::int64_t>(met.sends.size()) - 1 + exchange.lag - exchange.in_flight; // GET to wait for
    const std::int64_t all = (settings_.steps + exchange.every - 1) / exchange.every;
    if (exchange.in_flight < 0 || taken < 0 || taken >= all) {
        leave(part, place, true, 0, Run::of_own, 0);
        return true;
    }
    if (static_cast<std::int64_t>(met.receives.size()) <= taken) return false;
    const Moment &other = met.receives[static_cast<std::size_t>(taken)];
    leave(part, place, true, other.at_s, exchange.to, other.node);
    return true;
}

bool Engine::receive(std::size_t part, const Exchange &exchange, Met &met) {
    State &state = states_[part];
    if (!state.arrived) met.receives.push_back({slowest(part), next_node(part)});
    state.arrived = true;
    const auto place = static_cast<std::size_t>(&exchange - model_.exchanges.data());
    const std::int64_t sent = static_cast<std::int64_t>(met.receives.size()) - 1 - exchange.lag;
    if (sent < 0) {
        leave(part, place, false, 0, Run::of_own, 0);
        return true;
    }
    if (static_cast<std::int64_t>(met.sends.size()) <= sent) return false;
    const Moment &other = met.sends[static_cast<std::size_t>(sent)];
    leave(part, place, false, other.at_s + exchange.transfer_s, exchange.from, other.node);
    return true;
}

// Each process waits for the last of the other side, not for those of its own component.
void Engine::leave(std::size_t part, std::size_t exchange, bool is_send, double not_before_s, std::size_t cause_part,
                   std::size_t cause_node) {
    State &state = states_[part];
    const double arrive = slowest(part);
    if (record_) {
        Event event{is_send, exchange, state.step, state.clock_s, {}};
        for (const double clock : state.clock_s)
            event.stop_s.push_back(std::max(clock, not_before_s));
        records_[part].events.push_back(std::move(event));
        const bool waited = not_before_s > arrive;
        nodes_[part].push_back({arrive, arrive, std::max(arrive, not_before_s), waited ? cause_part : Run::of_own,
                                waited ? cause_node : 0});
    }
    ++node_count_[part];
    const double together_s = model_.parts[part].joins ? arrive : 0;
    for (double &clock : state.clock_s)
        clock = std::max({clock, not_before_s, together_s});
}

} // namespace cpl_lb::simulator
