// cpl-lb cpmip --plan: a production plan in words, as json, and as two pictures.
#pragma once

#include "prediction/production_plan.hpp"
#include "tools/cpmip/cpmip_sources.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

struct PlanAnswer {
    ScalingStudy study;
    ProductionPlan plan;
    std::vector<ModelRow> published; // to stand among
    std::string published_in;        // their source
};

// A day or a time; a day begins at 00:00 UTC. Throws cli::WrongUsage for other words.
[[nodiscard]] double plan_date(const std::string &option, const std::string &text);

// "2027-03-01", or n/a if the calendar has no such year; "~1365", not measured; "165 years x 3 members".
[[nodiscard]] std::string plan_day_text(double unix_s);
[[nodiscard]] std::string plan_cores_text(const PlannedCount &count);
[[nodiscard]] std::string plan_wish_text(const PlanWish &wish);

// Throws cli::WrongUsage for wishes that contradict each other.
[[nodiscard]] ProductionPlan plan_of(const ScalingStudy &study, const CpmipOptions &options);

[[nodiscard]] std::string plan_as_text(const PlanAnswer &answer);
[[nodiscard]] std::string plan_as_json(const PlanAnswer &answer);
[[nodiscard]] std::string plan_as_svg(const PlanAnswer &answer); // core hours over time

// Speed over cost for the resolution: the model's S and T among the published rows. Throws FileError if the model's
// resolution is not known.
[[nodiscard]] std::string published_as_svg(const PlanAnswer &answer);

} // namespace cpl_lb
