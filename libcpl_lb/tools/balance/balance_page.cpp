// The answer of cpl-lb balance as a page that opens offline: in words, as a table, and with the scaling of each
// component and region that it rests on as pictures, with their numbers.
#include "tools/balance/balance_page.hpp"

#include "data/time.hpp"
#include "report/format.hpp"
#include "report/plot.hpp"
#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"
#include "tools/processor_counts.hpp"
#include "tools/written_files.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace cpl_lb {
namespace {

constexpr double simulated_day_s = 86'400;
constexpr const char *balance_styles = R"(table { margin: .5rem 0 1rem; } td, th { white-space: nowrap; }
td:first-child, th:first-child, .of-regions td:nth-child(2), .of-regions th:nth-child(2) { text-align: left; }
h2, h3, h4, summary { overflow-wrap: anywhere; } h4 { margin: .5rem 0 0; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.5rem; padding: 0; list-style: none; }
.legend .key { vertical-align: -2px; margin-right: .4rem; }
.pair { display: grid; grid-template-columns: repeat(2, minmax(0, 34rem)); gap: 0 1rem; } .pair svg { width: 100%; }
.regions { display: grid; grid-template-columns: 1fr 1fr; gap: 0 2rem; } .region { min-width: 0; break-inside: avoid; }
@media print { table { font-size: .85rem; } td, th { padding: .1rem .4rem; white-space: normal; }
  td:first-child, .of-regions td:nth-child(2) { overflow-wrap: anywhere; } }
@media print, (max-width: 60rem) { .regions { grid-template-columns: 1fr; } }
@media screen and (max-width: 34rem) { .pair { grid-template-columns: minmax(0, 1fr); } }
)";
constexpr std::size_t most_regions_drawn = 24, most_open_rows = 30;

bool same_times(const std::vector<ScalingSample> &a, const std::vector<ScalingSample> &b) {
    return std::ranges::equal(a, b, [](const ScalingSample &x, const ScalingSample &y) {
        return x.processes == y.processes && x.seconds == y.seconds;
    });
}

std::size_t runs_with(const std::vector<RegionTime> &times) {
    std::set<std::string> runs;
    for (const RegionTime &each : times)
        runs.insert(each.time.run);
    return runs.size();
}

// Runs of different lengths compare by the day that they simulate; of equal or unknown ones the whole run does.
bool by_simulated_day(const std::vector<RegionTime> &times) {
    const double first_s = times.empty() ? unknown : times.front().simulated_s;
    const auto is_given = [](const RegionTime &each) { return each.simulated_s > 0; };
    return std::ranges::all_of(times, is_given) && std::ranges::any_of(times, [&](const RegionTime &each) {
               return std::abs(each.simulated_s - first_s) > 1e-9 * first_s;
           });
}

// The times with the threads of the answer; if there are none, all.
std::optional<ScalingCurve> curve_through(ScalingPicture &picture) {
    const auto counts = [&](const MeasuredTime &time) { return time.seconds > 0 && is_of_curve(picture, time); };
    if (std::ranges::none_of(picture.times, counts)) picture.threads = 0;
    std::vector<ScalingSample> samples;
    for (const MeasuredTime &time : picture.times)
        if (counts(time)) samples.push_back({time.cores, time.seconds});
    if (samples.empty()) return std::nullopt;
    return ScalingCurve(std::move(samples));
}

ScalingPicture picture_of_region(const std::string &name, const std::vector<RegionTime> &times,
                                 const ScalingPicture &component, bool of_day) {
    ScalingPicture picture{name, "the run", {}, {}, component.form, component.threads, component.recommended};
    if (of_day) picture.seconds_of = "a simulated day";
    for (const RegionTime &each : times) {
        picture.times.push_back(each.time);
        if (of_day) picture.times.back().seconds *= simulated_day_s / each.simulated_s;
    }
    std::ranges::stable_sort(picture.times, {}, &MeasuredTime::cores);
    picture.curve = curve_through(picture);
    return picture;
}

std::vector<ScalingPicture> pictures_of_regions(const std::map<std::string, std::vector<RegionTime>> &regions,
                                                const ScalingPicture &component) {
    std::vector<RegionTime> all; // that are compared: in one unit
    for (const auto &[name, times] : regions)
        if (runs_with(times) > 1) all.insert(all.end(), times.begin(), times.end());
    const bool of_day = by_simulated_day(all);
    std::vector<ScalingPicture> pictures;
    for (const auto &[name, times] : regions)
        if (runs_with(times) > 1) pictures.push_back(picture_of_region(name, times, component, of_day));
    const auto longest = [](const ScalingPicture &picture) {
        double most_s = 0;
        for (const MeasuredTime &time : picture.times)
            most_s = std::max(most_s, time.seconds);
        return most_s;
    };
    std::ranges::stable_sort(pictures, std::ranges::greater{}, longest);
    return pictures;
}

