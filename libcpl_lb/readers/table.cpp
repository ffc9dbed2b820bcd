#include "readers/table.hpp"

#include <array>

namespace cpl_lb {
namespace {

constexpr std::array table = {
    ReaderRow{"rss", Scope::process, "resident set, high-water mark, executable", make_rss_reader},
    ReaderRow{"node_memory", Scope::node, "memory in use on the node", make_node_memory_reader},
    ReaderRow{"rapl", Scope::node, "package and DRAM energy from the powercap tree", make_rapl_reader},
    ReaderRow{"perf_power", Scope::node, "package and DRAM energy from perf events", make_perf_power_reader},
    ReaderRow{"nvml", Scope::device, "energy of NVIDIA GPUs", make_nvml_reader},
    ReaderRow{"papi", Scope::process, "the events of cn_counters through PAPI", make_papi_reader},
    ReaderRow{"perf_events", Scope::process, "the events of cn_counters without PAPI", make_perf_events_reader},
    ReaderRow{"counters", Scope::process, "the events of cn_counters, each by what can", make_counters_reader},
};

} // namespace

std::span<const ReaderRow> reader_table() noexcept {
    return table;
}

std::unique_ptr<Reader> make_reader(std::string_view name, const ReaderOptions &options) {
    for (const ReaderRow &row : table) {
        if (row.name == name) return row.make(options);
    }
    return nullptr;
}

} // namespace cpl_lb
