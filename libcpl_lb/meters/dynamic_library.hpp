// A shared library opened at run time: PAPI, libpfm4, NVML and ROCm SMI are never link dependencies.
#pragma once

#include <dlfcn.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

class DynamicLibrary {
public:
    // Opens the first of the names that works. False: error() has the last failure. It is never closed again: such
    // libraries leave threads and exit handlers behind.
    [[nodiscard]] bool open(std::span<const std::string> names) {
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
    // The same for one that this process has loaded already; nothing is loaded.
    [[nodiscard]] bool open_loaded(const std::string &name) {
        handle_ = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
        name_ = name;
        return handle_ != nullptr;
    }
    [[nodiscard]] bool is_open() const noexcept { return handle_ != nullptr; }
    [[nodiscard]] const std::string &name() const noexcept { return name_; }
    [[nodiscard]] const std::string &error() const noexcept { return error_; }

    // Finds a function; false leaves *function null and remembers the name in missing().
    template <typename Function>
    bool find(const char *symbol, Function **function) {
        *function = reinterpret_cast<Function *>(handle_ != nullptr ? ::dlsym(handle_, symbol) : nullptr);
        if (*function == nullptr) missing_ = symbol;
        return *function != nullptr;
    }
    [[nodiscard]] const std::string &missing() const noexcept { return missing_; }

private:
    void *handle_ = nullptr;
    std::string name_, error_, missing_;
};

// Only `path` if it is given, else the well-known names.
[[nodiscard]] inline std::vector<std::string> library_names(const std::string &path,
                                                            std::span<const std::string_view> well_known) {
    if (!path.empty()) return {path};
    return {well_known.begin(), well_known.end()};
}

} // namespace cpl_lb
