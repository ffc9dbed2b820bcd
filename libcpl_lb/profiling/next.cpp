// Functions of MPI in libraries that the system's search does not see.
#include "profiling/next.hpp"

#include <algorithm>
#include <cstdio>
#include <link.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace cpl_lb::profiling {
namespace {

// The exit code of the system's loader if a program calls a function that no library has. Here such a function of MPI
// for Fortran is missing without this library, too: there is nothing to call in its place.
constexpr int no_such_function = 127;

struct Object {
    ElfW(Addr) base;
    std::string path;
};

int note(dl_phdr_info *info, std::size_t /*size*/, void *objects) {
    static_cast<std::vector<Object> *>(objects)->push_back({info->dlpi_addr, info->dlpi_name});
    return 0;
}

ElfW(Addr) base_of(const void *address) {
    Dl_info info{};
    return dladdr(address, &info) != 0 ? reinterpret_cast<ElfW(Addr)>(info.dli_fbase) : 0;
}

// Looks only in the object itself, not in objects that it needs, because this library may be among them.
void *in_object(const Object &object, const char *name) {
    void *handle = dlopen(object.path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) return nullptr;
    void *found = dlsym(handle, name);
    dlclose(handle); // whoever loaded it keeps it
    return found != nullptr && base_of(found) == object.base ? found : nullptr;
}

} // namespace

void *in_private_library(const char *name) {
    std::vector<Object> objects; // in the order of loading
    dl_iterate_phdr(&note, &objects);
    const auto ours = [here = base_of(reinterpret_cast<const void *>(&note))](const Object &o) {
        return o.base == here;
    };
    for (auto o = std::find_if(objects.begin(), objects.end(), ours); o != objects.end(); ++o)
        if (void *found = ours(*o) ? nullptr : in_object(*o, name); found != nullptr) return found;
    std::fprintf(stderr, "cpl_lb: no library of MPI has %s\n", name);
    _exit(no_such_function);
}

} // namespace cpl_lb::profiling
