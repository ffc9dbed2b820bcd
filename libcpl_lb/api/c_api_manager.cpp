// The C interface of the run-time manager: handles and checks around libcpl_lb/prediction. Needs no recording, but
// may take the exchanges from one.
#include "cpl_lb/cpl_lb_manager.h"

#include "api/guarded.hpp"
#include "api/watched_exchanges.hpp"
#include "prediction/run_time_manager.hpp"
#include "support/counted.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>

using namespace cpl_lb;

namespace {

using Clock = std::chrono::steady_clock;

constexpr int most_components = 100, most_processes = 1'000'000;
constexpr std::size_t most_meetings = 1'000'000; // of a cycle: a watch that nobody stops must not fill the memory

struct Watch {
    enum class Doing { nothing, computing, meeting };
    Doing doing = Doing::nothing;
    Clock::time_point since;
    std::optional<RecordedMoment> recorded_since;
    CycleParts parts;

    [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - since).count(); }
    // Whether no meeting was reported, and the watch was not stopped before.
    [[nodiscard]] bool may_be_recorded(const std::map<std::string, int> &numbers) const {
        return doing == Doing::computing && parts.meetings.empty() && recorded_since && !numbers.empty();
    }
};

struct Manager {
    std::vector<AllowedCounts> allowed;
    int processes = 0;
    double least_gain = 0;
    std::vector<std::optional<CycleParts>> parts; // of this interval, by component
    std::optional<RunTimeManager> at_work;        // from the first interval on

    [[nodiscard]] int components() const { return static_cast<int>(allowed.size()); }
    [[nodiscard]] bool has(int component) const { return component >= 1 && component <= components(); }
    std::string start(); // what is wrong, or empty
    [[nodiscard]] ManagerState state() const { return at_work ? at_work->state() : ManagerState{}; }
};

// Never destroyed: a model may still call while it exits.
struct Known {
    std::mutex mutex;
    std::map<int, Watch> watches;       // by component
    std::map<std::string, int> numbers; // of components that were named
    std::map<int, std::unique_ptr<Manager>> managers;
    int last_manager = 0;
};

Known &known() {
    static auto *const all = new Known;
    return *all;
}

// Calls action(known) under the lock. In a forked child the lock may be held by a thread that does not exist there,
// so the child gets nothing.
template <class Action>
int with_known(const char *call, Action action) noexcept {
    return guarded(call, [&] {
        Known &all = known();
        std::unique_lock lock(all.mutex, std::defer_lock);
        if (!in_forked_child())
            lock.lock();
        else if (!lock.try_lock())
            return static_cast<int>(CPL_LB_ETHREAD);
        return code_of([&] { return action(all); });
    });
}

std::string Manager::start() {
    std::int64_t least = 0;
    for (const AllowedCounts &a : allowed)
        least += a.counts.front();
    if (least > processes)
        return "the smallest counts need " + counted(least, "process", "processes") + ", and there " +
               word_for(processes, "is ", "are ") + std::to_string(processes);
    at_work.emplace(allowed, processes).least_gain(least_gain);
    return {};
}

// Calls action(manager) under the lock.
template <class Action>
int with_manager(const char *call, int id, Action action) noexcept {
    return with_known(call, [&](Known &all) {
        const auto found = all.managers.find(id);
        if (found == all.managers.end()) throw Mistake{CPL_LB_EARGUMENT, "there is no manager with this number"};
        return action(*found->second);
    });
}

// Calls action(watch, known) under the lock.
template <class Action>
int with_watch(const char *call, int component, Action action) noexcept {
    return with_known(call, [&](Known &all) {
        if (component < 1 || component > most_components)
            throw Mistake{CPL_LB_EARGUMENT, "components are numbered 1, 2, ... 100"};
        return action(all.watches[component], all);
    });
}

// The given counts; empty if they cannot have been run.
ProcessCounts counts_of(const Manager &manager, const int *counts) {
    ProcessCounts given(counts, counts + manager.components());
    const bool positive = std::ranges::all_of(given, [](std::int64_t n) { return n >= 1; });
    const std::int64_t sum = std::accumulate(given.begin(), given.end(), std::int64_t{0});
    if (!positive || sum > manager.processes) given.clear();
    return given;
}

