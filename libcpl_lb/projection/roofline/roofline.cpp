// Works out ceilings and the bound of each region, by levels of cache or cache-aware; the roofline as a table, in
// words and as a picture.
#include "projection/roofline/roofline.hpp"

#include "projection/machine/machine_file.hpp"
#include "report/format.hpp"
#include "report/plot.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace cpl_lb {
namespace {

RooflineCeiling compute_ceiling(const Machine &machine, const RooflineSetting &s) {
    if (machine.has_gpu) return {"double precision flop rate", false, machine.gpu.double_flop_per_s};
    std::string name = s.vector;
    const double best = flop_rate_of(machine, s.at, s.vector);
    for (const FlopRate &row : machine.flop_rates)
        if (s.vector.empty() && flop_rate_of(machine, s.at, row.vector) == best) name = row.vector;
    return {name.empty() ? "flop rate" : name + " flop rate", false, best};
}

std::vector<RooflineCeiling> bandwidth_ceilings(const Machine &machine, const RooflineSetting &s) {
    std::vector<RooflineCeiling> ceilings;
    if (machine.has_gpu) ceilings.push_back({"memory bandwidth", true, machine.gpu.B_per_s});
    for (const std::string &level : levels_with_bandwidth(machine)) {
        const double B_per_s = bandwidth_of(machine, level, s.at, s.access);
        if (is_known(B_per_s)) ceilings.push_back({level + " bandwidth", true, B_per_s});
    }
    return ceilings;
}

// Lower flop rates: what narrower instructions would allow. For the picture.
void add_lower_rates(const Machine &machine, const RooflineSetting &s, std::vector<RooflineCeiling> &ceilings) {
    for (const FlopRate &row : machine.flop_rates) {
        const double rate = flop_rate_of(machine, s.at, row.vector);
        const std::string name = row.vector + " flop rate";
        const bool is_there = std::ranges::count(ceilings, name, &RooflineCeiling::name) > 0;
        if (!row.vector.empty() && !is_there && rate < ceilings.front().per_s)
            ceilings.push_back({name, false, rate});
    }
    std::ranges::stable_sort(ceilings, std::greater{}, &RooflineCeiling::per_s);
}

struct Bound {
    std::string name;
    double seconds = 0, bytes = unknown;
};

// Each level with its own traffic: all hold at once.
Bound level_by_level(const RegionWork &work, const std::vector<RooflineCeiling> &bandwidths) {
    Bound longest;
    for (const LevelTraffic &traffic : work.by_level) {
        for (const RooflineCeiling &ceiling : bandwidths) {
            if (ceiling.name != traffic.level + " bandwidth" || !is_known(traffic.bytes)) continue;
            const double seconds = traffic.bytes / ceiling.per_s;
            if (seconds >= longest.seconds) longest = {ceiling.name, seconds, traffic.bytes};
        }
    }
    return longest;
}

// One traffic for all levels. The bound is the furthest level that the measured time allows, else the nearest.
Bound cache_aware(const RegionWork &work, const std::vector<RooflineCeiling> &bandwidths) {
    Bound bound;
    for (const RooflineCeiling &ceiling : bandwidths) {
        const double seconds = work.bytes / ceiling.per_s;
        const bool is_possible = !is_known(work.seconds) || seconds <= work.seconds * (1 + roofline_tolerance);
        if (bound.name.empty() || (is_possible && seconds > bound.seconds))
            bound = {ceiling.name, seconds, work.bytes};
    }
    return bound;
}

RooflineRow row_of(const RegionWork &work, const RooflineCeiling &compute,
                   const std::vector<RooflineCeiling> &bandwidths) {
    RooflineRow row;
    row.work = work;
    row.why_not = work.why_not;
    if (!row.why_not.empty()) return row;
    if (is_known(work.flops) && work.seconds > 0) row.attained_flop_per_s = work.flops / work.seconds;
    Bound memory = level_by_level(work, bandwidths);
    if (memory.name.empty() && is_known(work.bytes)) memory = cache_aware(work, bandwidths);
    if (memory.name.empty()) {
        row.why_not =
            is_known(work.flops) ? "its bytes are not known" : "neither its operations nor its bytes are known";
        return row;
    }
    if (!is_known(work.flops)) {
        row.why_not = "its operations are not known";
        return row;
    }
    if (memory.bytes > 0) row.intensity = work.flops / memory.bytes;
    const double computing_s = work.flops / compute.per_s;
    row.least_s = std::max(computing_s, memory.seconds);
    row.limit = computing_s >= memory.seconds ? compute.name : memory.name;
    if (work.flops > 0 && row.least_s > 0) row.ceiling_flop_per_s = work.flops / row.least_s;
    return row;
}

std::string exponent(double value) {
    return is_known(value) ? fmt::format("{:.2e}", value) : "n/a";
}

// The bytes that the row's intensity is of.
double bytes_of(const RooflineRow &row) {
    if (row.work.flops > 0 && is_known(row.intensity)) return row.work.flops / row.intensity;
    double most = row.work.bytes;
    for (const LevelTraffic &traffic : row.work.by_level)
        if (!is_known(most) || traffic.bytes > most) most = traffic.bytes;
    return most;
}

constexpr const char *roof_colour = "#335566", *dot_colour = "#cc3333";
constexpr double giga = 1e-9;

bool is_drawn(const RooflineRow &row) {
    return row.intensity > 0 && (row.attained_flop_per_s > 0 || row.ceiling_flop_per_s > 0);
}

// A region without a measured time stands at its ceiling, hollow.
double height_of(const RooflineRow &row) {
    return row.attained_flop_per_s > 0 ? row.attained_flop_per_s : row.ceiling_flop_per_s;
}

struct Range {
    double least = std::numeric_limits<double>::infinity(), most = 0;

