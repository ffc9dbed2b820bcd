// Compares the value of each expression with its counter and gives the error.
#include "assertions/check.hpp"

#include "assertions/quantities.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace cpl_lb {
namespace {

double calls_of_a_process(const RegionSummary &region) {
    return region.processes > 0 ? static_cast<double>(region.calls) / region.processes : unknown;
}

// A vector load is one instruction and several numbers.
bool counts_instructions_only(const RegionSummary &region, std::string_view quantity) {
    if (quantity != "loads" && quantity != "stores") return false;
    const Annotation *mv = annotation_of(region, "mv");
    return mv != nullptr && std::fmod(mv->value.mean(), 10.0) != 0.0; // the second digit: vectorised
}

void check(const RegionSummary &region, Annotation &a) {
    if (a.quantity == "seconds") {
        a.measured = region.mean_s;
        a.measured_by = "clock";
    } else if (a.quantity == "calls") {
        a.measured = calls_of_a_process(region);
        a.measured_by = "count of calls";
    } else if (a.quantity == "messages" || a.quantity == "message_bytes") {
        a.measured = (a.quantity == "messages" ? region.meters.messages : region.meters.message_B).mean();
        a.measured_by = is_known(a.measured) ? "MPI" : "";
        a.why_not_measured = is_known(a.measured) ? "" : "MPI was not recorded: put cpl-lb-record in front";
    } else if (counts_instructions_only(region, a.quantity)) {
        a.why_not_measured = "counters count load and store instructions, and here one is several numbers";
    } else {
        Measured m = measured_by_counters(a.quantity, region.meters.counters);
        a.measured = m.value;
        a.measured_by = std::move(m.by);
        a.why_not_measured = std::move(m.why);
    }
}

void note_parts(const Component &c, const RegionSummary &region, std::vector<std::string> &remarks) {
    constexpr std::array<std::pair<const char *, const char *>, 3> parts = {
        {{"vflops", "flops"}, {"vloads", "loads"}, {"vstores", "stores"}}};
    for (const auto &[part, whole] : parts) {
        const Annotation *p = annotation_of(region, part), *w = annotation_of(region, whole);
        if (p != nullptr && w != nullptr && p->value.mean() > w->value.mean()) {
            remarks.push_back(say(Sentence::remark_part_exceeds, {{"name", c.name},
                                                                  {"region", region.name},
                                                                  {"part", part},
                                                                  {"whole", whole},
                                                                  {"value", fmt::format("{:g}", p->value.mean())},
                                                                  {"all", fmt::format("{:g}", w->value.mean())}}));
        }
    }
}

} // namespace

const Annotation *annotation_of(const RegionSummary &region, std::string_view quantity) {
    const auto at = std::find_if(region.annotations.begin(), region.annotations.end(),
                                 [&](const Annotation &a) { return a.quantity == quantity; });
    return at == region.annotations.end() ? nullptr : &*at;
}

void check_annotations(RegionSummary &region) {
    for (Annotation &a : region.annotations)
        check(region, a);
}

void check_annotations(CoupledRun &run) {
    for (Component &c : run.components)
        for (RegionSummary &region : c.regions)
            check_annotations(region);
}

std::vector<std::string> annotation_remarks(const CoupledRun &run) {
    std::vector<std::string> remarks;
    for (const Component &c : run.components) {
        for (const RegionSummary &region : c.regions) {
            for (const Annotation &a : region.annotations) {
                if (!a.why_no_value.empty()) {
                    remarks.push_back(say(Sentence::remark_no_value, {{"name", c.name},
                                                                      {"region", region.name},
                                                                      {"quantity", a.quantity},
                                                                      {"why", a.why_no_value}}));
                }
            }
            note_parts(c, region, remarks);
        }
        for (const AssertedParameter &p : c.parameters) {
            if (p.value.min != p.value.max) {
                remarks.push_back(
                    say(Sentence::remark_parameter_differs, {{"name", c.name},
                                                             {"parameter", p.name},
                                                             {"least", fmt::format("{:g}", p.value.min)},
                                                             {"most", fmt::format("{:g}", p.value.max)}}));
            }
        }
    }
    return remarks;
}

} // namespace cpl_lb
