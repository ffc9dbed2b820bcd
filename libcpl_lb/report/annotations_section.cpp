// The tables of annotated regions in the text summary.

#include "report/format.hpp"
#include "report/text_sections.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace cpl_lb {
namespace {

constexpr std::size_t expression_columns = 40;

// "mv" has two digits.
std::string value_text(const Annotation &a, double value) {
    if (a.quantity == "mv" && is_known(value) && value == std::round(value)) return fmt::format("{:02.0f}", value);
    return amount_text(value);
}

// "nx = 100, ny = 50 to 60"
std::string parameter_line(const Component &component) {
    std::string text;
    for (const AssertedParameter &p : component.parameters) {
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", safe_name(p.name), amount_text(p.value.min));
        if (p.value.min != p.value.max) text += " to " + amount_text(p.value.max);
        if (p.changes > 0) text += " at last";
    }
    return text;
}

} // namespace

std::string annotation_table(const CoupledRun &run) {
    TextTable table =
        titled({"Component", "region", "what", "expression (of one call)", "says", "measured", "error %"}, {1, 2, 3});
    std::vector<std::pair<std::string, std::vector<std::string>>> missing; // why, of which quantities
    for (const Component &c : run.components) {
        for (const RegionSummary &region : c.regions) {
            for (const Annotation &a : region.annotations) {
                table.row({table_name(c), short_name(region.name, table_name_columns), short_name(a.quantity, 10),
                           short_name(a.expression, expression_columns), value_text(a, a.value.mean()),
                           value_text(a, a.measured), per_cent_text(a.error())});
                if (a.why_not_measured.empty()) continue;
                std::vector<std::string> &which = value_of(missing, a.why_not_measured);
                if (std::ranges::find(which, a.quantity) == which.end()) which.push_back(a.quantity);
            }
        }
    }
    if (table.empty()) return "";
    std::string text = table.text(text_columns);
    for (const auto &[why, which] : missing)
        text += wrapped("n/a: " + safe_name(joined(which, ", ")) + ": " + safe_name(why), 80);
    for (const Component &c : run.components)
        if (!c.parameters.empty()) text += wrapped("Parameters of " + table_name(c) + ": " + parameter_line(c), 80);
    return text;
}

std::string amount_text(double value) {
    if (!std::isfinite(value)) return "n/a";
    const bool whole = value == std::round(value) && std::abs(value) < 1e6;
    return whole ? decimal_text(value, 0) : fmt::format("{:.4g}", value);
}

std::string control_flow_table(const CoupledRun &run) {
    TextTable table = titled({"Component", "entered from", "region", "times"}, {1, 2});
    for (const Component &c : run.components) {
        for (const RegionEntry &e : c.control_flow) {
            table.row({table_name(c), e.from.empty() ? "(outside)" : short_name(e.from, table_name_columns),
                       short_name(e.region, table_name_columns), count_text(e.times)});
        }
    }
    return SectionText(table).text;
}

} // namespace cpl_lb
