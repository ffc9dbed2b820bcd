// Calls that stay inside shared libraries. The linker's --wrap catches the model's own calls only, and LD_PRELOAD
// nothing that the program itself defines: one that is linked with a shared OASIS and a static MCT (as Debian's
// packages have it) holds MCT's procedures, and its names come before those of any library. Such calls of a library
// are bent here, in its table of addresses, when the coupler starts. Only Linux with ELF; on other processors than
// those named below they are not seen, and one line says so.
#pragma once

#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace cpl_lb::adapter::shared {

// One procedure that the adapter stands in for; all are in a list from before main.
struct Caught {
    const char *symbol;
    void *catcher;
    const Caught *next;
    static inline const Caught *first = nullptr;
    Caught(const char *name, void *procedure) : symbol(name), catcher(procedure), next(first) { first = this; }
    Caught(const Caught &) = delete;
    Caught &operator=(const Caught &) = delete;
};

// A word of this library, to know it by.
inline const char here = 0;

inline bool is_ours(const void *address) {
    Dl_info found{};
    Dl_info own{};
    return address != nullptr && dladdr(address, &found) != 0 && dladdr(&here, &own) != 0 &&
           found.dli_fbase == own.dli_fbase;
}

#ifdef CPL_LB_ADAPTER_PRELOAD
// The loader itself has led the calls of that name here.
inline bool led_here(const char *symbol) {
    return is_ours(dlsym(RTLD_DEFAULT, symbol));
}
#else
inline bool led_here(const char * /*symbol*/) {
    return false; // this is part of the program, and no library is led to a __wrap_
}
#endif

// A line of the adapter on standard error.
inline void tell(const char *line) {
    if (::write(STDERR_FILENO, line, std::strlen(line)) < 0) return;
}

// The name of one of the loaded libraries.
struct Nth {
    std::size_t left = 0; // how many come before it
    char name[PATH_MAX] = "";
};
inline int look_for_nth(dl_phdr_info *info, std::size_t /*size*/, void *data) {
    Nth &nth = *static_cast<Nth *>(data);
    if (nth.left-- > 0) return 0;
    const std::size_t bytes = info->dlpi_name != nullptr ? std::strlen(info->dlpi_name) + 1 : 0;
    if (bytes > 0 && bytes <= sizeof nth.name) std::memcpy(nth.name, info->dlpi_name, bytes);
    return 1;
}

// What a program opens with RTLD_LOCAL (Python does) is seen only by who asks the library itself. None is opened
// inside dl_iterate_phdr, which holds a lock of the loader.
inline void *in_any_library(const char *symbol) {
    Nth nth;
    for (std::size_t n = 0; nth.left = n, nth.name[0] = '\0', dl_iterate_phdr(&look_for_nth, &nth) != 0; ++n) {
        if (nth.name[0] == '\0') continue; // the program
        void *library = dlopen(nth.name, RTLD_NOLOAD | RTLD_LAZY);
        if (library == nullptr) continue;
        void *found = dlsym(library, symbol);
        if (found != nullptr && !is_ours(found)) return found; // and the library stays open: it is called from here
        dlclose(library);
    }
    return nullptr;
}

// The coupler's own procedure or table: in a library behind this one, or in the program.
inline void *behind_us(const char *symbol) {
    if (void *behind = dlsym(RTLD_NEXT, symbol); behind != nullptr) return behind;
    void *first = dlsym(RTLD_DEFAULT, symbol);
    return first != nullptr && !is_ours(first) ? first : in_any_library(symbol);
}

// The same for a procedure that somebody calls, so that it must be there.
inline void *next_of(const char *symbol) {
    void *const found = behind_us(symbol);
    if (found != nullptr) return found;
    tell("cpl_lb: the adapter finds no library with ");
    tell(symbol);
    tell(", which the model calls. Run the model without the adapter\n");
    return nullptr;
}

#if defined(__x86_64__)
constexpr unsigned slot_kinds[] = {R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT};
#elif defined(__aarch64__)
constexpr unsigned slot_kinds[] = {R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT};
#else
constexpr unsigned slot_kinds[] = {0, 0};
#endif

