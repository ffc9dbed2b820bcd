// Reads rows and platforms, and sets them side by side as text and json.
#include "tools/cpmip/hardware_comparison.hpp"

#include "io/files/csv_table.hpp"
#include "io/json/json_tree.hpp"
#include "report/format.hpp"
#include "shipped_models.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace cpl_lb {
namespace {

std::vector<std::string> parts_of(const std::string &name) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('+', begin), name.size());
        parts.push_back(name.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

bool is_part(const ComparedMachine &machine, const std::string &name) {
    return std::find(machine.parts.begin(), machine.parts.end(), name) != machine.parts.end();
}

std::vector<HardwareRow> rows_of(const CsvTable &table) {
    table.require({"model", "SYPD", "CHSY"});
    const char *const machine = table.has("machine") ? "machine" : "platform";
    table.require({machine});
    std::vector<HardwareRow> rows;
    for (std::size_t row = 0; row < table.rows(); ++row)
        rows.push_back({table.text(row, "model"), table.text(row, machine), table.positive(row, "SYPD"),
                        table.positive(row, "CHSY"), table.known_or_nan(row, "JPSY")});
    return rows;
}

std::vector<std::string> machines_in(const std::vector<HardwareRow> &rows) {
    std::vector<std::string> names;
    for (const HardwareRow &row : rows)
        if (std::find(names.begin(), names.end(), row.machine) == names.end()) names.push_back(row.machine);
    return names;
}

// Cores and peak, the product of table 4's columns, summed over the parts.
ComparedMachine machine_named(const std::string &name, const CsvTable &platforms) {
    ComparedMachine machine{name, parts_of(name), 0, 0};
    for (const std::string &part : machine.parts) {
        double cores = unknown, peak = unknown;
        for (std::size_t row = 0; row < platforms.rows(); ++row) {
            if (platforms.text(row, "machine") != part) continue;
            cores = platforms.positive(row, "cores");
            peak = cores * 1e9 * platforms.positive(row, "clock_GHz") * platforms.positive(row, "flop_per_cycle");
        }
        machine.cores += cores;
        machine.peak_flop_per_s += peak;
    }
    return machine;
}

double geometric_mean(const std::vector<HardwareComparison::Pair> &pairs,
                      const std::function<double(const HardwareComparison::Pair &)> &ratio) {
    double sum = 0;
    int count = 0;
    for (const HardwareComparison::Pair &pair : pairs) {
        if (!is_known(ratio(pair))) continue;
        sum += std::log(ratio(pair));
        ++count;
    }
    return count > 0 ? std::exp(sum / count) : unknown;
}

std::string times_text(double ratio) {
    return is_known(ratio) ? fmt::format("{:.2f} x", ratio) : "n/a";
}

std::string or_not(double value) {
    return is_known(value) ? fmt::format("{:.6g}", value) : "n/a";
}

std::string rows_text(const HardwareComparison &c) {
    TextTable table({1});
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

double HardwareComparison::core_for_core() const {
    return geometric_mean(pairs, [](const Pair &pair) { return pair.core_for_core(); });
}

double HardwareComparison::energy() const {
    return geometric_mean(pairs, [](const Pair &pair) { return pair.energy(); });
}

HardwareComparison compare_hardware(const std::string &rows_path, const std::string &platforms_path,
                                    const std::string &from, const std::string &to) {
    const CsvTable table = CsvTable::from_file(rows_path);
    const std::vector<HardwareRow> rows = rows_of(table);
    const std::vector<std::string> names = machines_in(rows);
    if (from.empty() && names.size() != 2)
        throw FileError(rows_path, fmt::format("has rows of {} {}: --from and --to say which two to compare",
                                               names.size(), names.size() == 1 ? "machine" : "machines"));
    const CsvTable platforms =
        platforms_path.empty() ? CsvTable("table 4", shipped_platforms) : CsvTable::from_file(platforms_path);
    platforms.require({"machine", "cores", "clock_GHz", "flop_per_cycle"});
    HardwareComparison comparison;
    comparison.before = machine_named(from.empty() ? names[0] : from, platforms);
    comparison.after = machine_named(to.empty() ? names[1] : to, platforms);
    for (std::size_t a = 0; a < rows.size(); ++a) {
        if (!is_part(comparison.before, rows[a].machine)) continue;
        const auto same_model = [&](const HardwareRow &row) {
            return row.model == rows[a].model && is_part(comparison.after, row.machine);
        };
        const auto partner = std::find_if(rows.begin(), rows.end(), same_model);
        if (partner == rows.end()) {
            comparison.remarks.push_back(rows[a].model + " has no row on " + comparison.after.name);
            continue;
        }
        if (std::find_if(std::next(partner), rows.end(), same_model) != rows.end())
            throw table.wrong(static_cast<std::size_t>(partner - rows.begin()), "model",
                              rows[a].model + " has several rows on " + comparison.after.name);
        comparison.pairs.push_back({rows[a], *partner});
    }
    if (comparison.pairs.empty())
        throw FileError(rows_path, fmt::format("no model has rows on both {} and {}", comparison.before.name,
                                               comparison.after.name));
    return comparison;
}

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
        return JsonTree{{"name", m.name}, {"cores", m.cores}, {"peak_flop_per_s", m.peak_flop_per_s}};
    };
    const auto row = [](const HardwareRow &r) {
        return JsonTree{
            {"machine", r.machine}, {"sypd", r.sypd}, {"chsy", r.chsy}, {"jpsy", r.jpsy}, {"cores", r.cores()}};
    };
    JsonTree root = {
        {"before", machine(c.before)}, {"after", machine(c.after)},      {"core_for_core", c.core_for_core()},
        {"energy", c.energy()},        {"cores_ratio", c.cores_ratio()}, {"peak_ratio", c.peak_ratio()},
        {"capacity", c.capacity()},    {"rows", JsonTree::array()},      {"remarks", c.remarks}};
    for (const HardwareComparison::Pair &pair : c.pairs) {
        root["rows"].push_back({{"model", pair.before.model},
                                {"before", row(pair.before)},
                                {"after", row(pair.after)},
                                {"faster", pair.faster()},
                                {"core_for_core", pair.core_for_core()},
                                {"energy", pair.energy()}});
    }
    return root.dump(2) + "\n";
}

} // namespace cpl_lb
