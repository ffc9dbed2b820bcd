// Finds zlib in the process, or else in the system.
#include "page/zlib_in_process.hpp"

#include <dlfcn.h>

namespace cpl_lb {

Compress2 *zlib_in_process() {
    // First the one that HDF5 calls, which may be the model's own: two versions must not share their inner functions.
    void *found = ::dlsym(RTLD_DEFAULT, "compress2");
    if (found == nullptr) {
        void *library = ::dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL); // never closed: it costs nothing to keep
        if (library != nullptr) found = ::dlsym(library, "compress2");
    }
    return reinterpret_cast<Compress2 *>(found);
}

} // namespace cpl_lb
