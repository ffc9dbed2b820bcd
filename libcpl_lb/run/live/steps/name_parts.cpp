// The names go up the tree and come back, one line for each component.
#include "run/live/steps/tie_messages.hpp"

#include "run/live/steps/shared_map.hpp"

#include <map>

namespace cpl_lb {
namespace {

// By component: the name of its communicator; empty if its processes disagree, or it has no name.
using Names = NamedValues<std::string>;

// Keeps only names that no other component has, neither its present name nor its new one.
void keep_unique(Names &names) {
    std::map<std::string, int> times;
    for (const auto &[component, name] : names) {
        ++times[component];
        if (!name.empty() && name != component) ++times[name];
    }
    for (auto &[component, name] : names)
        if (times[name] > 1) name.clear();
}

} // namespace

bool name_parts(Group &present, const ProcessRecord &record, DecodedRecord &decoded,
                std::vector<std::string> &names) {
    std::string &own = decoded.component_names.front();
    Names all{{own, record.communicator}};
    const auto agree = [](std::string &mine, const std::string &theirs) {
        if (mine != theirs) mine.clear();
    };
    if (!share_named(present, all, agree, keep_unique)) return false;
    for (const auto &[component, name] : all)
        names.push_back(name.empty() ? component : name);
    if (const std::string &name = all[own]; !name.empty()) own = name;
    return true;
}

} // namespace cpl_lb
