// Gives up files that netCDF cannot write, and hands HDF5 the bytes of the files that it reads.
#include "io/timeline/netcdf_file.hpp"

#include <array>
#include <cerrno>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace cpl_lb {
namespace {

constexpr std::size_t most_read_whole = std::size_t{1} << 30U; // a larger file is mapped

std::shared_ptr<char> mapped(const FileHandle &file, std::size_t bytes, const std::string &path) {
    void *const at = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
    if (at == MAP_FAILED) throw FileError(path, "cannot read: " + std::generic_category().message(errno));
    return {static_cast<char *>(at), [bytes](char *begin) { ::munmap(begin, bytes); }};
}

std::shared_ptr<char> read_whole(const FileHandle &file, std::size_t bytes, const std::string &path) {
    std::shared_ptr<char> all(new char[bytes], std::default_delete<char[]>());
    if (read_at(file.descriptor(), 0, std::as_writable_bytes(std::span(all.get(), bytes))) < bytes)
        throw FileError(path, "cannot read: " + std::generic_category().message(errno == 0 ? EIO : errno));
    return all;
}

} // namespace

NetcdfFile::~NetcdfFile() {
    if (id_ >= 0 && nc_abort(id_) != NC_NOERR) id_ = -1;
}

// netCDF keeps a file open that it could not close, with all its room on the disk, until it is given up as above.
void NetcdfFile::close() {
    check(nc_close(id_), "cannot close");
    id_ = -1;
}

NetcdfFile open_to_write(const std::string &path, const std::string &result) {
    int id = -1;
    const int status = nc_open(path.c_str(), NC_WRITE, &id);
    if (status != NC_NOERR) throw FileError(result, std::string("cannot open: ") + nc_strerror(status));
    return {id, result};
}

bool is_classic(const FileHandle &file, const std::string &path) {
    std::array<char, 4> magic{};
    const std::string_view read(magic.data(),
                                read_at(file.descriptor(), 0, std::as_writable_bytes(std::span(magic))));
    const bool classic = read == std::string_view("CDF\1", 4) || read == std::string_view("CDF\2", 4) ||
                         read == std::string_view("CDF\5", 4);
    if (!classic && read != "\211HDF") throw FileError(path, "is not a netCDF file");
    return classic;
}

NetcdfFile open_hdf5(const FileHandle &file, const std::string &path) {
    struct stat is {};
    if (::fstat(file.descriptor(), &is) != 0)
        throw FileError(path, "cannot read: " + std::generic_category().message(errno));
    const auto bytes = static_cast<std::size_t>(is.st_size);
    ask_for_memory_for_netcdf();
    std::shared_ptr<char> all = bytes > most_read_whole ? mapped(file, bytes, path) : read_whole(file, bytes, path);
    int id = -1;
    const int status = nc_open_mem("in memory", NC_NOWRITE, bytes, all.get(), &id);
    if (status != NC_NOERR) throw FileError(path, std::string("cannot open: ") + nc_strerror(status));
    return {id, path, std::move(all)};
}

} // namespace cpl_lb
