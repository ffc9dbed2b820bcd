// MPI_Publish_name and MPI_Lookup_name. A name that is not there is an error of MPI, which must not end the model.
#include "mpi/published_names.hpp"

#include "mpi/careful_mailbox.hpp"
#include "support/fmt.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string_view>
#include <vector>

namespace cpl_lb {
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

// MPI cannot take a handler away again. So MPI_COMM_SELF, if it had none, gets one that does what MPICH does without
// one.
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

// FNV-1a.
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

// Slurm puts a new text in the place of the old one, and says that all is well.
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
