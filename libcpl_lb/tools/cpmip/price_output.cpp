// What a run costs at given prices, as cpl-lb cpmip --price prints it.
#include "report/format.hpp"
#include "report/text_sections.hpp"
#include "tools/cpmip/cpmip_sources.hpp"

namespace cpl_lb {
namespace {

// Why a price is not known: the reasons of the units that have a price.
std::string why_not(const Cost &cost, const Prices &prices) {
    if (is_known(price_of(cost, prices))) return "";
    std::string text;
    for (const auto &[unit, price] : prices) {
        const std::string &why = unit == "cpu"   ? cost.why_no_core_hours
                                 : unit == "gpu" ? cost.why_no_gpu_hours
                                                 : cost.why_no_node_hours;
        if (!why.empty() && text.find(why) == std::string::npos) text += (text.empty() ? "" : "; ") + why;
    }
    return text;
}

} // namespace

std::string price_text(const CoupledRun &run, const Prices &prices) {
    if (prices.empty()) return "";
    const RunCost cost = cost_of(run);
    TextTable table;
    table.row({"Component", "core hours", "node hours", "GPU hours", "price"});
    std::string reasons;
    const auto row = [&](const std::string &name, const Cost &own) {
        table.row({name, Decimal{own.core_hours}, Decimal{own.node_hours}, Decimal{own.gpu_hours},
                   Decimal{price_of(own, prices)}});
        if (const std::string why = why_not(own, prices); !why.empty())
            reasons += wrapped("n/a: the price of " + name + " (" + safe_name(why) + ")", text_columns);
    };
    for (std::size_t c = 0; c < run.components.size(); ++c)
        row(table_name(run.components[c]), cost.components[c]);
    row("the run", cost.run);
    return "\nPrice\n" + std::string(rule) + table.text(text_columns) + reasons;
}

JsonTree price_json(const CoupledRun &run, const Prices &prices) {
    const RunCost cost = cost_of(run);
    const auto one = [&](const Cost &own) {
        return JsonTree{{"price", JsonTree::number(price_of(own, prices))},
                        {"why_no_price", JsonTree::text(why_not(own, prices))}};
    };
    JsonTree json = one(cost.run);
    json["components"] = JsonTree::object();
    for (std::size_t c = 0; c < run.components.size(); ++c)
        json["components"][run.components[c].name] = one(cost.components[c]);
    return json;
}

} // namespace cpl_lb
