#include "export/raster.hpp"

#include "io/netcdf_file.hpp"
#include "io/result_file.hpp"
#include "page/segments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cpl_lb/version.h>

namespace cpl_lb {
namespace {

void put_text(const NetcdfFile &file, int variable, const char *name, const std::string &value) {
    file.check(nc_put_att_text(file.id(), variable, name, value.size(), value.data()), "cannot write an attribute");
}

int define(const NetcdfFile &file, const char *name, nc_type type, std::initializer_list<int> dimensions,
           const std::string &long_name, const char *units) {
    int id = -1;
    file.check(nc_def_var(file.id(), name, type, static_cast<int>(dimensions.size()), dimensions.begin(), &id),
               "cannot define a variable");
    put_text(file, id, "long_name", long_name);
    if (*units != '\0') put_text(file, id, "units", units);
    return id;
}

int dimension(const NetcdfFile &file, const char *name, std::size_t length) {
    int id = -1;
    file.check(nc_def_dim(file.id(), name, length, &id), "cannot define a dimension");
    return id;
}

int create(const std::string &temporary, const std::string &path) {
    int id = -1;
    const int status = nc_create(temporary.c_str(), NC_CLOBBER | NC_64BIT_OFFSET, &id);
    if (status != NC_NOERR) throw FileError(path, std::string("cannot create: ") + nc_strerror(status));
    return id;
}

void describe_kinds(const NetcdfFile &file, int variable) {
    std::array<signed char, kind_count + 1> values{};
    std::string meanings = "COMPUTING";
    values[0] = raster_computing;
    for (std::size_t kind = 0; kind < kind_count; ++kind) {
        values[kind + 1] = static_cast<signed char>(kind);
        meanings += " " + std::string(kind_names[kind]);
    }
    file.check(nc_put_att_schar(file.id(), variable, "flag_values", NC_BYTE, values.size(), values.data()),
               "cannot write an attribute");
    put_text(file, variable, "flag_meanings", meanings);
    file.check(nc_put_att_schar(file.id(), variable, "_FillValue", NC_BYTE, 1, &raster_not_running),
               "cannot write an attribute");
}

struct StepVariable {
    const char *name, *long_name;
    double Step::*value;
};
constexpr std::array<StepVariable, 4> step_variables = {
    {{"step_length", "length of the coupling step", &Step::length_s},
     {"step_computing", "computing in the coupling step, mean over the processes", &Step::computing_s},
     {"step_waiting", "waiting in the coupling step, mean over the processes", &Step::waiting_s},
     {"step_jitter", "jitter in the coupling step", &Step::jitter_s}}};

void write_doubles(const NetcdfFile &file, int variable, const std::vector<double> &values) {
    file.check(nc_put_var_double(file.id(), variable, values.data()), "cannot write a variable");
}

} // namespace

std::vector<signed char> dominant_kinds(const Component &component, const Row &row,
                                        const std::vector<Nanoseconds> &edges) {
    const std::size_t bins = edges.size() - 1;
    std::array<std::vector<Nanoseconds>, kind_count> busy;
    for (auto &one : busy)
        one.resize(bins);
    Segments segments;
    segments.of(row, [&](EventIndex k, Nanoseconds start, Nanoseconds stop) {
        std::vector<Nanoseconds> &mine = busy[static_cast<std::size_t>(component.table.keys[k].kind)];
        const auto after = std::upper_bound(edges.begin(), edges.end(), start);
        for (auto bin = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - edges.begin() - 1, 0));
             bin < bins && edges[bin] < stop; ++bin)
            mine[bin] += Interval{std::max(start, edges[bin]), std::min(stop, edges[bin + 1])}.length();
    });
    std::vector<signed char> kinds(bins, raster_not_running);
    for (std::size_t bin = 0; bin < bins; ++bin) {
        Nanoseconds computing =
            Interval{std::max(component.first_init, edges[bin]), std::min(component.last_terminate, edges[bin + 1])}
                .length();
        if (computing > 0) kinds[bin] = raster_computing;
        for (const auto &one : busy)
            computing -= one[bin];
        Nanoseconds longest = std::max<Nanoseconds>(computing, 0);
        for (std::size_t kind = 0; kind < kind_count; ++kind) {
            if (busy[kind][bin] <= longest) continue;
            longest = busy[kind][bin];
            kinds[bin] = static_cast<signed char>(kind);
        }
    }
    return kinds;
}

struct RasterSink::OpenFile {
    OpenFile(const std::string &path, const Component &c)
        : component(&c), result(path), netcdf(create(result.temporary(), path), path) {}
    const Component *component;
    ResultFile result;
    NetcdfFile netcdf;
    int kinds = -1;
    std::vector<Nanoseconds> edges;
};

