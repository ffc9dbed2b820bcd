// Writes kind_dominant and the coupling steps into raster_<component>.nc.
#include "export/raster.hpp"

#include "analysis/kind_raster.hpp"
#include "io/files/result_file.hpp"
#include "io/timeline/raster_variables.hpp"

#include <algorithm>
#include <cpl_lb/version.h>

namespace cpl_lb {
namespace {

int create(const ResultFile &file) {
    int id = -1;
    const int status = nc_create(file.open_as().c_str(), NC_CLOBBER | NC_64BIT_OFFSET, &id);
    if (status != NC_NOERR) throw FileError(file.path(), std::string("cannot create: ") + nc_strerror(status));
    return id;
}

void put_text(const NetcdfFile &file, const char *name, const std::string &value) {
    file.check(nc_put_att_text(file.id(), NC_GLOBAL, name, value.size(), value.data()), "cannot write an attribute");
}

} // namespace

struct RasterSink::OpenFile {
    OpenFile(const std::string &path, const Component &c)
        : component(&c), result(path), netcdf(create(result), path) {}
    const Component *component;
    ResultFile result;
    NetcdfFile netcdf;
    int kinds = -1;
    RasterShape shape;
};

RasterSink::RasterSink(std::string folder, const CoupledRun &run) : folder_(std::move(folder)), run_(run) {
    for (const Component &c : run_.components)
        end_ = std::max(end_, c.last_terminate);
}
RasterSink::~RasterSink() = default;

void RasterSink::open(const Component &component) {
    const std::vector<std::string> stems = file_stems(run_.component_names);
    const std::string name = "raster_" + stems[static_cast<std::size_t>(component.id) - 1] + ".nc";
    file_ = std::make_unique<OpenFile>(path_in(folder_, name), component);
    const NetcdfFile &file = file_->netcdf;
    file_->shape.processes = std::max<std::int64_t>(static_cast<std::int64_t>(component.ranks.size()), 1);
    file_->shape.rows_of_each = (fewest_rows + file_->shape.processes - 1) / file_->shape.processes;
    file_->shape.key_rows = raster_key_rows;
    file_->kinds = define_raster(file, file_->shape);
    put_text(file, "title", component.name + ": what each process did most");
    put_text(file, "Conventions", "CF-1.8");
    put_text(file, "component_name", component.name);
    put_text(file, "run_id", run_.run.id);
    put_text(file, "cpl_lb_version", CPL_LB_VERSION);
    file.check(nc__enddef(file.id(), room_for_steps_bytes, 4, 0, 4), "cannot end the header");
    write_raster_axes(file, file_->shape, end_);
    write_raster_key(file, file_->kinds, file_->shape);
}

void RasterSink::row(const Component &component, std::int64_t process, const Row &row) {
    if (!file_ || file_->component != &component) {
        close();
        open(component);
    }
    const Interval running{component.first_init, component.last_terminate};
    write_raster_row(file_->netcdf, file_->kinds, file_->shape, process,
                     kind_raster(row, component.table.keys, running, end_));
}

void RasterSink::close() {
    if (!file_) return;
    append_steps(file_->netcdf, file_->component->balance);
    file_->netcdf.close();
    file_->result.commit();
    files_.push_back(file_->result.path().substr(file_->result.path().rfind('/') + 1));
    file_.reset();
}

void RasterSink::finish() {
    close();
}

} // namespace cpl_lb
