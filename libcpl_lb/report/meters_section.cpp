// The tables of memory, energy and counters in the text summary.

#include "report/format.hpp"
#include "report/text_sections.hpp"
#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace cpl_lb {
namespace {

constexpr double bytes_per_MiB = 1024.0 * 1024.0;
constexpr std::size_t most_nodes = 16;

std::string MiB(double bytes) {
    return is_known(bytes) ? decimal_text(bytes / bytes_per_MiB, 1) : "n/a";
}
// Counts are large whole numbers, so decimals would only distract.
std::string count_or_na(double value) {
    if (!is_known(value)) return "n/a";
    return std::abs(value) < 1e15 ? decimal_text(value, 0) : fmt::format("{:.6e}", value);
}

std::string node_table(const CoupledRun &run) {
    TextTable table =
        titled({"Node", "processes", "cores", "energy", "package", "DRAM", "GPUs", "board", "memory used MiB"});
    std::size_t shown = 0;
    for (const NodeMeters &node : run.meters.nodes) {
        if (++shown > most_nodes) break;
        const NodeEnergy &e = node.energy;
        table.row({short_name(node.name.empty() ? "(no name)" : node.name, table_name_columns),
                   count_text(node.processes), count_text(node.cores), Decimal{e.total_J}, Decimal{e.package_J},
                   Decimal{e.dram_J}, Decimal{e.gpu_J}, Decimal{e.psys_J}, MiB(node.memory_used_B)});
    }
    std::string text = run.meters.nodes.empty() ? "" : table.text(text_columns);
    if (run.meters.nodes.size() > most_nodes)
        text += fmt::format("... and {}\n", counted(run.meters.nodes.size() - most_nodes, "more node"));
    const auto any = [&](double NodeEnergy::*figure) {
        return std::ranges::any_of(run.meters.nodes,
                                   [&](const NodeMeters &node) { return is_known(node.energy.*figure); });
    };
    if (any(&NodeEnergy::node_J)) {
        text += "Energy is of the whole node, parts included, if the machine counts it.\n";
    } else if (any(&NodeEnergy::module_J)) {
        text += "Energy is of modules (processors, GPUs and memory), if the machine counts it.\n";
    }
    return text;
}

} // namespace

std::string memory_table(const CoupledRun &run) {
    if (run.meters.hwm_B.count == 0) return "";
    TextTable table =
        titled({"Component", "processes", "peak min", "mean", "max", "imbalance %", "at end mean", "executable"});
    for (const Component &c : run.components) {
        const ComponentMeters &m = c.meters;
        table.row({table_name(c), count_text(m.hwm_B.count), MiB(m.hwm_B.min), MiB(m.hwm_B.mean()), MiB(m.hwm_B.max),
                   per_cent_text(m.hwm_B.imbalance()), MiB(m.rss_B.mean()), MiB(m.executable_B.max)});
    }
    return table.text(text_columns) + "All processes together: " + MiB(run.meters.hwm_B.sum) + " at their peaks\n";
}

std::string energy_table(const CoupledRun &run) {
    if (!run.meters.energy_wanted) return "";
    TextTable table = titled({"Component", "energy", "of it GPUs", ""}, {3});
    bool any = false;
    for (const Component &c : run.components) {
        any = any || is_known(c.meters.energy_J);
        table.row({table_name(c), Decimal{c.meters.energy_J}, Decimal{c.meters.gpu_J},
                   c.meters.energy_is_estimate && is_known(c.meters.energy_J)
                       ? "estimate: by core share, nodes are shared"
                       : ""});
    }
    // Without any figure the reason is given once, under "Meters".
    std::string text = any ? table.text(text_columns) + "All nodes: " + number_text(run.meters.energy_J) + "\n" : "";
    const bool any_node = std::ranges::any_of(run.meters.nodes, [](const NodeMeters &node) {
        return is_known(node.energy.total_J) || is_known(node.energy.psys_J);
    });
    return any_node ? text + "\n" + node_table(run) : text;
}

