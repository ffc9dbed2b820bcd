// Properties of the readers of the models' tables, for any bytes, as those of tests/fuzz/table_fuzz.cpp; a kernel
// that was read and is written comes back the same. CPL_LB_READERS names the group: model_tables or gpu_profiles.
#include "io/files/csv_table.hpp"
#include "projection/models/gpu_model.hpp"
#include "projection/models/model_tables.hpp"
#include "projection/tools/assert/assert_output.hpp"
#include "projection/tools/energy/energy_output.hpp"
#include "projection/tools/roofline/roofline_sources.hpp"
#include "tests/fuzz/file_in_memory.hpp"

#include <vector>

using namespace cpl_lb;
using fuzz::FileInMemory;
using fuzz::require;

namespace {

void kernels_come_back(const std::string &path) {
    const std::string once = gpu_kernels_as_csv(read_gpu_kernels(path));
    if (once.find('\n') + 1 == once.size()) return;
    static FileInMemory again("again");
    require(gpu_kernels_as_csv(read_gpu_kernels(again.with(once))) == once);
}

using Reader = void (*)(const std::string &path);

[[maybe_unused]] const std::vector<Reader> model_tables = {
    kernels_come_back,
    [](const std::string &path) { static_cast<void>(read_loops(path)); },
    [](const std::string &path) { static_cast<void>(read_loop_runs(path)); },
    [](const std::string &path) { static_cast<void>(read_measured_kernels(path)); },
    [](const std::string &path) { static_cast<void>(read_jobs(path)); },
    [](const std::string &path) { static_cast<void>(WorkParameters::of_case(path, "a")); },
    [](const std::string &path) { static_cast<void>(assertion_model_of_table(path)); },
    [](const std::string &path) { static_cast<void>(energy_as_text(read_energy_table(path))); },
    [](const std::string &path) {
        EnergyByWork rows;
        read_energy_runs(path, rows);
    },
    [](const std::string &path) { static_cast<void>(work_in_table(path)); },
};

[[maybe_unused]] const std::vector<Reader> gpu_profiles = {
    [](const std::string &path) {
        const std::vector<GpuKernel> kernels = characteristics_of(read_gpu_profile(path), 1000);
        static_cast<void>(gpu_kernels_as_csv(average_over_cards({kernels, kernels})));
    },
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    fuzz::each_reads(CPL_LB_READERS, data, size);
    return 0;
}
