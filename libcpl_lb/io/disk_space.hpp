// Room on the disk for what is about to be written. HDF5 says of a full disk only that something failed, and does not
// get over it well (io/disk_stand_in.hpp); so for netCDF-4 files the room is reserved first, and the message is true.
#pragma once

#include <cstdint>
#include <string>

namespace cpl_lb {

class DiskSpace {
public:
    // file: an existing file that another descriptor writes; result: what errors name.
    DiskSpace(const std::string &file, std::string result);
    ~DiskSpace();
    DiskSpace(const DiskSpace &) = delete;
    DiskSpace &operator=(const DiskSpace &) = delete;

    // So much beyond the file's present end can be written. Throws FileError: disk, quota or size limit.
    void reserve(std::int64_t bytes);
    // Gives back what was reserved and not used.
    void release();

private:
    int descriptor_;
    std::string result_;
};

} // namespace cpl_lb
