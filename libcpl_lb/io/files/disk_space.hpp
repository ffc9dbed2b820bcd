// Reserves room on the disk before a netCDF-4 file is written. If the disk is full, HDF5 says only that something
// failed, and recovers badly (io/files/disk_stand_in.hpp). With the room reserved first the message says what is
// wrong.
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

    // Makes sure that so much can be written beyond the file's present end. Throws FileError: disk, quota or size
    // limit.
    void reserve(std::int64_t bytes);
    // Gives back what was reserved and not used.
    void release();

private:
    int descriptor_;
    std::string result_;
};

} // namespace cpl_lb
