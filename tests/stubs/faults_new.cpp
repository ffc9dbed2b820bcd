// Preloaded under a process of a test: the FAULT_NEW-th operator new of the process throws std::bad_alloc. The
// scenario is counted without fault first (FAULT_NEW=0 prints how many there were at the end).
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

std::atomic<long> count{0};

bool here() {
    const char *wanted = std::getenv("FAULT_RANK");
    const char *mine = std::getenv("OMPI_COMM_WORLD_RANK");
    if (mine == nullptr) mine = std::getenv("PMI_RANK");
    return wanted == nullptr || (mine != nullptr && std::strcmp(mine, wanted) == 0);
}

long wanted() {
    static const long at = [] {
        const char *text = std::getenv("FAULT_NEW");
        return text != nullptr && here() ? std::atol(text) : 0;
    }();
    return at;
}

struct AtExit {
    ~AtExit() {
        if (here()) std::fprintf(stderr, "allocations %ld\n", count.load());
    }
} at_exit;

} // namespace

void *operator new(std::size_t bytes) {
    const long n = ++count;
    if (n == wanted()) {
        std::fprintf(stderr, "fault fired: allocation %ld\n", n);
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
