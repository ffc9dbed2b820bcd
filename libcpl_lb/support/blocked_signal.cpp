// Blocks one signal for a while, and takes away what came in between.
#include "support/blocked_signal.hpp"

#include <cerrno>
#include <ctime>
#include <pthread.h>

namespace cpl_lb {

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

} // namespace cpl_lb
