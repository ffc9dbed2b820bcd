// Finds the tables in what a profiler wrote, and brings their figures to seconds and bytes.
#include "io/files/file_error.hpp"
#include "io/files/file_handle.hpp"
#include "projection/models/gpu_model.hpp"
#include "support/counted.hpp"
#include "support/csv_cells.hpp"
#include "support/fmt.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

namespace cpl_lb {
namespace {

using Cells = std::vector<std::string>;

// Decimal prefixes; units that are no time, no share and no bytes count as they are.
std::optional<double> factor_of(std::string_view unit) {
    for (const auto &[name, factor] : {std::pair{"s", 1.0},
                                       {"second", 1.0},
                                       {"ms", 1e-3},
                                       {"msecond", 1e-3},
                                       {"us", 1e-6},
                                       {"usecond", 1e-6},
                                       {"ns", 1e-9},
                                       {"nsecond", 1e-9},
                                       {"%", 1e-2},
                                       {"", 1.0}})
        if (unit == name) return factor;
    double factor = 1;
    constexpr std::string_view prefixes = "KMGT";
    if (const std::size_t prefix = prefixes.find(unit.front()); prefix != std::string_view::npos) {
        factor = std::pow(1e3, static_cast<double>(prefix + 1));
        unit.remove_prefix(1);
    }
    for (const char *name : {"B/s", "B", "byte/second", "byte/s", "byte", "inst", "inst/cycle", "cycle"})
        if (unit == name) return factor;
    return std::nullopt;
}

// One CSV table inside a file: which of its columns is what.
struct Block {
    enum class Kind : std::uint8_t { none, nvprof_metrics, nvprof_summary, ncu_long, ncu_wide } kind = Kind::none;
    Cells columns, units; // units: of ncu_wide and nvprof_summary, from the row below the header

    [[nodiscard]] std::size_t index(std::string_view name) const {
        return static_cast<std::size_t>(std::ranges::find(columns, name) - columns.begin());
    }
    [[nodiscard]] bool has(std::string_view name) const { return index(name) < columns.size(); }
};

Block::Kind kind_of(const Block &block) {
    using Kind = Block::Kind;
    if (block.has("Kernel Name"))
        return block.has("Metric Name") && block.has("Metric Value") ? Kind::ncu_long : Kind::ncu_wide;
    if (block.has("Kernel") && block.has("Metric Name") && block.has("Invocations") && block.has("Avg"))
        return Kind::nvprof_metrics;
    if (block.has("Calls") && block.has("Avg") && block.has("Name")) return Kind::nvprof_summary;
    return Kind::none;
}

class Reader {
public:
    explicit Reader(GpuProfile &profile) : profile_(profile) {}

