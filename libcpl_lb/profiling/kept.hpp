// Objects kept with a handle of MPI as an attribute. MPI deletes the attribute on the thread that frees the handle.
// If that is another thread than the one that records, it only puts the object aside for the recording thread.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

namespace cpl_lb::profiling {

struct Kept {
    Kept() = default;
    virtual ~Kept() = default;
    Kept(const Kept &) = delete;
    Kept &operator=(const Kept &) = delete;
    Kept *next = nullptr;
};
template <class What>
struct KeptOf : Kept {
    explicit KeptOf(std::shared_ptr<What> of) : what(std::move(of)) {}
    std::shared_ptr<What> what;
};
// The object that keep() stored with this MPI value.
template <class What>
[[nodiscard]] const std::shared_ptr<What> &kept_in(void *value) {
    return static_cast<KeptOf<What> *>(static_cast<Kept *>(value))->what;
}

inline std::atomic<Kept *> put_aside_first{nullptr};

// Works on any thread, allocates no memory and never waits.
inline void put_aside(void *value) noexcept {
    auto *kept = static_cast<Kept *>(value);
    kept->next = put_aside_first.load(std::memory_order_relaxed);
    while (!put_aside_first.compare_exchange_weak(kept->next, kept, std::memory_order_release,
                                                  std::memory_order_relaxed)) {
    }
}

[[nodiscard]] inline bool any_put_aside() noexcept {
    return put_aside_first.load(std::memory_order_relaxed) != nullptr;
}

// Called on the recording thread.
inline void delete_put_aside() noexcept {
    Kept *first = put_aside_first.exchange(nullptr, std::memory_order_acquire);
    while (first != nullptr) {
        const std::unique_ptr<Kept> kept(std::exchange(first, first->next));
    }
}

} // namespace cpl_lb::profiling
