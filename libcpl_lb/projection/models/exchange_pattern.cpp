// Bytes and messages of the busiest node.
#include "projection/models/exchange_pattern.hpp"

#include "projection/models/projection_error.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

// How many edges of one direction have a neighbour on the node that has most.
std::int64_t edges_of(std::int64_t blocks) {
    return std::min<std::int64_t>(blocks - 1, 2);
}

struct Halo {
    double columns = unknown; // that the busiest node sends
    std::int64_t messages = 0;
};

Halo halo_of(const PatternedExchange &x, std::int64_t nodes) {
    Halo least;
    for (std::int64_t px = 1; px <= nodes; ++px) {
        if (nodes % px != 0 || px > x.grid_x || nodes / px > x.grid_y) continue;
        const std::int64_t py = nodes / px;
        const auto columns =
            static_cast<double>(edges_of(px) * ceil_div(x.grid_y, py) + edges_of(py) * ceil_div(x.grid_x, px)) *
            x.halo_width;
        if (!is_known(least.columns) || columns < least.columns) least = {columns, edges_of(px) + edges_of(py)};
    }
    if (!is_known(least.columns))
        throw ProjectionError("--grid " + std::to_string(x.grid_x) + "x" + std::to_string(x.grid_y) +
                              " cannot be cut into " + std::to_string(nodes) + " blocks");
    return least;
}

} // namespace

const std::vector<std::string> &exchange_pattern_names() {
    static const std::vector<std::string> names = {"plain", "halo", "all-to-all", "gather", "scatter"};
    return names;
}

ExchangePattern exchange_pattern_of(const std::string &name) {
    const auto &names = exchange_pattern_names();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw ProjectionError("no pattern is called '" + name + "'");
    return static_cast<ExchangePattern>(found - names.begin());
}

NodeExchange PatternedExchange::on(std::int64_t nodes) const {
    NodeExchange exchange = plain;
    if (pattern == ExchangePattern::plain) return exchange;
    const auto n = static_cast<double>(nodes);
    const double field_B = static_cast<double>(grid_x) * static_cast<double>(grid_y) * point_B;
    exchange.in_B = exchange.out_B = exchange.messages = 0;
    if (nodes == 1) return exchange;
    exchange.messages = n - 1;
    switch (pattern) {
    case ExchangePattern::plain:
        break;
    case ExchangePattern::halo: {
        const Halo halo = halo_of(*this, nodes);
        exchange.in_B = exchange.out_B = halo.columns * point_B;
        exchange.messages = static_cast<double>(halo.messages);
        break;
    }
    case ExchangePattern::all_to_all:
        exchange.in_B = exchange.out_B = field_B * (n - 1) / (n * n);
        break;
    case ExchangePattern::gather:
        exchange.in_B = field_B * (n - 1) / n;
        break;
    case ExchangePattern::scatter:
        exchange.out_B = field_B * (n - 1) / n;
        break;
    }
    return exchange;
}

} // namespace cpl_lb
