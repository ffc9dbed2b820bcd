// What nodes exchange, by the pattern of their messages (ESCAPE D3.5, section 4.3 names them and leaves them open):
// bytes and messages of the busiest node, for any number of nodes.
#pragma once

#include "projection/models/loop_model.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// plain: the same bytes on each node, whatever their number.
enum class ExchangePattern : std::uint8_t { plain, halo, all_to_all, gather, scatter };
[[nodiscard]] const std::vector<std::string> &exchange_pattern_names(); // as written, "all-to-all"; in that order
[[nodiscard]] ExchangePattern exchange_pattern_of(const std::string &name);

// A field of grid_x x grid_y columns, point_B bytes each (levels x variables x 8), in equal shares over n nodes:
//   halo: blocks of ceil(grid_x / px) x ceil(grid_y / py) with px py = n, such that least is sent; each edge that has
//   a
//     neighbour is `halo_width` columns deep, sent and received. The domain's own edges have none; corners are left
//     out.
//   all-to-all: each node sends to each other 1/n of its share (a transposition): (n - 1) / n^2 of the field out and
//   in. gather: one node receives the others' shares, (n - 1) / n of the field; scatter: it sends them.
struct PatternedExchange {
    ExchangePattern pattern = ExchangePattern::plain;
    NodeExchange plain;                       // with the times of a byte and of a message
    std::int64_t grid_x = 0, grid_y = 0;      // columns
    double point_B = unknown, halo_width = 1; // bytes of a column; columns

    // What the busiest of n nodes exchanges; zero for one node.
    [[nodiscard]] NodeExchange on(std::int64_t nodes) const;
};

} // namespace cpl_lb
