// The sections of load_balancing_info.txt that the layout of TR/CMGC/20/176 does not have. A section is empty if none
// of its figures was recorded.
#pragma once

#include "data/coupled_run.hpp"
#include "report/format.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace cpl_lb {

inline constexpr const char *rule = "-----------------------------------------------------------------\n";
// Names in tables are cut at this width; the json has the whole names.
inline constexpr std::size_t table_name_columns = 60;

inline constexpr std::size_t text_columns = 80; // wider tables of the text file are divided into parts

// The text of a section, and the unit of the times in its table. Empty if the table has only its titles.
struct SectionText {
    std::string text, unit = "s";

    SectionText() = default;
    SectionText(std::string words) : text(std::move(words)) {}
    SectionText(const TextTable &table, const std::string &below = "")
        : text(table.empty() ? "" : table.text(text_columns) + below), unit(table.unit()) {}
};

[[nodiscard]] std::string table_name(const Component &component);
[[nodiscard]] std::string further_sections(const CoupledRun &run);

// Empty if MPI was not recorded, like the next one.
[[nodiscard]] std::string efficiency_table(const CoupledRun &run);
[[nodiscard]] SectionText mpi_table(const CoupledRun &run);
[[nodiscard]] std::string traffic_table(const CoupledRun &run);
[[nodiscard]] std::string field_traffic_table(const CoupledRun &run);
// For each component that has one: the process for which the others wait again and again.
[[nodiscard]] std::vector<std::string> late_sender_sentences(const CoupledRun &run);

// Tables of what the author says about the work of regions, with the measured figures. Empty without annotations.
[[nodiscard]] std::string annotation_table(const CoupledRun &run);
[[nodiscard]] std::string control_flow_table(const CoupledRun &run);

// A large number in few characters: "1.234e+09"; n/a for NaN.
[[nodiscard]] std::string amount_text(double value);

// Memory, energy and counters in load_balancing_info.txt; empty texts if nothing was measured.
[[nodiscard]] std::string memory_table(const CoupledRun &run);       // MiB of one process
[[nodiscard]] std::string energy_table(const CoupledRun &run);       // J
[[nodiscard]] std::string gpu_sentences(const CoupledRun &run);      // how busy each component's GPUs were
[[nodiscard]] std::string loop_counter_table(const CoupledRun &run); // of one process, over the coupling loop
[[nodiscard]] std::string region_meter_table(const CoupledRun &run); // counters, energy and memory of regions
[[nodiscard]] std::string other_meter_table(const CoupledRun &run);  // of meters that have no table of their own
[[nodiscard]] std::string about_the_meters(const CoupledRun &run);   // what sampling cost, and what was not there

// What the components run on; empty if neither their nodes nor their GPUs are known.
[[nodiscard]] std::string hardware_table(const CoupledRun &run);

// The rows of the CPMIP table (Balaji et al. 2017, section 3) with units, and the reason if a row is n/a.
struct CpmipRow {
    const char *label;
    const char *unit;
    double value;        // NaN: n/a
    std::string why_not; // in words, where the value is n/a
    bool is_count = false;
};

[[nodiscard]] std::vector<CpmipRow> cpmip_rows(const CoupledRun &run);
// Numbers first, then the rows that are n/a, each reason once.
[[nodiscard]] std::string cpmip_text(const CoupledRun &run);

// For runs from timers: the figures by their places in the json, and the timer of each. Empty for other runs.
[[nodiscard]] std::string source_table(const CoupledRun &run);

} // namespace cpl_lb
