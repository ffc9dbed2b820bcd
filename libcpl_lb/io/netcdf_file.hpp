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
        if (id_ >= 0 && can_be_closed() && nc_abort(id_) != NC_NOERR) id_ = -1;
    }
    NetcdfFile(const NetcdfFile &) = delete;
    NetcdfFile &operator=(const NetcdfFile &) = delete;

    [[nodiscard]] int id() const { return id_; }
    [[nodiscard]] const std::string &path() const { return path_; }
    void check(int status, const char *doing) const {
        if (status != NC_NOERR) throw FileError(path_, std::string(doing) + ": " + nc_strerror(status));
    }
    void close() {
        const bool written = can_be_closed();
        const int id = std::exchange(id_, -1);
        if (!written) throw FileError(path_, "cannot write: " + std::string(nc_strerror(NC_EHDFERR)));
        check(nc_close(id), "cannot close");
    }

private:
    // Where HDF5 cannot write what is left, netCDF 4.9.0 reads memory in its close that is not there any more, which
    // ends the process. So all is written before; a file that cannot take it is left open.
    [[nodiscard]] bool can_be_closed() const {
        int format = NC_FORMAT_CLASSIC;
        const bool is_hdf5 = nc_inq_format(id_, &format) == NC_NOERR &&
                             (format == NC_FORMAT_NETCDF4 || format == NC_FORMAT_NETCDF4_CLASSIC);
        return !is_hdf5 || nc_sync(id_) == NC_NOERR;
    }

    int id_;
    std::string path_;
};

} // namespace cpl_lb
