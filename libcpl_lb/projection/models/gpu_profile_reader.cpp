// Finds the table in what Nsight Compute wrote, and brings its figures to plain numbers, bytes and fractions.
#include "io/files/csv_table.hpp"
#include "io/files/file_handle.hpp"
#include "projection/models/gpu_model.hpp"
#include "projection/models/model_tables.hpp"
#include "support/utf8.hpp"

#include <cmath>
#include <optional>
#include <sstream>

namespace cpl_lb {
namespace {

// Decimal prefixes; units that are no share and no bytes count as they are.
std::optional<double> factor_of(std::string_view unit) {
    if (unit.empty()) return 1;
    if (unit == "%") return 1e-2;
    double factor = 1;
    constexpr std::string_view prefixes = "KMGT";
    if (const std::size_t prefix = prefixes.find(unit.front()); prefix != std::string_view::npos) {
        factor = std::pow(1e3, static_cast<double>(prefix + 1));
        unit.remove_prefix(1);
    }
    for (const char *name : {"B", "byte", "inst", "inst/cycle", "cycle"})
        if (unit == name) return factor;
    return std::nullopt;
}

// The lines of the profiler and of the program around the table become empty, so that the others keep their numbers.
std::string table_in(const std::string &path) {
    std::istringstream file(read_text_file(path));
    std::string text;
    bool inside = false;
    for (std::string line; std::getline(file, line); text += "\n") {
        inside = inside || line.find("Kernel Name") != std::string::npos;
        if (inside && !line.starts_with("==")) text += line;
    }
    if (!inside) throw FileError(path, "no table of a profiler: ncu --csv --page raw writes one");
    return text;
}

// A number with commas between thousands.
double value_in(const CsvTable &table, std::size_t row, const std::string &column) {
    std::string text = table.text(row, column);
    std::erase(text, ',');
    double value = 0;
    if (!read_number(text, value) || !(value >= 0) || !std::isfinite(value))
        throw table.wrong(row, column, "not a number that a counter can have: " + excerpt(text));
    const std::string unit = table.is_empty(0, column) ? "" : table.text(0, column);
    const std::optional<double> factor = factor_of(unit);
    if (!factor) throw table.wrong(row, column, "not a unit that is known: " + excerpt(unit));
    return value * *factor;
}

bool is_told(const CsvTable &table, std::size_t row, std::string_view column) {
    return table.has(column) && !table.is_empty(row, column) && table.text(row, column) != "n/a" &&
           table.text(row, column) != "N/A";
}

} // namespace

GpuProfile read_gpu_profile(const std::string &path) {
    const CsvTable table(path, table_in(path));
    if (!table.is_empty(0, "Kernel Name"))
        throw table.wrong(0, "Kernel Name", "no row of units below the header: ncu --csv --page raw writes one");
    GpuProfile profile{path, {}};
    std::map<std::string, std::size_t> places; // of the kernels by name: there may be many
    std::string card;
    for (std::size_t row = 1; row < table.rows(); ++row) {
        if (is_told(table, row, "CC")) {
            if (card.empty()) card = table.text(row, "CC");
            if (card != table.text(row, "CC"))
                throw table.wrong(row, "CC", "another card than before: one --profile for each card");
        }
        const auto [place, is_new] = places.try_emplace(table.text(row, "Kernel Name"), profile.kernels.size());
        if (is_new) profile.kernels.push_back({place->first, {}});
        for (const std::string &column : table.columns()) {
            const std::string metric = gpu_metric(column);
            if (metric.empty() || (metric != column && table.has(metric)) || !is_told(table, row, column)) continue;
            ProfiledMetric &one = profile.kernels[place->second].metrics[metric];
            one.sum += value_in(table, row, column);
            ++one.launches;
        }
    }
    return profile;
}

} // namespace cpl_lb
