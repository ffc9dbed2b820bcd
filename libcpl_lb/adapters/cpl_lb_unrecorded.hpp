// Tells, at the end of a run that was to be recorded, when the coupler never came through the adapter: a coupler that
// is linked in statically is out of reach of LD_PRELOAD, and one in a shared library out of reach of --wrap. One
// line, on the first process of the job. Part of cpl_lb_mct.cpp.
#pragma once

#include "cpl_lb_wrap.hpp"

#include <array>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <mpi.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cpl_lb::adapter::unrecorded {

inline bool reached = false;     // the coupler started through the adapter
inline bool mct_reached = false; // and so did MCT
inline bool asked = false;       // for a recording; known on the process that tells
inline pid_t started_by = 0;     // a forked child says nothing

// Launchers say a process's number in the job; without one this is the only process.
inline bool is_first_process() {
    for (const char *name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID", "PALS_RANKID"})
        if (const char *rank = std::getenv(name); rank != nullptr) return std::strcmp(rank, "0") == 0;
    return true;
}

inline std::string lower(std::string text) {
    for (char &c : text)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

// The beginning of a regular file; empty if there is none.
inline std::string text_of(const char *path) {
    std::string text;
    const int file = ::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return text;
    struct stat found {};
    if (::fstat(file, &found) == 0 && S_ISREG(found.st_mode)) {
        std::array<char, 65536> block{};
        const ssize_t got = ::read(file, block.data(), block.size());
        if (got > 0) text.assign(block.data(), static_cast<std::size_t>(got));
    }
    ::close(file);
    return text;
}

// Off only where a line "ln_lb = .false." says so; cpl_lb_init reads the file in earnest.
inline bool switched_on_by(const std::string &namelist) {
    const std::string text = lower(namelist);
    if (text.find("&namcpl_lb") == std::string::npos) return false;
    std::size_t at = text.find("ln_lb");
    while (at != std::string::npos && text.find('!', text.rfind('\n', at) + 1) < at) // in a comment
        at = text.find("ln_lb", at + 1);
    if (at == std::string::npos) return true;
    const std::size_t value = text.find_first_not_of(" \t=.", at + 5);
    return value == std::string::npos || text[value] != 'f';
}

inline bool recording_asked_for() {
    const char *enabled = std::getenv("CPL_LB_ENABLED");
    if (enabled != nullptr && *enabled != '\0') {
        const std::string word = lower(enabled);
        return word == "1" || word == "on" || word[0] == 'y' || word[0] == 't' || word.rfind(".t", 0) == 0;
    }
    const char *named = std::getenv("CPL_LB_NAMELIST");
    return switched_on_by(text_of(named != nullptr && *named != '\0' ? named : "namelist_cpl_lb"));
}

// Whether the program itself, not a library of it, defines one of the symbols. False for a stripped program.
inline bool program_defines(const char *bytes, std::size_t size, const std::array<const char *, 4> &symbols) {
    ElfW(Ehdr) header;
    if (size < sizeof header) return false;
    std::memcpy(&header, bytes, sizeof header);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return false;
    const auto section = [&](std::size_t n, ElfW(Shdr) & s) {
        const std::size_t at = header.e_shoff + n * sizeof s;
        if (n >= header.e_shnum || header.e_shoff > size || at + sizeof s > size) return false;
        std::memcpy(&s, bytes + at, sizeof s);
        return s.sh_offset <= size && s.sh_size <= size - s.sh_offset;
    };
    for (std::size_t n = 0; n < header.e_shnum; ++n) {
        ElfW(Shdr) table;
        ElfW(Shdr) names;
        if (!section(n, table) || table.sh_type != SHT_SYMTAB || !section(table.sh_link, names)) continue;
        for (std::size_t at = 0; at + sizeof(ElfW(Sym)) <= table.sh_size; at += sizeof(ElfW(Sym))) {
            ElfW(Sym) symbol;
            std::memcpy(&symbol, bytes + table.sh_offset + at, sizeof symbol);
            if (symbol.st_shndx == SHN_UNDEF || symbol.st_name >= names.sh_size) continue;
            const char *name = bytes + names.sh_offset + symbol.st_name;
            const std::size_t room = names.sh_size - symbol.st_name;
            for (const char *wanted : symbols)
                if (std::strlen(wanted) < room && std::strncmp(name, wanted, room) == 0) return true;
        }
    }
    return false;
}

inline bool coupler_is_in_program() {
    const int file = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    struct stat found {};
    bool defines = false;
    if (::fstat(file, &found) == 0 && found.st_size > 0) {
        const auto size = static_cast<std::size_t>(found.st_size);
        void *bytes = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
        if (bytes != MAP_FAILED) {
            defines = program_defines(static_cast<const char *>(bytes), size,
                                      {CPL_LB_SYMBOL("mod_oasis_method", "oasis_init_comp"),
                                       CPL_LB_SYMBOL("m_mctworld", "initd_"), CPL_LB_SYMBOL("m_mctworld", "initm_"),
                                       "yac_cfinalize"});
            ::munmap(bytes, size);
        }
    }
    ::close(file);
    return defines;
}

inline const char *reason() {
#ifdef CPL_LB_ADAPTER_PRELOAD
    if (coupler_is_in_program()) {
        return "the coupler is linked into the program, where LD_PRELOAD does not reach it. Link the model again "
               "with the "
               "adapter (cpl_lb_add_adapter without PRELOAD, or the makefile lines in docs/couplers.md)";
    }
    return "the program never started a coupler that LD_PRELOAD reaches. If its coupler is linked in statically, "
           "link "
           "the model again with the adapter (docs/couplers.md)";
#else
    return "the program never started the coupler through the adapter. If the coupler calls itself inside a shared "
           "library, use the adapter with LD_PRELOAD (docs/couplers.md)";
#endif
}

// Before main: the model has not changed its directory yet.
__attribute__((constructor)) static void look_at_start() {
    try {
        started_by = ::getpid();
        asked = is_first_process() && recording_asked_for();
    } catch (...) { // no memory for a few words
        asked = false;
    }
}

// Only what MPI allows after its end: whether it ever began. A launcher or a shell that LD_PRELOAD reached has none.
__attribute__((destructor)) static void look_at_end() {
    if (!asked || reached || ::getpid() != started_by) return;
    int with_mpi = 0;
    MPI_Initialized(&with_mpi);
    if (with_mpi == 0) return;
    try {
        const std::string line = std::string("cpl_lb: nothing is recorded by the adapter: ") + reason() + "\n";
        if (::write(STDERR_FILENO, line.data(), line.size()) < 0) return;
    } catch (...) {
        return;
    }
}

} // namespace cpl_lb::adapter::unrecorded
