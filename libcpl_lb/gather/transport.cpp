#include "gather/transport.hpp"

#include <algorithm>
#include <array>
#include <sched.h>
#include <thread>

namespace cpl_lb {
namespace {

// MPI counts are int: longer messages go in pieces.
constexpr std::size_t longest_message = std::size_t{1} << 30U;
constexpr std::chrono::microseconds longest_sleep_of_messages{2000};
constexpr int distress_tag = 18;

} // namespace

void Patience::pause() {
    if (yields_ > 0) {
        --yields_;
        sched_yield();
        return;
    }
    std::this_thread::sleep_for(sleep_);
    sleep_ = std::min(sleep_ * 2, longest_);
}

SteadyTime deadline_in(double seconds) {
    // A year is for ever here, and far from what the clock's type can hold.
    const double bounded = std::clamp(seconds, 0.0, 3.2e7);
    return std::chrono::steady_clock::now() +
           std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(bounded));
}

Transport::Transport(MPI_Comm comm, double timeout_s) : comm_(comm), timeout_s_(timeout_s) {
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
}

void Transport::note_error(int code, const char *call) {
    if (code == MPI_SUCCESS || !first_error_.empty()) return;
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(code, text.data(), &length);
    first_error_ = std::string(call) + ": " + std::string(text.data(), static_cast<std::size_t>(std::max(length, 0)));
    std::replace(first_error_.begin(), first_error_.end(), '\n', ' ');
}

// An error with a request in hand may be only a warning: what counts is whether the message arrives in time.
MPI_Request Transport::start_send(int to, int tag, std::span<const std::byte> data) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_Isend(data.data(), static_cast<int>(data.size()), MPI_BYTE, to, tag, comm_, &request);
    note_error(code, "MPI_Isend");
    if (code != MPI_SUCCESS && request == MPI_REQUEST_NULL) broken_ = true;
    return request;
}

MPI_Request Transport::start_receive(int from, int tag, std::span<std::byte> data) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_Irecv(data.data(), static_cast<int>(data.size()), MPI_BYTE, from, tag, comm_, &request);
    note_error(code, "MPI_Irecv");
    if (code != MPI_SUCCESS && request == MPI_REQUEST_NULL) broken_ = true;
    return request;
}

bool Transport::test(MPI_Request &request, int *source) {
    int flag = 0;
    MPI_Status status{};
    note_error(MPI_Test(&request, &flag, &status), "MPI_Test");
    if (flag != 0 && source != nullptr) *source = status.MPI_SOURCE;
    return flag != 0;
}

bool Transport::wait(std::span<MPI_Request> requests) {
    if (failed()) return false;
    const auto all_done = [&] {
        int flag = 0;
        note_error(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &flag, MPI_STATUSES_IGNORE),
                   "MPI_Testall");
        return flag != 0 || distress_came();
    };
    if (!wait_until(deadline_in(timeout_s_), longest_sleep_of_messages, all_done, yields_)) {
        timed_out_ = true;
    }
    if (failed()) {
        // The buffers go away with the caller: receives must not write there any more.
        for (MPI_Request &r : requests)
            cancel(r);
    }
    return !failed();
}

bool Transport::distress_came() {
    if (distress_ == MPI_REQUEST_NULL || !test(distress_)) return false;
    distressed_ = broken_ = true;
    return true;
}

void Transport::watch_for_distress() {
    // No data: nothing can be written after this object is gone.
    if (distress_ == MPI_REQUEST_NULL) distress_ = start_receive(MPI_ANY_SOURCE, distress_tag, {});
}

void Transport::stop_watching() {
    cancel(distress_);
}

void Transport::send_distress() noexcept {
    for (int r = 0; r < size_; ++r) {
        MPI_Request request = MPI_REQUEST_NULL;
        if (r != rank_ && MPI_Isend(nullptr, 0, MPI_BYTE, r, distress_tag, comm_, &request) == MPI_SUCCESS)
            MPI_Request_free(&request);
    }
}

void Transport::cancel(MPI_Request &request) {
    if (request == MPI_REQUEST_NULL) return;
    note_error(MPI_Cancel(&request), "MPI_Cancel");
    note_error(MPI_Request_free(&request), "MPI_Request_free");
}

bool Transport::send(int to, int tag, std::span<const std::byte> data) {
    for (std::size_t at = 0; at < data.size() || at == 0; at += longest_message) {
        if (failed()) return false;
        MPI_Request request = start_send(to, tag, data.subspan(at, std::min(longest_message, data.size() - at)));
        if (!wait({&request, 1})) return false;
    }
    return true;
}

bool Transport::receive(int from, int tag, std::span<std::byte> data) {
    for (std::size_t at = 0; at < data.size() || at == 0; at += longest_message) {
        if (failed()) return false;
        MPI_Request request = start_receive(from, tag, data.subspan(at, std::min(longest_message, data.size() - at)));
        if (!wait({&request, 1})) return false;
    }
    return true;
}

bool Transport::send_all(int to, int tag, const Bytes &data) {
    const std::size_t size = data.size();
    return send(to, tag, as_wire(size)) && send(to, tag, data);
}

bool Transport::receive_all(int from, int tag, Bytes &data) {
    std::size_t size = 0;
    if (!receive(from, tag, as_wire_out(size))) return false;
    data.resize(size);
    return receive(from, tag, data);
}

} // namespace cpl_lb