    void include(double value) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
};

struct Ranges {
    Range x, y;
    double peak = 0, widest = 0; // flop/s; B/s of the nearest level
};

// Ceilings meet inside of the drawing, with room on all sides.
Ranges ranges_of(const Roofline &roofline) {
    Ranges r;
    r.peak = roofline.ceilings.front().per_s;
    for (const RooflineCeiling &c : roofline.ceilings) {
        if (c.is_bandwidth) {
            r.x.include(r.peak / c.per_s);
            r.widest = std::max(r.widest, c.per_s);
        } else {
            r.y.include(c.per_s);
        }
    }
    for (const RooflineRow &row : roofline.rows) {
        if (!is_drawn(row)) continue;
        r.x.include(row.intensity);
        r.y.include(height_of(row));
        r.y.include(std::max(row.ceiling_flop_per_s, height_of(row)));
    }
    r.x.include(r.x.least / 3);
    r.x.include(r.x.most * 4);
    r.y.include(r.y.least / 3);
    return r;
}

ChartSeries roof(const RooflineCeiling &c, const Ranges &r) {
    ChartSeries line{"", {}, true, false};
    line.colour = roof_colour;
    line.css = "roof";
    line.along = fmt::format("{} {:.3g} {}", c.name, giga * c.per_s, c.is_bandwidth ? "GB/s" : "GFLOP/s");
    if (c.is_bandwidth) {
        for (const double x : {std::max(r.x.least, r.y.least / c.per_s), r.peak / c.per_s})
            line.points.push_back({x, giga * c.per_s * x});
    } else { // begins where the nearest level's roof reaches it
        for (const double x : {std::max(r.x.least, c.per_s / r.widest), r.x.most})
            line.points.push_back({x, giga * c.per_s});
    }
    return line;
}

// What a region could gain, up to its ceiling.
ChartSeries gap(const RooflineRow &row) {
    ChartSeries line{"", {}, true, false, true, "#dd9999"};
    line.css = "gap";
    for (const double flop_per_s : {row.attained_flop_per_s, row.ceiling_flop_per_s})
        line.points.push_back({row.intensity, giga * flop_per_s});
    return line;
}

ChartPoint dot(const RooflineRow &row) {
    const std::string name = short_name(row.work.name, 28);
    return {row.intensity, giga * height_of(row), name,
            fmt::format("{}: {:.3g} GFLOP/s, ceiling {:.3g}, {}", name, giga * row.attained_flop_per_s,
                        giga * row.ceiling_flop_per_s, row.limit)};
}

} // namespace