    void read(const std::string &path) {
        path_ = path;
        ++file_;
        line_ = 0;
        block_ = {};
        bool any = false;
        std::istringstream file(read_text_file(path));
        for (std::string line; std::getline(file, line);) {
            ++line_;
            if (line.ends_with('\r')) line.pop_back();
            if (line_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
            if (line.empty() || line.starts_with("==")) continue; // the profiler's own lines
            take_line(line);
            any = any || block_.kind != Block::Kind::none;
        }
        if (!any) {
            throw FileError(path,
                            "no table of a profiler: nvprof --csv --metrics, nvprof --csv --print-gpu-summary or "
                            "ncu --csv write one");
        }
    }

private:
    [[noreturn]] void fail(const std::string &what) const {
        throw FileError(path_ + ":" + std::to_string(line_), what);
    }

    void take_line(const std::string &line) {
        Cells cells;
        const bool whole = split_csv_line(line, cells);
        Block header{Block::Kind::none, cells, {}};
        if (whole) header.kind = kind_of(header);
        if (header.kind != Block::Kind::none) {
            block_ = std::move(header);
            return;
        }
        if (block_.kind == Block::Kind::none) return; // of the program, ahead of the first table
        if (!whole) fail("a quote is not closed, or stands inside a cell");
        if (cells.size() != block_.columns.size()) {
            fail(fmt::format("{} where the header has {}; did the program write between the profiler's lines? "
                             "--log-file keeps them apart",
                             counted(cells.size(), "cell"), block_.columns.size()));
        }
        take_row(cells);
    }

    void take_row(const Cells &cells) {
        switch (block_.kind) {
        case Block::Kind::nvprof_metrics:
            take_card(without_number(cell(cells, "Device")));
            add(cell(cells, "Kernel"), cell(cells, "Metric Name"), "Avg", cell(cells, "Avg"), "",
                number("Invocations", cell(cells, "Invocations")));
            return;
        case Block::Kind::nvprof_summary:
            take_duration(cells);
            return;
        case Block::Kind::ncu_long:
            if (!cell(cells, "CC").empty()) take_card("compute capability " + cell(cells, "CC"));
            add(cell(cells, "Kernel Name"), cell(cells, "Metric Name"), "Metric Value", cell(cells, "Metric Value"),
                cell(cells, "Metric Unit"), 1);
            return;
        default:
            take_wide(cells);
        }
    }

    void take_duration(const Cells &cells) {
        const std::string &type = cell(cells, "Type"), &name = cell(cells, "Name");
        if (name.empty()) {
            block_.units = cells;
            return;
        }
        if (!type.empty() && type != "GPU activities") return;
        if (block_.units.empty()) fail("column Avg: no row of units below the header");
        add(name, gpu_duration, "Avg", cell(cells, "Avg"), block_.units[block_.index("Avg")],
            number("Calls", cell(cells, "Calls")));
    }

    void take_wide(const Cells &cells) {
        const std::string &name = cell(cells, "Kernel Name");
        if (name.empty()) {
            block_.units = cells;
            return;
        }
        if (block_.units.empty()) fail("column Kernel Name: no row of units below the header");
        if (!cell(cells, "CC").empty()) take_card("compute capability " + cell(cells, "CC"));
        for (std::size_t c = 0; c < cells.size(); ++c)
            add(name, block_.columns[c], block_.columns[c], cells[c], block_.units[c], 1);
    }

    // Empty if the table has no such column.
    [[nodiscard]] const std::string &cell(const Cells &cells, std::string_view column) const {
        static const std::string none;
        return block_.has(column) ? cells[block_.index(column)] : none;
    }

    // "Tesla K20c (0)": the card without its number.
    [[nodiscard]] static std::string without_number(const std::string &device) {
        return device.substr(0, device.find(" ("));
    }

    void take_card(const std::string &card) {
        if (profile_.card.empty()) profile_.card = card;
        if (profile_.card != card) {
            fail("column " + std::string(block_.has("Device") && block_.has("Kernel") ? "Device" : "CC") + ": " +
                 excerpt(card) + ", and " + excerpt(profile_.card) + " before: one --profile for each card");
        }
    }

    // A number with its unit behind it, as nvprof writes them, and with commas between thousands, as ncu does.
    [[nodiscard]] double value_of(const std::string &column, std::string text, std::string_view unit) const {
        std::erase(text, ',');
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || !(value >= 0) || !std::isfinite(value))
            fail("column " + column + ": not a number that a counter can have: " + excerpt(text));
        const std::string_view behind(end, static_cast<std::size_t>(text.data() + text.size() - end));
        const std::optional<double> factor = factor_of(behind.empty() ? unit : behind);
        if (!factor) {
            fail("column " + column + ": not a unit that is known: " + excerpt(behind.empty() ? unit : behind));
        }
        return value * *factor;
    }

    [[nodiscard]] double number(const char *column, const std::string &text) const {
        const double value = value_of(column, text, "");
        if (!(value >= 1)) fail(std::string("column ") + column + ": less than 1: " + excerpt(text));
        return value;
    }

    void add(const std::string &kernel, const std::string &metric, const std::string &column, const std::string &text,
             const std::string &unit, double launches) {
        if (!is_gpu_metric(metric) || text.empty() || text == "n/a" || text == "N/A") return;
        if (kernel.empty()) fail("a metric without the name of its kernel");
        ProfiledMetric &one = kernel_named(kernel).metrics[metric];
        if (one.file == 0) one.file = file_;
        if (one.file != file_)
            fail("column " + column + ": " + metric + " of kernel " + excerpt(kernel) + " is in a file before, too");
        one.sum += launches * value_of(column, text, unit);
        one.launches += launches;
    }

    ProfiledKernel &kernel_named(const std::string &name) {
        const auto [found, is_new] = places_.try_emplace(name, profile_.kernels.size());
        if (is_new) profile_.kernels.push_back({name, {}});
        return profile_.kernels[found->second];
    }

    GpuProfile &profile_;
    std::map<std::string, std::size_t> places_; // of the kernels by name: there may be many
    std::string path_;
    std::size_t file_ = 0, line_ = 0; // from 1
    Block block_;
};

} // namespace

GpuProfile read_gpu_profile(const std::vector<std::string> &files) {
    GpuProfile profile;
    Reader reader(profile);
    for (const std::string &file : files) {
        profile.source += (profile.source.empty() ? "" : ",") + file;
        reader.read(file);
    }
    return profile;
}

} // namespace cpl_lb
