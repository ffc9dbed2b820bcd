// Random programs that pass messages, replayed process by process: what each process did when, who was late, and who
// decided the length of the run. It shares no code with the library.
//
//     Program p = random_program(seed);
//     Truth r = replay(p);                       // as it runs
//     Truth faster = replay(p, {0.5, 1});        // the first component computes in half the time
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb::programs {

// What a process does, one after the other. Messages are buffered: a send goes on at once.
struct Action {
    enum class What { compute, send, receive, probe, meet } what = What::compute;
    std::int64_t ns = 0; // compute
    // send and receive: all messages of one call (more than one: started before, and awaited together); meet: none.
    struct Message {
        int peer = -1; // -1: from any process of the component
        int tag = 0;
    };
    std::vector<Message> messages;
    int component = -1;      // of a receive from anybody; who meets, inside the component: -1: all
    int other = -1;          // meet: a second component, a collective operation over both
    bool persistent = false; // send, receive: by requests that are made once and started each time
};

struct Program {
    std::vector<std::string> components;
    std::vector<int> component_of;              // by process
    std::vector<std::vector<Action>> processes; // what they do
    int steps = 0;
    std::vector<int> pattern; // by component: after so many steps its exchanges repeat, with their tags
    std::string words;        // what it is made of

    [[nodiscard]] std::vector<int> members(int component) const;
    [[nodiscard]] int size(int component) const { return static_cast<int>(members(component).size()); }
};

struct Limits {
    int components = 5, processes = 8, least_steps = 20, most_steps = 50; // processes: of a component
};
[[nodiscard]] Program random_program(std::uint64_t seed, const Limits &limits = {});

// One call as it happened.
struct Call {
    Action::What what = Action::What::compute;
    std::int64_t begin = 0, end = 0;
    std::vector<Action::Message> messages; // with the peers that they came from
    int component = -1, other = -1;        // meet
};

struct Truth {
    std::vector<std::vector<Call>> calls; // by process; without computing
    std::vector<std::int64_t> ends;       // by process
    std::int64_t end = 0;                 // of the last
    std::int64_t messages = 0;            // sent
    std::vector<double> computing_s;      // by component: of its process with the most
    std::vector<double> path_s;           // by component: what it has of the chain that decides the end
};

// Computing times of each component multiplied by its factor; empty: as they are. A program that waits for what never
// comes is a mistake of the generator: std::logic_error.
[[nodiscard]] Truth replay(const Program &program, const std::vector<double> &factors = {});

} // namespace cpl_lb::programs
