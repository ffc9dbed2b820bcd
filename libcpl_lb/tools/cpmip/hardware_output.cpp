// The same models on two machines, as text and json.
#include "io/json/json_tree.hpp"
#include "report/format.hpp"
#include "report/words.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "tools/cpmip/hardware_comparison.hpp"

namespace cpl_lb {
namespace {

std::string times_text(double ratio) {
    return is_known(ratio) ? fmt::format("{:.2f} x", ratio) : "n/a";
}

std::string or_not(double value) {
    return is_known(value) ? fmt::format("{:.6g}", value) : "n/a";
}

std::string rows_text(const HardwareComparison &c) {
    TextTable table;
    table.left(1);
    table.row({"Model", "machine", "SYPD", "CHSY", "JPSY", "cores used"});
    for (const HardwareComparison::Pair &pair : c.pairs) {
        for (const HardwareRow *row : {&pair.before, &pair.after})
            table.row({row == &pair.before ? short_name(row->model, 24) : "", short_name(row->machine, 24),
                       or_not(row->sypd), or_not(row->chsy), or_not(row->jpsy), fmt::format("{:.0f}", row->cores())});
        table.row({"", "new / old", times_text(pair.faster()), times_text(1 / pair.core_for_core()),
                   times_text(pair.energy()), times_text(pair.after.cores() / pair.before.cores())});
    }
    return table.text();
}

std::string petaflop(double flop_per_s) {
    return fmt::format("{:.3g}", 1e-15 * flop_per_s);
}

} // namespace

std::string hardware_as_text(const HardwareComparison &c) {
    const std::string before = safe_name(c.before.name), after = safe_name(c.after.name);
    std::string text =
        fmt::format("From {} to {} (Balaji et al. 2017, section 4.7)\n\n", before, after) + rows_text(c) + "\n";
    text += wrapped(
        fmt::format("Core for core {} is {:.2f} times as fast ({}: CHSY old / new).", after, c.core_for_core(),
                    c.pairs.size() == 1 ? "1 row" : fmt::format("geometric mean of {} rows", c.pairs.size())),
        80);
    if (is_known(c.energy()))
        text += wrapped(fmt::format("A simulated year takes {:.2f} times the energy.", c.energy()), 80);
    if (is_known(c.cores_ratio())) {
        text += wrapped(
            fmt::format("It has {:.0f} cores against {:.0f}, {:.2f} times as many: the whole machine does {:.2f} "
                        "times as much of these models.",
                        c.after.cores, c.before.cores, c.cores_ratio(), c.capacity()),
            80);
        text += wrapped(fmt::format("Peak rates say {:.2f} times ({} against {} PFLOP/s), and {:.2f} core for core.",
                                    c.peak_ratio(), petaflop(c.after.peak_flop_per_s),
                                    petaflop(c.before.peak_flop_per_s), c.peak_ratio() / c.cores_ratio()),
                        80);
    } else {
        text += wrapped("Cores and peak: n/a, --platforms has no row for each machine", 80);
    }
    for (const std::string &remark : c.remarks)
        text += wrapped("Note: " + safe_name(remark), 80);
    return text;
}

std::string hardware_as_json(const HardwareComparison &c) {
    const auto machine = [](const ComparedMachine &m) {
        return JsonTree{{"name", m.name},
                        {"cores", JsonTree::number(m.cores)},
                        {"peak_flop_per_s", JsonTree::number(m.peak_flop_per_s)}};
    };
    const auto row = [](const HardwareRow &r) {
        return JsonTree{{"machine", r.machine},
                        {"sypd", r.sypd},
                        {"chsy", r.chsy},
                        {"jpsy", JsonTree::number(r.jpsy)},
                        {"cores", r.cores()}};
    };
    JsonTree root = {{"before", machine(c.before)},
                     {"after", machine(c.after)},
                     {"core_for_core", c.core_for_core()},
                     {"energy", JsonTree::number(c.energy())},
                     {"cores_ratio", JsonTree::number(c.cores_ratio())},
                     {"peak_ratio", JsonTree::number(c.peak_ratio())},
                     {"capacity", JsonTree::number(c.capacity())},
                     {"rows", JsonTree::array()},
                     {"remarks", c.remarks}};
    for (const HardwareComparison::Pair &pair : c.pairs) {
        root["rows"].push_back({{"model", pair.before.model},
                                {"before", row(pair.before)},
                                {"after", row(pair.after)},
                                {"faster", pair.faster()},
                                {"core_for_core", pair.core_for_core()},
                                {"energy", JsonTree::number(pair.energy())}});
    }
    return root.dump(2) + "\n";
}

} // namespace cpl_lb
