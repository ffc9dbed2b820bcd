// The names go up the tree and come back, one line for each component.
#include "run/live/steps/name_parts.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace cpl_lb {
namespace {

// By component: what its communicator is called; empty: its processes do not agree, or it has no name.
using Names = std::map<std::string, std::string>;

Bytes pack_names(const Names &names) {
    WireWriter out;
    for (const auto &[component, name] : names) {
        out.put(component);
        out.put(name);
    }
    return out.take();
}

Names unpack_names(const Bytes &bytes) {
    WireReader in(bytes);
    Names names;
    while (!in.done()) {
        std::string component = in.get_text();
        names[std::move(component)] = in.get_text();
    }
    in.finish("names of communicators");
    return names;
}

void unite_names(Names &mine, const Names &theirs) {
    for (const auto &[component, name] : theirs) {
        const auto [at, is_new] = mine.try_emplace(component, name);
        if (!is_new && at->second != name) at->second.clear();
    }
}

// Only those that no other component has, neither as it is called now nor as it would be.
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
    if (!unite_up(present, all, pack_names, unpack_names, unite_names)) return false;
    if (present.leads()) keep_unique(all);
    Bytes bytes = pack_names(all);
    if (!present.broadcast_all(bytes)) return false;
    all = unpack_names(bytes);
    for (const auto &[component, name] : all)
        names.push_back(name.empty() ? component : name);
    if (const auto at = all.find(own); at != all.end() && !at->second.empty()) own = at->second;
    return true;
}

} // namespace cpl_lb
