// One more reference to the object that holds this code.
#include "support/stay_loaded.hpp"

#include <dlfcn.h>

namespace cpl_lb {

// The shared library, or the plugin that the static one is part of. The program itself cannot be unloaded: then
// nothing is found under its name, or it is pinned to no effect.
void stay_loaded() noexcept {
    Dl_info here{};
    if (dladdr(reinterpret_cast<const void *>(&stay_loaded), &here) == 0 || here.dli_fname == nullptr) return;
    dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE); // never closed
}

} // namespace cpl_lb
