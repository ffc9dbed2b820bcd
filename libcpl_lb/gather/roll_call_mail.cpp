// MPI behind the roll call: MPI_Improbe, MPI_Imrecv and MPI_Isend on the model's communicator.
#include "gather/roll_call_mail.hpp"

namespace cpl_lb {
namespace {

// Far from the small numbers that people choose and from the largest, which libraries like to take. Every MPI allows
// tags up to 32767 (MPI 3.1, 8.1.2).
constexpr int below_largest_tag = 0x4c42;

int tag_of_roll_call() {
    int *largest = nullptr;
    int found = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void *>(&largest), &found);
    return (found != 0 && largest != nullptr ? *largest : 32767) - below_largest_tag;
}

} // namespace

MpiMailbox::MpiMailbox(MPI_Comm comm) : comm_(comm), tag_(tag_of_roll_call()) {
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
}

MpiMailbox::~MpiMailbox() {
    static_cast<void>(all_sent());
    for (std::unique_ptr<Sent> &s : sent_) {
        MPI_Request_free(&s->request);
        static_cast<void>(s.release());
    }
    if (coming_) static_cast<void>(coming_.release());
}

void MpiMailbox::send(int to, const Bytes &text) {
    auto letter = std::make_unique<Sent>();
    letter->text = text;
    Sent &s = *letter;
    sent_.push_back(std::move(letter));
    MPI_Isend(s.text.data(), static_cast<int>(s.text.size()), MPI_BYTE, to, tag_, comm_, &s.request);
    if (s.request == MPI_REQUEST_NULL) { // an error with a request in hand may be only a warning
        broken_ = true;
        sent_.pop_back();
    }
}

std::optional<Letter> MpiMailbox::next() {
    if (!coming_) {
        int found = 0;
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status{};
        MPI_Improbe(MPI_ANY_SOURCE, tag_, comm_, &found, &message, &status);
        if (found == 0) return std::nullopt;
        int bytes = 0;
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        auto coming = std::make_unique<Coming>();
        coming->letter.from = status.MPI_SOURCE;
        coming->letter.text.resize(static_cast<std::size_t>(bytes > 0 ? bytes : 0));
        coming_ = std::move(coming);
        MPI_Imrecv(coming_->letter.text.data(), bytes, MPI_BYTE, &message, &coming_->request);
    }
    int done = coming_->request == MPI_REQUEST_NULL ? 1 : 0;
    if (done == 0) MPI_Test(&coming_->request, &done, MPI_STATUS_IGNORE);
    if (done == 0) return std::nullopt;
    std::optional<Letter> letter(std::move(coming_->letter));
    coming_.reset();
    return letter;
}

bool MpiMailbox::all_sent() {
    for (auto at = sent_.begin(); at != sent_.end();) {
        int done = 0;
        MPI_Test(&(*at)->request, &done, MPI_STATUS_IGNORE);
        at = done != 0 ? sent_.erase(at) : std::next(at);
    }
    return sent_.empty();
}

} // namespace cpl_lb
