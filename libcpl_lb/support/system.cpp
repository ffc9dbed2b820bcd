// Asks the system. A host's name that it would cut is cut.
#include "support/system.hpp"

#include "support/fmt.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <dlfcn.h>
#include <exception>
#include <pthread.h>
#include <random>
#include <unistd.h>

namespace cpl_lb {

std::string host_name() {
    std::array<char, 256> text{};
    gethostname(text.data(), text.size() - 1);
    return text.data();
}

// The shared library, or the plugin that the static one is part of. The program itself cannot be unloaded: then
// nothing is found under its name, or it is pinned to no effect.
void stay_loaded() noexcept {
    Dl_info here{};
    if (dladdr(reinterpret_cast<const void *>(&stay_loaded), &here) == 0 || here.dli_fname == nullptr) return;
    dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE); // never closed
}

NoSignal::NoSignal(int signal) noexcept {
    sigset_t pending;
    sigset_t before;
    sigemptyset(&only_);
    sigaddset(&only_, signal);
    sigpending(&pending);
    const bool blocked_now = pthread_sigmask(SIG_BLOCK, &only_, &before) == 0;
    was_free_ = blocked_now && sigismember(&before, signal) == 0 && sigismember(&pending, signal) == 0;
}

NoSignal::~NoSignal() {
    if (!was_free_) return;
    const int code = errno;
    const timespec at_once{};
    while (sigtimedwait(&only_, nullptr, &at_once) == -1 && errno == EINTR) {
    }
    pthread_sigmask(SIG_UNBLOCK, &only_, nullptr);
    errno = code;
}

// Files of two runs on one node must not meet, whatever the users call their runs: time, process and random bits.
std::string new_token() {
    timespec t{};
    clock_gettime(CLOCK_REALTIME, &t);
    auto bits = static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(t.tv_nsec);
    bits ^= static_cast<std::uint64_t>(getpid()) << 48U;
    try {
        bits ^= static_cast<std::uint64_t>(std::random_device()()) << 16U;
    } catch (const std::exception &) { // no source of randomness: the time and the process will do
    }
    return fmt::format("{:016x}", bits);
}

} // namespace cpl_lb
