// S, T and the shoulder as text, json, rows of table 1 and a picture.
#include "analysis/model_rows.hpp"
#include "io/json/json_tree.hpp"
#include "report/format.hpp"
#include "report/plot.hpp"
#include "report/words.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "tools/cpmip/scaling_study.hpp"

namespace cpl_lb {
namespace {

using Json = JsonTree;

std::string cores_text(const ScalingPoint &point) {
    return fmt::format("{:.0f} cores", point.cores);
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

// What stands behind a row of the table.
std::string marks_of(const ScalingStudy &s, std::size_t i) {
    std::string marks = i == s.modes.speed ? "S" : "";
    const auto add = [&](const char *word) { marks += (marks.empty() ? "" : ", ") + std::string(word); };
    if (throughput_of(s) == i) add("T");
    if (s.modes.shoulder == i) add("shoulder");
    return marks;
}

ModelRow row_for(const ScalingStudy &s, std::size_t i, char mode) {
    ModelRow row;
    row.model = s.model.model;
    row.resolution = s.model.resolution;
    row.complexity = s.model.complexity;
    row.platform = s.model.platform;
    row.mode = mode;
    row.sypd = s.points[i].sypd;
    row.chsy = s.points[i].chsy;
    return row;
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

std::string scaling_as_text(const ScalingStudy &s) {
    TextTable table;
    const bool named = std::any_of(s.points.begin(), s.points.end(), [](const auto &p) { return !p.name.empty(); });
    table.left(3);
    table.left(4);
    table.row({"Cores", "SYPD", "CHSY", "", named ? "Counts" : ""});
    for (std::size_t i = 0; i < s.points.size(); ++i) {
        const ScalingPoint &p = s.points[i];
        table.row({fmt::format("{:.0f}", p.cores), number_text(p.sypd), number_text(p.chsy), marks_of(s, i),
                   short_name(p.name, 60)});
    }
    std::string text = "Speed and cost of " + safe_name(s.name) + ", " + counted(s.runs, "run") + "\n\n";
    return text + table.text() + "\n" + sentences(s);
}

std::string scaling_as_json(const ScalingStudy &s) {
    Json json = {{"schema", "cpl_lb_scaling/1"},
                 {"name", s.name},
                 {"runs", s.runs},
                 {"wanted_sypd", Json::number(s.wanted_sypd)},
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
    std::string text = csv_names() + csv_of(row_for(s, s.modes.speed, 'S'));
    if (const std::optional<std::size_t> t = throughput_of(s)) text += csv_of(row_for(s, *t, 'T'));
    return text;
}

std::string scaling_as_svg(const ScalingStudy &s) {
    ChartSeries measured{"measured", {}};
    double most = 0;
    for (const ScalingPoint &p : s.points) {
        measured.points.push_back({p.chsy, p.sypd, cores_text(p)});
        most = std::max(most, p.chsy);
    }
    SvgChart chart{"Speed and cost of " + short_name(s.name, 50),
                   {"cost (core hours / simulated year)"},
                   {"speed (simulated years / day)"},
                   {measured}};
    chart.series.push_back(mark_at(s, s.modes.speed, "S, fastest"));
    if (const std::optional<std::size_t> t = throughput_of(s)) chart.series.push_back(mark_at(s, *t, "T, cheapest"));
    if (s.modes.shoulder) chart.series.push_back(mark_at(s, *s.modes.shoulder, "shoulder"));
    if (is_known(s.wanted_sypd)) {
        const std::string name = fmt::format("at least {:g} SYPD", s.wanted_sypd);
        chart.series.push_back({name, {{0, s.wanted_sypd}, {most, s.wanted_sypd}}, true, false, true});
    }
    return svg_of(chart);
}

} // namespace cpl_lb
