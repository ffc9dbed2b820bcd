// Sends letters alone if MPI ignores unread ones; otherwise also puts up notices of who is there, and receives what
// is left before MPI looks for it.
#include "mpi/call_roll.hpp"

#include "cpl_lb/cpl_lb.h"
#include "mpi/careful_mailbox.hpp"
#include "mpi/left_messages.hpp"
#include "support/clock.hpp"
#include "support/fmt.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string_view>
#include <vector>

namespace cpl_lb {
namespace {

// "MPICH Version: 4.2.1" and more lines.
std::string version_of_mpi() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    return text.data();
}

std::string first_line(const std::string &text) {
    std::string line;
    for (const char c : text.substr(0, text.find_first_of("\n\r"))) {
        const bool is_blank = c == '\t' || c == ' ';
        if (!is_blank || !line.ends_with(' ')) line += is_blank ? ' ' : c;
    }
    return line;
}

double monotonic_s() {
    return 1e-9 * static_cast<double>(monotonic_ns());
}

// Removes unread letters, and notices. MPI looks for such letters when it frees a communicator; it frees
// MPI_COMM_WORLD in MPI_Finalize.
bool receive_at_the_end(MPI_Comm comm, int tag, const std::shared_ptr<std::vector<std::string>> &notices) {
    int is_world = MPI_UNEQUAL;
    MPI_Comm_compare(comm, MPI_COMM_WORLD, &is_world);
    return when_freed(is_world == MPI_IDENT ? MPI_COMM_SELF : comm, [=] {
        take_down(*notices); // so that nobody writes any more
        receive_unread(comm, tag);
    });
}

bool is_spawned() {
    MPI_Comm parent = MPI_COMM_NULL;
    MPI_Comm_get_parent(&parent);
    return parent != MPI_COMM_NULL;
}

bool all_are_said_to_be_linked() {
    const char *said = std::getenv("CPL_LB_LINKED");
    return said != nullptr && std::string_view(said) == "all";
}

} // namespace

SharedSettings call_roll(MPI_Comm comm, const Join &join) {
    MpiMailbox mail(comm);
    const std::string mpi = version_of_mpi();
    if (mail.size() == 1 || !ends_model_for_unread_letter(mpi)) return share_settings(mail, join);
    // A program may contain two copies of the library; each then has its own board.
    constexpr int most_copies = 3;
    for (int number = 1; number <= most_copies; ++number) {
        PublishedNames board(comm, number);
        if (!receive_at_the_end(comm, mail.tag(), board.mine())) break;
        if (all_are_said_to_be_linked()) return share_settings(mail, join);
        if (is_spawned()) break; // spawned jobs share the names of the job that spawned them
        CarefulMailbox careful(mail, board, monotonic_s);
        if (careful.announce()) return share_settings(careful, join);
    }
    return without_letters(
        mail.rank(), fmt::format("with {} a message to a process without cpl_lb ends the model, and names that MPI "
                                 "publishes, which would tell who has it, are not to be had here: switched off. If "
                                 "all executables have it, say so with CPL_LB_LINKED=all",
                                 first_line(mpi)));
}

