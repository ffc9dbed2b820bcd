// What the master does alone at terminate, once the spans of its EVENTS events are there (PUT and GET in turn, so
// EVENTS / 2 coupling steps): window, its own share, figures, exchanges, texts. The floor is one pass over the same
// spans that adds up S_k. Usage: analysis_cost [EVENTS] [operations], the latter with MAP and OUT among them.
#include "analysis/exchanges.hpp"
#include "analysis/load_balance.hpp"
#include "analysis/share_calculator.hpp"
#include "data/coupled_run.hpp"
#include "data/large_pages.hpp"
#include "io/info_json.hpp"
#include "report/text_summary.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

namespace {

using namespace cpl_lb;

// Processor time: one thread works, and what else runs on the machine matters less.
double now() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

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
    const std::vector<EventKeys::Class> classes = {
        {Kind::put, 1, 2}, {Kind::get, 2, 2}, {Kind::map, 1, 0}, {Kind::out, 2, 0}};
    const auto n = static_cast<std::size_t>(events);
    std::vector<std::uint32_t> of_events(n);
    ocean.table.spans.resize(n);
    prefer_large_pages(ocean.table.spans);
    row.start.resize(n);
    row.stop.resize(n);
    for (std::int64_t k = 0; k < events; ++k) {
        const auto i = static_cast<std::size_t>(k);
        of_events[i] = static_cast<std::uint32_t>(operations ? k % 4 : k % 2);
        const Nanoseconds start = k * 1000 + k % 7;
        ocean.table.spans[i] = {start, start + 93 + k % 8, start + 350, 4};
        row.start[i] = start + 20;
        row.stop[i] = start + 349;
    }
    ocean.table.keys = EventKeys(classes, std::move(of_events));
    return run;
}

template <class Work>
void timed(const char *what, double &sum, Work &&work) {
    const double begin = now();
    work();
    const double seconds = now() - begin;
    std::printf("%s %.1f ms; ", what, 1e3 * seconds);
    sum += seconds;
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
            for (const EventSpan &span : ocean.table.spans)
                floor += span.last_start;
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
        timed("exchanges", sum, [&] { count_order_violations(run); });
        timed("text", sum, [&] { characters += text_summary(run).size(); });
        timed("json", sum, [&] { characters += info_json(run).size(); });
        std::printf("all %.1f ms: %.0f passes (%zu characters, %g s)\n", 1e3 * sum, sum / pass, characters,
                    to_seconds(floor));
    }
    return 0;
}
