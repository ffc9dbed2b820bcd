// Reads a scaling study; S, T and the shoulder as text, json, rows of table 1 and a picture.
#include "analysis/model_rows.hpp"
#include "io/files/csv_table.hpp"
#include "io/json/json_tree.hpp"
#include "report/format.hpp"
#include "report/plot.hpp"
#include "run/loaded/load_run.hpp"
#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "tools/commands.hpp"
#include "tools/cpmip/cpmip_sources.hpp"
#include "tools/run_options.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

constexpr double hours_of_day = 24, seconds_of_day = 86400;

// Two of cores, SYPD and CHSY give the third: NP = CHSY SYPD / 24.
ScalingPoint point_in(const CsvTable &table, std::size_t row, double years) {
    const bool has_cores = table.has("cores"), has_cost = table.has("CHSY");
    ScalingPoint point;
    point.sypd =
        table.has("SYPD") ? table.positive(row, "SYPD") : years / (table.positive(row, "seconds") / seconds_of_day);
    if (has_cores) point.cores = table.positive(row, "cores");
    if (has_cores && point.cores != std::floor(point.cores))
        throw table.wrong(row, "cores", "not a whole number: " + table.text(row, "cores"));
    if (table.has("counts") && !table.is_empty(row, "counts")) point.name = table.text(row, "counts");
    if (has_cost) point.chsy = table.positive(row, "CHSY");
    if (const double joules = table.known_or_nan(row, "AJPSY"); joules > 0) point.ajpsy = joules; // 0: not measured
    if (!has_cost) {
        point.chsy = hours_of_day * point.cores / point.sypd;
        return point;
    }
    const double by_both = point.chsy * point.sypd / hours_of_day;
    if (!has_cores) point.cores = std::round(by_both);
    constexpr double tolerated = 0.1; // printed tables are rounded
    const auto refuse = [&](const std::string &what) {
        throw table.wrong(row, "CHSY",
                          fmt::format("{:g} core hours at {:g} SYPD are {}", point.chsy, point.sypd, what));
    };
    if (std::abs(by_both - point.cores) > tolerated * point.cores + 1)
        refuse(fmt::format("{} cores, and not {:g}", decimal_text(by_both, 0), point.cores));
    if (point.cores == 0) refuse("less than one core");
    return point;
}

std::vector<ScalingPoint> points_of_table(const CpmipOptions &options) {
    const CsvTable table = CsvTable::from_file(options.scaling);
    if (!table.has("seconds")) table.require({"SYPD"});
    if (!table.has("CHSY")) table.require({"cores"});
    const bool timed = !table.has("SYPD");
    if (timed && !options.log_path.empty()) {
        throw FileError(options.scaling, "column seconds: with a job log give SYPD instead, because "
                                         "--simulated-per-job is then of the log's jobs");
    }
    if (timed && options.simulated_per_job.empty())
        throw FileError(options.scaling, "column seconds: needs --simulated-per-job, or a column SYPD");
    const double years = timed ? simulated_length_in_years(options.simulated_per_job) : unknown;
    std::vector<ScalingPoint> points;
    for (std::size_t row = 0; row < table.rows(); ++row)
        points.push_back(point_in(table, row, years));
    return points;
}

// "ocean=64 atmosphere=128", in the order of the components.
std::string counts_of(const CoupledRun &run) {
    std::vector<std::string> counts;
    for (const Component &c : run.components)
        counts.push_back(fmt::format("{}={}", c.name, c.ranks.size()));
    return joined(counts, " ");
}

std::vector<ScalingPoint> points_of_folders(const CpmipOptions &options, ModelRow &model) {
    refuse_folders_twice(options.directories);
    std::vector<ScalingPoint> points;
    for (const std::string &directory : options.directories) {
        CoupledRun run = load_figures(directory, options.hints, progress_of);
        round_to_nodes(run, options.cores_per_node);
        const Cpmip &c = run.cpmip;
        if (!is_known(c.sypd * c.chsy)) throw FileError(directory, "SYPD or CHSY is not known: see cpl-lb cpmip DIR");
        points.push_back({counts_of(run), c.parallelization, c.sypd, c.chsy, c.ajpsy});
        model = row_of(run, options.name, ' ');
    }
    return points;
}

using Json = JsonTree;

std::string cores_text(const ScalingPoint &point) {
    return fmt::format("{} cores", decimal_text(point.cores, 0));
}

std::string point_in_words(const ScalingPoint &p) {
    const std::string name = p.name.empty() ? "" : fmt::format(" ({})", safe_name(p.name));
    return fmt::format("{}{}, {:.4g} SYPD, {:.6g} CHSY", cores_text(p), name, p.sypd, p.chsy);
}

std::optional<std::size_t> throughput_of(const ScalingStudy &s) {
    return is_known(s.wanted_sypd) ? s.modes.cheapest_enough : s.modes.cheapest;
}

std::string sentences(const ScalingStudy &s) {
    const std::optional<std::size_t> t = throughput_of(s);
    const std::string enough = is_known(s.wanted_sypd) ? fmt::format(" with at least {:g} SYPD", s.wanted_sypd) : "";
    std::string text = wrapped("S, the fastest: " + point_in_words(s.points[s.modes.speed]) + ".", 80);
    text += wrapped(t ? fmt::format("T, the cheapest{}: {}.", enough, point_in_words(s.points[*t]))
                      : fmt::format("T: n/a, no measured number of cores gives {:g} SYPD.", s.wanted_sypd),
                    80);
    text += wrapped(s.modes.shoulder ? "Shoulder, from where more cores gain less: " +
                                           point_in_words(s.points[*s.modes.shoulder]) + "."
                                     : "Shoulder: n/a (" + s.modes.why_no_shoulder + ").",
                    80);
    return text;
}

