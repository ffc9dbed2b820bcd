// Messages between processes that never hang the model: everything is non-blocking and tested asleep, a wait ends
// at its deadline, and after the first failure every later call returns at once.
#pragma once

#include "gather/letter.hpp"
#include "gather/patience.hpp"
#include "gather/wire.hpp"

#include <cstddef>
#include <mpi.h>
#include <span>
#include <string>

namespace cpl_lb {

class Transport {
public:
    // comm: the library's own duplicate, with MPI_ERRORS_RETURN.
    Transport(MPI_Comm comm, double timeout_s);

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return size_; }
    [[nodiscard]] MPI_Comm comm() const { return comm_; }
    [[nodiscard]] double timeout_s() const { return timeout_s_; }

    // False: failed, now or before.
    bool send(int to, int tag, std::span<const std::byte> data);
    bool receive(int from, int tag, std::span<std::byte> data);
    // Of any length, which goes ahead, in the same message where there is room; receive_all allocates.
    bool send_all(int to, int tag, std::span<const std::byte> data);
    bool receive_all(int from, int tag, Bytes &data);

    // Non-blocking parts, for several messages at once. The data is copied: it may go away at any time.
    [[nodiscard]] Letter start_send(int to, int tag, std::span<const std::byte> data);
    [[nodiscard]] Letter start_receive(int from, int tag, std::size_t size);
    bool wait(std::span<Letter> letters);
    bool wait(Letter &letter) { return wait(std::span(&letter, 1)); }
    // One test; true: complete. source: where it came from.
    bool test(Letter &letter, int *source = nullptr);

    // A process that cannot go on tells all others, so that they do not wait for it: from watch_for_distress() on,
    // a wait ends as failed when such a message comes.
    void watch_for_distress();
    // What comes too late is not taken for distress when it is watched for again.
    void stop_watching() {
        distress_.give_up();
        ++watched_;
    }
    void send_distress() noexcept;
    [[nodiscard]] bool distressed() const { return distressed_; } // another process could not go on

    // Stays awake longer before it sleeps: for the few messages whose round trip is measured.
    void stay_awake(bool awake) { yields_ = awake ? 5000 : 64; }

    [[nodiscard]] bool failed() const { return timed_out_ || broken_; }
    [[nodiscard]] bool timed_out() const { return timed_out_; }
    // First MPI error: its text, empty when there was none. The call may have worked all the same.
    [[nodiscard]] const std::string &first_error() const { return first_error_; }
    void note_error(int code, const char *call);

private:
    MPI_Comm comm_;
    double timeout_s_;
    int rank_ = 0;
    int size_ = 1;
    bool distress_came();

    int yields_ = 64;
    Letter distress_;
    int watched_ = 0; // times: cpl_lb_init, cpl_lb_terminate
    bool distressed_ = false;
    bool timed_out_ = false;
    bool broken_ = false;
    std::string first_error_;
};

template <class T>
[[nodiscard]] std::span<const std::byte> as_wire(const T &value) {
    return std::as_bytes(std::span<const T, 1>(&value, 1));
}
template <class T>
[[nodiscard]] std::span<std::byte> as_wire_out(T &value) {
    return std::as_writable_bytes(std::span<T, 1>(&value, 1));
}

[[nodiscard]] SteadyTime deadline_in(double seconds);

} // namespace cpl_lb
