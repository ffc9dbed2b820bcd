// Starts, tests and gives up one message.
#include "gather/letter.hpp"

#include <cstring>

namespace cpl_lb {

Letter &Letter::operator=(Letter &&other) noexcept {
    if (this == &other) return *this;
    give_up();
    request_ = std::exchange(other.request_, MPI_REQUEST_NULL);
    memory_ = std::move(other.memory_);
    size_ = std::exchange(other.size_, 0);
    receives_ = other.receives_;
    return *this;
}

void Letter::take_memory(std::size_t size) {
    give_up();
    if (size == size_) return;
    size_ = 0;
    memory_.reset(size > 0 ? new std::byte[size] : nullptr);
    size_ = size;
}

int Letter::start_send(MPI_Comm comm, int to, int tag, std::span<const std::byte> data) {
    take_memory(data.size());
    receives_ = false;
    if (!data.empty()) std::memcpy(memory_.get(), data.data(), data.size());
    return MPI_Isend(memory_.get(), static_cast<int>(size_), MPI_BYTE, to, tag, comm, &request_);
}

int Letter::start_receive(MPI_Comm comm, int from, int tag, std::size_t size) {
    take_memory(size);
    receives_ = true;
    return MPI_Irecv(memory_.get(), static_cast<int>(size_), MPI_BYTE, from, tag, comm, &request_);
}

int Letter::test(bool &done, int *source) {
    int flag = 0;
    MPI_Status status{};
    const int code = MPI_Test(&request_, &flag, &status);
    done = flag != 0;
    if (done && source != nullptr) *source = status.MPI_SOURCE;
    return code;
}

// A receive that nothing has come for is cancelled, and its memory is free again. Everything else stays under way:
// MPI cannot call a send back, and a receive whose message is already coming goes on being written.
void Letter::give_up() noexcept {
    if (request_ == MPI_REQUEST_NULL) return;
    if (receives_) MPI_Cancel(&request_);
    int flag = 0;
    MPI_Test(&request_, &flag, MPI_STATUS_IGNORE);
    if (flag == 0) {
        if (request_ != MPI_REQUEST_NULL) MPI_Request_free(&request_);
        static_cast<void>(memory_.release()); // MPI's from now on: never freed
        size_ = 0;
    }
    request_ = MPI_REQUEST_NULL;
}

} // namespace cpl_lb
