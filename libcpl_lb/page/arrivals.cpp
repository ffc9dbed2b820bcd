// Codes last arrivals and last ends as the events of one more process.
#include "page/arrivals.hpp"

#include "page/event_bytes.hpp"
#include "page/page_plan.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace cpl_lb {
namespace {

constexpr std::size_t most_arrivals = 60'000; // of all components: some 0.4 MB

struct Size {
    std::size_t events = 0;
    double values = 0; // events x processes
    bool away = false;
};

Size size_of(const CoupledRun &run) {
    Size size;
    for (const Component &c : run.components) {
        size.events += c.table.spans.size();
        size.values += static_cast<double>(c.table.spans.size()) * static_cast<double>(c.ranks.size());
        size.away = size.away || !c.away.empty() || c.away_differs;
    }
    return size;
}

Row last_ones(const EventTable &table) {
    Row row;
    for (std::size_t k = 0; k < table.spans.size(); ++k) {
        const EventSpan &span = table.spans[k];
        const bool counts = is_exchange(table.keys.what(k).kind) && !span.empty();
        row.start.push_back(counts ? span.last_start : absent);
        row.stop.push_back(counts ? std::max(span.last_start, span.last_stop) : absent);
    }
    return row;
}

} // namespace

JsonTree write_arrivals(PageFile &file, const CoupledRun &run) {
    const Size size = size_of(run);
    const bool all_events = size.values <= static_cast<double>(most_events) && !size.away;
    if (all_events || size.events > most_arrivals) return nullptr;
    if (std::any_of(run.components.begin(), run.components.end(),
                    [](const Component &c) { return c.table_left_out; }))
        return nullptr;
    JsonTree blocks = JsonTree::array();
    for (const Component &c : run.components) {
        EventBytes bytes;
        bytes.add(last_ones(c.table));
        const std::string id = "a" + std::to_string(c.id);
        blocks.push_back({{"component", c.id},
                          {"id", id},
                          {"events", c.table.spans.size()},
                          {"gap_bytes", bytes.gap_bytes()},
                          {"length_bytes", bytes.length_bytes()}});
        file.block(id, block_text(file.zlib(), bytes.take()));
    }
    return blocks;
}

} // namespace cpl_lb
