// Starts threads on cores of their own, times repetitions that all begin together, and compares rates.
#include "projection/measured/thread_team.hpp"

#include "data/time.hpp"
#include "meters/reader.hpp"
#include "meters/small_file.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <limits>
#include <sched.h>
#include <thread>

namespace cpl_lb {
namespace {

// All leave together. Spins: waking up takes longer than many a repetition.
class Barrier {
public:
    explicit Barrier(std::size_t members) : members_(members) {}
    void wait() {
        const std::size_t round = round_.load();
        if (arrived_.fetch_add(1) + 1 == members_) {
            arrived_.store(0);
            round_.store(round + 1);
            return;
        }
        for (std::size_t spins = 0; round_.load() == round; ++spins)
            if (spins > 2000) std::this_thread::yield();
    }

private:
    std::size_t members_;
    std::atomic<std::size_t> arrived_{0}, round_{0};
};

void pin_to(int cpu) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(cpu), &one);
    (void)sched_setaffinity(0, sizeof one, &one); // where it is not allowed the scheduler places the thread
}

class Team {
public:
    Team(const std::vector<int> &cores, const TeamWork &work, const TeamBudget &budget)
        : cores_(cores), work_(work), budget_(budget), barrier_(cores.size()), spans_(cores.size()),
          results_(cores.size()) {}

    double run() {
        std::vector<std::jthread> threads;
        std::promise<void> start; // broken when a thread cannot be made: then none of them works
        const std::shared_future<void> started = start.get_future().share();
        for (std::size_t i = 0; i < cores_.size(); ++i) {
            threads.emplace_back([this, i, started] {
                try {
                    started.get();
                } catch (const std::future_error &) {
                    return;
                }
                member(i);
            });
        }
        start.set_value();
        threads.clear(); // when they have ended
        return best_s_;
    }

private:
    struct Span {
        Nanoseconds start = 0, stop = 0;
    };

    void member(std::size_t i) {
        pin_to(cores_[i]);
        if (work_.prepare) work_.prepare(i);
        const bool leads = i == 0;
        repeat(i); // warm-up
        for (double s = shortest_of_three(i); !long_enough(s); s = shortest_of_three(i))
            if (leads) passes_ *= s < budget_.least_repetition_s / 8 ? 8 : 2;
        const double begin_s = to_seconds(steady_now());
        do {
            repeat(i);
            if (leads) {
                best_s_ = std::min(best_s_, last_s() / static_cast<double>(passes_));
                ++repetitions_;
                done_ = repetitions_ >= 3 && to_seconds(steady_now()) - begin_s > budget_.seconds;
            }
            barrier_.wait();
        } while (!done_);
    }

    // One repetition that another process held up must not pass for a long one: its few passes would then be timed
    // with all the waiting for the threads to come. Everybody sees the same spans between the two barriers.
    double shortest_of_three(std::size_t i) {
        double shortest = std::numeric_limits<double>::infinity();
        for (int n = 0; n < 3; ++n) {
            repeat(i);
            shortest = std::min(shortest, last_s());
        }
        return shortest;
    }
    bool long_enough(double repetition_s) {
        const bool enough = repetition_s >= budget_.least_repetition_s || passes_ > std::size_t{1} << 40;
        barrier_.wait();
        return enough;
    }

    void repeat(std::size_t i) {
        barrier_.wait();
        const std::size_t passes = passes_;
        spans_[i].start = steady_now();
        results_[i] = work_.work(i, passes);
        spans_[i].stop = steady_now();
        barrier_.wait();
    }

    [[nodiscard]] double last_s() const {
        Span all = spans_[0];
        for (const Span &span : spans_) {
            all.start = std::min(all.start, span.start);
            all.stop = std::max(all.stop, span.stop);
        }
        return to_seconds(all.stop - all.start);
    }

    const std::vector<int> &cores_;
    const TeamWork &work_;
    const TeamBudget &budget_;
    Barrier barrier_;
    std::vector<Span> spans_;
    std::vector<double> results_; // kept, so that no result is left out
    std::size_t passes_ = 1, repetitions_ = 0;
    double best_s_ = std::numeric_limits<double>::infinity();
    bool done_ = false;
};

} // namespace

std::vector<int> usable_cores(const std::string &sysfs_root) {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return {0};
    std::vector<int> cores;
    std::vector<std::string> seen;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(static_cast<std::size_t>(cpu), &allowed)) continue;
        const auto siblings = read_text(sysfs_root + "/devices/system/cpu/cpu" + std::to_string(cpu) +
                                        "/topology/thread_siblings_list");
        if (siblings && std::ranges::find(seen, *siblings) != seen.end()) continue;
        if (siblings) seen.push_back(*siblings);
        cores.push_back(cpu);
    }
    return cores.empty() ? std::vector<int>{0} : cores;
}

double best_pass_s(const std::vector<int> &cores, const TeamWork &work, const TeamBudget &budget) {
    return Team(cores, work, budget).run();
}

namespace {

constexpr int most_measurements = 5;

// Empty: it can be.
std::string doubt(const RateInQuestion &rate, double value) {
    const auto text = [&](double v) { return fmt::format("{:.3g} {}", v / rate.scale.in_SI, rate.unit); };
    for (const Floor &floor : rate.floors)
        if (is_known(floor.value) && !(value >= floor.share * floor.value))
            return fmt::format("{} came out at {}, {} at {}", rate.what, text(value), floor.of, text(floor.value));
    const double in_file = value / rate.scale.in_SI;
    if (!(in_file >= rate.scale.bounds.least && in_file <= rate.scale.bounds.most))
        return fmt::format("{} came out at {}, which no machine has", rate.what, text(value));
    return "";
}

} // namespace

double plausible_rate(const RateInQuestion &rate, const TeamBudget &budget,
                      const std::function<double(const TeamBudget &)> &measure) {
    TeamBudget longer = budget;
    double best = measure(longer);
    for (int n = 1; n < most_measurements && !doubt(rate, best).empty(); ++n) {
        longer.seconds *= 4;
        best = std::max(best, measure(longer));
    }
    if (const std::string why = doubt(rate, best); !why.empty()) {
        throw ImplausibleError(
            fmt::format("this node is too busy to be measured: {} (the best of {} measurements); run "
                        "cpl-lb machine while nothing else runs here",
                        why, most_measurements));
    }
    return best;
}

void raise(Floor &floor, double value, const std::string &of) {
    if (!is_known(value) || value <= floor.value) return;
    floor.value = value;
    floor.of = of;
}

} // namespace cpl_lb
