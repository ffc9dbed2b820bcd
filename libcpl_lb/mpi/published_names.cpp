// MPI_Publish_name and MPI_Lookup_name. A name that is not there is an error of MPI, which must not end the model.
#include "mpi/published_names.hpp"

#include "support/fmt.hpp"

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

namespace cpl_lb {
namespace {

// MPI 3.1 calls the handler of MPI_COMM_WORLD for errors without a communicator, and MPI 4.0 that of MPI_COMM_SELF.
class ErrorsReturned {
public:
    ErrorsReturned() {
        for (std::size_t i = 0; i < comms.size(); ++i) {
            MPI_Comm_get_errhandler(comms[i], &handlers_[i]);
            MPI_Comm_set_errhandler(comms[i], MPI_ERRORS_RETURN);
        }
    }
    ~ErrorsReturned() {
        for (std::size_t i = 0; i < comms.size(); ++i) {
            MPI_Comm_set_errhandler(comms[i], handlers_[i]);
            MPI_Errhandler_free(&handlers_[i]);
        }
    }
    ErrorsReturned(const ErrorsReturned &) = delete;
    ErrorsReturned &operator=(const ErrorsReturned &) = delete;

private:
    const std::array<MPI_Comm, 2> comms{MPI_COMM_WORLD, MPI_COMM_SELF};
    std::array<MPI_Errhandler, 2> handlers_{};
};

// Of the processes' ranks in MPI_COMM_WORLD (FNV-1a): two halves of a job may each have a board.
std::uint64_t key_of(MPI_Comm comm) {
    std::uint64_t key = 14695981039346656037U;
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
        key = (key ^ static_cast<std::uint32_t>(rank)) * 1099511628211U;
    MPI_Group_free(&here);
    MPI_Group_free(&world);
    return key;
}

} // namespace

PublishedNames::PublishedNames(MPI_Comm comm) : board_(fmt::format("cpl_lb.{:016x}.", key_of(comm))) {}

bool PublishedNames::put(const std::string &name, const std::string &text) {
    const ErrorsReturned quiet;
    return MPI_Publish_name(full_name(name).c_str(), MPI_INFO_NULL, text.c_str()) == MPI_SUCCESS;
}

std::optional<std::string> PublishedNames::get(const std::string &name) {
    const ErrorsReturned quiet;
    std::array<char, MPI_MAX_PORT_NAME + 1> text{};
    if (MPI_Lookup_name(full_name(name).c_str(), MPI_INFO_NULL, text.data()) != MPI_SUCCESS) return std::nullopt;
    return std::string(text.data());
}

void take_down(const std::string &full_name) noexcept {
    const ErrorsReturned quiet;
    MPI_Unpublish_name(full_name.c_str(), MPI_INFO_NULL, "");
}

} // namespace cpl_lb
