// How time goes in the simulated components: each advances as far as those that it waits for let it.
#pragma once

#include "tests/simulator/simulator.hpp"

namespace cpl_lb::simulator {

class Engine {
public:
    // `record`: events and nodes are kept. Without it only the times of the steps are.
    Engine(const Model &model, const Counts &counts, const Settings &settings, bool record, bool noise);
    void run();

    [[nodiscard]] double end_of_step(std::size_t part, std::int64_t step) const {
        return step_ends_[part][static_cast<std::size_t>(step)];
    }
    [[nodiscard]] std::vector<PartRecord> &records() { return records_; }
    [[nodiscard]] std::vector<std::vector<Run::Node>> &nodes() { return nodes_; }

private:
    struct Moment {
        double at_s = 0;      // arrival of the slowest process
        std::size_t node = 0; // its action
    };
    struct State {                              // of a component
        std::vector<double> clock_s, seconds_s; // by simulated process: now, and what it computes in a step
        std::int64_t step = 0;
        std::size_t action = 0;
        bool arrived = false; // at the action, and the others know
    };
    struct Met { // of an exchange: arrivals so far
        std::vector<Moment> sends, receives;
    };

    bool advance(std::size_t part); // as far as it goes; true where it went on
    bool try_action(std::size_t part);
    [[nodiscard]] bool has_its_turn(std::size_t part, double &from_s) const;
    void compute(std::size_t part, double share, double not_before_s);
    bool send(std::size_t part, const Exchange &exchange, Met &met);
    bool receive(std::size_t part, const Exchange &exchange, Met &met);
    void leave(std::size_t part, std::size_t exchange, bool is_send, double not_before_s, std::size_t cause_part,
               std::size_t cause_node);
    [[nodiscard]] double slowest(std::size_t part) const;
    [[nodiscard]] std::size_t next_node(std::size_t part) const { return node_count_[part]; }

    const Model &model_;
    Settings settings_;
    bool record_, noise_;
    std::vector<State> states_;
    std::vector<Met> met_;
    std::vector<std::size_t> node_count_;
    std::vector<Random> random_;
    std::vector<double> deviation_;              // of each part's noise, in standard deviations
    std::vector<std::vector<double>> step_ends_; // by part and step
    std::vector<std::vector<double>> computed_;  // by part: the end of its computing so far, for turns
    std::vector<PartRecord> records_;
    std::vector<std::vector<Run::Node>> nodes_;
};

} // namespace cpl_lb::simulator
