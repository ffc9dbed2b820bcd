// Reads and writes the csv rows of an intercomparison, says where a run stands among them, and finds the fastest, the
// cheapest and the shoulder.
#include "analysis/model_rows.hpp"

#include "support/counted.hpp"
#include "support/csv_cells.hpp"
#include "support/fmt.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <stdexcept>

namespace cpl_lb {
namespace {

constexpr std::size_t columns = 11;

double number_of(std::string_view field, std::size_t line) {
    if (field.empty()) return unknown;
    double value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc() || end != field.data() + field.size() || !(value >= 0) || !std::isfinite(value))
        throw std::invalid_argument(fmt::format("line {}: not a number: {}", line, excerpt(field)));
    return value;
}

ModelRow row_in(std::string_view text, std::size_t line) {
    std::vector<std::string> f;
    if (!split_csv_line(text, f))
        throw std::invalid_argument(fmt::format("line {}: a quote is not closed, or stands inside a cell", line));
    if (f.size() < columns) // more may follow, such as where the time of ASYPD went
        throw std::invalid_argument(
            fmt::format("line {}: {} where {} belong", line, counted(f.size(), "field"), columns));
    ModelRow row;
    row.model = f[0];
    if (row.model.ends_with(" S") || row.model.ends_with(" T")) {
        row.mode = row.model.back();
        row.model.resize(row.model.size() - 2);
    }
    row.resolution = number_of(f[1], line);
    row.complexity = number_of(f[2], line);
    row.sypd = number_of(f[3], line);
    row.chsy = number_of(f[4], line);
    row.coupling_cost = number_of(f[5], line) / 100;
    row.data_output_cost = number_of(f[6], line) / 100;
    row.data_intensity = number_of(f[7], line);
    row.memory_bloat = number_of(f[8], line);
    row.asypd = number_of(f[9], line);
    row.platform = f[10];
    return row;
}

std::string field(double value) {
    return is_known(value) ? fmt::format("{:.6g}", value) : "";
}
// Versions before 0.3 cannot read quotes.
std::string field(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return c == ',' || static_cast<unsigned char>(c) < 0x20; }, ' ');
    return csv_cell(text);
}

double log_of(double value) {
    return value > 0 ? std::log10(value) : unknown;
}

// log SYPD = a + b log G by least squares.
void find_usual_speed(const ModelRow &run, const std::vector<ModelRow> &rows, Standing &s) {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    double least = unknown, most = unknown;
    for (const ModelRow &row : rows) {
        const double gx = log_of(row.resolution), gy = log_of(row.sypd);
        if ((run.mode != ' ' && row.mode != run.mode) || !is_known(gx + gy)) continue;
        least = n > 0 ? std::min(least, row.resolution) : row.resolution;
        most = n > 0 ? std::max(most, row.resolution) : row.resolution;
        n += 1;
        x += gx;
        y += gy;
        xx += gx * gx;
        xy += gx * gy;
    }
    const double spread = n * xx - x * x;
    s.rows_in_line = static_cast<std::size_t>(n);
    if (n < 3 || !(spread > 1e-9)) return;
    const double slope = (n * xy - x * y) / spread;
    s.usual_sypd = std::pow(10, (y - slope * x) / n + slope * log_of(run.resolution));
    s.sypd_ratio = run.sypd / s.usual_sypd;
    s.extrapolated = run.resolution < least || run.resolution > most;
}

double cost_of_freedom(const ModelRow &row) {
    return row.chsy / (row.resolution * row.complexity);
}

// Keeps the points where more cores make the model faster; slower ones with more cores are left out.
std::vector<std::size_t> rising(const std::vector<ScalingPoint> &points) {
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!kept.empty() && points[i].sypd <= points[kept.back()].sypd) continue;
        if (!kept.empty() && points[i].cores <= points[kept.back()].cores)
            kept.pop_back(); // the same cores, better used
        kept.push_back(i);
    }
    return kept;
}

// The point farthest above the straight line from the first to the last, both axes from 0 to 1 (Satopaa et al. 2011).
void enter_shoulder(ScalingModes &modes, const std::vector<ScalingPoint> &points) {
    constexpr double least_bend = 0.05, tie = 1e-9;
    const std::vector<std::size_t> rise = rising(points);
    if (rise.size() < 3) {
        modes.why_no_shoulder = "needs three numbers of cores, each faster than the one before";
        return;
    }
    const ScalingPoint &first = points[rise.front()], &last = points[rise.back()];
    double most = least_bend;
    for (const std::size_t i : rise) {
        const double bend = (points[i].sypd - first.sypd) / (last.sypd - first.sypd) -
                            (points[i].cores - first.cores) / (last.cores - first.cores);
        if (bend <= most + tie) continue; // of equal bends the one with fewer cores wins
        most = bend;
        modes.shoulder = i;
    }
    if (!modes.shoulder) modes.why_no_shoulder = "the speed grows in nearly a straight line up to the most cores";
}

} // namespace

