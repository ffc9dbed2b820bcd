// What comes behind this library under the same name: MPI's function, or that of another profiling library, which
// then sees the call, too.
#pragma once

#include <dlfcn.h>

namespace cpl_lb::profiling {

// Null: nothing.
template <class Function>
Function *next(const char *name) {
    return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

template <class Function>
Function *next_or(const char *name, Function *otherwise) {
    auto *found = next<Function>(name);
    return found != nullptr ? found : otherwise;
}

} // namespace cpl_lb::profiling
