// Starts, tests and gives up messages of MPI.
#include "mpi/mpi_carrier.hpp"

#include "cpl_lb/cpl_lb.h"
#include "mpi/left_messages.hpp"
#include "mpi/patience.hpp"
#include "support/clock.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <numeric>
#include <vector>

namespace cpl_lb {
namespace {

// Less than the size up to which any MPI sends without asking the receiver first.
constexpr std::size_t short_bytes = 2048;

class MpiMessage final : public UnderWay {
public:
    MpiMessage(MpiCarrier &carrier, std::size_t size, bool receives)
        : carrier_(carrier), memory_(size > 0 ? new std::byte[size] : nullptr), size_(size), receives_(receives) {}
    ~MpiMessage() override { give_up(); }
    MpiMessage(const MpiMessage &) = delete;
    MpiMessage &operator=(const MpiMessage &) = delete;

    bool test(int *source) override;
    [[nodiscard]] std::span<const std::byte> data() const override { return {memory_.get(), size_}; }

    int send(MPI_Comm comm, int to, int tag, std::span<const std::byte> data) {
        if (!data.empty()) std::memcpy(memory_.get(), data.data(), data.size());
        return MPI_Isend(memory_.get(), static_cast<int>(size_), MPI_BYTE, to, tag, comm, &request_);
    }
    int receive(MPI_Comm comm, int from, int tag) {
        from_ = from;
        const int source = from == any_rank ? MPI_ANY_SOURCE : from;
        return MPI_Irecv(memory_.get(), static_cast<int>(size_), MPI_BYTE, source, tag, comm, &request_);
    }
    [[nodiscard]] bool begun() const { return request_ != MPI_REQUEST_NULL; }

private:
    void give_up() noexcept;

    MpiCarrier &carrier_;
    MPI_Request request_ = MPI_REQUEST_NULL;
    std::unique_ptr<std::byte[]> memory_; // NOLINT(*-avoid-c-arrays): not set to zero, unlike a vector
    std::size_t size_;
    bool receives_;
    int from_ = any_rank; // of a receive
};

bool MpiMessage::test(int *source) {
    int done = 0;
    MPI_Status status{};
    carrier_.note_error(MPI_Test(&request_, &done, &status), "MPI_Test");
    if (done == 0) return false;
    if (receives_) {
        int count = 0;
        MPI_Get_count(&status, MPI_BYTE, &count);
        size_ = std::min(size_, static_cast<std::size_t>(std::max(count, 0))); // MPI_UNDEFINED is negative
    }
    if (source != nullptr) *source = status.MPI_SOURCE;
    return true;
}

// MPI cannot cancel a send, and a receive whose message is already coming is still written to. UCX cancels it all the
// same, and never tells the sender. Short messages arrive at once.
void MpiMessage::give_up() noexcept {
    if (request_ == MPI_REQUEST_NULL) return;
    if (receives_ && (size_ <= short_bytes || from_ == any_rank)) MPI_Cancel(&request_);
    int flag = 0;
    MPI_Test(&request_, &flag, MPI_STATUS_IGNORE);
    if (flag == 0) leave_message(request_, from_, std::move(memory_));
}

} // namespace

MpiCarrier::MpiCarrier(MPI_Comm comm) : comm_(comm) {
    finish_messages_at_the_end(comm);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
}

void MpiCarrier::note_error(int code, const char *call) {
    if (code == MPI_SUCCESS || !first_error_.empty()) return;
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(code, text.data(), &length);
    first_error_ = std::string(call) + ": " + std::string(text.data(), static_cast<std::size_t>(std::max(length, 0)));
    std::replace(first_error_.begin(), first_error_.end(), '\n', ' ');
}

// An error with a request may be only a warning: what counts is whether the message arrives in time.
std::unique_ptr<UnderWay> MpiCarrier::start_send(int to, int tag, std::span<const std::byte> data) {
    auto message = std::make_unique<MpiMessage>(*this, data.size(), false);
    peers_.insert(to);
    const int code = message->send(comm_, to, tag, data);
    note_error(code, "MPI_Isend");
    if (code != MPI_SUCCESS && !message->begun()) return nullptr;
    return message;
}

std::unique_ptr<UnderWay> MpiCarrier::start_receive(int from, int tag, std::size_t size) {
    auto message = std::make_unique<MpiMessage>(*this, size, true);
    if (from != any_rank) peers_.insert(from);
    const int code = message->receive(comm_, from, tag);
    note_error(code, "MPI_Irecv");
    if (code != MPI_SUCCESS && !message->begun()) return nullptr;
    return message;
}

void MpiCarrier::send_empty(int to, int tag) noexcept {
    MPI_Request request = MPI_REQUEST_NULL;
    if (MPI_Isend(nullptr, 0, MPI_BYTE, to, tag, comm_, &request) == MPI_SUCCESS) MPI_Request_free(&request);
}

void MpiCarrier::last_word() noexcept {
    for (const int peer : peers_)
        send_empty(peer, last_word_tag);
}

void MpiCarrier::pause(Patience &patience, std::int64_t /*until_ns*/) {
    patience.pause();
}

std::int64_t MpiCarrier::now_ns() {
    return static_cast<std::int64_t>(monotonic_ns());
}

NumberList ranks_in(MPI_Comm there, MPI_Comm comm) {
    MPI_Group from = MPI_GROUP_NULL, to = MPI_GROUP_NULL;
    MPI_Comm_group(comm, &from);
    MPI_Comm_group(there, &to);
    int size = 0;
    MPI_Group_size(from, &size);
    std::vector<int> ranks(static_cast<std::size_t>(size)), found(ranks.size(), MPI_UNDEFINED);
    std::iota(ranks.begin(), ranks.end(), 0);
    MPI_Group_translate_ranks(from, size, ranks.data(), to, found.data());
    MPI_Group_free(&from);
    MPI_Group_free(&to);
    return found;
}

} // namespace cpl_lb
