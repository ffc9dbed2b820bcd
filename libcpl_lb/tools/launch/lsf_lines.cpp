// IBM Spectrum LSF: as many slots as processes, and each component's requirements for its own hosts. A compound
// resource requirement is NUMBER*{requirement} + NUMBER*{requirement}; its numbers add up to -n. span[ptile=N] is N
// slots on each host; affinity[core(N)] is N cores for each slot, if the site has affinity (bsub -R, "Resource
// requirement strings", "Span string" and "Affinity string" of LSF 10.1).
#include "tools/launch/launch_form.hpp"

#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

std::string requirement(const LaunchGroup &group, std::int64_t node_cores) {
    std::vector<std::string> sections;
    if (node_cores > 1) {
        const std::int64_t on_node = std::max<std::int64_t>(1, node_cores / group.threads);
        sections.push_back(fmt::format("span[ptile={}]", std::min(on_node, group.processes)));
    }
    if (group.threads > 1) sections.push_back(fmt::format("affinity[core({})]", group.threads));
    return joined(sections, " ");
}

} // namespace

LaunchLines lsf_lines(const LaunchPlan &plan) {
    if (!plan.with_unknown.empty()) return {"", "it is not known on whose cores these run: " + plan.with_unknown};
    const std::vector<LaunchGroup> groups = launch_groups(plan);
    std::int64_t slots = 0;
    bool all_alike = true; // one requirement for all slots
    std::vector<std::string> terms;
    const std::string first = requirement(groups.front(), plan.node_cores);
    for (const LaunchGroup &group : groups) {
        const std::string of_group = requirement(group, plan.node_cores);
        // A term needs a section, so a component without requirements asks for hosts of any type.
        terms.push_back(fmt::format("{}*{{{}}}", group.processes, of_group.empty() ? "select[type==any]" : of_group));
        all_alike = all_alike && of_group.empty();
        slots += group.processes;
    }
    std::string text = fmt::format("#BSUB -n {}\n", slots);
    if (groups.size() == 1 && !first.empty()) text += fmt::format("#BSUB -R \"{}\"\n", first);
    if (groups.size() > 1 && !all_alike) text += fmt::format("#BSUB -R \"{}\"\n", joined(terms, " + "));
    // Exclusive hosts: a component that leaves cores idle still has whole nodes.
    if (plan.node_cores > 1) text += "#BSUB -x\n";
    return {text};
}

} // namespace cpl_lb
