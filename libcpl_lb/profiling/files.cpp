// The files that join components, and the calls that open and close them.
#include "profiling/files.hpp"

#include <map>

namespace cpl_lb::profiling {
namespace {

// A map, because MPI files have no attributes. Only the thread that records uses it.
std::map<std::uint64_t, std::shared_ptr<const Communicator>> joining_files;

} // namespace

std::shared_ptr<const Communicator> joined_by(MPI_File file) {
    if (joining_files.empty()) return {};
    const auto at = joining_files.find(key_of(file));
    return at == joining_files.end() ? nullptr : at->second;
}

void Open::after(bool good) {
    Together::after(good);
    if (!good || communicator_ == nullptr) return;
    joining_files[key_of(c_ != nullptr ? *c_ : PMPI_File_f2c(*fortran_))] = communicator_;
}

void Close::after(bool good) {
    Together::after(good);
    if (good) joining_files.erase(key_of(file_));
}

} // namespace cpl_lb::profiling