// The dynamic section of one loaded library.
struct Tables {
    ElfW(Addr) base = 0;
    const ElfW(Sym) *symbols = nullptr;
    const char *names = nullptr;
    const ElfW(Rela) *calls = nullptr, *others = nullptr;
    std::size_t calls_bytes = 0, others_bytes = 0;
    ElfW(Addr) protected_from = 0, protected_to = 0; // read only since the loader was through
};

template <class Thing>
Thing *at_address(ElfW(Addr) address) {
    return reinterpret_cast<Thing *>(address); // NOLINT(performance-no-int-to-ptr): the loader's tables hold numbers
}

inline ElfW(Addr) page_of(ElfW(Addr) address) {
    return address & ~(static_cast<ElfW(Addr)>(sysconf(_SC_PAGESIZE)) - 1);
}

inline void bend(const Tables &t, const ElfW(Rela) * entries, std::size_t bytes) {
    for (std::size_t n = 0; n < bytes / sizeof(ElfW(Rela)); ++n) {
        const auto kind = static_cast<unsigned>(ELF64_R_TYPE(entries[n].r_info));
        if (kind == 0 || (kind != slot_kinds[0] && kind != slot_kinds[1])) continue;
        const char *name = t.names + t.symbols[ELF64_R_SYM(entries[n].r_info)].st_name;
        const Caught *caught = Caught::first;
        while (caught != nullptr && std::strcmp(caught->symbol, name) != 0)
            caught = caught->next;
        if (caught == nullptr || led_here(name)) continue;
        const ElfW(Addr) slot = t.base + entries[n].r_offset;
        const bool locked = slot >= t.protected_from && slot < t.protected_to;
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        void *const start = at_address<void>(page_of(slot));
        if (locked && mprotect(start, page, PROT_READ | PROT_WRITE) != 0) continue;
        *at_address<void *>(slot) = caught->catcher;
        if (locked) mprotect(start, page, PROT_READ);
    }
}

inline int look_at_library(dl_phdr_info *info, std::size_t /*size*/, void * /*unused*/) {
    if (info->dlpi_name == nullptr || *info->dlpi_name == '\0') return 0; // the program: its own calls stay in it
    Tables t;
    t.base = info->dlpi_addr;
    const ElfW(Dyn) *dynamic = nullptr;
    for (int n = 0; n < info->dlpi_phnum; ++n) {
        const ElfW(Phdr) &part = info->dlpi_phdr[n];
        if (part.p_type == PT_DYNAMIC) dynamic = at_address<const ElfW(Dyn)>(t.base + part.p_vaddr);
        if (part.p_type == PT_GNU_RELRO) {
            t.protected_from = page_of(t.base + part.p_vaddr);
            t.protected_to = page_of(t.base + part.p_vaddr + part.p_memsz);
        }
    }
    for (; dynamic != nullptr && dynamic->d_tag != DT_NULL; ++dynamic) {
        const ElfW(Addr) at = dynamic->d_un.d_ptr; // glibc has made it an address
        if (dynamic->d_tag == DT_SYMTAB) t.symbols = at_address<const ElfW(Sym)>(at);
        if (dynamic->d_tag == DT_STRTAB) t.names = at_address<const char>(at);
        if (dynamic->d_tag == DT_JMPREL) t.calls = at_address<const ElfW(Rela)>(at);
        if (dynamic->d_tag == DT_PLTRELSZ) t.calls_bytes = dynamic->d_un.d_val;
        if (dynamic->d_tag == DT_RELA) t.others = at_address<const ElfW(Rela)>(at);
        if (dynamic->d_tag == DT_RELASZ) t.others_bytes = dynamic->d_un.d_val;
    }
    if (t.symbols == nullptr || t.names == nullptr || is_ours(t.symbols)) return 0;
    if (reinterpret_cast<ElfW(Addr)>(t.symbols) < t.base) return 0; // the kernel's own, whose addresses are not moved
    bend(t, t.calls, t.calls != nullptr ? t.calls_bytes : 0);
    bend(t, t.others, t.others != nullptr ? t.others_bytes : 0);
    return 0;
}

// Before the coupler's first call of what it calls there.
inline void catch_calls() {
    static bool caught = false;
    if (!caught) dl_iterate_phdr(&look_at_library, nullptr);
    caught = true;
}

} // namespace cpl_lb::adapter::shared