namespace {

// Far from the small numbers that people choose and from the largest ones, which libraries prefer. Every MPI allows
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

// Keeps their order.
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

// Allocates first: a message that MPI has matched must be received.
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

namespace {

// For errors without a communicator MPI 3.1 calls the handler of MPI_COMM_WORLD, MPI 4.0 that of MPI_COMM_SELF, and
// MPICH from 4.2 on that of MPI_COMM_WORLD unless MPI_COMM_SELF was given one.
bool handled_by(MPI_Comm comm) {
    constexpr std::pair first_with_self{4, 2};
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    const auto version = mpich_version(text.data());
    return !version || (*version >= first_with_self) == (comm == MPI_COMM_SELF);
}

extern "C" {
static void cpl_lb_as_for_world(MPI_Comm * /*self*/, int *code, ...) {
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, *code);
}
}

// MPI cannot remove a handler. So MPI_COMM_SELF, if it had none, gets one that does what MPICH does without a
// handler.
void put_back(MPI_Comm comm, MPI_Errhandler handler) {
    const bool had_none = comm == MPI_COMM_SELF && handler == MPI_ERRORS_ARE_FATAL;
    if (had_none && MPI_Comm_create_errhandler(&cpl_lb_as_for_world, &handler) != MPI_SUCCESS) return;
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
}

class ErrorsReturned {
public:
    ErrorsReturned() {
        for (std::size_t i = 0; i < comms.size(); ++i) {
            if (!handled_by(comms[i])) continue;
            MPI_Comm_get_errhandler(comms[i], &handlers_[i]);
            MPI_Comm_set_errhandler(comms[i], MPI_ERRORS_RETURN);
        }
    }
    ~ErrorsReturned() {
        for (std::size_t i = 0; i < comms.size(); ++i)
            if (handlers_[i] != MPI_ERRHANDLER_NULL) put_back(comms[i], handlers_[i]);
    }
    ErrorsReturned(const ErrorsReturned &) = delete;
    ErrorsReturned &operator=(const ErrorsReturned &) = delete;

private:
    const std::array<MPI_Comm, 2> comms{MPI_COMM_WORLD, MPI_COMM_SELF};
    std::array<MPI_Errhandler, 2> handlers_{MPI_ERRHANDLER_NULL, MPI_ERRHANDLER_NULL};
};

// One step of the FNV-1a hash.
void mix(std::uint64_t &key, std::uint32_t more) {
    key = (key ^ more) * 1099511628211U;
}

// A hash of the processes' ranks in MPI_COMM_WORLD, because two halves of a job may each have a board, and of the
// batch system's job number, because one server of names may serve several jobs.
std::uint64_t key_of(MPI_Comm comm) {
    std::uint64_t key = 14695981039346656037U;
    for (const char *name : {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID"}) {
        const char *id = std::getenv(name);
        for (const char c : std::string_view(id != nullptr ? id : ""))
            mix(key, static_cast<unsigned char>(c));
    }
    MPI_Group here = MPI_GROUP_NULL;
    MPI_Group world = MPI_GROUP_NULL;
    MPI_Comm_group(comm, &here);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    int size = 0;
    MPI_Group_size(here, &size);
    std::vector<int> ranks(static_cast<std::size_t>(size));
    std::vector<int> of_world(ranks.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    MPI_Group_translate_ranks(here, size, ranks.data(), world, of_world.data());
    for (const int rank : of_world)
        mix(key, static_cast<std::uint32_t>(rank));
    MPI_Group_free(&here);
    MPI_Group_free(&world);
    return key;
}

} // namespace

PublishedNames::PublishedNames(MPI_Comm comm, int number)
    : board_(fmt::format("cpl_lb.{:016x}.{}.", key_of(comm), number)),
      mine_(std::make_shared<std::vector<std::string>>()) {}

// Slurm replaces the old text by a new one and reports success.
bool PublishedNames::put(const std::string &name, const std::string &text) {
    if (get(name)) return false;
    const std::string full = board_ + name;
    mine_->reserve(mine_->size() + 1);
    const ErrorsReturned quiet;
    if (MPI_Publish_name(full.c_str(), MPI_INFO_NULL, text.c_str()) != MPI_SUCCESS) return false;
    mine_->push_back(full);
    return true;
}

std::optional<std::string> PublishedNames::get(const std::string &name) {
    const ErrorsReturned quiet;
    std::array<char, MPI_MAX_PORT_NAME + 1> text{};
    if (MPI_Lookup_name((board_ + name).c_str(), MPI_INFO_NULL, text.data()) != MPI_SUCCESS) return std::nullopt;
    return std::string(text.data());
}

void take_down(const std::vector<std::string> &names) noexcept {
    const ErrorsReturned quiet;
    for (const std::string &name : names)
        MPI_Unpublish_name(name.c_str(), MPI_INFO_NULL, "");
}

} // namespace cpl_lb
