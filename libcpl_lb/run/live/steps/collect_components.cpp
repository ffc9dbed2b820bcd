// From the masters to the root: the figures of each component, and whether there is a timeline.
#include "run/live/steps/collect_components.hpp"

#include "run/live/component_report.hpp"
#include "run/live/memory_bound.hpp"

#include <algorithm>
#include <utility>

namespace cpl_lb {
namespace {

constexpr int report_tag = 17;

bool send_to_root(const ProcessRecord &record, const Agreed &agreed, const LedComponents &led) {
    const int root = agreed.present.front();
    const std::size_t others = std::max<std::size_t>(agreed.catalogue.members.size(), 2) - 1;
    const std::size_t most = most_exchanges_elsewhere(record.memory_bound_B) / others;
    Transport &t = *record.transport;
    for (std::size_t i = 0; i < led.components.size(); ++i) {
        if (!t.send_all(root, report_tag, pack_component(led.components[i], most)) ||
            !t.send(root, report_tag, as_wire(led.timelines[i].is)))
            return false;
    }
    return true;
}

} // namespace

std::optional<CollectedComponents> collect_components(Group &present, const ProcessRecord &record,
                                                      const Agreed &agreed, LedComponents &led) {
    CollectedComponents all;
    if (!present.leads()) {
        if (!send_to_root(record, agreed, led)) return {};
        return all;
    }
    Transport &t = *record.transport;
    std::size_t next_of_mine = 0;
    for (const auto &members : agreed.catalogue.members) {
        TimelineIs &is = all.timelines.emplace_back();
        if (members.front() == t.rank()) {
            is = led.timelines[next_of_mine].is;
            all.components.push_back(std::move(led.components[next_of_mine++]));
            continue;
        }
        Bytes bytes;
        if (!t.receive_all(members.front(), report_tag, bytes) ||
            !t.receive(members.front(), report_tag, as_wire_out(is)))
            return {};
        all.components.push_back(unpack_component(bytes));
    }
    return all;
}

} // namespace cpl_lb
