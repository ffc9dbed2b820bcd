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

// As the system's loader ends a program that calls a function which no library has. Here that is a function of MPI
// for Fortran that is missing without us, too: there is nothing that could be called in its place.
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

// Finds a function of the object itself, not of objects that it needs: this library may be among them.
void *in_object(const Object &object, const char *name) {
    void *handle = dlopen(object.path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) return nullptr;
    void *found = dlsym(handle, name);
    dlclose(handle); // who loaded it keeps it
    return found != nullptr && base_of(found) == object.base ? found : nullptr;
}

} // namespace

void *in_private_library(const char *name) {
    std::vector<Object> objects; // as they were loaded
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