ScalingPicture picture_of_component(const BalanceOutput &output, const ScalingSources &sources, std::size_t c) {
    const std::string &name = output.names[c];
    ScalingPicture picture{name, "", {}, {}, output.form, output.answer.threads[c], output.answer.counts[c]};
    if (const auto seconds_of = sources.seconds_of.find(name); seconds_of != sources.seconds_of.end())
        picture.seconds_of = seconds_of->second;
    if (const auto samples = sources.samples.find(name); samples != sources.samples.end()) {
        const std::vector<std::string> &runs = sources.runs.at(name);
        for (std::size_t i = 0; i < samples->second.size(); ++i) {
            const ScalingSample &sample = samples->second[i];
            picture.times.push_back({runs[i], sample.processes, sample.seconds, sample.threads});
        }
    }
    std::ranges::stable_sort(picture.times, {}, &MeasuredTime::cores);
    if (!output.idle[c]) picture.curve = output.curves[c];
    return picture;
}

using PageRows = std::vector<std::vector<std::string>>;

std::string table_of_answer(const BalanceOutput &output) {
    PageRows rows = counts_table(output).cells();
    for (std::vector<std::string> &row : rows)
        for (std::string &cell : row)
            cell = svg_text(cell);
    return in_a_scroller(html_table(rows), "The recommended counts");
}

bool has_other_threads(const ScalingPicture &picture) {
    return std::ranges::any_of(picture.times, [&](const MeasuredTime &time) { return !is_of_curve(picture, time); });
}

std::string legend_of(const BalanceOutput &output, const std::vector<ComponentPictures> &pictures) {
    const auto any = [&](bool (*has)(const ScalingPicture &)) {
        return std::ranges::any_of(pictures, [has](const ComponentPictures &each) {
            return has(each.component) || std::ranges::any_of(each.regions, has);
        });
    };
    std::string items;
    for (const ChartSeries &series : scaling_legend(output.form, any(has_curve), any(has_other_threads)))
        items += "<li>" + svg_key(series) + svg_text(series.name) + "</li>";
    return "<ul class=legend>" + items + "</ul>\n";
}

std::string both_charts(const ScalingPicture &picture, PictureSize size) {
    return "<div class=pair>" + svg_of(time_chart(picture, size)) + svg_of(efficiency_chart(picture, size)) +
           "</div>\n";
}

// Why there is no curve, or on which assumption it rests.
std::string note_of(const ScalingPicture &picture) {
    if (!picture.curve) return say(Sentence::picture_idle, {{"name", safe_name(picture.name)}});
    if (picture.curve->samples().size() > 1) return "";
    if (picture.curve->has_serial_part()) return say(Sentence::picture_serial_part);
    return say(has_curve(picture) ? Sentence::picture_like_other_threads : Sentence::picture_one_count);
}

std::string note_paragraph(const ScalingPicture &picture) {
    const std::string note = note_of(picture);
    return note.empty() ? "" : "<p>" + svg_text(note) + "</p>\n";
}

std::string threads_text(std::int64_t threads) {
    if (threads == 0) return "n/a";
    return threads > 0 ? count_text(threads) : "differing";
}

bool says_threads(const ScalingPicture &picture) {
    return std::ranges::any_of(picture.times, [](const MeasuredTime &time) { return time.threads != 0; });
}

TextTable times_titles(bool threads, const std::string &seconds_of) {
    RowOfCells titles = {"Run", "Cores"};
    if (threads) titles.emplace_back("Threads");
    titles.insert(titles.end(), {svg_text("Seconds" + (seconds_of.empty() ? "" : " of " + seconds_of)), "Speed-up",
                                 "Efficiency %"});
    TextTable table;
    table.row(std::move(titles));
    return table;
}

RowOfCells times_row(const std::string &run, const ScalingPicture &picture, const MeasuredTime &time, bool threads) {
    RowOfCells row = {run, decimal_text(time.cores, 0)};
    if (threads) row.emplace_back(threads_text(time.threads));
    const bool compares = picture.curve && time.seconds > 0;
    row.emplace_back(Decimal{time.seconds});
    row.emplace_back(Decimal{compares ? picture.curve->samples().front().seconds / time.seconds : unknown});
    row.emplace_back(
        per_cent_text(compares ? parallel_efficiency(*picture.curve, time.cores, time.seconds) : unknown));
    return row;
}

void add_times(TextTable &table, const ScalingPicture &picture, bool threads, const std::string &page) {
    for (const MeasuredTime &time : picture.times)
        table.row(times_row(linked(time.run, address_of_run(time.run, page)), picture, time, threads));
}

std::string table_of_times(const PageRows &rows, const char *title, const char *attributes) {
    return fmt::format("<details{}><summary>{}</summary>\n", rows.size() <= most_open_rows ? " open" : "", title) +
           in_a_scroller(html_table(rows, attributes), title) + "</details>\n";
}

std::string section_of_component(const ScalingPicture &picture, const std::string &page) {
    std::string html = "<h2>" + svg_text(picture.name) + "</h2>\n" + note_paragraph(picture);
    if (picture.curve) html += both_charts(picture, PictureSize::large);
    const bool threads = says_threads(picture);
    TextTable table = times_titles(threads, picture.seconds_of);
    add_times(table, picture, threads, page);
    if (picture.curve && picture.recommended > 0) {
        const auto cores = static_cast<double>(picture.recommended);
        const MeasuredTime by_curve{"", cores, picture.curve->seconds(cores, picture.form), picture.threads};
        const char *by = has_curve(picture) ? "recommended, by the curve" : "recommended, by ideal scaling";
        table.row(times_row(by, picture, by_curve, threads));
    }
    return html + table_of_times(table.cells(), "Measured times", "");
}

