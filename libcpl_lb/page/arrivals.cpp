// Encodes last arrivals and last ends as the events of one more process that takes part only in exchanges. The root
// of a run knows no more of the other components' events.
#include "page/event_bytes.hpp"
#include "page/page_json.hpp"
#include "page/page_plan.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace cpl_lb {
namespace {

constexpr std::size_t most_arrivals = 60'000; // exchanges of all components: some 0.4 MB

struct Size {
    std::size_t exchanges = 0;
    double values = 0; // events x processes
    bool away = false;
};

Row last_ones(const EventTable &table) {
    Row row;
    for (std::size_t k = 0; k < table.spans.size(); ++k) {
        const EventSpan span = table.spans[k];
        if (!is_exchange(table.keys.what(k).kind)) continue;
        row.start.push_back(span.empty() ? absent : span.last_start);
        row.stop.push_back(span.empty() ? absent : std::max(span.last_start, span.last_stop));
    }
    return row;
}

Size size_of(const CoupledRun &run) {
    Size size;
    for (const Component &c : run.components) {
        for (std::size_t k = 0; k < c.table.keys.size(); ++k)
            size.exchanges += is_exchange(c.table.keys.what(k).kind) ? 1 : 0;
        size.values += static_cast<double>(c.events) * static_cast<double>(c.ranks.size());
        size.away = size.away || !c.away.empty() || c.away_differs;
    }
    return size;
}

} // namespace

bool shows_arrivals(const CoupledRun &run) {
    const Size size = size_of(run);
    const bool all_events = size.values <= static_cast<double>(most_events) && !size.away;
    return !all_events && size.exchanges > 0 && size.exchanges <= most_arrivals;
}

JsonTree write_arrivals(PageFile &file, const CoupledRun &run) {
    if (!shows_arrivals(run)) return nullptr;
    if (std::any_of(run.components.begin(), run.components.end(),
                    [](const Component &c) { return c.table_left_out; }))
        return nullptr;
    JsonTree blocks = JsonTree::array();
    for (const Component &c : run.components) {
        EventBytes bytes;
        const Row row = last_ones(c.table);
        bytes.add(row);
        const std::string id = "a" + std::to_string(c.id);
        blocks.push_back({{"component", c.id},
                          {"id", id},
                          {"exchanges", row.start.size()},
                          {"gap_bytes", bytes.gap_bytes()},
                          {"length_bytes", bytes.length_bytes()}});
        file.block(id, block_text(file.zlib(), bytes.take()));
    }
    return blocks;
}

} // namespace cpl_lb
