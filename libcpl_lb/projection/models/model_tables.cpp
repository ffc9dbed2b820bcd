// Reads the csv tables of loops, kernels and energy, and the parameters of their expressions.
#include "projection/models/model_tables.hpp"

#include "assertions/expression.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace cpl_lb {
namespace {

double or_zero(const CsvTable &table, std::size_t row, const char *column) {
    const double value = table.known_or_nan(row, column);
    return is_known(value) ? value : 0;
}

int whole(const CsvTable &table, std::size_t row, const char *column) {
    const double value = table.positive(row, column);
    if (value != std::floor(value) || value > 1e6)
        throw table.wrong(row, column, "not a whole number up to 1e6: " + table.text(row, column));
    return static_cast<int>(value);
}

// flops, or iterations x flops_per_iteration.
double work(const CsvTable &table, std::size_t row, const std::string &what, const WorkParameters &parameters) {
    const double whole = work_in(table, row, what, parameters);
    if (is_known(whole)) return whole;
    const double one = work_in(table, row, what + "_per_iteration", parameters);
    if (!is_known(one)) return unknown;
    const double iterations = work_in(table, row, "iterations", parameters);
    if (!(iterations > 0)) throw table.wrong(row, "iterations", "must be more than 0");
    return one * iterations;
}

LoopCoefficients coefficients_in(const CsvTable &table, std::size_t row) {
    return {table.known_or_nan(row, "U"), or_zero(table, row, "S_flop_per_s"),
            or_zero(table, row, "V"),     or_zero(table, row, "X"),
            or_zero(table, row, "Y"),     or_zero(table, row, "Z")};
}

} // namespace

std::vector<GpuKernel> read_gpu_kernels(const std::string &path) {
    const CsvTable table = CsvTable::from_file(path);
    std::vector<std::string_view> columns = {"kernel"};
    for (const GpuFigure &f : gpu_figures())
        columns.emplace_back(f.column);
    table.require(columns);
    std::vector<GpuKernel> kernels;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        GpuKernel &k = kernels.emplace_back();
        k.name = table.text(row, "kernel");
        for (const GpuFigure &f : gpu_figures()) {
            k.*f.figure = f.may_be_0 ? table.not_negative(row, f.column) : table.positive(row, f.column);
            if (f.is_share && k.*f.figure > 1)
                throw table.wrong(row, f.column,
                                  "a share, not per cent: must not be more than 1: " + table.text(row, f.column));
        }
    }
    return kernels;
}

std::vector<CodeLoop> read_loops(const std::string &path, const WorkParameters &parameters) {
    const CsvTable table = CsvTable::from_file(path);
    table.require({"loop", "V", "X", "Y", "Z"});
    if (!table.has("bytes_per_iteration")) table.require({"bytes"});
    std::vector<CodeLoop> loops;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        CodeLoop loop{table.text(row, "loop"), work(table, row, "flops", parameters),
                      work(table, row, "bytes", parameters), coefficients_in(table, row)};
        const LoopCoefficients &c = loop.coefficients;
        if (!is_known(loop.flop) && !is_known(loop.moved_B))
            throw table.wrong(row, "bytes", loop.name + " has neither operations nor bytes");
        if (is_known(loop.flop) && !is_known(c.u))
            throw table.wrong(row, "U", "empty, and " + loop.name + " computes");
        if (is_known(loop.flop) && c.u == 0 && c.s_flop_per_s == 0)
            throw table.wrong(row, "U", "zero: " + loop.name + " would compute forever");
        if (is_known(loop.moved_B) && c.v + c.x + c.y + c.z == 0)
            throw table.wrong(row, "V", "V, X, Y and Z are zero: " + loop.name + " would have no bandwidth");
        loops.push_back(std::move(loop));
    }
    return loops;
}

double clock_of(const std::string &GHz) {
    if (GHz.empty()) return unknown;
    if (GHz == "turbo") return turbo_clock;
    double value = 0;
    if (!read_number(GHz, value) || !(value > 0))
        throw std::invalid_argument("not a clock in GHz, nor turbo: " + GHz);
    if (value > 100) throw std::invalid_argument("more than 100 GHz; was it given in MHz or Hz? " + GHz);
    return value * 1e9;
}

MeasuredLoop &loop_named(std::vector<MeasuredLoop> &loops, const std::string &name) {
    const auto found = std::ranges::find(loops, name, &MeasuredLoop::name);
    return found == loops.end() ? loops.emplace_back(MeasuredLoop{name, {}}) : *found;
}

