// Finds the next function of the same name after this library: MPI's function, or that of another profiling library,
// so that this one sees the call, too.
#pragma once

#include <dlfcn.h>

namespace cpl_lb::profiling {

// The function from the first library loaded after this one that has it, even with RTLD_LOCAL: Python loads modules
// like this, and MPI's Fortran library with them. Ends the program if no library has the function.
[[nodiscard]] void *in_private_library(const char *name);

// Null if there is no further function of this name.
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
