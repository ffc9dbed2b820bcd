// From simulated events to the plain data and the files of the library.
#include "tests/simulator/as_run.hpp"

#include "analysis/cpmip.hpp"
#include "analysis/imbalance_parts.hpp"
#include "analysis/load_balance.hpp"
#include "io/json/info_json.hpp"
#include "io/timeline/timeline_writer.hpp"

#include <algorithm>
#include <fstream>

namespace cpl_lb::simulator {
namespace {

// Which of the simulated processes stands for process p.
std::size_t stand_in(const PartRecord &part, std::int64_t p) {
    return static_cast<std::size_t>(p * static_cast<std::int64_t>(part.simulated) / part.processes);
}

std::vector<Row> rows_of(const PartRecord &part) {
    std::vector<Row> rows(part.simulated);
    for (const Event &event : part.events) {
        for (std::size_t p = 0; p < part.simulated; ++p) {
            rows[p].start.push_back(from_seconds(event.start_s[p]));
            rows[p].stop.push_back(from_seconds(event.stop_s[p]));
        }
    }
    return rows;
}

EventTable table_of(const Run &run, const PartRecord &part, const std::vector<Row> &rows) {
    EventTable table;
    std::vector<std::int64_t> occurrences(run.model.exchanges.size());
    const bool dates = run.model.date_step_s > 0;
    for (const Event &event : part.events) {
        const Exchange &exchange = run.model.exchanges[event.exchange];
        table.keys.push_back({event.is_send ? Kind::put : Kind::get, static_cast<std::int32_t>(event.exchange) + 1,
                              static_cast<std::int32_t>(event.is_send ? exchange.to : exchange.from) + 1,
                              dates ? event.step * run.model.date_step_s : no_date,
                              dates ? 0 : occurrences[event.exchange]++});
    }
    table.spans.whole().resize(part.events.size());
    for (const Row &row : rows)
        add_row(table.spans.whole(), row);
    for (EventSpan &span : table.spans.whole())
        span.processes = static_cast<std::int32_t>(part.processes);
    return table;
}

ComponentBalance figures(const Component &component, const PartRecord &part, const std::vector<Row> &rows,
                         std::size_t components) {
    const Window window = find_window(component.table);
    const Interval whole{component.first_init, component.last_terminate};
    Share sum;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::int64_t stands_for = 0;
        for (std::int64_t p = 0; p < part.processes; ++p)
            stands_for += stand_in(part, p) == i ? 1 : 0;
        sum += repeated(share_of(component.table, rows[i], window, whole, static_cast<std::int32_t>(components)),
                        stands_for);
    }
    ComponentBalance balance = balance_of(component.table, window, whole, sum);
    ArrivalsOfAll arrivals(component.table, window, rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        arrivals.set(i, rows[i]);
    balance.imbalance_parts = arrivals.parts();
    return balance;
}

void describe_run(CoupledRun &result, const Run &run) {
    result.run.id = "simulated";
    result.run.wall_s = run.end_s;
    result.run.simulated_s =
        static_cast<double>(run.steps * (run.model.date_step_s > 0 ? run.model.date_step_s : 3600));
    for (const std::int64_t count : run.counts)
        result.run.processes += count;
    result.run.cores = result.run.processes;
    result.run.cores_from = "processes x threads";
    result.clock.error_bound_s = 1e-6;
    for (const Part &part : run.model.parts)
        result.component_names.push_back(part.name);
    for (const Exchange &exchange : run.model.exchanges)
        result.field_names.push_back(exchange.field);
}

void write_timeline(const std::string &path, const CoupledRun &whole, const Component &component,
                    const PartRecord &part) {
    TimelineHeader header;
    header.component_name = component.name;
    header.component_id = component.id;
    header.component_names = whole.component_names;
    header.field_names = whole.field_names;
    header.run_id = whole.run.id;
    header.simulated_s = whole.run.simulated_s;
    header.year_days = whole.run.year_days;
    header.clock_error_bound_s = whole.clock.error_bound_s;
    header.first_init = component.first_init;
    header.last_terminate = component.last_terminate;
    header.processes = part.processes;
    header.ranks = component.ranks;
    header.keys = component.table.keys;
    const std::vector<Row> rows = rows_of(part);
    TimelineWriter writer(path, header, false);
    for (std::int64_t p = 0; p < part.processes; ++p) {
        const Row &row = rows[stand_in(part, p)];
        writer.write_rows(p, 1, row.start, row.stop);
    }
    writer.close();
}

} // namespace

CoupledRun as_coupled_run(const Run &run) {
    CoupledRun result;
    describe_run(result, run);
    std::int32_t rank = 0;
    for (std::size_t c = 0; c < run.parts.size(); ++c) {
        const PartRecord &part = run.parts[c];
        const std::vector<Row> rows = rows_of(part);
        Component component;
        component.name = run.model.parts[c].name;
        component.id = static_cast<std::int32_t>(c) + 1;
        for (std::int64_t p = 0; p < part.processes; ++p)
            component.ranks.push_back(rank++);
        component.last_terminate = from_seconds(part.end_s);
        component.properties.is_io_server = run.model.parts[c].io_server;
        component.table = table_of(run, part, rows);
        component.events = static_cast<std::int64_t>(component.table.keys.size());
        component.balance = figures(component, part, rows, run.parts.size());
        result.components.push_back(std::move(component));
    }
    result.cpmip = cpmip_of(result);
    return result;
}

void write_timelines(const std::string &directory, const Run &run) {
    const CoupledRun whole = as_coupled_run(run);
    bool io_server = false;
    for (std::size_t c = 0; c < run.parts.size(); ++c) {
        const Component &component = whole.components[c];
        write_timeline(directory + "/timeline_" + component.name + ".nc", whole, component, run.parts[c]);
        io_server = io_server || component.properties.is_io_server;
    }
    if (io_server) std::ofstream(directory + "/load_balancing_info.json") << info_json(whole);
}

} // namespace cpl_lb::simulator
