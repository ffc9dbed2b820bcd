// Refuses runs in which nobody can say whose message a receive took.
#include "prediction/unnamed_senders.hpp"

#include "analysis/io_servers.hpp"
#include "prediction/coupling_graph.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <set>

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
    const std::vector<bool> decides = who_decides_the_end(run);
    for (std::size_t c = 0; c < run.components.size(); ++c) {
        const Component &receiver = run.components[c];
        if (!decides[c]) continue;
        for (const std::int32_t field : from_anybody(receiver)) {
            const Exchange *least = nullptr, *most = nullptr;
            for (const MatchedExchange &m : exchanges) {
                const Exchange &e = m.exchange;
                if (e.target != receiver.id || e.field != field) continue;
                if (least == nullptr || e.puts < least->puts) least = &e;
                if (most == nullptr || e.puts > most->puts) most = &e;
            }
            if (least == nullptr || most->puts - least->puts <= at_the_ends) continue;
            const auto at = static_cast<std::size_t>(field) - 1;
            throw PredictionError(fmt::format(
                "{0} receives {1} from anybody, and {2} sent it {3}, {4} {5}: which of them it took is not known; "
                "name the counterpart of {1} in {0}",
                receiver.name, at < run.field_names.size() ? run.field_names[at] : std::to_string(field),
                run.component_name(most->source), counted(most->puts, "time"), run.component_name(least->source),
                counted(least->puts, "time")));
        }
    }
}

} // namespace cpl_lb
