// One open netCDF file; every status that is not good becomes a FileError with netCDF's own words.
#pragma once

#include "io/files/disk_stand_in.hpp"
#include "io/files/file_error.hpp"

#include <netcdf.h>
#include <new>
#include <string>
#include <utility>

namespace cpl_lb {

// HDF5 starts up in the first call of netCDF and crashes there when memory runs out (1.10: it wants some 400 KiB).
// Throws std::bad_alloc when there is not plenty.
inline void ask_for_memory_for_netcdf() {
    constexpr std::size_t plenty = std::size_t{4} << 20U;
    ::operator delete(::operator new(plenty));
}

class NetcdfFile {
public:
    // path: what errors name (the result, not its temporary file). hdf5_file: under which name a netCDF-4 file is
    // written now; empty for all others.
    NetcdfFile(int id, std::string path, std::string hdf5_file = "")
        : id_(id), path_(std::move(path)), hdf5_file_(std::move(hdf5_file)) {}
    ~NetcdfFile() {
        if (id_ >= 0 && can_be_given_up() && nc_abort(id_) != NC_NOERR) id_ = -1;
    }
    NetcdfFile(const NetcdfFile &) = delete;
    NetcdfFile &operator=(const NetcdfFile &) = delete;

    [[nodiscard]] int id() const { return id_; }
    [[nodiscard]] const std::string &path() const { return path_; }
    void check(int status, const char *doing) const {
        if (status != NC_NOERR) throw FileError(path_, std::string(doing) + ": " + nc_strerror(status));
    }
    void close() {
        if (hdf5_file_.empty()) return check(nc_close(std::exchange(id_, -1)), "cannot close");
        check(nc_sync(id_), "cannot write");
        DiskStandIn memory(hdf5_file_);
        check(nc_close(std::exchange(id_, -1)), "cannot close");
        memory.to_disk(path_);
    }

private:
    // HDF5 takes up to two attempts to write again what a disk has refused. A file that it still cannot write is left
    // open: it is closed, into memory, when the process exits.
    [[nodiscard]] bool can_be_given_up() const {
        if (hdf5_file_.empty()) return true;
        bool written = nc_sync(id_) == NC_NOERR;
        const DiskStandIn memory(hdf5_file_);
        for (int attempt = 0; attempt < 3 && !written; ++attempt)
            written = nc_sync(id_) == NC_NOERR;
        return written;
    }

    int id_;
    std::string path_, hdf5_file_;
};

// Opens an existing file to change it. result: the name in errors.
[[nodiscard]] inline NetcdfFile open_to_write(const std::string &path, const std::string &result) {
    int id = -1;
    const int status = nc_open(path.c_str(), NC_WRITE, &id);
    if (status != NC_NOERR) throw FileError(result, std::string("cannot open: ") + nc_strerror(status));
    return {id, result};
}

} // namespace cpl_lb
