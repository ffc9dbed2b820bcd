// The output of cpl-lb roofline as json, and for the page.
#include "projection/tools/roofline/roofline_output.hpp"

#include "io/json/info_json.hpp"
#include "io/json/json_tree.hpp"
#include "projection/roofline/roofline_text.hpp"
#include "projection/tools/roofline/roofline_sources.hpp"

#include <algorithm>

namespace cpl_lb {

std::string roofline_json(const Roofline &roofline) {
    JsonTree root = {{"machine", roofline.machine},
                     {"threads", roofline.setting.at.threads},
                     {"ceilings", JsonTree::array()},
                     {"regions", JsonTree::array()},
                     {"remarks", roofline.remarks}};
    for (const RooflineCeiling &c : roofline.ceilings)
        root["ceilings"].push_back(
            {{"name", c.name}, {c.is_bandwidth ? "B_per_s" : "flop_per_s", JsonTree::number(c.per_s)}});
    for (const RooflineRow &row : roofline.rows) {
        JsonTree region = {{"region", row.work.name},
                           {"from", JsonTree::text(row.work.from)},
                           {"flops", JsonTree::number(row.work.flops)},
                           {"bytes", JsonTree::number(row.work.bytes)},
                           {"seconds", JsonTree::number(row.work.seconds)},
                           {"intensity", JsonTree::number(row.intensity)},
                           {"attained_flop_per_s", JsonTree::number(row.attained_flop_per_s)},
                           {"ceiling_flop_per_s", JsonTree::number(row.ceiling_flop_per_s)},
                           {"share", JsonTree::number(row.share())},
                           {"least_s", JsonTree::number(row.possible_least_s())},
                           {"limited_by", JsonTree::text(row.limit)},
                           {"why_not", JsonTree::text(row.why_not)}};
        for (const LevelTraffic &traffic : row.work.by_level)
            region["bytes_by_level"][traffic.level] = JsonTree::number(traffic.bytes);
        root["regions"].push_back(std::move(region));
    }
    return root.dump(2) + "\n";
}

PageRoofline page_roofline(const CoupledRun &run, const Machine &machine, RooflineSetting setting,
                           const CoresAtWork &said) {
    PageRoofline page;
    const bool has_regions = std::any_of(run.components.begin(), run.components.end(),
                                         [](const Component &c) { return !c.regions.empty(); });
    // Goes through the json, so that W and Q follow the same rules as in cpl-lb roofline.
    RunWork work;
    work.threads = said.threads;
    if (has_regions) work = work_in_json(info_json(run, InfoDetail::figures), "the run", said);
    setting.at.threads = work.threads;
    Roofline roofline = roofline_of(machine, setting, work.regions);
    if (!work.remark.empty()) roofline.remarks.push_back(work.remark);
    page.json = roofline_json(roofline);
    const bool any_known = std::any_of(roofline.rows.begin(), roofline.rows.end(),
                                       [](const RooflineRow &row) { return is_known(row.least_s); });
    if (!has_regions) {
        page.why_not = "the run's json names no regions; the model marks them with cpl_lb_region_begin and _end";
    } else if (!any_known) {
        page.why_not =
            "no region has both its operations and its bytes, neither counted (cn_counters) nor said by its "
            "author (cpl_lb_assert_expression)";
    } else {
        page.words = roofline_in_words(roofline);
        page.svg = roofline_svg(roofline);
    }
    return page;
}

} // namespace cpl_lb