Roofline roofline_of(const Machine &machine, RooflineSetting setting, const std::vector<RegionWork> &regions) {
    setting.at = on_all_threads(machine, setting.at);
    Roofline roofline;
    roofline.machine = machine.name;
    roofline.setting = setting;
    const RooflineCeiling compute = compute_ceiling(machine, setting);
    const std::vector<RooflineCeiling> bandwidths = bandwidth_ceilings(machine, setting);
    if (!is_known(compute.per_s) || bandwidths.empty()) {
        throw std::invalid_argument(fmt::format("{}: no {} with {} at this clock, vector and access", machine.name,
                                                bandwidths.empty() ? "bandwidth" : "flop rate",
                                                counted(setting.at.threads, "thread")));
    }
    roofline.ceilings = {compute};
    if (!machine.has_gpu) add_lower_rates(machine, setting, roofline.ceilings);
    roofline.ceilings.insert(roofline.ceilings.end(), bandwidths.begin(), bandwidths.end());
    for (const RegionWork &work : regions) {
        const RooflineRow &row = roofline.rows.emplace_back(row_of(work, compute, bandwidths));
        if (row.share() > 1 + roofline_tolerance) {
            roofline.remarks.push_back(fmt::format("{} was faster than the machine's file allows: it ran on another "
                                                   "machine, with more threads, or its work is less than given",
                                                   work.name));
        }
    }
    return roofline;
}

std::string roofline_in_words(const Roofline &roofline) {
    const RooflineRow *longest = nullptr;
    for (const RooflineRow &row : roofline.rows)
        if (is_known(row.share()) && (longest == nullptr || row.work.seconds > longest->work.seconds)) longest = &row;
    if (longest == nullptr) return "";
    const std::string name = safe_name(longest->work.name);
    const double share = longest->share();
    const Sentence sentence = share <= 1                        ? Sentence::below_ceiling
                              : share <= 1 + roofline_tolerance ? Sentence::at_ceiling
                                                                : Sentence::above_ceiling;
    return say(sentence, {{"name", name},
                          {"share", share_in_words(share)},
                          {"limit", longest->limit},
                          {"least", three_digits(longest->possible_least_s())},
                          {"seconds", three_digits(longest->work.seconds)}}) +
           "\n";
}

std::string roofline_as_text(const Roofline &roofline) {
    std::string text = fmt::format("Roofline on {}", safe_name(roofline.machine));
    if (roofline.setting.at.threads > 0)
        text += fmt::format(", {} {}", roofline.setting.at.threads, word_for(roofline.setting.at.threads, "thread"));
    text += "\n\n";
    TextTable ceilings;
    for (const RooflineCeiling &ceiling : roofline.ceilings)
        ceilings.row(
            {"  " + ceiling.name, three_digits(ceiling.per_s / 1e9), ceiling.is_bandwidth ? "GB/s" : "GFLOP/s"});
    text += ceilings.text() + "\n";
    TextTable table({9});
    table.row({"Region", "W [flop]", "Q [B]", "W/Q", "time [s]", "GFLOP/s", "ceiling", "% of it", "least [s]",
               "limited by"});
    for (const RooflineRow &row : roofline.rows) {
        table.row({short_name(row.work.name, 30), exponent(row.work.flops), exponent(bytes_of(row)),
                   three_digits(row.intensity), three_digits(row.work.seconds),
                   three_digits(row.attained_flop_per_s / 1e9), three_digits(row.ceiling_flop_per_s / 1e9),
                   three_digits(100 * row.share()), three_digits(row.possible_least_s()),
                   row.limit.empty() ? "n/a: " + row.why_not : row.limit});
    }
    text += table.text() + "\n" + roofline_in_words(roofline);
    for (const std::string &remark : roofline.remarks)
        text += "Note: " + safe_name(remark) + "\n";
    return text;
}

std::string roofline_svg(const Roofline &roofline) {
    const Ranges ranges = ranges_of(roofline);
    SvgChart chart{"Roofline on " + roofline.machine,
                   {"operations for each byte moved, W/Q [flop/B]", true},
                   {"GFLOP/s", true, {}, 1.5 * giga * ranges.y.most},
                   {},
                   700,
                   420};
    for (const RooflineCeiling &c : roofline.ceilings)
        chart.series.push_back(roof(c, ranges));
    ChartSeries dots[] = {{"", {}, false, true, false, dot_colour, ChartShape::circle, 10, false},
                          {"", {}, false, true, false, dot_colour, ChartShape::circle, 10, true}};
    dots[0].css = "dot";
    dots[1].css = "hollow";
    for (const RooflineRow &row : roofline.rows) {
        if (!is_drawn(row)) continue;
        if (row.ceiling_flop_per_s > row.attained_flop_per_s) chart.series.push_back(gap(row));
        dots[row.attained_flop_per_s > 0 ? 0 : 1].points.push_back(dot(row));
    }
    chart.series.insert(chart.series.end(), std::begin(dots), std::end(dots));
    return svg_of(chart);
}

} // namespace cpl_lb