std::vector<MeasuredLoop> read_loop_runs(const std::string &path) {
    const CsvTable table = CsvTable::from_file(path);
    table.require({"loop", "threads", "seconds", "bytes"});
    std::vector<MeasuredLoop> loops;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        LoopRun run;
        run.at.threads = whole(table, row, "threads");
        try {
            if (table.has("clock_GHz")) run.at.clock_Hz = clock_of(table.text(row, "clock_GHz"));
        } catch (const std::invalid_argument &error) {
            throw table.wrong(row, "clock_GHz", error.what());
        }
        run.seconds = table.positive(row, "seconds");
        run.flop = table.known_or_nan(row, "flops");
        run.moved_B = table.known_or_nan(row, "bytes");
        if (!is_known(run.flop) && !is_known(run.moved_B))
            throw table.wrong(row, "bytes", "neither operations nor bytes");
        loop_named(loops, table.text(row, "loop")).runs.push_back(run);
    }
    return loops;
}

MeasuredKernels read_measured_kernels(const std::string &path) {
    const CsvTable table = CsvTable::from_file(path);
    table.require({"domain", "kernel", "seconds"});
    MeasuredKernels measured;
    for (std::size_t row = 0; row < table.rows(); ++row)
        measured[{table.has("card") && !table.is_empty(row, "card") ? table.text(row, "card") : "",
                  table.text(row, "domain"), table.text(row, "kernel")}] = table.positive(row, "seconds");
    return measured;
}

std::vector<QueuedJob> read_jobs(const std::string &path) {
    const CsvTable table = CsvTable::from_file(path);
    table.require({"job", "submitted_s", "nodes", "seconds"});
    std::vector<QueuedJob> jobs;
    for (std::size_t row = 0; row < table.rows(); ++row)
        jobs.push_back({table.text(row, "job"), table.not_negative(row, "submitted_s"), whole(table, row, "nodes"),
                        table.positive(row, "seconds"), table.known_or_nan(row, "power_W")});
    return jobs;
}

std::vector<std::int64_t> sides_of(const std::string &domain) {
    std::vector<std::int64_t> sides;
    for (std::size_t at = 0; at <= domain.size();) {
        const std::size_t end = std::min(domain.find('x', at), domain.size());
        std::int64_t n = 0;
        if (!read_number(std::string_view(domain).substr(at, end - at), n) || n < 1)
            throw std::invalid_argument("not a domain like 200x200x80: " + domain);
        sides.push_back(n);
        at = end + 1;
    }
    return sides;
}

double cells_of(const std::string &domain) {
    double cells = 1;
    for (const std::int64_t n : sides_of(domain))
        cells *= static_cast<double>(n);
    return cells;
}

namespace {

bool number_in(std::string_view text, double &value) {
    return read_number(text, value) && std::isfinite(value);
}

} // namespace

WorkParameters WorkParameters::of_case(const std::string &path, const std::string &name) {
    const CsvTable table = CsvTable::from_file(path);
    table.require({"case"});
    std::string names;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        names += (names.empty() ? "" : ", ") + table.text(row, "case");
        if (table.text(row, "case") != name) continue;
        WorkParameters parameters;
        for (const std::string &column : table.columns())
            if (column != "case" && !table.is_empty(row, column))
                parameters.values_[column] = table.number(row, column);
        return parameters;
    }
    throw FileError(path, fmt::format("no case '{}'; there are: {}", name, names));
}

void WorkParameters::set(std::string_view setting) {
    const std::size_t sign = setting.find('=');
    const std::string name(setting.substr(0, sign));
    if (sign == std::string_view::npos || !is_parameter_name(name))
        throw std::invalid_argument(fmt::format("{}: write NAME=NUMBER", setting));
    double value = 0;
    if (!number_in(setting.substr(sign + 1), value))
        throw std::invalid_argument(fmt::format("{}: '{}' is not a number", setting, setting.substr(sign + 1)));
    values_[name] = value;
}

double WorkParameters::value(const std::string &name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? unknown : found->second;
}

double work_in(const CsvTable &table, std::size_t row, std::string_view column, const WorkParameters &parameters) {
    if (!table.has(column) || table.is_empty(row, column)) return unknown;
    const std::string &text = table.text(row, column);
    double value = 0;
    if (text == "n/a" || number_in(text, value)) return table.known_or_nan(row, column);
    try {
        const Expression expression(text);
        std::vector<double> values;
        for (const std::string &name : expression.names()) {
            values.push_back(parameters.value(name));
            if (!is_known(values.back())) {
                throw table.wrong(
                    row, column,
                    fmt::format("parameter '{0}' has no value: --set {0}=NUMBER, or --parameters", name));
            }
        }
        const Expression::Result result = expression.evaluate(values);
        if (!result.why.empty()) throw table.wrong(row, column, fmt::format("'{}': {}", text, result.why));
        if (!(result.slope.value >= 0))
            throw table.wrong(row, column,
                              fmt::format("'{}' is {:g}: must not be negative", text, result.slope.value));
        return result.slope.value;
    } catch (const ExpressionError &error) {
        throw table.wrong(row, column, fmt::format("'{}': {}", text, error.what()));
    }
}

} // namespace cpl_lb
