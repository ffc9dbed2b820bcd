// Reads rows and platforms, and sets them side by side.
#include "tools/cpmip/hardware_comparison.hpp"

#include "io/files/csv_table.hpp"
#include "shipped_models.hpp"
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

} // namespace cpl_lb
