// A model that takes messages from anybody with any tag, on each rank: with the library, and without any of it.
// `arrival NAME MILLISECONDS BEFORE`: it comes to cpl_lb_init MILLISECONDS after all have met; with BEFORE 1 its
// first receive waits from before that on. Prints the messages that the model did not send, and how many processes
// record.
#ifdef WITH_LIBRARY
#include <cpl_lb/cpl_lb.h>
#else
#include <mpi.h>
#endif

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int letters = 3; // from each to each
constexpr int last = letters;

void sleep_ms(int ms) {
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

// 8 bytes: whatever is longer ends the job.
class Receiver {
public:
    explicit Receiver(int processes) : next_(static_cast<std::size_t>(processes)) {}

    void post() { MPI_Irecv(&value_, 1, MPI_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request_); }
    // All that has come; a receive always waits, until the last letter.
    void look() {
        MPI_Status status;
        for (int came = 1; request_ != MPI_REQUEST_NULL;) {
            MPI_Test(&request_, &came, &status);
            if (came == 0) return;
            take(status);
            if (!ended_) post();
        }
    }
    [[nodiscard]] bool ended() const { return ended_; }
    [[nodiscard]] bool has(long count) const { return received_ >= count; }
    [[nodiscard]] long foreign() const { return foreign_; }
    static long value_of(int from, int n) { return 1000L * from + n; }

private:
    void take(const MPI_Status &status) {
        int &n = next_[static_cast<std::size_t>(status.MPI_SOURCE)];
        ended_ = status.MPI_TAG == last && value_ == value_of(status.MPI_SOURCE, last);
        if (ended_) return;
        const bool own = n < letters && status.MPI_TAG == n && value_ == value_of(status.MPI_SOURCE, n);
        ++(own ? received_ : foreign_);
        if (own) ++n;
    }

    std::vector<int> next_; // by sender
    long value_ = 0, received_ = 0, foreign_ = 0;
    bool ended_ = false;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

int begin_run([[maybe_unused]] const char *name) {
#ifdef WITH_LIBRARY
    cpl_lb_init(MPI_COMM_WORLD, name);
    return cpl_lb_enabled();
#else
    return 0;
#endif
}

void end_run() {
#ifdef WITH_LIBRARY
    cpl_lb_terminate(86400);
#endif
}

void send(int to, int n, int rank) {
    const long value = Receiver::value_of(rank, n);
    MPI_Send(&value, 1, MPI_LONG, to, n, MPI_COMM_WORLD);
}

// Asleep, or they would take the machine; the receive waits meanwhile.
void meet(Receiver &receiver) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int done = 0; done == 0; sleep_ms(1)) {
        receiver.look();
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
}

long sum(long value, MPI_Comm comm) {
    long total = 0;
    MPI_Allreduce(&value, &total, 1, MPI_LONG, MPI_SUM, comm);
    return total;
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    if (argc != 4) return 2;
    int rank = 0;
    int size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    Receiver receiver(size);
    MPI_Barrier(MPI_COMM_WORLD);
    const bool before = std::atoi(argv[3]) != 0;
    if (before) receiver.post();
    sleep_ms(std::atoi(argv[2]));
    const int recording = begin_run(argv[1]);
    if (!before) receiver.post();
    for (int n = 0; n < letters; ++n)
        for (int to = 0; to < size; ++to)
            if (to != rank) send(to, n, rank);
    for (; !receiver.has(1L * letters * (size - 1)); sleep_ms(1))
        receiver.look();
    end_run();
    meet(receiver);
    send(rank, last, rank);
    for (; !receiver.ended(); sleep_ms(1))
        receiver.look();
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    const bool whole = sum(1, half) == (size + 1 - rank % 2) / 2;
    MPI_Comm_free(&half);
    const long wrong = sum(receiver.foreign() + (whole ? 0 : 1), MPI_COMM_WORLD);
    const long all_recording = sum(recording, MPI_COMM_WORLD);
    if (rank == 0) std::printf("foreign %ld\nrecording %ld\n", wrong, all_recording);
    MPI_Finalize();
    return 0;
}
