// Prints the roofline as a table and in words.
#include "projection/roofline/roofline_text.hpp"

#include "report/format.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

std::string three(double value) {
    if (!is_known(value)) return "n/a";
    return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}
std::string three(double value, double unit) {
    return three(value / unit);
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

} // namespace

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
                          {"least", three(longest->possible_least_s())},
                          {"seconds", three(longest->work.seconds)}}) +
           "\n";
}

std::string roofline_as_text(const Roofline &roofline) {
    std::string text = fmt::format("Roofline on {}", safe_name(roofline.machine));
    if (roofline.setting.at.threads > 0)
        text += fmt::format(", {} {}", roofline.setting.at.threads, word_for(roofline.setting.at.threads, "thread"));
    text += "\n\n";
    TextTable ceilings;
    for (const RooflineCeiling &ceiling : roofline.ceilings)
        ceilings.row({"  " + ceiling.name, three(ceiling.per_s, 1e9), ceiling.is_bandwidth ? "GB/s" : "GFLOP/s"});
    text += ceilings.text() + "\n";
    TextTable table;
    table.left(9);
    table.row({"Region", "W [flop]", "Q [B]", "W/Q", "time [s]", "GFLOP/s", "ceiling", "% of it", "least [s]",
               "limited by"});
    for (const RooflineRow &row : roofline.rows) {
        table.row({short_name(row.work.name, 30), exponent(row.work.flops), exponent(bytes_of(row)),
                   three(row.intensity), three(row.work.seconds), three(row.attained_flop_per_s, 1e9),
                   three(row.ceiling_flop_per_s, 1e9), three(100 * row.share()), three(row.possible_least_s()),
                   row.limit.empty() ? "n/a: " + row.why_not : row.limit});
    }
    text += table.text() + "\n" + roofline_in_words(roofline);
    for (const std::string &remark : roofline.remarks)
        text += "Note: " + safe_name(remark) + "\n";
    return text;
}

} // namespace cpl_lb
