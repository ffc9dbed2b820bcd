// Opens a shared library with dlopen and finds its functions.
#include "meters/dynamic_library.hpp"

#include <dlfcn.h>

namespace cpl_lb {

bool DynamicLibrary::open(std::span<const std::string> names) {
    for (const std::string &name : names) {
        handle_ = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
        if (handle_ != nullptr) {
            name_ = name;
            return true;
        }
        const char *why = ::dlerror();
        error_ = why != nullptr ? why : name + ": cannot be opened";
    }
    return false;
}

void *DynamicLibrary::address(const char *symbol) const noexcept {
    return handle_ != nullptr ? ::dlsym(handle_, symbol) : nullptr;
}

std::vector<std::string> library_names(const std::string &path, std::span<const std::string_view> well_known) {
    if (!path.empty()) return {path};
    return {well_known.begin(), well_known.end()};
}

} // namespace cpl_lb
