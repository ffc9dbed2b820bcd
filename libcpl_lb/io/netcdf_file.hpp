// One open netCDF file; every status that is not good becomes a FileError with netCDF's own words.
#pragma once

#include "io/file_error.hpp"

#include <netcdf.h>
#include <string>
#include <utility>

namespace cpl_lb {

class NetcdfFile {
public:
    // path: what errors name (the result, not its temporary file).
    NetcdfFile(int id, std::string path) : id_(id), path_(std::move(path)) {}
    ~NetcdfFile() {
        if (id_ >= 0) nc_abort(id_);
    }
    NetcdfFile(const NetcdfFile &) = delete;
    NetcdfFile &operator=(const NetcdfFile &) = delete;

    [[nodiscard]] int id() const { return id_; }
    [[nodiscard]] const std::string &path() const { return path_; }
    void check(int status, const char *doing) const {
        if (status != NC_NOERR) throw FileError(path_, std::string(doing) + ": " + nc_strerror(status));
    }
    void close() { check(nc_close(std::exchange(id_, -1)), "cannot close"); }

private:
    int id_;
    std::string path_;
};

} // namespace cpl_lb
