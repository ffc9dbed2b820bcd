// Refuses runs in which nobody can say whose message a receive took.
#include "prediction/unnamed_senders.hpp"

#include "analysis/io_servers.hpp"
#include "prediction/coupling_graph.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <map>
#include <set>
#include <utility>

namespace cpl_lb {
namespace {

// Sends more of one than of the other that the ends of a run explain.
constexpr std::int64_t at_the_ends = 2;

// The component's fields that it receives from anybody.
std::set<std::int32_t> from_anybody(const Component &component) {
    std::set<std::int32_t> fields;
    for (const auto &what : component.table.keys.classes())
        if (what.kind == Kind::get && what.counterpart == 0) fields.insert(what.field);
    return fields;
}

} // namespace

void check_unnamed_senders(const CoupledRun &run, const std::vector<MatchedExchange> &exchanges) {
    struct Extremes {
        const Exchange *least = nullptr, *most = nullptr;
    };
    std::map<std::pair<std::int32_t, std::int32_t>, Extremes> by_target; // and field
    for (const MatchedExchange &m : exchanges) {
        const Exchange &e = m.exchange;
        auto &[least, most] = by_target[{e.target, e.field}];
        if (least == nullptr || e.puts < least->puts) least = &e;
        if (most == nullptr || e.puts > most->puts) most = &e;
    }
    const std::vector<bool> decides = who_decides_the_end(run);
    for (std::size_t c = 0; c < run.components.size(); ++c) {
        const Component &receiver = run.components[c];
        if (!decides[c]) continue;
        for (const std::int32_t field : from_anybody(receiver)) {
            const auto found = by_target.find({receiver.id, field});
            if (found == by_target.end()) continue;
            const auto &[least, most] = found->second;
            if (most->puts - least->puts <= at_the_ends) continue;
            throw PredictionError(fmt::format(
                "{0} receives {1} from anybody, and {2} sent it {3}, {4} {5}: which of them it took is not known; "
                "name the counterpart of {1} in {0}",
                receiver.name, field_name(run, field), run.component_name(most->source), counted(most->puts, "time"),
                run.component_name(least->source), counted(least->puts, "time")));
        }
    }
}

} // namespace cpl_lb
