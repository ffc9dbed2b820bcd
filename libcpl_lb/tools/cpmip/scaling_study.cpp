// Reads a scaling study.
#include "tools/cpmip/scaling_study.hpp"
#include "tools/folders_once.hpp"

#include "io/files/csv_table.hpp"
#include "run/loaded/load_run.hpp"
#include "support/fmt.hpp"
#include "tools/progress_line.hpp"

#include <cmath>

namespace cpl_lb {
namespace {

constexpr double hours_of_day = 24, seconds_of_day = 86400;

double sypd_in(const CsvTable &table, std::size_t row, double years) {
    return table.has("SYPD") ? table.positive(row, "SYPD")
                             : years / (table.positive(row, "seconds") / seconds_of_day);
}

// Two of cores, SYPD and CHSY tell the third: NP = CHSY SYPD / 24.
ScalingPoint point_in(const CsvTable &table, std::size_t row, double years) {
    ScalingPoint point;
    point.sypd = sypd_in(table, row, years);
    if (table.has("cores") && table.positive(row, "cores") != std::floor(table.positive(row, "cores")))
        throw table.wrong(row, "cores", "not a whole number: " + table.text(row, "cores"));
    if (table.has("counts") && !table.is_empty(row, "counts")) point.name = table.text(row, "counts");
    if (table.has("CHSY")) point.chsy = table.positive(row, "CHSY");
    point.cores =
        table.has("cores") ? table.positive(row, "cores") : std::round(point.chsy * point.sypd / hours_of_day);
    if (!table.has("CHSY")) {
        point.chsy = hours_of_day * point.cores / point.sypd;
        return point;
    }
    constexpr double tolerated = 0.1; // printed tables are rounded
    const double by_both = point.chsy * point.sypd / hours_of_day;
    if (std::abs(by_both - point.cores) > tolerated * point.cores + 1) {
        throw table.wrong(row, "CHSY",
                          fmt::format("{:g} core hours at {:g} SYPD are {:.0f} cores, and not {:g}", point.chsy,
                                      point.sypd, by_both, point.cores));
    }
    return point;
}

std::vector<ScalingPoint> points_of_table(const CpmipOptions &options) {
    const CsvTable table = CsvTable::from_file(options.scaling);
    if (!table.has("seconds")) table.require({"SYPD"});
    if (!table.has("CHSY")) table.require({"cores"});
    const bool timed = !table.has("SYPD");
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
    std::string text;
    for (const Component &c : run.components)
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", c.name, c.ranks.size());
    return text;
}

std::vector<ScalingPoint> points_of_folders(const CpmipOptions &options, ModelRow &model) {
    refuse_folders_twice(options.directories);
    std::vector<ScalingPoint> points;
    for (const std::string &directory : options.directories) {
        CoupledRun run = load_figures(directory, options.hints, progress_of);
        round_to_nodes(run, options.cores_per_node);
        const Cpmip &c = run.cpmip;
        if (!is_known(c.sypd * c.chsy)) throw FileError(directory, "SYPD or CHSY is not known: see cpl-lb cpmip DIR");
        points.push_back({counts_of(run), c.parallelization, c.sypd, c.chsy});
        model = row_of(run, options.name, ' ');
    }
    return points;
}

} // namespace

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

} // namespace cpl_lb
