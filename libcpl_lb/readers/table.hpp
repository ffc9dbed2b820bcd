// All readers, by name. A new one: its file, its make_..._reader here, its row in table.cpp.
#pragma once

#include "readers/options.hpp"
#include "readers/reader.hpp"

#include <memory>
#include <span>
#include <string_view>

namespace cpl_lb {

struct ReaderRow {
    std::string_view name;
    Scope scope; // node and device: opened by one process of each node
    std::string_view measures;
    std::unique_ptr<Reader> (*make)(const ReaderOptions &options);
};

[[nodiscard]] std::span<const ReaderRow> reader_table() noexcept;
// Null for a name that is not in the table.
[[nodiscard]] std::unique_ptr<Reader> make_reader(std::string_view name, const ReaderOptions &options);

[[nodiscard]] std::unique_ptr<Reader> make_rss_reader(const ReaderOptions &options);
[[nodiscard]] std::unique_ptr<Reader> make_node_memory_reader(const ReaderOptions &options);
[[nodiscard]] std::unique_ptr<Reader> make_rapl_reader(const ReaderOptions &options);
[[nodiscard]] std::unique_ptr<Reader> make_perf_power_reader(const ReaderOptions &options);
[[nodiscard]] std::unique_ptr<Reader> make_nvml_reader(const ReaderOptions &options);
[[nodiscard]] std::unique_ptr<Reader> make_papi_reader(const ReaderOptions &options);
[[nodiscard]] std::unique_ptr<Reader> make_perf_events_reader(const ReaderOptions &options);
[[nodiscard]] std::unique_ptr<Reader> make_counters_reader(const ReaderOptions &options);
[[nodiscard]] std::unique_ptr<Reader> make_template_reader(const ReaderOptions &options);

} // namespace cpl_lb
