// Messages between processes that never hang the model: everything is non-blocking and tested asleep, a wait ends
// at its deadline, and after the first failure every later call returns at once.
#pragma once

#include "mpi/carrier.hpp"
#include "mpi/wire.hpp"

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cpl_lb {

// A message failed, now or earlier: the transport knows why. It ends what the processes do together, and is caught
// where they began that. Until then a function that sends or receives throws it instead of going on.
class MessageFailed : public std::exception {
public:
    [[nodiscard]] const char *what() const noexcept override { return "a message failed"; }
};

class Transport {
public:
    Transport(std::unique_ptr<Carrier> carrier, double timeout_s)
        : carrier_(std::move(carrier)), timeout_s_(timeout_s) {}
    ~Transport() {
        if (failed()) carrier_->last_word();
    }
    Transport(const Transport &) = delete;
    Transport &operator=(const Transport &) = delete;

    [[nodiscard]] int rank() const { return carrier_->rank(); }
    [[nodiscard]] int size() const { return carrier_->size(); }
    [[nodiscard]] double timeout_s() const { return timeout_s_; }
    // A monotonic clock, the same for all processes of a node.
    [[nodiscard]] std::int64_t now_ns() { return carrier_->now_ns(); }
    [[nodiscard]] std::int64_t ns_after(double seconds); // from now, on that clock

    // These, and wait(), throw MessageFailed.
    void send(int to, int tag, std::span<const std::byte> data);
    void receive(int from, int tag, std::span<std::byte> data);
    // Data of any length. The length is sent first, in the same message if it fits.
    void send_all(int to, int tag, std::span<const std::byte> data);
    void receive_all(int from, int tag, Bytes &data);
    // Receives `count` elements. Room for them is reserved at once, but written only as they come.
    template <class T>
    void receive_list(int from, int tag, std::size_t count, std::vector<T> &list);

    // Non-blocking parts, for several messages at once. The data is copied, so the caller may free it at any time.
    [[nodiscard]] Letter start_send(int to, int tag, std::span<const std::byte> data);
    [[nodiscard]] Letter start_receive(int from, int tag, std::size_t size);
    void wait(std::span<Letter> letters);
    void wait(Letter &letter) { wait(std::span(&letter, 1)); }
    // Waits for a receive of exactly so many bytes: another length is an error.
    void wait_for(Letter &letter, std::size_t bytes) {
        wait(letter);
        check_length(letter.data().size(), bytes);
    }
    // Tests once; true: complete. source: where it came from.
    bool test(Letter &letter, int *source = nullptr) { return letter.test(source); }
    // For waits that the caller makes itself: sleeps until something may have arrived, but not past until_ns.
    void pause(Patience &patience, std::int64_t until_ns) { carrier_->pause(patience, until_ns); }

    // A process that cannot go on tells all others, so that they do not wait for it: from watch_for_distress() on,
    // a wait ends as failed when such a message comes.
    void watch_for_distress();
    // When the watch begins again, earlier distress messages do not count.
    void stop_watching() {
        distress_.give_up();
        ++watched_;
    }
    void send_distress() noexcept;
    // Whether this process sent anything since watch_for_distress(). If not, nobody counts on it, and its distress
    // does not concern anybody.
    [[nodiscard]] bool was_heard() const { return heard_; }
    [[nodiscard]] bool distressed() const { return distressed_; } // another process could not go on

    // Stays awake longer before sleeping: for the few messages whose round trip is measured.
    void stay_awake(bool awake) { yields_ = awake ? 5000 : 64; }

    [[nodiscard]] bool failed() const { return timed_out_ || broken_; }
    [[nodiscard]] bool timed_out() const { return timed_out_; }
    // The first error of MPI, or a message of the wrong length; empty: there was none. The call may have worked in
    // spite of it.
    [[nodiscard]] const std::string &first_error() const {
        return wrong_length_.empty() ? carrier_->first_error() : wrong_length_;
    }

private:
    bool distress_came();
    void check() const;
    void check_length(std::size_t came, std::size_t awaited);
    template <class Take>
    void receive_pieces(int from, int tag, std::size_t size, Take take);
    // room(bytes) returns memory of at least so many bytes and keeps what was written to it so far.
    void receive_into(int from, int tag, std::size_t size,
                      const std::function<std::span<std::byte>(std::size_t)> &room);
    Letter begun(std::unique_ptr<UnderWay> message);

    std::unique_ptr<Carrier> carrier_; // lives longer than distress_
    double timeout_s_;
    int yields_ = 64;
    Letter distress_;
    int watched_ = 0; // how often: in cpl_lb_init, in cpl_lb_terminate
    bool heard_ = false;
    bool distressed_ = false;
    bool timed_out_ = false;
    bool broken_ = false;
    std::string wrong_length_;
};

template <class T>
void Transport::receive_list(int from, int tag, std::size_t count, std::vector<T> &list) {
    list.clear();
    if (count > list.max_size()) throw DamagedMessage("the length of a list");
    list.reserve(count);
    receive_into(from, tag, count * sizeof(T), [&](std::size_t bytes) {
        list.resize((bytes + sizeof(T) - 1) / sizeof(T));
        return std::as_writable_bytes(std::span(list));
    });
}

template <class T>
[[nodiscard]] std::span<const std::byte> as_wire(const T &value) {
    return std::as_bytes(std::span<const T, 1>(&value, 1));
}
template <class T>
[[nodiscard]] std::span<std::byte> as_wire_out(T &value) {
    return std::as_writable_bytes(std::span<T, 1>(&value, 1));
}

} // namespace cpl_lb
