// Address space that is kept for the time when there is no other: for what a process still has to say to others that
// wait for it.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <sys/mman.h>

namespace cpl_lb {

// Takes no memory, because nobody writes to it; but limits of the process (RLIMIT_AS, RLIMIT_DATA) count it. Not by
// malloc, which would change from which size on the model's own memory is mapped.
class MemoryReserve {
public:
    MemoryReserve() noexcept = default; // nothing is kept
    [[nodiscard]] static MemoryReserve take() noexcept {
        MemoryReserve reserve;
        void *at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at != MAP_FAILED) reserve.at_.reset(at);
        return reserve;
    }
    [[nodiscard]] bool is_kept() const noexcept { return at_ != nullptr; }
    void give_back() noexcept { at_.reset(); }

private:
    static constexpr std::size_t bytes = std::size_t{1} << 20U;
    struct Unmap {
        void operator()(void *at) const noexcept { munmap(at, bytes); }
    };
    std::unique_ptr<void, Unmap> at_;
};

// Whether MPI can get memory for a message: OpenMPI 4.1 makes room for 64 messages at once (some 60 kB), and where it
// gets none it tries again for ever.
[[nodiscard]] inline bool has_room_for_messages() noexcept {
    void *volatile room = std::malloc(100'000); // volatile: or the compiler leaves it out
    std::free(room);
    return room != nullptr;
}

} // namespace cpl_lb
