// The table of meters, made of rows.inc.
#include "meters/table.hpp"

#include <array>

namespace cpl_lb {
namespace {

constexpr std::array table = {
#define METER(name, scope, wanted, figures, part_of, called, measures)                                               \
    MeterRow{#name, Scope::scope, Wanted::wanted, Figures::figures, part_of, called, measures, make_##name##_reader},
#include "meters/rows.inc"
#undef METER
};

} // namespace

std::span<const MeterRow> meter_table() noexcept {
    return table;
}

std::unique_ptr<Reader> make_reader(std::string_view name, const ReaderOptions &options) {
    for (const MeterRow &row : table) {
        if (row.name == name) return row.make(options);
    }
    return nullptr;
}

bool WantedMeters::has(Wanted what) const noexcept {
    switch (what) {
    case Wanted::ln_rss:
        return memory;
    case Wanted::ln_energy:
        return energy;
    case Wanted::cn_counters:
        return counters;
    case Wanted::always:
        break;
    }
    return true;
}

} // namespace cpl_lb
