// Times what the master does alone at terminate, once it has the spans of its EVENTS events (PUT and GET in turn, so
// EVENTS / 2 coupling steps): window, its own share, figures, exchanges, texts. The floor is one pass over the same
// spans that adds up S_k. Usage: analysis_cost [EVENTS] [operations], the latter with MAP and OUT among them.
// `judge` beside it: two components with EVENTS together and 8 fields each way, and what is found out about both at
// once.
#include "analysis/exchanges.hpp"
#include "analysis/load_balance.hpp"
#include "analysis/share_calculator.hpp"
#include "data/coupled_run.hpp"
#include "io/json/info_json.hpp"
#include "prediction/run_balance.hpp"
#include "report/text_summary.hpp"
#include "stopwatch.hpp"
#include "support/large_pages.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace cpl_lb;
using bench::cpu_now;

// Every event takes 250 ns and begins up to 100 ns after its first process; one event in a microsecond.
CoupledRun events_of(std::int64_t events, bool operations, Row &row) {
    CoupledRun run;
    run.component_names = {"ocean", "atmosphere"};
    run.field_names = {"sst", "heat"};
    run.components.resize(1);
    Component &ocean = run.components.front();
    ocean.name = "ocean";
    ocean.id = 1;
    ocean.ranks = {0, 1, 2, 3};
    ocean.first_init = 0;
    ocean.last_terminate = (events + 1) * 1000;
    const std::vector<EventClass> classes = {
        {Kind::put, 1, 2}, {Kind::get, 2, 2}, {Kind::map, 1, 0}, {Kind::out, 2, 0}};
    const auto n = static_cast<std::size_t>(events);
    std::vector<std::uint32_t> of_events(n);
    ocean.table.spans.whole().resize(n);
    prefer_large_pages(ocean.table.spans.whole());
    row.start.resize(n);
    row.stop.resize(n);
    for (std::int64_t k = 0; k < events; ++k) {
        const auto i = static_cast<std::size_t>(k);
        of_events[i] = static_cast<std::uint32_t>(operations ? k % 4 : k % 2);
        const Nanoseconds start = k * 1000 + k % 7;
        ocean.table.spans.whole()[i] = {start, start + 93 + k % 8, start + 350, 4};
        row.start[i] = start + 20;
        row.stop[i] = start + 349;
    }
    ocean.table.keys = EventKeys(classes, std::move(of_events));
    return run;
}

constexpr std::int64_t fields = 8; // each way
constexpr Nanoseconds step_ns = 4000 * fields;

// In each step a component receives what the other sent the step before, computes for `computing`, sends. Nobody
// waits in a send; who computes less waits in the first GET of the next step.
Component one_of_two(std::int32_t id, std::int64_t steps, Nanoseconds computing) {
    Component c;
    c.name = id == 1 ? "ocean" : "atmosphere";
    c.id = id;
    c.ranks = {2 * id, 2 * id + 1};
    c.last_terminate = steps * step_ns;
    std::vector<EventClass> classes;
    std::vector<std::uint32_t> of_events;
    for (const Kind kind : {Kind::get, Kind::put}) {
        for (std::int64_t f = 1; f <= fields; ++f)
            classes.push_back(
                {kind, static_cast<std::int32_t>(f + (kind == Kind::put ? id - 1 : 2 - id) * fields), 3 - id});
    }
    for (std::int64_t step = 0; step < steps; ++step) {
        // The longest computing is 3.5 of the 4 parts of a step.
        const Nanoseconds data_there = step * step_ns;
        const Nanoseconds computed = data_there + 100 * fields + computing;
        for (std::int64_t f = 0; f < fields; ++f) {
            const Nanoseconds came = f > 0 ? data_there + 100 * f : data_there - 3500 * fields + computing;
            c.table.spans.whole().push_back(
                {std::max<Nanoseconds>(came, 0), std::max<Nanoseconds>(came, 0), data_there + 100 * (f + 1), 2});
            of_events.push_back(static_cast<std::uint32_t>(f));
        }
        for (std::int64_t f = 0; f < fields; ++f) {
            c.table.spans.whole().push_back({computed + 20 * f, computed + 20 * f + 5, computed + 20 * (f + 1), 2});
            of_events.push_back(static_cast<std::uint32_t>(fields + f));
        }
    }
    c.table.keys = EventKeys(std::move(classes), std::move(of_events));
    return c;
}

