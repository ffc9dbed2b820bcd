// Properties of everything that reads measured tables, for any bytes; each reader of the group gets all of them:
// - a reader gives what it read, or throws an exception of words, at most 2,000 bytes; no crash, no hang, and no
// memory
//   beyond what the bytes can fill;
// - a cell and a row of a model that were read and are written come back the same.
// CPL_LB_READERS names the group: tables or job_logs.
#include "analysis/model_rows.hpp"
#include "io/files/csv_table.hpp"
#include "support/csv_cells.hpp"
#include "support/utf8.hpp"
#include "tests/fuzz/file_in_memory.hpp"
#include "tools/balance/curve_sources.hpp"
#include "tools/cpmip/cpmip_sources.hpp"
#include "tools/cpmip/job_log_files.hpp"

#include <vector>

using namespace cpl_lb;
using fuzz::require;

namespace {

void cells_come_back(const std::string &path) {
    const CsvTable table = CsvTable::from_file(path);
    for (std::size_t row = 0; row < table.rows(); ++row) {
        for (const std::string &column : table.columns()) {
            if (table.is_empty(row, column)) continue;
            const std::string &cell = table.text(row, column);
            if (safe_text(cell) != cell || cell.find('\n') != std::string::npos) continue;
            std::vector<std::string> again;
            require(split_csv_line(csv_cell(cell) + ",x", again));
            require(again == std::vector<std::string>{cell, "x"});
        }
    }
}

void rows_come_back(const std::string &path) {
    std::string once = csv_names(), twice = csv_names();
    for (const ModelRow &row : read_model_rows(fuzz::text_of(path)))
        once += csv_of(row);
    for (const ModelRow &row : read_model_rows(once))
        twice += csv_of(row);
    require(once == twice);
}

void job_figures(std::vector<LoggedJob> jobs, const std::string &path) {
    refuse_overlaps(path, jobs);
    refuse_empty_jobs(path, jobs);
    enter_simulated_years(jobs, "1y");
}

using Reader = void (*)(const std::string &path);

[[maybe_unused]] const std::vector<Reader> tables = {
    cells_come_back,
    rows_come_back,
    [](const std::string &path) { static_cast<void>(CsvTable::from_file(path, '|')); },
    [](const std::string &path) { static_cast<void>(read_curves(path)); },
    [](const std::string &path) { static_cast<void>(hardware_compared(path, "", "", "", false)); },
    [](const std::string &path) {
        CpmipOptions options;
        options.scaling = path;
        const ScalingStudy study = scaling_study(options);
        static_cast<void>(scaling_as_text(study) + scaling_as_json(study) + scaling_as_csv(study));
    },
};

[[maybe_unused]] const std::vector<Reader> job_logs = {
    [](const std::string &path) { job_figures(read_sacct(path, fuzz::text_of(path), {}), path); },
    [](const std::string &path) {
        JobLogOptions energy_only;
        energy_only.times_needed = false;
        static_cast<void>(read_sacct(path, fuzz::text_of(path), energy_only));
    },
    [](const std::string &path) { job_figures(read_autosubmit(path, fuzz::text_of(path), {}), path); },
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    fuzz::each_reads(CPL_LB_READERS, data, size);
    return 0;
}
