// Loops whose work nobody says: their rates on each machine.
#include "io/json/json_tree.hpp"
#include "projection/tools/project/project_output.hpp"
#include "report/format.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

std::string giga_text(double per_s) {
    return is_known(per_s) ? fmt::format("{:.4g}", 1e-9 * per_s) : "-";
}

// How many times as fast as on the first machine: from the loop that gains least to the one that gains most.
std::string range_text(const RatesProjection &first, const RatesProjection &other,
                       double RatesProjection::Reached::*rate) {
    double least = unknown, most = unknown;
    for (std::size_t l = 0; l < first.loops.size(); ++l) {
        const double times = other.loops[l].*rate / (first.loops[l].*rate);
        if (!is_known(times)) continue;
        least = is_known(least) ? std::min(least, times) : times;
        most = is_known(most) ? std::max(most, times) : times;
    }
    return is_known(least) ? fmt::format("{:.2f} to {:.2f} times as fast", least, most) : "n/a";
}

} // namespace

std::string rates_as_text(const std::vector<RatesProjection> &projections) {
    std::string text = "The table says no work (flops, bytes), so there are rates and no times.\n\n";
    for (const RatesProjection &p : projections) {
        TextTable table;
        table.row({"loop", "GFLOP/s", "GB/s"});
        for (const RatesProjection::Reached &r : p.loops)
            table.row({short_name(r.loop, 40), giga_text(r.flop_per_s), giga_text(r.B_per_s)});
        text += fmt::format("{}, {}\n", safe_name(p.machine), counted(p.at.threads, "thread", "threads")) +
                table.text() + "\n";
    }
    for (std::size_t p = 1; p < projections.size(); ++p) {
        text += fmt::format("On {} the loops move data {}, and compute {}, as on {}.\n",
                            safe_name(projections[p].machine),
                            range_text(projections[0], projections[p], &RatesProjection::Reached::B_per_s),
                            range_text(projections[0], projections[p], &RatesProjection::Reached::flop_per_s),
                            safe_name(projections[0].machine));
    }
    return text;
}

std::string rates_as_json(const std::vector<RatesProjection> &projections) {
    JsonTree root = JsonTree::array();
    for (const RatesProjection &p : projections) {
        JsonTree one = {{"machine", p.machine},
                        {"threads", p.at.threads},
                        {"sockets", JsonTree::number(p.sockets)},
                        {"loops", JsonTree::array()}};
        for (const RatesProjection::Reached &r : p.loops) {
            one["loops"].push_back({{"loop", r.loop},
                                    {"flop_per_s", JsonTree::number(r.flop_per_s)},
                                    {"B_per_s", JsonTree::number(r.B_per_s)}});
        }
        root.push_back(std::move(one));
    }
    return root.dump(2) + "\n";
}

} // namespace cpl_lb
