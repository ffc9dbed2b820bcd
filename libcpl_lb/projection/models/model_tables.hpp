// The tables that `project` and `energy` read (docs/machines.md): columns by name, errors with file,
// line and column.
#pragma once

#include "data/time.hpp"
#include "io/files/csv_table.hpp"
#include "projection/models/energy_model.hpp"
#include "projection/models/gpu_model.hpp"
#include "projection/models/job_queue.hpp"
#include "projection/models/loop_model.hpp"

#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// The number that is all of the text; false if the text is anything else.
template <typename Number>
[[nodiscard]] bool read_number(std::string_view text, Number &number) {
    const char *const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && rest == end;
}

// Parameters that the work of loops is written in (ESCAPE D3.5, tables 22 to 24: NSMAX, PTS, ITER, ...), and cells of
// tables that are expressions in them, as those of cpl_lb_assert_expression are.
class WorkParameters {
public:
    // The row `name` of a table with the column `case` and one for each parameter. Throws FileError.
    [[nodiscard]] static WorkParameters of_case(const std::string &path, const std::string &name);
    // "NSMAX=639"; throws std::invalid_argument in words.
    void set(std::string_view setting);
    // NaN: has no value.
    [[nodiscard]] double value(const std::string &name) const;
    [[nodiscard]] const std::map<std::string, double> &all() const { return values_; }

private:
    std::map<std::string, double> values_;
};

// A number or an expression; NaN if the cell is empty, n/a, or the table has no such column. Throws FileError for
// what cannot be read, for a parameter without a value, and for a result that is negative or not finite.
[[nodiscard]] double work_in(const CsvTable &table, std::size_t row, std::string_view column,
                             const WorkParameters &parameters);

// kernel, and a column for each of gpu_figures().
[[nodiscard]] std::vector<GpuKernel> read_gpu_kernels(const std::string &path);

// loop; flops and bytes, or iterations with flops_per_iteration and bytes_per_iteration; U, S_flop_per_s, V, X, Y, Z.
// Work is a number or an expression in parameters; an empty cell is no operations, no bytes, no coefficient.
[[nodiscard]] std::vector<CodeLoop> read_loops(const std::string &path, const WorkParameters &parameters = {});

// loop, threads, clock_GHz (a number, turbo, or empty), seconds, flops, bytes; by loop, in the order of the file.
struct MeasuredLoop {
    std::string name;
    std::vector<LoopRun> runs;
    std::string why_not = {}; // in words, where the work of a run's region is not known
};
[[nodiscard]] std::vector<MeasuredLoop> read_loop_runs(const std::string &path);
[[nodiscard]] MeasuredLoop &loop_named(std::vector<MeasuredLoop> &loops,
                                       const std::string &name); // a new one at the end

// "2.6", "turbo", "": the clock of a MachineSetting; throws std::invalid_argument with the text for others.
[[nodiscard]] double clock_of(const std::string &GHz);

// domain, kernel, seconds: what a profiler measured; kernel "all" is the whole run. A column card says whose time it
// is, by the name or file that the user gives; without it, or empty, it holds for every card.
struct MeasuredKernel {
    std::string card, domain, kernel;
    [[nodiscard]] auto operator<=>(const MeasuredKernel &) const = default;
};
using MeasuredKernels = std::map<MeasuredKernel, double>;
[[nodiscard]] MeasuredKernels read_measured_kernels(const std::string &path);

// job, submitted_s, nodes, seconds, power_W (of one node; may be left out).
[[nodiscard]] std::vector<QueuedJob> read_jobs(const std::string &path);

// The whole numbers of "200x200x80", and their product, 3,200,000; throws std::invalid_argument with the text for
// others.
[[nodiscard]] std::vector<std::int64_t> sides_of(const std::string &domain);
[[nodiscard]] double cells_of(const std::string &domain);

} // namespace cpl_lb