CoupledRun two_components(std::int64_t events) {
    CoupledRun run;
    run.component_names = {"ocean", "atmosphere"};
    run.clock.error_bound_s = 1e-9;
    for (std::int64_t f = 1; f <= 2 * fields; ++f)
        run.field_names.push_back("field" + std::to_string(f));
    for (const std::int32_t id : {1, 2}) {
        run.components.push_back(one_of_two(id, events / (4 * fields), Nanoseconds{id == 1 ? 2000 : 3500} * fields));
        Component &c = run.components.back();
        Row row;
        for (const EventSpan &span : c.table.spans.all()) {
            row.start.push_back(span.last_start);
            row.stop.push_back(span.last_stop);
        }
        const Interval whole{c.first_init, c.last_terminate};
        const Window window = find_window(c.table);
        c.balance = balance_of(c.table, window, whole, repeated(share_of(c.table, row, window, whole, 2), 2));
    }
    return run;
}

template <class Work>
void timed(const char *what, double &sum, Work &&work) {
    const double begin = cpu_now();
    work();
    const double seconds = cpu_now() - begin;
    std::printf("%s %.1f ms; ", what, 1e3 * seconds);
    sum += seconds;
}

void judge(std::int64_t events) {
    CoupledRun run = two_components(events);
    for (int i = 0; i < 5; ++i) {
        double sum = 0, pass = 0;
        Nanoseconds floor = 0;
        timed("two components: one pass", pass, [&] {
            for (const Component &component : run.components)
                for (std::size_t k = 0; k < component.table.spans.size(); ++k)
                    floor += component.table.spans[k].last_start;
        });
        std::vector<Exchange> exchanges;
        timed("exchanges", sum, [&] { exchanges = find_exchanges(run); });
        timed("judge", sum, [&] { judge_balance(run, exchanges); });
        timed("violations", sum, [&] { count_order_violations(run, exchanges); });
        const std::string slow = run.component_name(run.balance.slow_side);
        std::printf("all %.1f ms: %.0f passes (%s, gain %.3f of %.3f s, %g s)\n", 1e3 * sum, sum / pass, slow.c_str(),
                    run.balance.gain_s, run.balance.loop_s, to_seconds(floor));
    }
}

} // namespace

int main(int argc, char **argv) {
    const std::int64_t events = argc > 1 ? std::atol(argv[1]) : 1'000'000;
    Row row;
    CoupledRun run = events_of(events, argc > 2 && std::string(argv[2]) == "operations", row);
    Component &ocean = run.components.front();
    const Interval whole{ocean.first_init, ocean.last_terminate};
    for (int i = 0; i < 5; ++i) {
        double sum = 0, pass = 0;
        Nanoseconds floor = 0;
        timed("one pass", pass, [&] {
            for (std::size_t k = 0; k < ocean.table.spans.size(); ++k)
                floor += ocean.table.spans[k].last_start;
        });
        Window window;
        Share share;
        std::size_t characters = 0;
        timed("window", sum, [&] { window = find_window(ocean.table); });
        timed("share", sum, [&] { ShareCalculator(ocean.table, window, whole, 2).add(row, share); });
        timed("balance", sum, [&] {
            share = repeated(std::move(share), 4);
            ocean.balance = balance_of(ocean.table, window, whole, share);
        });
        timed("exchanges", sum, [&] { count_order_violations(run, find_exchanges(run)); });
        timed("text", sum, [&] { characters += text_summary(run).size(); });
        timed("json", sum, [&] { characters += info_json(run).size(); });
        std::printf("all %.1f ms: %.0f passes (%zu characters, %g s)\n", 1e3 * sum, sum / pass, characters,
                    to_seconds(floor));
    }
    judge(events);
    return 0;
}
