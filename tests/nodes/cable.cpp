// The cable between made-up nodes: a tap device in the network namespace of each, and this program between them,
// which hands every Ethernet frame on after the delay of its direction. The kernel's netem would do it, too, but is
// not in every kernel.
//   cable NAMESPACE...     a file of a network namespace for each node; node i has the address 02:00:00:00:00:0i
// Commands on standard input, each answered with one line:
//   set FROM TO DELAY_US JITTER_US MBIT_PER_S LOSS    of one direction; 0 Mbit/s: without bound; LOSS 1: cut
//   bytes FROM TO                                     what was handed on in this direction, headers of frames
//   included
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <iostream>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <random>
#include <sched.h>
#include <sstream>
#include <string>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <vector>

namespace {

using Time = std::int64_t; // nanoseconds of the steady clock
using Frame = std::vector<char>;

constexpr Time no_time = -1;
constexpr std::size_t longest_queue_B = 32U << 20U; // what is more is lost, as in a switch

Time now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// From one node to one other.
class Direction {
public:
    void set(double delay_us, double jitter_us, double mbit_per_s, double loss) {
        delay_us_ = delay_us;
        jitter_us_ = jitter_us;
        ns_per_byte_ = mbit_per_s > 0.0 ? 8e3 / mbit_per_s : 0.0;
        loss_ = loss;
    }
    // Frames never overtake each other: TCP would take that for a loss.
    void take(const Frame &frame, std::mt19937 &random) {
        std::uniform_real_distribution<double> part(0.0, 1.0);
        if (part(random) < loss_ || queued_B_ + frame.size() > longest_queue_B) return;
        free_at_ = std::max(free_at_, now()) + static_cast<Time>(ns_per_byte_ * static_cast<double>(frame.size()));
        last_arrival_ =
            std::max(last_arrival_, free_at_ + static_cast<Time>(1e3 * (delay_us_ + jitter_us_ * part(random))));
        queue_.emplace_back(last_arrival_, frame);
        queued_B_ += frame.size();
    }
    void hand_on(int tap, Time until) {
        for (; !queue_.empty() && queue_.front().first <= until; queue_.pop_front()) {
            const Frame &frame = queue_.front().second;
            queued_B_ -= frame.size();
            if (tap >= 0 && write(tap, frame.data(), frame.size()) > 0) bytes_ += frame.size();
        }
    }
    [[nodiscard]] Time next() const { return queue_.empty() ? no_time : queue_.front().first; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

private:
    double delay_us_ = 0, jitter_us_ = 0, ns_per_byte_ = 0, loss_ = 0;
    std::deque<std::pair<Time, Frame>> queue_;
    std::size_t queued_B_ = 0;
    Time free_at_ = 0, last_arrival_ = 0;
    std::uint64_t bytes_ = 0;
};

// Made in that namespace; the descriptor works from here.
int open_tap(const char *name_space) {
    const int there = open(name_space, O_RDONLY | O_CLOEXEC);
    if (there < 0 || setns(there, CLONE_NEWNET) != 0) return -1;
    close(there);
    const int tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    ifreq wish{};
    wish.ifr_flags = IFF_TAP | IFF_NO_PI;
    std::strncpy(wish.ifr_name, "cable", IFNAMSIZ - 1);
    return tap >= 0 && ioctl(tap, TUNSETIFF, &wish) == 0 ? tap : -1;
}

class Cable {
public:
    explicit Cable(std::vector<int> taps) : taps_(std::move(taps)), directions_(taps_.size() * taps_.size()) {}

    // Until standard input ends.
    void run() {
        std::vector<pollfd> ready;
        do {
            ready.assign(1, {STDIN_FILENO, POLLIN, 0});
            for (const int tap : taps_)
                ready.push_back({tap, POLLIN, 0});
            wait(ready);
            for (std::size_t i = 0; i < taps_.size(); ++i)
                if (ready[i + 1].revents != 0) read_frames(i);
            hand_on();
        } while (ready[0].revents == 0 || obey());
    }

private:
    Direction &direction(std::size_t from, std::size_t to) { return directions_[from * taps_.size() + to]; }

    void wait(std::vector<pollfd> &ready) {
        Time first = no_time;
        for (const Direction &d : directions_)
            if (d.next() != no_time && (first == no_time || d.next() < first)) first = d.next();
        const Time rest = std::max<Time>(first - now(), 0);
        const timespec limit{rest / 1'000'000'000, rest % 1'000'000'000};
        ppoll(ready.data(), ready.size(), first == no_time ? nullptr : &limit, nullptr);
    }

    void read_frames(std::size_t from) {
        constexpr int at_once = 64;
        constexpr std::size_t longest = 1U << 17U;
        Frame frame;
        for (int i = 0; i < at_once; ++i) {
            frame.resize(longest);
            const ssize_t size = read(taps_[from], frame.data(), frame.size());
            if (size < 0 && errno != EAGAIN && errno != EIO) taps_[from] = -1; // the node is dead
            if (size < 14) return;
            frame.resize(static_cast<std::size_t>(size));
            constexpr std::size_t last_of_address = 5;
            const bool to_all = (static_cast<unsigned char>(frame[0]) & 1U) != 0;
            for (std::size_t to = 0; to < taps_.size(); ++to)
                if (to != from && (to_all || static_cast<unsigned char>(frame[last_of_address]) == to))
                    direction(from, to).take(frame, random_);
        }
    }

    void hand_on() {
        const Time until = now();
        for (std::size_t from = 0; from < taps_.size(); ++from)
            for (std::size_t to = 0; to < taps_.size(); ++to)
                direction(from, to).hand_on(taps_[to], until);
    }

    // False: there will be no more commands.
    bool obey() {
        std::array<char, 4096> text{};
        const ssize_t size = read(STDIN_FILENO, text.data(), text.size());
        if (size <= 0) return false;
        std::istringstream lines(std::string(text.data(), static_cast<std::size_t>(size)));
        for (std::string line; std::getline(lines, line);)
            obey_line(line);
        return true;
    }

    void obey_line(const std::string &line) {
        std::istringstream in(line);
        std::string what;
        std::size_t from = 0;
        std::size_t to = 0;
        if (!(in >> what >> from >> to) || from >= taps_.size() || to >= taps_.size()) {
            std::cout << "what?" << std::endl;
        } else if (what == "bytes") {
            std::cout << direction(from, to).bytes() << std::endl;
        } else {
            double delay_us = 0;
            double jitter_us = 0;
            double mbit_per_s = 0;
            double loss = 0;
            in >> delay_us >> jitter_us >> mbit_per_s >> loss;
            direction(from, to).set(delay_us, jitter_us, mbit_per_s, loss);
            std::cout << "good" << std::endl;
        }
    }

    std::vector<int> taps_;
    std::vector<Direction> directions_;
    std::mt19937 random_{20261123};
};

} // namespace

int main(int argc, char **argv) {
    prctl(PR_SET_TIMERSLACK, 1UL);
    prctl(PR_SET_PDEATHSIG, 9UL);
    const int here = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    std::vector<int> taps;
    for (int i = 1; i < argc; ++i) {
        taps.push_back(open_tap(argv[i]));
        if (taps.back() < 0) {
            std::cerr << "cable: no tap in " << argv[i] << ": " << std::strerror(errno) << '\n';
            return 1;
        }
    }
    setns(here, CLONE_NEWNET);
    std::cout << "ready" << std::endl;
    Cable(std::move(taps)).run();
}