int next_counts(Manager &manager, double cycle_s, int *counts) {
    constexpr double least_s = 1e-9; // for a component that computes nothing: a curve needs more than 0
    if (counts == nullptr) throw Mistake{CPL_LB_EARGUMENT, "counts is NULL"};
    MeasuredInterval interval{counts_of(manager, counts), {}, cycle_s, {}};
    if (interval.counts.empty())
        throw Mistake{CPL_LB_EARGUMENT, "counts must be positive and not more than all processes"};
    std::vector<CycleParts> parts;
    for (int c = 0; c < manager.components(); ++c) {
        std::optional<CycleParts> &given = manager.parts[static_cast<std::size_t>(c)];
        if (!given) throw Mistake{CPL_LB_EORDER, "no times were given for component " + std::to_string(c + 1)};
        parts.push_back(*given);
    }
    try {
        const CouplingGraph graph = graph_of_parts(parts, cycle_s);
        interval.model = iteration_model(graph);
        for (const double s : graph.computing_s())
            interval.computing_s.push_back(std::max(s, least_s));
    } catch (const PredictionError &e) {
        throw Mistake{CPL_LB_EDATA, e.what()};
    }
    if (!manager.at_work)
        if (const std::string wrong = manager.start(); !wrong.empty()) throw Mistake{CPL_LB_EARGUMENT, wrong};
    const ProcessCounts next = manager.at_work->next(interval);
    std::ranges::fill(manager.parts, std::nullopt);
    std::ranges::transform(next, counts, [](std::int64_t n) { return static_cast<int>(n); });
    return next == interval.counts ? 0 : 1;
}

} // namespace