std::vector<ModelRow> read_model_rows(std::string_view csv) {
    std::vector<ModelRow> rows;
    bool named = false;
    std::size_t number = 0;
    while (!csv.empty()) {
        const std::size_t end = std::min(csv.find('\n'), csv.size());
        std::string_view line = csv.substr(0, end);
        csv.remove_prefix(std::min(end + 1, csv.size()));
        ++number;
        while (line.ends_with('\r') || line.ends_with(' '))
            line.remove_suffix(1);
        if (line.empty() || line.front() == '#') continue;
        if (named) rows.push_back(row_in(line, number));
        named = true;
    }
    if (rows.empty()) throw std::invalid_argument("no row of a model");
    return rows;
}

std::string csv_names() {
    return "model,resol_gridpoints,cmplx_nvars,SYPD,CHSY,coupling_with_operations_pct,io_pct,DI_GB_per_CH,mem_bloat,"
           "ASYPD,platform\n";
}

std::string csv_of(const ModelRow &row) {
    std::string text = field(row.model + (row.mode == ' ' ? "" : std::string(" ") + row.mode));
    for (const double value : {row.resolution, row.complexity, row.sypd, row.chsy, 100 * row.coupling_cost,
                               100 * row.data_output_cost, row.data_intensity, row.memory_bloat, row.asypd})
        text += "," + field(value);
    return text + "," + field(row.platform) + "\n";
}

ModelRow row_of(const CoupledRun &run, const std::string &name, char mode) {
    const Cpmip &c = run.cpmip;
    ModelRow row;
    row.model = name.empty() ? run.run.id : name;
    row.mode = mode;
    row.resolution = c.resolution;
    row.complexity = c.complexity;
    row.sypd = c.sypd;
    row.chsy = c.chsy;
    row.coupling_cost = c.coupling_cost_with_operations;
    row.data_output_cost = c.data_output_cost;
    row.data_intensity = c.data_intensity;
    row.memory_bloat = c.memory_bloat;
    row.asypd = c.asypd;
    row.platform = run.run.platform_facts.machine;
    return row;
}

Standing standing(const ModelRow &run, const std::vector<ModelRow> &rows) {
    Standing s;
    find_usual_speed(run, rows, s);
    const double cost = cost_of_freedom(run);
    if (is_known(cost)) {
        s.cost_rank = s.cost_of = 1;
        for (const ModelRow &row : rows) {
            const double other = cost_of_freedom(row);
            s.cost_of += is_known(other) ? 1 : 0;
            s.cost_rank += other < cost ? 1 : 0;
        }
    }
    std::vector<double> distance;
    for (const ModelRow &row : rows) {
        const double dx = log_of(row.resolution) - log_of(run.resolution);
        const double dy = is_known(log_of(run.complexity)) ? log_of(row.complexity) - log_of(run.complexity) : 0;
        distance.push_back(std::hypot(dx, dy));
        if (is_known(distance.back())) s.nearest.push_back(distance.size() - 1);
    }
    std::ranges::stable_sort(s.nearest, {}, [&](std::size_t i) { return distance[i]; });
    return s;
}

std::vector<ScalingPoint> repetitions_as_one(const std::vector<ScalingPoint> &runs) {
    struct Sum {
        ScalingPoint of;
        double runs = 0, days = 0, chsy = 0, ajpsy = 0; // days: of a simulated year
    };
    std::vector<Sum> sums;
    std::map<std::pair<std::string, double>, std::size_t> place_of; // by counts and cores, in `sums`
    for (const ScalingPoint &run : runs) {
        const auto [place, is_new] = place_of.try_emplace({run.name, run.cores}, sums.size());
        if (is_new) sums.push_back({run});
        Sum &same = sums[place->second];
        same.runs += 1;
        same.days += 1 / run.sypd;
        same.chsy += run.chsy;
        same.ajpsy += run.ajpsy;
    }
    std::vector<ScalingPoint> points;
    points.reserve(sums.size());
    for (const Sum &s : sums)
        points.push_back({s.of.name, s.of.cores, s.runs / s.days, s.chsy / s.runs, s.ajpsy / s.runs});
    std::ranges::stable_sort(points, {}, &ScalingPoint::cores);
    return points;
}

ScalingModes scaling_modes(const std::vector<ScalingPoint> &points, double wanted_sypd) {
    ScalingModes modes;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const ScalingPoint &p = points[i], &s = points[modes.speed];
        if (p.sypd > s.sypd || (p.sypd >= s.sypd && p.chsy < s.chsy)) modes.speed = i;
        if (p.chsy < points[modes.cheapest].chsy) modes.cheapest = i;
        if (p.sypd >= wanted_sypd && (!modes.cheapest_enough || p.chsy < points[*modes.cheapest_enough].chsy))
            modes.cheapest_enough = i;
    }
    enter_shoulder(modes, points);
    return modes;
}

} // namespace cpl_lb