std::string loop_counter_table(const CoupledRun &run) {
    TextTable table = titled({"Component", "counter", "min", "mean", "max", "imbalance %"}, {1});
    std::vector<std::pair<std::string, std::string>> missing; // why, which
    for (const Component &c : run.components) {
        for (const NamedSpread &counter : c.meters.loop_counters) {
            if (!counter.why_missing.empty() && counter.over.count == 0) {
                std::string &which = value_of(missing, counter.why_missing);
                if (which.find(counter.name) == std::string::npos)
                    which += (which.empty() ? "" : ", ") + counter.name;
            }
            table.row({table_name(c), short_name(counter.name, 40), count_or_na(counter.over.min),
                       count_or_na(counter.over.mean()), count_or_na(counter.over.max),
                       per_cent_text(counter.over.imbalance())});
        }
    }
    std::string text = SectionText(table).text;
    for (const auto &[why, which] : missing)
        text += wrapped("n/a: " + safe_name(which) + ": " + safe_name(why), 80);
    return text;
}

std::string other_meter_table(const CoupledRun &run) {
    TextTable table =
        titled({"Meter", "quantity", "unit", "of each", "min", "mean", "max", "sum", "per second"}, {1, 2, 3});
    std::string missing;
    for (const MeterFigures &m : run.meters.others) {
        table.row({short_name(m.meter, table_name_columns), short_name(m.quantity, 40), short_name(m.unit, 12),
                   m.of_node ? "node" : "process", number_text(m.over.min), number_text(m.over.mean()),
                   number_text(m.over.max), m.counts_up ? number_text(m.over.sum) : "",
                   m.counts_up ? number_text(m.rate_per_s.mean()) : ""});
        if (m.over.count == 0)
            missing += wrapped(fmt::format("n/a: {}: {}", safe_name(m.quantity), safe_name(m.why_missing)), 80);
    }
    return SectionText(table, missing).text;
}

std::string region_meter_table(const CoupledRun &run) {
    TextTable table = titled({"Component", "region", "what", "min", "mean", "max", "imbalance %"}, {1, 2});
    const auto row = [&](const Component &c, const RegionSummary &r, const std::string &what, const Spread &s,
                         auto text) {
        if (s.count == 0) return;
        table.row({table_name(c), short_name(r.name, table_name_columns), what, text(s.min), text(s.mean()),
                   text(s.max), per_cent_text(s.imbalance())});
    };
    for (const Component &c : run.components) {
        for (const RegionSummary &r : c.regions) {
            for (const NamedSpread &counter : r.meters.counters)
                row(c, r, short_name(counter.name, 40), counter.over, count_or_na);
            row(c, r, "energy of a node J", r.meters.energy_J, number_text);
            row(c, r, "memory change MiB", r.meters.memory_B, MiB);
            row(c, r, "messages sent", r.meters.messages, count_or_na);
            row(c, r, "bytes in messages", r.meters.message_B, count_or_na);
        }
    }
    return SectionText(table).text;
}

std::string about_the_meters(const CoupledRun &run) {
    const RunMeters &m = run.meters;
    std::string text;
    const double each_s = as_figure(m.sampling_s.sum / m.samples.sum);
    if (m.samples.count > 0 && m.samples.sum > 0 && is_known(each_s)) {
        // The cost on the process that sampled longest; the others paid less.
        text += fmt::format("Samples: {} on {}, {} us each", count_or_na(m.samples.sum),
                            counted(m.samples.count, "process", "processes"), decimal_text(1e6 * each_s, 1));
        if (const double share = as_figure(m.sampling_s.max / run.run.wall_s); is_known(share))
            text += fmt::format("; at most {} % of the run's time", decimal_text(100 * share, 5));
        text += "\n";
    }
    for (const std::string &line : m.not_there)
        text += wrapped("n/a: " + safe_name(line), 80);
    return text;
}

} // namespace cpl_lb
