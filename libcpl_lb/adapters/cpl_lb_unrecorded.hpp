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
#include <fcntl.h>
#include <mpi.h>
#include <string>
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

inline const char *reason() {
#ifdef CPL_LB_ADAPTER_PRELOAD
    return "the program never started a coupler that LD_PRELOAD reaches. If its coupler is linked in statically, "
           "link the model again with the adapter (docs/couplers.md)";
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
    shared::tell("cpl_lb: nothing is recorded by the adapter: ");
    shared::tell(reason());
    shared::tell("\n");
}

} // namespace cpl_lb::adapter::unrecorded