// The marks after a row of the table.
std::string marks_of(const ScalingStudy &s, std::size_t i) {
    std::vector<std::string> marks;
    if (s.modes.speed == i) marks.emplace_back("S");
    if (throughput_of(s) == i) marks.emplace_back("T");
    if (s.modes.shoulder == i) marks.emplace_back("shoulder");
    return joined(marks, ", ");
}

Json point_json(const ScalingPoint &p) {
    return {{"cores", p.cores}, {"counts", Json::text(p.name)}, {"sypd", p.sypd}, {"chsy", p.chsy}};
}

Json point_json(const ScalingStudy &s, std::optional<std::size_t> i) {
    return i ? point_json(s.points[*i]) : Json();
}

ChartSeries mark_at(const ScalingStudy &s, std::size_t i, const std::string &name) {
    return {fmt::format("{}: {}", name, cores_text(s.points[i])), {{s.points[i].chsy, s.points[i].sypd}}, false};
}

} // namespace

ModelRow scaling_row(const ScalingStudy &s, std::size_t i, char mode) {
    return {.model = s.model.model,
            .mode = mode,
            .resolution = s.model.resolution,
            .complexity = s.model.complexity,
            .sypd = s.points[i].sypd,
            .chsy = s.points[i].chsy,
            .platform = s.model.platform};
}

ScalingStudy scaling_study(const CpmipOptions &options) {
    ScalingStudy study;
    const std::vector<ScalingPoint> runs =
        options.scaling.empty() ? points_of_folders(options, study.model) : points_of_table(options);
    study.name = options.name.empty() ? options.scaling : options.name;
    if (study.name.empty()) study.name = study.model.model;
    study.model.model = study.name;
    if (is_known(options.resolution)) study.model.resolution = options.resolution;
    if (is_known(options.complexity)) study.model.complexity = options.complexity;
    study.runs = runs.size();
    study.points = repetitions_as_one(runs);
    study.wanted_sypd = options.at_least_sypd;
    study.modes = scaling_modes(study.points, study.wanted_sypd);
    return study;
}

std::string scaling_as_text(const ScalingStudy &s) {
    const bool named = std::ranges::any_of(s.points, [](const ScalingPoint &p) { return !p.name.empty(); });
    TextTable table({3, 4});
    table.row({"Cores", "SYPD", "CHSY", "", named ? "Counts" : ""});
    for (std::size_t i = 0; i < s.points.size(); ++i) {
        const ScalingPoint &p = s.points[i];
        table.row({decimal_text(p.cores, 0), number_text(p.sypd), number_text(p.chsy), marks_of(s, i),
                   short_name(p.name, 60)});
    }
    std::string text = "Speed and cost of " + safe_name(s.name) + ", " + counted(s.runs, "run") + "\n\n";
    return text + table.text() + "\n" + sentences(s);
}

std::string scaling_as_json(const ScalingStudy &s) {
    Json json = {{"schema", "cpl_lb_scaling/1"},
                 {"name", s.name},
                 {"runs", s.runs},
                 {"wanted_sypd", s.wanted_sypd},
                 {"speed", point_json(s, s.modes.speed)},
                 {"throughput", point_json(s, throughput_of(s))},
                 {"shoulder", point_json(s, s.modes.shoulder)},
                 {"why_no_shoulder", Json::text(s.modes.why_no_shoulder)},
                 {"points", Json::array()}};
    for (const ScalingPoint &p : s.points)
        json["points"].push_back(point_json(p));
    return json.dump(2) + "\n";
}

std::string scaling_as_csv(const ScalingStudy &s) {
    std::string text = csv_names() + csv_of(scaling_row(s, s.modes.speed, 'S'));
    if (const std::optional<std::size_t> t = throughput_of(s)) text += csv_of(scaling_row(s, *t, 'T'));
    return text;
}

std::string scaling_as_svg(const ScalingStudy &s) {
    ChartSeries measured{"measured", {}};
    for (const ScalingPoint &p : s.points)
        measured.points.push_back({p.chsy, p.sypd, cores_text(p)});
    SvgChart chart{"Speed and cost of " + short_name(s.name, 50),
                   {"cost (core hours / simulated year)"},
                   {"speed (simulated years / day)"},
                   {measured}};
    chart.series.push_back(mark_at(s, s.modes.speed, "S, fastest"));
    if (const std::optional<std::size_t> t = throughput_of(s)) chart.series.push_back(mark_at(s, *t, "T, cheapest"));
    if (s.modes.shoulder) chart.series.push_back(mark_at(s, *s.modes.shoulder, "shoulder"));
    if (is_known(s.wanted_sypd)) {
        const double most = std::ranges::max_element(s.points, {}, &ScalingPoint::chsy)->chsy;
        chart.series.push_back({fmt::format("at least {:g} SYPD", s.wanted_sypd),
                                {{0, s.wanted_sypd}, {most, s.wanted_sypd}},
                                true,
                                false,
                                true});
    }
    return svg_of(chart);
}

} // namespace cpl_lb