std::string section_of_regions(const std::string &name, const std::vector<ScalingPicture> &regions,
                               const std::string &page) {
    if (regions.empty()) return "";
    std::string html = "<h3>Regions of " + svg_text(name) + "</h3>\n<p>" +
                       svg_text("Seconds of " + regions.front().seconds_of +
                                ", mean over the processes that entered the region. A region that lies inside "
                                "another one is in both.") +
                       "</p>\n<div class=regions>\n";
    for (std::size_t r = 0; r < std::min(regions.size(), most_regions_drawn); ++r) {
        html += "<div class=region><h4>" + svg_text(regions[r].name) + "</h4>\n" + note_paragraph(regions[r]) +
                both_charts(regions[r], PictureSize::small) + "</div>\n";
    }
    html += "</div>\n";
    if (regions.size() > most_regions_drawn)
        html += "<p>" + counted(regions.size() - most_regions_drawn, "shorter region") + ": in the table only.</p>\n";
    const bool threads = std::ranges::any_of(regions, says_threads);
    TextTable table = times_titles(threads, regions.front().seconds_of);
    for (const ScalingPicture &region : regions)
        add_times(table, region, threads, page);
    PageRows rows = table.cells();
    rows[0].insert(rows[0].begin(), "Region");
    std::size_t row = 1;
    for (const ScalingPicture &region : regions)
        for (std::size_t i = 0; i < region.times.size(); ++i, ++row)
            rows[row].insert(rows[row].begin(), svg_text(region.name));
    return html + table_of_times(rows, "Times of the regions", " class=of-regions");
}

} // namespace

void add_sources(ScalingSources &sources, const SamplesByComponent &samples, const std::string &directory,
                 const CoupledRun &run) {
    sources.samples = samples;
    for (const auto &[name, list] : samples)
        sources.runs[name].resize(list.size(), directory);
    for (const Component &component : run.components) {
        const bool alike = component.cores() == static_cast<std::int64_t>(component.ranks.size()) * component.threads;
        for (const RegionSummary &region : component.regions) {
            if (!(region.mean_s > 0)) continue;
            sources.regions[component.name][region.name].push_back(
                {{directory, static_cast<double>(component.cores()), region.mean_s,
                  alike ? component.threads : differing_threads},
                 run.run.simulated_s});
        }
    }
}

void settle_sources(ScalingSources &sources, const SamplesByComponent &samples, const std::string &table,
                    const std::string &seconds_of) {
    for (const auto &[name, list] : samples) {
        if (same_times(sources.samples[name], list)) {
            sources.seconds_of[name] = seconds_of;
            continue;
        }
        sources.samples[name] = list;
        sources.runs[name].assign(list.size(), table);
    }
}

std::vector<ComponentPictures> pictures_of(const BalanceOutput &output, const ScalingSources &sources) {
    std::vector<ComponentPictures> pictures;
    for (std::size_t c = 0; c < output.names.size(); ++c) {
        ComponentPictures of_one{picture_of_component(output, sources, c), {}};
        const auto regions = sources.regions.find(output.names[c]);
        if (regions != sources.regions.end()) of_one.regions = pictures_of_regions(regions->second, of_one.component);
        pictures.push_back(std::move(of_one));
    }
    return pictures;
}

bool lengths_not_known(const ScalingSources &sources) {
    const auto is_not_known = [](const RegionTime &each) { return !(each.simulated_s > 0); };
    for (const auto &[component, regions] : sources.regions) {
        for (const auto &[name, times] : regions) {
            if (runs_with(times) > 1 && std::ranges::any_of(times, is_not_known)) return true;
        }
    }
    return false;
}

std::string balance_as_page(const BalanceOutput &output, const ScalingSources &sources, const std::string &page) {
    const std::vector<ComponentPictures> pictures = pictures_of(output, sources);
    std::string html = page_begin("cpl-lb balance", "The best processor counts", balance_styles) +
                       paragraphs_of(answer_in_words(output), true) + table_of_answer(output) +
                       paragraphs_of(output.basis.text, false);
    html += "<h2>How the components scale</h2>\n" + legend_of(output, pictures);
    html +=
        "<p>The parallel efficiency is t<sub>0</sub> c<sub>0</sub> / (t c): of the time t on c cores, compared "
        "with the smallest measured count, c<sub>0</sub> cores. Point at a mark to see its run and numbers.</p>\n";
    if (lengths_not_known(sources)) html += "<p>" + svg_text(say(Sentence::picture_no_lengths)) + "</p>\n";
    for (const ComponentPictures &each : pictures)
        html +=
            section_of_component(each.component, page) + section_of_regions(each.component.name, each.regions, page);
    return html + page_end();
}

} // namespace cpl_lb
