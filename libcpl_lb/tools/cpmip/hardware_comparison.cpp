// The same models on two machines (Balaji et al. 2017, section 4.7, tables 3 and 4): their gain, compared with what
// cores and peak rates promise.
#include "io/files/csv_table.hpp"
#include "io/json/json_tree.hpp"
#include "report/format.hpp"
#include "shipped_models.hpp"
#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "tools/cpmip/cpmip_sources.hpp"
#include "tools/reasons.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace cpl_lb {
namespace {

struct HardwareRow {
    std::string model, machine;
    double sypd = unknown, chsy = unknown, jpsy = unknown;
    [[nodiscard]] double cores() const { return sypd * chsy / 24; } // that the run used
};

// A machine, or several partitions taken together: "gaea/c1+gaea/c2".
struct ComparedMachine {
    std::string name;
    std::vector<std::string> parts;
    double cores = unknown, peak_flop_per_s = unknown; // of all parts; NaN: of one of them it is not known
};

struct HardwareComparison {
    ComparedMachine before, after;
    struct Pair {
        HardwareRow before, after;
        [[nodiscard]] double faster() const { return after.sypd / before.sypd; }
        [[nodiscard]] double core_for_core() const { return before.chsy / after.chsy; }
        [[nodiscard]] double energy() const { return after.jpsy / before.jpsy; }
    };
    std::vector<Pair> pairs;
    std::vector<std::string> remarks; // models that only one of them has

    [[nodiscard]] double core_for_core() const { return mean_of(&Pair::core_for_core); }
    [[nodiscard]] double energy() const { return mean_of(&Pair::energy); }
    [[nodiscard]] double cores_ratio() const { return after.cores / before.cores; }
    [[nodiscard]] double peak_ratio() const { return after.peak_flop_per_s / before.peak_flop_per_s; }
    // How much of these models the whole new machine can run against the whole old one.
    [[nodiscard]] double capacity() const { return core_for_core() * cores_ratio(); }

private:
    // Geometric mean over the pairs; NaN if no pair has the ratio.
    [[nodiscard]] double mean_of(double (Pair::*ratio)() const) const {
        double sum = 0;
        int count = 0;
        for (const Pair &pair : pairs) {
            if (!is_known((pair.*ratio)())) continue;
            sum += std::log((pair.*ratio)());
            ++count;
        }
        return count > 0 ? std::exp(sum / count) : unknown;
    }
};

std::vector<std::string> parts_of(const std::string &name) {
    std::vector<std::string> parts;
    std::istringstream rest(name + "+"); // the end of a name without anything behind it is a part, too
    for (std::string part; std::getline(rest, part, '+');)
        parts.push_back(part);
    return parts;
}

bool is_part(const ComparedMachine &machine, const std::string &name) {
    return std::ranges::find(machine.parts, name) != machine.parts.end();
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
        if (std::ranges::find(names, row.machine) == names.end()) names.push_back(row.machine);
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

std::string times_text(double ratio) {
    return is_known(ratio) ? fmt::format("{} x", decimal_text(ratio, 2)) : "n/a";
}

std::string rows_text(const HardwareComparison &c) {
    TextTable table({1});
    table.row({"Model", "machine", "SYPD", "CHSY", "JPSY", "cores used"});
    for (const HardwareComparison::Pair &pair : c.pairs) {
        for (const HardwareRow *row : {&pair.before, &pair.after}) {
            table.row({row == &pair.before ? short_name(row->model, 24) : "", short_name(row->machine, 24),
                       figure_text(row->sypd), figure_text(row->chsy), figure_text(row->jpsy),
                       decimal_text(row->cores(), 0)});
        }
        table.row({"", "new / old", times_text(pair.faster()), times_text(1 / pair.core_for_core()),
                   times_text(pair.energy()), times_text(pair.after.cores() / pair.before.cores())});
    }
    return table.text();
}

std::string petaflop(double flop_per_s) {
    return fmt::format("{:.3g}", 1e-15 * flop_per_s);
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
    for (const HardwareRow &before : rows) {
        if (!is_part(comparison.before, before.machine)) continue;
        const auto same_model = [&](const HardwareRow &row) {
            return row.model == before.model && is_part(comparison.after, row.machine);
        };
        const auto partner = std::ranges::find_if(rows, same_model);
        if (partner == rows.end()) {
            comparison.remarks.push_back(before.model + " has no row on " + comparison.after.name);
            continue;
        }
        if (std::find_if(std::next(partner), rows.end(), same_model) != rows.end())
            throw table.wrong(static_cast<std::size_t>(partner - rows.begin()), "model",
                              before.model + " has several rows on " + comparison.after.name);
        comparison.pairs.push_back({before, *partner});
    }
    if (comparison.pairs.empty())
        throw FileError(rows_path, fmt::format("no model has rows on both {} and {}", comparison.before.name,
                                               comparison.after.name));
    return comparison;
}

std::string as_text(const HardwareComparison &c) {
    const std::string before = safe_name(c.before.name), after = safe_name(c.after.name);
    std::string text =
        fmt::format("From {} to {} (Balaji et al. 2017, section 4.7)\n\n", before, after) + rows_text(c) + "\n";
    text +=
        wrapped(fmt::format("Core for core {} is {} times as fast ({}: CHSY old / new).", after,
                            decimal_text(c.core_for_core(), 2),
                            c.pairs.size() == 1 ? "1 row" : fmt::format("geometric mean of {} rows", c.pairs.size())),
                80);
    if (is_known(c.energy()))
        text += wrapped(fmt::format("A simulated year takes {} times the energy.", decimal_text(c.energy(), 2)), 80);
    if (is_known(c.cores_ratio())) {
        text += wrapped(fmt::format("It has {} cores against {}, {} times as many: the whole machine does {} "
                                    "times as much of these models.",
                                    decimal_text(c.after.cores, 0), decimal_text(c.before.cores, 0),
                                    decimal_text(c.cores_ratio(), 2), decimal_text(c.capacity(), 2)),
                        80);
        text += wrapped(fmt::format("Peak rates say {} times ({} against {} PFLOP/s), and {} core for core.",
                                    decimal_text(c.peak_ratio(), 2), petaflop(c.after.peak_flop_per_s),
                                    petaflop(c.before.peak_flop_per_s),
                                    decimal_text(c.peak_ratio() / c.cores_ratio(), 2)),
                        80);
    } else {
        text += wrapped("Cores and peak: n/a, --platforms has no row for each machine", 80);
    }
    return text + notes_text(c.remarks);
}

std::string as_json(const HardwareComparison &c) {
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

} // namespace

std::string hardware_compared(const std::string &rows, const std::string &platforms, const std::string &from,
                              const std::string &to, bool json) {
    const HardwareComparison comparison = compare_hardware(rows, platforms, from, to);
    return json ? as_json(comparison) : as_text(comparison);
}

} // namespace cpl_lb