extern "C" {

int cpl_lb_watch_start(int component) {
    return with_watch("cpl_lb_watch_start", component, [](Watch &watch, const Known &) {
        watch.parts = {};
        watch.doing = Watch::Doing::computing;
        watch.recorded_since = recorded_moment();
        watch.since = Clock::now();
    });
}

int cpl_lb_watch_name(int component, const char *name) {
    return with_watch("cpl_lb_watch_name", component, [&](const Watch &, Known &all) {
        if (name == nullptr || *name == '\0') throw Mistake{CPL_LB_EARGUMENT, "no name given"};
        all.numbers[name] = component;
    });
}

int cpl_lb_watch_meet(int component, int n_partners, const int *partners) {
    return with_watch("cpl_lb_watch_meet", component, [&](Watch &watch, const Known &) {
        if (watch.doing != Watch::Doing::computing)
            throw Mistake{CPL_LB_EORDER, "called before cpl_lb_watch_start, or inside another meeting"};
        if (n_partners < 1 || n_partners > most_components || partners == nullptr)
            throw Mistake{CPL_LB_EARGUMENT, "no partners given"};
        if (watch.parts.meetings.size() == most_meetings)
            throw Mistake{CPL_LB_ENOMEM, "at most a million meetings are kept between cpl_lb_watch_start and _stop"};
        watch.parts.meetings.push_back({watch.seconds(), {partners, partners + n_partners}});
        watch.doing = Watch::Doing::meeting;
    });
}

int cpl_lb_watch_left(int component) {
    return with_watch("cpl_lb_watch_left", component, [&](Watch &watch, const Known &) {
        if (watch.doing != Watch::Doing::meeting)
            throw Mistake{CPL_LB_EORDER, "called without a cpl_lb_watch_meet before it"};
        watch.doing = Watch::Doing::computing;
        watch.since = Clock::now();
    });
}

int cpl_lb_watch_stop(int component, double *parts, int size) {
    return with_watch("cpl_lb_watch_stop", component, [&](Watch &watch, const Known &all) {
        if (watch.doing == Watch::Doing::meeting)
            throw Mistake{CPL_LB_EORDER, "inside a meeting: cpl_lb_watch_left is missing"};
        if (watch.doing == Watch::Doing::computing) watch.parts.last_s = watch.seconds();
        try {
            if (watch.may_be_recorded(all.numbers)) watch.parts = recorded_parts(*watch.recorded_since, all.numbers);
        } catch (const PredictionError &wrong) {
            throw Mistake{CPL_LB_EDATA, wrong.what()};
        }
        watch.doing = Watch::Doing::nothing;
        const std::vector<double> numbers = pack_parts(watch.parts);
        if (parts == nullptr || size < 0 || numbers.size() > static_cast<std::size_t>(size))
            throw Mistake{CPL_LB_EARGUMENT, "parts needs room for " + counted(numbers.size(), "value")};
        std::ranges::copy(numbers, parts);
        return static_cast<int>(numbers.size());
    });
}

int cpl_lb_manager_new(int components, int processes, int search) {
    return with_known("cpl_lb_manager_new", [&](Known &all) {
        if (components < 2 || components > most_components)
            throw Mistake{CPL_LB_EARGUMENT, "components must be 2 to 100"};
        if (processes < components || processes > most_processes)
            throw Mistake{CPL_LB_EARGUMENT,
                          "processes must be at least one for each component, and at most a million"};
        if (search != CPL_LB_DIRECT && search != CPL_LB_STEPWISE)
            throw Mistake{CPL_LB_EARGUMENT, "search must be CPL_LB_DIRECT"}; // CPL_LB_STEPWISE: until 0.3
        auto manager = std::make_unique<Manager>();
        manager->processes = processes;
        manager->parts.resize(static_cast<std::size_t>(components));
        for (int c = 1; c <= components; ++c)
            manager->allowed.push_back(multiples("component " + std::to_string(c), 1, processes, 1));
        all.managers.emplace(++all.last_manager, std::move(manager));
        return all.last_manager;
    });
}

int cpl_lb_manager_allow(int manager, int component, int least, int most, int block) {
    return with_manager("cpl_lb_manager_allow", manager, [&](Manager &m) {
        if (!m.has(component)) throw Mistake{CPL_LB_EARGUMENT, "there is no component with this number"};
        if (m.at_work) throw Mistake{CPL_LB_EORDER, "called after the first cpl_lb_manager_next"};
        if (least < 1 || most < least || block < 1)
            throw Mistake{CPL_LB_EARGUMENT, "least, most and block must be 1 <= least <= most and 1 <= block"};
        try {
            m.allowed[static_cast<std::size_t>(component - 1)] =
                multiples("component " + std::to_string(component), least, std::min(most, m.processes), block);
        } catch (const PredictionError &e) {
            throw Mistake{CPL_LB_EARGUMENT, e.what()};
        }
    });
}

int cpl_lb_manager_gain(int manager, double least_gain) {
    return with_manager("cpl_lb_manager_gain", manager, [&](Manager &m) {
        if (!(least_gain >= 0 && least_gain < 1))
            throw Mistake{CPL_LB_EARGUMENT, "least_gain must be a share from 0 to less than 1"};
        m.least_gain = least_gain;
        if (m.at_work) m.at_work->least_gain(least_gain);
    });
}

int cpl_lb_manager_times(int manager, int component, const double *parts, int n) {
    return with_manager("cpl_lb_manager_times", manager, [&](Manager &m) {
        if (!m.has(component)) throw Mistake{CPL_LB_EARGUMENT, "there is no component with this number"};
        if (parts == nullptr || n < 1) throw Mistake{CPL_LB_EARGUMENT, "no values given"};
        try {
            m.parts[static_cast<std::size_t>(component - 1)] =
                unpack_parts({parts, static_cast<std::size_t>(n)}, component, m.components());
        } catch (const PredictionError &e) {
            throw Mistake{CPL_LB_EARGUMENT, "component " + std::to_string(component) + ": " + e.what()};
        }
    });
}

int cpl_lb_manager_next(int manager, double cycle_s, int *counts) {
    return with_manager("cpl_lb_manager_next", manager, [&](Manager &m) { return next_counts(m, cycle_s, counts); });
}

int cpl_lb_manager_state(int manager, double *predicted_s, int *reallocations, int *undone, int *woken) {
    return with_manager("cpl_lb_manager_state", manager, [&](const Manager &m) {
        const ManagerState state = m.state();
        if (predicted_s != nullptr) *predicted_s = state.predicted_s;
        if (reallocations != nullptr) *reallocations = state.reallocations;
        if (undone != nullptr) *undone = state.undone;
        if (woken != nullptr) *woken = state.woken;
        return state.converged ? 1 : 0;
    });
}

int cpl_lb_manager_free(int manager) {
    return with_manager("cpl_lb_manager_free", manager, [&](const Manager &) { known().managers.erase(manager); });
}

} // extern "C"
