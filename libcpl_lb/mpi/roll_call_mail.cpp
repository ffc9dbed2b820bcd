// MPI behind the roll call: MPI_Improbe, MPI_Imrecv and MPI_Isend on the model's communicator.
#include "mpi/roll_call_mail.hpp"

namespace cpl_lb {
namespace {

// Far from the small numbers that people choose and from the largest, which libraries like to take. Every MPI allows
// tags up to 32767 (MPI 3.1, 8.1.2).
constexpr int below_largest_tag = 0x4c42;

constexpr std::chrono::seconds longest_without_sending{5};

int tag_of_roll_call() {
    int *largest = nullptr;
    int found = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void *>(&largest), &found);
    return (found != 0 && largest != nullptr ? *largest : 32767) - below_largest_tag;
}

} // namespace

MpiMailbox::MpiMailbox(MPI_Comm comm)
    : comm_(comm), carrier_(comm, MpiCarrier::Whose::models), tag_(tag_of_roll_call()) {}

MpiMailbox::~MpiMailbox() {
    if (coming_) static_cast<void>(coming_.release());
}

void MpiMailbox::send(int to, const Bytes &text) {
    if (unsent_.empty()) unsent_since_ = std::chrono::steady_clock::now();
    unsent_.emplace_back(to, text);
    try_again();
}

// In their order.
void MpiMailbox::try_again() {
    while (!unsent_.empty()) {
        std::unique_ptr<UnderWay> letter = carrier_.start_send(unsent_.front().first, tag_, unsent_.front().second);
        if (!letter) return;
        sent_.emplace_back(std::move(letter));
        unsent_.pop_front();
    }
}

bool MpiMailbox::broken() const {
    return !unsent_.empty() && std::chrono::steady_clock::now() > unsent_since_ + longest_without_sending;
}

// Memory first: a message that MPI has matched must be received.
std::optional<Mail> MpiMailbox::next() {
    try_again();
    if (!coming_) {
        int found = 0;
        MPI_Status status{};
        MPI_Iprobe(MPI_ANY_SOURCE, tag_, comm_, &found, &status);
        if (found == 0) return std::nullopt;
        int bytes = 0;
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        auto coming = std::make_unique<Coming>();
        coming->mail.from = status.MPI_SOURCE;
        coming->mail.text.resize(static_cast<std::size_t>(bytes > 0 ? bytes : 0));
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Improbe(status.MPI_SOURCE, tag_, comm_, &found, &message, MPI_STATUS_IGNORE);
        if (found == 0) return std::nullopt; // another thread of the model took it
        coming_ = std::move(coming);
        MPI_Imrecv(coming_->mail.text.data(), bytes, MPI_BYTE, &message, &coming_->request);
    }
    int done = coming_->request == MPI_REQUEST_NULL ? 1 : 0;
    if (done == 0) MPI_Test(&coming_->request, &done, MPI_STATUS_IGNORE);
    if (done == 0) return std::nullopt;
    std::optional<Mail> mail(std::move(coming_->mail));
    coming_.reset();
    return mail;
}

bool MpiMailbox::all_sent() {
    sent_.remove_if([](Letter &letter) { return letter.test(); });
    return sent_.empty();
}

} // namespace cpl_lb
