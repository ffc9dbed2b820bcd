// A message under way, and the memory that MPI reads from or writes to meanwhile. That memory belongs to the message,
// never to its caller: a message that is given up may still be read or written until MPI ends, and then its memory is
// left to MPI for good (docs/decisions/messages_own_their_memory.md).
#pragma once

#include <cstddef>
#include <memory>
#include <mpi.h>
#include <span>
#include <utility>

namespace cpl_lb {

class Letter {
public:
    Letter() = default; // none: complete
    ~Letter() { give_up(); }
    Letter(Letter &&other) noexcept { *this = std::move(other); }
    Letter &operator=(Letter &&other) noexcept;
    Letter(const Letter &) = delete;
    Letter &operator=(const Letter &) = delete;

    // The code is MPI's.
    int start_send(MPI_Comm comm, int to, int tag, std::span<const std::byte> data);
    int start_receive(MPI_Comm comm, int from, int tag, std::size_t size);
    // One test. done: it is complete; source: where it came from.
    int test(bool &done, int *source);

    [[nodiscard]] bool under_way() const { return request_ != MPI_REQUEST_NULL; }
    // What was received; after it is complete.
    [[nodiscard]] std::span<const std::byte> data() const { return {memory_.get(), size_}; }
    // Lets go of a message that nobody waits for any more.
    void give_up() noexcept;

private:
    void take_memory(std::size_t size);

    MPI_Request request_ = MPI_REQUEST_NULL;
    std::unique_ptr<std::byte[]> memory_; // NOLINT(*-avoid-c-arrays): not set to zero, unlike a vector
    std::size_t size_ = 0;
    bool receives_ = false;
};

} // namespace cpl_lb
