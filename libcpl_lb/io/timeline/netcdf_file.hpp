// One open netCDF file; every status that is not good becomes a FileError with netCDF's own words.
#pragma once

#include "io/files/file_error.hpp"
#include "io/files/file_handle.hpp"

#include <memory>
#include <netcdf.h>
#include <netcdf_mem.h>
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
    // path: what errors name (the result, not its temporary file).
    NetcdfFile(int id, std::string path) : id_(id), path_(std::move(path)) {}
    // bytes: of a file that is read from memory.
    NetcdfFile(int id, std::string path, std::shared_ptr<char> bytes)
        : id_(id), path_(std::move(path)), bytes_(std::move(bytes)) {}
    ~NetcdfFile(); // gives up what close() has not written
    NetcdfFile(const NetcdfFile &) = delete;
    NetcdfFile &operator=(const NetcdfFile &) = delete;

    [[nodiscard]] int id() const { return id_; }
    [[nodiscard]] const std::string &path() const { return path_; }
    void check(int status, const char *doing) const {
        if (status != NC_NOERR) throw FileError(path_, std::string(doing) + ": " + nc_strerror(status));
    }
    // The variable of that name; negative: there is none.
    [[nodiscard]] int find(const char *name) const {
        int id = -1;
        return nc_inq_varid(id_, name, &id) == NC_NOERR ? id : -1;
    }
    void close(); // of a classic file
    // For a file in memory: the caller frees its bytes.
    void close_into(NC_memio &memory) { check(nc_close_memio(std::exchange(id_, -1), &memory), "cannot close"); }

private:
    int id_;
    std::string path_;
    std::shared_ptr<char> bytes_;
};

// Opens an existing classic file to change it. result: the name in errors.
[[nodiscard]] NetcdfFile open_to_write(const std::string &path, const std::string &result);

// Whether the file has one of netCDF's classic formats. Throws FileError if it has neither these nor HDF5's.
[[nodiscard]] bool is_classic(const FileHandle &file, const std::string &path);

// HDF5 reads from memory: it is trusted with no descriptor (docs/decisions/memory_under_hdf5.md). path: the name in
// errors. Throws FileError, and std::bad_alloc.
[[nodiscard]] NetcdfFile open_hdf5(const FileHandle &file, const std::string &path);

} // namespace cpl_lb
