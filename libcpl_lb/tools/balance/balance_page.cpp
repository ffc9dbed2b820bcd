// The answer of cpl-lb balance as a page that opens offline: in words, as a table, and with the scaling of each
// component and region that it rests on as pictures, with their numbers.
#include "tools/balance/balance_page.hpp"

#include "report/format.hpp"
#include "report/plot.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"
#include "tools/processor_counts.hpp"
#include "tools/written_files.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

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

using PageRows = std::vector<std::vector<std::string>>;

std::string answer_paragraphs(const std::string &lines, bool first_is_verdict) {
    std::string html;
    for (std::size_t begin = 0, end; (end = lines.find('\n', begin)) != std::string::npos; begin = end + 1) {
        html += fmt::format("<p{}>{}</p>\n", first_is_verdict && begin == 0 ? " class=verdict" : "",
                            svg_text(lines.substr(begin, end - begin)));
    }
    return html;
}

std::string table_of_answer(const BalanceOutput &output) {
    PageRows rows = counts_table(output).cells();
    for (std::vector<std::string> &row : rows)
        for (std::string &cell : row)
            cell = svg_text(cell);
    return in_a_scroller(html_table(rows), "The recommended counts");
}

bool has_other_threads(const ScalingPicture &picture) {
    return std::any_of(picture.times.begin(), picture.times.end(),
                       [&](const MeasuredTime &time) { return !is_of_curve(picture, time); });
}

std::string legend_of(const BalanceOutput &output, const std::vector<ComponentPictures> &pictures) {
    const auto any = [&](bool (*has)(const ScalingPicture &)) {
        return std::any_of(pictures.begin(), pictures.end(), [has](const ComponentPictures &each) {
            return has(each.component) || std::any_of(each.regions.begin(), each.regions.end(), has);
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
    return std::any_of(picture.times.begin(), picture.times.end(),
                       [](const MeasuredTime &time) { return time.threads != 0; });
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
    RowOfCells row = {run, fmt::format("{:.0f}", time.cores)};
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
    const bool threads = std::any_of(regions.begin(), regions.end(), says_threads);
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

std::string balance_as_page(const BalanceOutput &output, const ScalingSources &sources, const std::string &page) {
    const std::vector<ComponentPictures> pictures = pictures_of(output, sources);
    std::string html = page_begin("cpl-lb balance", "The best processor counts", balance_styles) +
                       answer_paragraphs(answer_in_words(output), true) + table_of_answer(output) +
                       answer_paragraphs(answer_basis(output.names, output.curves, output.answer.counts).text, false);
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
