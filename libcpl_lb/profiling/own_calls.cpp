// Searches the loaded objects for one that needs libcpl_lb-<mpi>.so, other than this one, or has its code inside.
#include "profiling/session.hpp"

#include <cpl_lb/cpl_lb.h>

#include <cstddef>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string_view>

namespace cpl_lb::profiling {
namespace {

struct Search {
    const char *this_library;
    const char *cpl_lb;
    OwnCalls found = OwnCalls::none;
};

const char *base_of(const void *address) {
    Dl_info info{};
    return dladdr(address, &info) != 0 ? static_cast<const char *>(info.dli_fbase) : nullptr;
}

const char *at(const dl_phdr_info &object, std::uint64_t address) {
    return reinterpret_cast<const char *>(object.dlpi_addr + address); // NOLINT(performance-no-int-to-ptr)
}

bool needs_cpl_lb(const dl_phdr_info &object, const ElfW(Phdr) & header) {
    const auto *const entries = reinterpret_cast<const ElfW(Dyn) *>(at(object, header.p_vaddr));
    const char *strings = nullptr;
    for (const auto *e = entries; e->d_tag != DT_NULL; ++e) {
        if (e->d_tag != DT_STRTAB) continue;
        // On most systems the loader has replaced it by an address, on some it is still the offset in the file.
        const bool is_address = e->d_un.d_ptr >= object.dlpi_addr;
        strings = at(object, is_address ? e->d_un.d_ptr - object.dlpi_addr : e->d_un.d_ptr);
    }
    for (const auto *e = entries; strings != nullptr && e->d_tag != DT_NULL; ++e)
        if (e->d_tag == DT_NEEDED && std::string_view(strings + e->d_un.d_val).substr(0, 10) == "libcpl_lb-")
            return true;
    return false;
}

// Looks for the note that api/guarded.cpp writes.
bool has_copy_note(const dl_phdr_info &object, const ElfW(Phdr) & header) {
    if (header.p_align > 4) return false; // such notes have other lengths
    const auto padded = [](std::size_t length) { return (length + 3) / 4 * 4; };
    for (std::size_t place = 0; place + sizeof(ElfW(Nhdr)) <= header.p_memsz;) {
        const char *note = at(object, header.p_vaddr + place);
        ElfW(Nhdr) head{};
        std::memcpy(&head, note, sizeof head);
        const std::size_t length = sizeof head + padded(head.n_namesz) + padded(head.n_descsz);
        if (place + length > header.p_memsz) return false;
        if (head.n_namesz == 7 && std::memcmp(note + sizeof head, "cpl_lb", 7) == 0) return true;
        place += length;
    }
    return false;
}

int look(dl_phdr_info *object, std::size_t /*size*/, void *data) {
    Search &search = *static_cast<Search *>(data);
    const auto holds = [&](const char *base) {
        for (int i = 0; i < object->dlpi_phnum; ++i) {
            const ElfW(Phdr) &h = object->dlpi_phdr[i];
            if (h.p_type == PT_LOAD && h.p_offset == 0 && at(*object, h.p_vaddr) == base) return true;
        }
        return false;
    };
    if (holds(search.this_library)) return 0;
    const bool is_cpl_lb = holds(search.cpl_lb);
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr) &header = object->dlpi_phdr[i];
        if (header.p_type == PT_DYNAMIC && search.found == OwnCalls::none && needs_cpl_lb(*object, header))
            search.found = OwnCalls::of_the_library;
        if (header.p_type == PT_NOTE && !is_cpl_lb && has_copy_note(*object, header))
            search.found = OwnCalls::of_a_copy;
    }
    return 0;
}

} // namespace

OwnCalls own_calls() {
    Search search{base_of(reinterpret_cast<const void *>(&own_calls)),
                  base_of(reinterpret_cast<const void *>(&cpl_lb_init))};
    dl_iterate_phdr(&look, &search);
    return search.found;
}

} // namespace cpl_lb::profiling
