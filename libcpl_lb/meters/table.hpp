// All meters, by name. A new one: its file and its row in rows.inc, nothing else.
#pragma once

#include "meters/reader.hpp"

#include <memory>
#include <span>
#include <string_view>

namespace cpl_lb {

// The setting that asks for a meter in a run.
enum class Wanted : std::uint8_t { always, ln_rss, ln_energy, cn_counters };

// What becomes of its figures. `listed`: each quantity comes out by itself (data/meters.hpp, MeterFigures); of
// `gpu_busy`, too, and its share of the coupling loop goes to components. The others have places of their own, in
// components, nodes and regions.
enum class Figures : std::uint8_t { listed, gpu_busy, resident_set, node_memory, energy, counters, no_processor };

struct MeterRow {
    std::string_view name;
    Scope scope; // process: each process reads it; node and device: one process of each node
    Wanted wanted;
    Figures figures;
    std::string_view part_of; // a run reads it only through that meter; empty: by itself
    std::string_view called;  // its name in a line that says why it is missing
    std::string_view measures;
    std::unique_ptr<Reader> (*make)(const ReaderOptions &options);

    [[nodiscard]] bool is_listed() const { return figures == Figures::listed || figures == Figures::gpu_busy; }
    [[nodiscard]] bool of_node() const { return scope != Scope::process; }
};

[[nodiscard]] std::span<const MeterRow> meter_table() noexcept;
// Null for a name that is not in the table.
[[nodiscard]] std::unique_ptr<Reader> make_reader(std::string_view name, const ReaderOptions &options);

// The meters that the settings ask for.
struct WantedMeters {
    bool memory = true, energy = true, counters = false; // ln_rss, ln_energy, cn_counters
    [[nodiscard]] bool has(Wanted what) const noexcept;
};

// make_rss_reader, ...
#define METER(name, ...) [[nodiscard]] std::unique_ptr<Reader> make_##name##_reader(const ReaderOptions &options);
#include "meters/rows.inc"
#undef METER
[[nodiscard]] std::unique_ptr<Reader> make_template_reader(const ReaderOptions &options); // to copy: not in the table

} // namespace cpl_lb
