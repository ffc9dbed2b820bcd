// Writes kind_dominant and the coupling steps into raster_<component>.nc, while the rows come.
#include "export/raster.hpp"

#include "analysis/kind_raster.hpp"
#include "export/event_sink.hpp"
#include "io/files/result_file.hpp"
#include "io/timeline/raster_variables.hpp"

#include <algorithm>
#include <cpl_lb/version.h>
#include <optional>

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

class RasterSink final : public EventSink {
public:
    RasterSink(std::string folder, const CoupledRun &run) : folder_(std::move(folder)), run_(run) {
        for (const Component &c : run_.components)
            end_ = std::max(end_, c.last_terminate);
    }

    void row(const Component &component, std::int64_t process, const Row &row) override {
        if (!file_ || file_->component != &component) {
            finish();
            open(component);
        }
        const Interval running{component.first_init, component.last_terminate};
        write_raster_row(file_->netcdf, file_->kinds, file_->shape, process,
                         kind_raster(row, component.table.keys, running, end_));
    }
    void finish() override {
        if (!file_) return;
        append_steps(file_->netcdf, file_->component->balance);
        file_->netcdf.close();
        file_->result.commit();
        files_.push_back(file_->result.path().substr(file_->result.path().rfind('/') + 1));
        file_.reset();
    }
    [[nodiscard]] const std::vector<std::string> &files() const { return files_; } // names in the folder

private:
    // Of the component whose rows come.
    struct OpenFile {
        OpenFile(const std::string &path, const Component &c)
            : component(&c), result(path), netcdf(create(result), path) {}
        const Component *component;
        ResultFile result;
        NetcdfFile netcdf;
        int kinds = -1;
        RasterShape shape;
    };

    void open(const Component &component) {
        const std::vector<std::string> stems = file_stems(run_.component_names);
        const std::string name = "raster_" + stems[static_cast<std::size_t>(component.id) - 1] + ".nc";
        file_.emplace(path_in(folder_, name), component);
        const NetcdfFile &file = file_->netcdf;
        RasterShape &shape = file_->shape;
        shape.processes = std::max<std::int64_t>(static_cast<std::int64_t>(component.ranks.size()), 1);
        shape.rows_of_each = (fewest_rows + shape.processes - 1) / shape.processes;
        shape.key_rows = raster_key_rows;
        file_->kinds = define_raster(file, shape);
        put_text(file, "title", component.name + ": what each process did most");
        put_text(file, "Conventions", "CF-1.8");
        put_text(file, "component_name", component.name);
        put_text(file, "run_id", run_.run.id);
        put_text(file, "cpl_lb_version", CPL_LB_VERSION);
        file.check(nc__enddef(file.id(), room_for_steps_bytes, 4, 0, 4), "cannot end the header");
        write_raster_axes(file, shape, end_);
        write_raster_key(file, file_->kinds, shape);
    }

    std::string folder_;
    const CoupledRun &run_;
    Nanoseconds end_ = 1; // of the run
    std::optional<OpenFile> file_;
    std::vector<std::string> files_;
};

} // namespace

std::vector<std::string> write_rasters(const std::string &folder, const CoupledRun &run,
                                       const std::vector<std::string> &timelines, const Progress &progress) {
    RasterSink sink(folder, run);
    export_events(run, timelines, {}, sink, progress);
    return sink.files();
}

} // namespace cpl_lb
