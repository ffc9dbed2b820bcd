// Preloaded under a process of a test: memory runs out. Only on rank FAULT_RANK (all without it).
//   FAULT_NEW=n    the n-th operator new after MPI_Init throws std::bad_alloc; 0: says at the end how many there
//   were.
//                  MPI loads libraries of its own there, and such a one (ROCm's, with UCX) may end the program for it
//   FAULT_CHUNK=n  the n-th chunk of marks (a mapping of 512 KiB) and all later ones are refused
// A scenario may say itself which one fails, and ask how many there were: fault_arm, fault_calls, fault_fired.
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <new>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::atomic<long> count{0};
std::atomic<long> fired{0};
std::atomic<long> armed{-1}; // -1: by the environment
std::atomic<long> chunks{0};

bool here() {
    const char *wanted = std::getenv("FAULT_RANK");
    const char *mine = std::getenv("OMPI_COMM_WORLD_RANK");
    if (mine == nullptr) mine = std::getenv("PMI_RANK");
    return wanted == nullptr || (mine != nullptr && std::strcmp(mine, wanted) == 0);
}

long from_environment(const char *name) {
    const char *text = std::getenv(name);
    return text != nullptr && here() ? std::atol(text) : 0;
}

long wanted() {
    static const long at = from_environment("FAULT_NEW");
    return armed >= 0 ? armed.load() : at;
}

bool mpi_is_up() {
    static std::atomic<bool> up{false};
    if (up) return true;
    int (*initialized)(int *) = nullptr;
    *reinterpret_cast<void **>(&initialized) = dlsym(RTLD_DEFAULT, "MPI_Initialized");
    int flag = 0;
    if (initialized != nullptr) initialized(&flag);
    if (flag != 0) up = true;
    return up;
}

struct AtExit {
    ~AtExit() {
        if (here() && armed < 0) std::fprintf(stderr, "allocations %ld\n", count.load());
    }
} at_exit;

} // namespace

extern "C" {
void fault_arm(long at) {
    count = fired = 0;
    armed = at;
}
long fault_calls() {
    return count;
}
long fault_fired() {
    return fired;
}

void *mmap(void *address, std::size_t bytes, int protection, int flags, int file, off_t offset) {
    static const long refused = from_environment("FAULT_CHUNK");
    const bool chunk = bytes == 524288 && (flags & MAP_ANONYMOUS) != 0 && (flags & MAP_POPULATE) != 0;
    if (refused > 0 && chunk && ++chunks >= refused) {
        if (chunks == refused) std::fprintf(stderr, "fault fired: chunk %ld\n", refused);
        errno = ENOMEM;
        return MAP_FAILED;
    }
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the system call gives a number
    return reinterpret_cast<void *>(syscall(SYS_mmap, address, bytes, protection, flags, file, offset));
}
}

void *operator new(std::size_t bytes) {
    const long n = mpi_is_up() ? ++count : 0;
    if (n > 0 && n == wanted()) {
        ++fired;
        if (armed < 0) std::fprintf(stderr, "fault fired: allocation %ld\n", n);
        throw std::bad_alloc();
    }
    if (void *p = std::malloc(bytes == 0 ? 1 : bytes)) return p;
    throw std::bad_alloc();
}
void operator delete(void *p) noexcept {
    std::free(p);
}
void operator delete(void *p, std::size_t) noexcept {
    std::free(p);
}
