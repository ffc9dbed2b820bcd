// The answer of cpl-lb manager as text, json and pictures.
#include "tools/manager/manager_output.hpp"

#include "io/json/json_tree.hpp"
#include "report/format.hpp"
#include "report/plot.hpp"
#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>

namespace cpl_lb {
namespace {

using Json = JsonTree;

double cycle_of(std::size_t interval) {
    return 2 * static_cast<double>(interval); // the second of the interval is measured
}

bool moved(const ManagedRun &run, std::size_t i) {
    return i == 0 || run.intervals[i].counts != run.intervals[i - 1].counts;
}

std::string counts_in_words(const ProcessCounts &counts) {
    std::vector<std::string> words;
    for (const std::int64_t n : counts)
        words.push_back(std::to_string(n));
    return "(" + joined(words, ", ") + ")";
}

std::string without_newline(std::string line) {
    if (!line.empty()) line.pop_back();
    return line;
}

// The rows of Table I: the printed figure and ours.
struct TableRow {
    const char *label, *name; // in text, in json
    double kim::PrintedStart::*printed;
    double TableColumn::*ours;
};
constexpr std::array<TableRow, 6> table_rows = {{
    {"initial tau_G [s]", "first_s", &kim::PrintedStart::first_s, &TableColumn::first_s},
    {"final tau_G [s]", "final_s", &kim::PrintedStart::final_s, &TableColumn::final_s},
    {"found at cycle", "found_at", &kim::PrintedStart::found_at, &TableColumn::found_at},
    {"reallocations", "reallocations", &kim::PrintedStart::reallocations, &TableColumn::reallocations},
    {"undone [%]", "undone_percent", &kim::PrintedStart::undone_percent, &TableColumn::undone_percent},
    {"s / reallocation", "s_per_reallocation", &kim::PrintedStart::efficiency, &TableColumn::efficiency},
}};

std::string noise_in_words(const TableOne &table) {
    if (table.noise_percent == 0) return "without noise";
    return fmt::format("noise {:g} %, means over {}", table.noise_percent, counted(table.seeds, "seed"));
}

} // namespace

std::string managed_as_text(const ManagedAnswer &answer) {
    const ManagedRun &run = answer.run;
    TextTable table;
    RowOfCells head = {"cycle"};
    for (const std::string &name : answer.names)
        head.emplace_back(short_name(name, 20));
    head.insert(head.end(), {"cycle [{s}]", "predicted [{s}]"});
    table.row(head);
    for (std::size_t i = 0; i < run.intervals.size(); ++i) {
        if (!moved(run, i)) continue;
        RowOfCells row = {decimal_text(cycle_of(i), 0)};
        for (const std::int64_t n : run.intervals[i].counts)
            row.emplace_back(count_text(n));
        row.emplace_back(InSeconds{run.intervals[i].cycle_s});
        row.emplace_back(InSeconds{run.intervals[i].predicted_s});
        table.row(row);
    }
    return answer.basis +
           fmt::format("{} with {}, undone: {}; found at coupling cycle {}; a cycle takes {} s in the end, {} s at "
                       "the start.\n\n",
                       counts_in_words(run.intervals.back().counts), counted(run.state.reallocations, "reallocation"),
                       run.state.undone, decimal_text(run.found_at(), 0), number_text(run.final_s()),
                       number_text(run.first_s())) +
           table.text();
}

std::string managed_as_json(const ManagedAnswer &answer) {
    const ManagedRun &run = answer.run;
    Json root = {{"search", answer.search},
                 {"start", Json::text(answer.start)},
                 {"basis", Json::text(without_newline(answer.basis))},
                 {"components", answer.names},
                 {"first_s", run.first_s()},
                 {"final_s", run.final_s()},
                 {"found_at", run.found_at()},
                 {"reallocations", run.state.reallocations},
                 {"undone", run.state.undone},
                 {"intervals", Json::array()}};
    for (std::size_t i = 0; i < run.intervals.size(); ++i) {
        root["intervals"].push_back({{"cycle", cycle_of(i)},
                                     {"processes", run.intervals[i].counts},
                                     {"cycle_s", run.intervals[i].cycle_s},
                                     {"predicted_s", run.intervals[i].predicted_s}});
    }
    return root.dump(2) + "\n";
}

std::string managed_as_svg(const ManagedAnswer &answer) {
    const ManagedRun &run = answer.run;
    SvgChart chart{fmt::format("{}{}{}: {}, {} s", answer.search, answer.start.empty() ? "" : " from ", answer.start,
                               counts_in_words(run.intervals.back().counts), number_text(run.final_s())),
                   {"coupling cycle", false},
                   {"processes; time of a cycle [s], dashed", false},
                   {}};
    for (std::size_t c = 0; c <= answer.names.size(); ++c) {
        const bool is_time = c == answer.names.size();
        ChartSeries series{is_time ? "cycle [s]" : answer.names[c], {}, true, !is_time, is_time};
        for (std::size_t i = 0; i < run.intervals.size(); ++i) {
            const ManagedInterval &interval = run.intervals[i];
            series.points.push_back(
                {cycle_of(i), is_time ? interval.cycle_s : static_cast<double>(interval.counts[c])});
        }
        chart.series.push_back(std::move(series));
    }
    return svg_of(chart);
}

std::string table_as_text(const TableOne &table) {
    TextTable text;
    std::vector<std::string> head = {""};
    for (const TableColumn &column : table.columns)
        head.emplace_back(column.printed.name);
    text.row_of_words(head);
    for (const TableRow &row : table_rows) {
        std::vector<std::string> printed = {std::string(row.label) + ", printed"}, ours = {"  " + table.search};
        for (const TableColumn &column : table.columns) {
            printed.push_back(decimal_text(column.printed.*row.printed, 2));
            ours.push_back(decimal_text(column.*row.ours, 2));
        }
        text.row_of_words(printed);
        text.row_of_words(ours);
    }
    return fmt::format("Table I of Kim, Larson and Chiu 2012 (section VI), scenario {}: {}; the best of all counts "
                       "by the curves "
                       "takes {} s.\n\n",
                       table.scenario, noise_in_words(table), number_text(table.best_s)) +
           text.text() +
           "\nThe paper's own curves and noise are not published: the curves here are fitted to the points that it "
           "prints.\n"
           "Creating and ending processes (its PCMS) is left out: the model must be able to do that.\n";
}

std::string table_as_json(const TableOne &table) {
    Json root = {{"scenario", table.scenario}, {"search", table.search}, {"noise_percent", table.noise_percent},
                 {"seeds", table.seeds},       {"best_s", table.best_s}, {"starts", Json::array()}};
    const auto figures = [](const auto &from, auto member) {
        Json json = Json::object();
        for (const TableRow &row : table_rows)
            json[row.name] = from.*(row.*member);
        return json;
    };
    for (const TableColumn &column : table.columns) {
        root["starts"].push_back({{"name", column.printed.name},
                                  {"processes", column.printed.counts},
                                  {"printed", figures(column.printed, &TableRow::printed)},
                                  {"ours", figures(column, &TableRow::ours)}});
    }
    return root.dump(2) + "\n";
}

std::string table_as_svg(const TableOne &table) {
    SvgChart chart{fmt::format("Table I, scenario {}: final time of a cycle", table.scenario),
                   {"start INIT", false, {1, 2, 3, 4, 5}},
                   {"tau_G [s]", false},
                   {}};
    ChartSeries printed{"printed", {}, false, true, false}, ours{table.search, {}, false, true, false},
        first{"at the start", {}, true, false, true};
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const double x = static_cast<double>(i) + 1;
        printed.points.push_back({x, table.columns[i].printed.final_s});
        ours.points.push_back({x, table.columns[i].final_s});
        first.points.push_back({x, table.columns[i].first_s});
    }
    chart.series = {std::move(printed), std::move(ours), std::move(first)};
    return svg_of(chart);
}

} // namespace cpl_lb
