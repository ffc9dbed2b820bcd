// A simulator of coupled runs: components with known scaling laws, in a known order of exchanges, so that the time
// with any processor counts, the critical path and the best counts are known. It shares no code with the library.
//
//     Model model = random_model(seed);                      // or built by hand, see below
//     Run run = simulate(model, {16, 8}, {.steps = 20, .seed = seed});
//     double truth = step_seconds(model, {32, 8});            // without noise
//     Best best = best_counts(model, 40);                     // all counts tried
//     CoupledRun measured = as_coupled_run(run);              // as_run.hpp: what the library analyses
//     write_timelines(folder, run);                           // as_run.hpp: what the command reads
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace cpl_lb::simulator {

// Seconds that one coupling step takes a component with p processes, waiting apart: those of its slowest process.
struct Law {
    std::string name; // in words, for messages
    std::function<double(double p)> seconds;
    bool in_blocks = false; // steps that no smooth curve can follow
};
Law ideal(double work_s);                                // work / p
Law amdahl(double work_s, double serial_s);              // work / p + serial
Law power(double a, double b, double c, double k);       // a / p + b p^c + k
Law plateau(double work_s, double last);                 // work / p, and no faster from `last` processes on
Law cache(double work_s, double at, double share_saved); // from about `at` processes on the data fit into the cache
Law blocks(double work_s, double serial_s, int blocks);  // whole blocks: the slowest has ceil(blocks / p) of them

// How the work of a component goes with the steps: times what its law says.
struct Course {
    std::string name; // in words, for messages
    std::function<double(std::int64_t step)> weight;
};
Course spin_up(double more, std::int64_t steps);                 // (1 + more) times at first, and less by and by
Course drift(double more, std::int64_t steps);                   // (1 + more) times in the last of so many steps
Course regimes(std::vector<double> weights, std::int64_t steps); // parts of equal length of so many steps
Course slow_until(std::int64_t step, double weight);             // `weight` before it, 1 from then on
Course day_and_night(double by_day, std::int64_t steps); // `by_day` in the first half of so many, again and again
Course heavier_every(std::int64_t steps, double weight); // radiation: the first of so many steps
Course stalled(std::int64_t step, double weight);        // one step

// One field from one component to another.
struct Exchange {
    std::string field;
    std::size_t from = 0, to = 0; // places in Model::parts
    int lag = 0;           // the receiver gets what was sent so many exchanges before; the first from a restart
    int every = 1;         // 2: in every second step, from step 0 on
    int in_flight = 0;     // sends that may be under way: 0 synchronous (both leave together), -1 any number
    double transfer_s = 0; // from the last sender's arrival to the receiver's leave
};

// What a component does in a step, in this order.
struct Action {
    enum class What { compute, send, receive } what = What::compute;
    double share = 0;         // compute: of the step's seconds
    std::size_t exchange = 0; // send, receive: place in Model::exchanges
};
inline Action compute(double share) {
    return {Action::What::compute, share, 0};
}
inline Action send(std::size_t exchange) {
    return {Action::What::send, 0, exchange};
}
inline Action receive(std::size_t exchange) {
    return {Action::What::receive, 0, exchange};
}

struct Part {
    std::string name;
    Law law;
    std::vector<Action> step;
    double imbalance = 0; // the fastest process needs so much less than the slowest, as a share; others lie between
    double noise = 0;     // of each computing interval: standard deviation, as a share
    double startup_s = 0; // before step 0
    bool io_server = false;
    bool joins = false;      // its processes wait for each other behind each exchange
    double noise_memory = 0; // correlation of the noise from one computing interval to the next
    Course course{};         // without: all steps are alike
};

// Two components on the same cores: the computing of each step begins when the other has ended what it computed
// `ahead` steps before.
struct Turn {
    std::size_t part = 0, after = 0;
    std::int64_t ahead = 0;
};

struct Model {
    std::vector<Part> parts;
    std::vector<Exchange> exchanges;
    std::vector<Turn> turns{};    // of parts that compute once in a step
    std::int64_t date_step_s = 0; // model time of a step; 0: the model gives no dates
};

using Counts = std::vector<std::int64_t>; // processes of each part

// Not a model that can run: waits in a ring, an exchange that is sent and never received.
struct BadModel : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Event {
    bool is_send = false;
    std::size_t exchange = 0;
    std::int64_t step = 0;
    std::vector<double> start_s, stop_s; // by simulated process
};

// A component's processes are simulated by at most Settings::most_processes of them, slowest first, fastest last.
struct PartRecord {
    std::int64_t processes = 0;
    std::size_t simulated = 0;
    std::vector<Event> events;
    double first_s = 0, end_s = 0; // begin of step 0 on the slowest process, and its end of the run
};

struct Run {
    Model model;
    Counts counts;
    std::int64_t steps = 0;
    std::vector<PartRecord> parts;
    double end_s = 0;
    // The seconds that each part, and last the transfers, spend between two times on the chain that decides the end
    // of the run. They sum to the time between.
    [[nodiscard]] std::vector<double> critical_s(double from_s, double to_s) const;

    struct Node { // an action of the slowest process: what the chain is followed along
        double begin_s = 0, arrive_s = 0, end_s = 0;
        std::size_t cause_part = 0, cause_node = 0; // who let it go; of_own for itself
    };
    static constexpr std::size_t of_own = static_cast<std::size_t>(-1);
    std::vector<std::vector<Node>> nodes; // by part
};

struct Settings {
    std::int64_t steps = 20;
    std::uint64_t seed = 1;         // of the noise; the same numbers on every machine
    std::size_t most_processes = 3; // simulated of each component
};
[[nodiscard]] Run simulate(const Model &model, const Counts &counts, const Settings &settings = {});

// The true length of a step once the start is forgotten, without noise: mean over whole cycles of the exchanges.
[[nodiscard]] double step_seconds(const Model &model, const Counts &counts);
// The true time of the slowest part from the end of the first of so many steps to the end of the last but one,
// without noise: for models whose steps are not alike.
[[nodiscard]] double loop_seconds(const Model &model, const Counts &counts, std::int64_t steps);
// The steps after which all exchanges come round again.
[[nodiscard]] std::int64_t steps_of_cycle(const Model &model);

struct Best {
    Counts counts;
    double step_s = 0;
};
// Tries all counts with at most `total` cores. `held`: by part the count that it keeps (an I/O server); 0 or none:
// free. `steps`: the best for so many by loop_seconds, not for a step. Throws BadModel where nothing fits.
[[nodiscard]] Best best_counts(const Model &model, std::int64_t total, const Counts &held = {},
                               std::int64_t steps = 0);

// Numbers by seed, the same on every machine.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next();
    double uniform(double low, double high);
    double log_uniform(double low, double high); // its logarithm is uniform
    double normal();
    std::int64_t whole(std::int64_t low, std::int64_t high); // both included
    bool chance(double share) { return uniform(0, 1) < share; }

private:
    std::uint64_t state_;
};

struct RandomSettings {
    bool ideal_laws = false;    // all components scale ideally
    bool blocks = false;        // laws of whole blocks are among them
    bool io_servers = true;     // some models have one
    bool hubs = true;           // some models have a coupler process between the others
    std::size_t most_parts = 4; // of models, 2 at least; hub and I/O server come on top
    double noise = 0.01;        // largest standard deviation of a computing interval
    double imbalance = 0.1;     // largest
    bool changing = false;      // most components have a course, or join late
    std::int64_t steps = 72;    // of a run: what the courses are made for
};
// 2 to 4 models in some order of exchanges with lags; steps of seconds with some ten processes. `seed` alone decides.
[[nodiscard]] Model random_model(std::uint64_t seed, const RandomSettings &settings = {});
[[nodiscard]] Law random_law(Random &random, const RandomSettings &settings = {});

// In words, on a few lines: for the message of a test that fails.
[[nodiscard]] std::string in_words(const Model &model);

} // namespace cpl_lb::simulator
