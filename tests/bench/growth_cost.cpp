// What the analysis of a run costs when it has more events, fields, components or processes: processor time for each
// size beside one pass over the same bytes in memory, which is what n costs at least. n log n makes the ratio rise by
// a few percent from line to line, and a scan of all for each would multiply it by the factor between the lines.
// Usage: growth_cost [events|fields|components|processes [LARGEST]].
#include "analysis/exchanges.hpp"
#include "io/json/info_json.hpp"
#include "page/page_json.hpp"
#include "prediction/measured_graph.hpp"
#include "prediction/run_balance.hpp"
#include "report/text_summary.hpp"
#include "stopwatch.hpp"
#include "tests/run/growing_runs.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

namespace {

using namespace cpl_lb;
using bench::cpu_now;

// The least of so many passes over all that the run holds.
double one_pass(const CoupledRun &run, Nanoseconds &sum) {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 5; ++i) {
        const double begin = cpu_now();
        for (const Component &c : run.components) {
            for (std::size_t k = 0; k < c.table.spans.size(); ++k)
                sum += c.table.spans[k].last_start;
            for (const std::uint32_t k : c.table.keys.of_events())
                sum += k;
            for (const EventClass &k : c.table.keys.classes())
                sum += k.field;
            for (const std::int32_t rank : c.ranks)
                sum += rank;
            for (const Step &step : c.balance.steps)
                sum += static_cast<Nanoseconds>(step.start_s);
        }
        for (const auto *names : {&run.field_names, &run.component_names})
            for (const std::string &name : *names)
                sum += name.front();
        for (const NodeMeters &node : run.meters.nodes)
            sum += node.processes;
        least = std::min(least, cpu_now() - begin);
    }
    return least;
}

struct Costs {
    double exchanges = 0, balance = 0, texts = 0, page = 0, graph = 0;
    [[nodiscard]] double all() const { return exchanges + balance + texts + page + graph; }
};

template <class Work>
double timed(Work &&work) {
    const double begin = cpu_now();
    work();
    return cpu_now() - begin;
}

Costs costs_of(CoupledRun &run, std::size_t &characters) {
    Costs c;
    std::vector<Exchange> found;
    c.exchanges = timed([&] { found = find_exchanges(run); });
    c.balance = timed([&] { judge_balance(run, found); });
    c.texts = timed([&] { characters += text_summary(run).size() + info_json(run).size(); });
    c.page = timed([&] { characters += page_json(run).dump(-1).size(); });
    c.graph = timed([&] {
        try {
            characters += measured_graph(run).exchanges.size();
        } catch (const PredictionError &) { // which is an answer, too
        }
    });
    return c;
}

void draw(const growing::Shape &shape, std::int64_t largest) {
    std::printf("%s, %s\n%10s %12s %10s %10s %10s %10s %10s %10s %10s\n", shape.grows, shape.what, shape.grows,
                "one pass/ms", "exchanges", "balance", "texts", "page", "graph", "all", "passes");
    for (std::int64_t n = shape.least; n <= std::min(shape.most, largest); n *= 10) {
        CoupledRun run = shape.make(n);
        Nanoseconds sum = 0;
        std::size_t characters = 0;
        const double pass = one_pass(run, sum);
        const Costs c = costs_of(run, characters);
        std::printf("%10lld %12.4f %10.2f %10.2f %10.2f %10.2f %10.2f %10.2f %10.0f\n", static_cast<long long>(n),
                    1e3 * pass, 1e3 * c.exchanges, 1e3 * c.balance, 1e3 * c.texts, 1e3 * c.page, 1e3 * c.graph,
                    1e3 * c.all(), c.all() / pass);
        std::fflush(stdout);
        if (sum == 1 || characters == 0) return; // nobody leaves out what is not looked at
    }
    std::printf("\n");
}

} // namespace

int main(int argc, char **argv) {
    const std::string grows = argc > 1 ? argv[1] : "";
    const std::int64_t largest = argc > 2 ? std::atoll(argv[2]) : std::numeric_limits<std::int64_t>::max();
    for (const growing::Shape &shape : growing::shapes)
        if (grows.empty() || grows == shape.grows || grows == shape.what) draw(shape, largest);
    return 0;
}
