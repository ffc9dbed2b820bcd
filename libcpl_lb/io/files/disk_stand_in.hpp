// A file in memory under the descriptor that HDF5 writes a file with. HDF5 1.10 and netCDF 4.9 end the process when a
// disk refuses what they write in closing a file, or at the exit of the process where it could not be closed: what
// they write here cannot be refused (docs/decisions/memory_under_hdf5.md).
#pragma once

#include <cstdint>
#include <string>

namespace cpl_lb {

class DiskStandIn {
public:
    // file: one that this process has open for reading and writing. From now on what is written through that
    // descriptor goes to memory. The disk keeps what it has; its first block, all that HDF5 changes in closing a file
    // that has been flushed, is in the memory, too. Where there is no such descriptor or no memory, nothing changes.
    explicit DiskStandIn(const std::string &file);
    ~DiskStandIn();
    DiskStandIn(const DiskStandIn &) = delete;
    DiskStandIn &operator=(const DiskStandIn &) = delete;

    // Once HDF5 has closed the file: what it changed goes to the disk. Throws FileError in the name of `result`.
    void to_disk(const std::string &result);

private:
    void stand_in_for(int descriptor);

    int disk_ = -1, memory_ = -1;
    std::int64_t bytes_ = 0; // of the file on the disk
};

} // namespace cpl_lb