RasterSink::RasterSink(std::string folder, const CoupledRun &run) : folder_(std::move(folder)), run_(run) {}
RasterSink::~RasterSink() = default;

void RasterSink::open(const Component &component) {
    const std::vector<std::string> stems = file_stems(run_.component_names);
    const std::string name = "raster_" + stems[static_cast<std::size_t>(component.id) - 1] + ".nc";
    file_ = std::make_unique<OpenFile>(path_in(folder_, name), component);
    Nanoseconds end = 1;
    for (const Component &c : run_.components)
        end = std::max(end, c.last_terminate);
    for (std::size_t bin = 0; bin <= raster_bins; ++bin) {
        file_->edges.push_back(
            static_cast<Nanoseconds>(static_cast<WideNanoseconds>(end) * static_cast<WideNanoseconds>(bin) /
                                     static_cast<WideNanoseconds>(raster_bins)));
    }
    const NetcdfFile &file = file_->netcdf;
    const int elapsed = dimension(file, "elapsed", raster_bins);
    const int process = dimension(file, "process", component.ranks.size());
    const int time =
        define(file, "elapsed", NC_DOUBLE, {elapsed}, "middle of the bin, since the start of the run", "s");
    put_text(file, time, "axis", "X");
    const int number = define(file, "process", NC_INT, {process}, "process of the component", "1");
    put_text(file, number, "axis", "Y");
    file_->kinds = define(file, "kind_dominant", NC_BYTE, {process, elapsed}, "kind that fills most of the bin", "");
    describe_kinds(file, file_->kinds);
    const std::vector<Step> &steps = component.balance.steps;
    std::array<int, step_variables.size()> variables{};
    int start = -1;
    if (!steps.empty()) {
        const int step = dimension(file, "step", steps.size());
        start = define(file, "step_start", NC_DOUBLE, {step}, "start of the coupling step", "s");
        for (std::size_t i = 0; i < variables.size(); ++i)
            variables[i] = define(file, step_variables[i].name, NC_DOUBLE, {step}, step_variables[i].long_name, "s");
    }
    put_text(file, NC_GLOBAL, "title", "What each process of a component did most, in bins of time");
    put_text(file, NC_GLOBAL, "Conventions", "CF-1.8");
    put_text(file, NC_GLOBAL, "component_name", component.name);
    put_text(file, NC_GLOBAL, "run_id", run_.run.id);
    put_text(file, NC_GLOBAL, "cpl_lb_version", CPL_LB_VERSION);
    file.check(nc_enddef(file.id()), "cannot end the header");

    std::vector<double> middles;
    for (std::size_t bin = 0; bin < raster_bins; ++bin)
        middles.push_back((to_seconds(file_->edges[bin]) + to_seconds(file_->edges[bin + 1])) / 2);
    write_doubles(file, time, middles);
    std::vector<double> numbers(component.ranks.size());
    for (std::size_t p = 0; p < numbers.size(); ++p)
        numbers[p] = static_cast<double>(p);
    write_doubles(file, number, numbers);
    if (steps.empty()) return;
    std::vector<double> values(steps.size());
    std::transform(steps.begin(), steps.end(), values.begin(), [](const Step &s) { return s.start_s; });
    write_doubles(file, start, values);
    for (std::size_t i = 0; i < variables.size(); ++i) {
        std::transform(steps.begin(), steps.end(), values.begin(), [&](const Step &s) {
            return s.*step_variables[i].value / static_cast<double>(std::max<std::int64_t>(s.steps, 1));
        });
        write_doubles(file, variables[i], values);
    }
}

void RasterSink::row(const Component &component, std::int64_t process, const Row &row) {
    if (!file_ || file_->component != &component) {
        close();
        open(component);
    }
    const std::vector<signed char> kinds = dominant_kinds(component, row, file_->edges);
    const std::array<std::size_t, 2> at = {static_cast<std::size_t>(process), 0};
    const std::array<std::size_t, 2> count = {1, kinds.size()};
    const NetcdfFile &file = file_->netcdf;
    file.check(nc_put_vara_schar(file.id(), file_->kinds, at.data(), count.data(), kinds.data()),
               "cannot write kind_dominant");
}

void RasterSink::close() {
    if (!file_) return;
    file_->netcdf.close();
    file_->result.commit();
    files_.push_back(file_->result.path().substr(file_->result.path().rfind('/') + 1));
    file_.reset();
}

void RasterSink::finish() {
    close();
}

} // namespace cpl_lb
