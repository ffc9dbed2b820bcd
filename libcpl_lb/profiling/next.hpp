// What comes behind this library under the same name: MPI's function, or that of another profiling library, which
// then sees the call, too.
#pragma once

#include <dlfcn.h>

namespace cpl_lb::profiling {

// Of the libraries that were loaded after this one, the first that has the function, though only those who loaded it
// see it (RTLD_LOCAL): so Python loads a module, and with it MPI's library for Fortran. Does not come back without.
[[nodiscard]] void *in_private_library(const char *name);

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

template <class Function>
Function *next_of_fortran(const char *name) {
    auto *found = next<Function>(name);
    return found != nullptr ? found : reinterpret_cast<Function *>(in_private_library(name));
}

} // namespace cpl_lb::profiling
