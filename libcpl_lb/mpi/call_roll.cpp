// Takes the first notice board that this job has: a folder of the job's node, names that MPI publishes, the folder
// for results. Where there is none, only a promise of the user helps: CPL_LB_LINKED=all.
#include "mpi/call_roll.hpp"

#include "cpl_lb/cpl_lb.h"
#include "mpi/errors_returned.hpp"
#include "mpi/folder_board.hpp"
#include "mpi/job_folder.hpp"
#include "mpi/left_messages.hpp"
#include "mpi/mpi_carrier.hpp"
#include "support/fnv_hash.hpp"
#include "support/switched_off_path.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string_view>
#include <unistd.h>

namespace cpl_lb {
namespace {

constexpr int most_copies = 3; // of the library in one program; each then has a board of its own

// A hash of the processes' ranks in MPI_COMM_WORLD, because two halves of a job may each have a board. Empty: some
// are not in it.
std::optional<std::string> key_of(MPI_Comm comm) {
    FnvHash key;
    int size = 0;
    MPI_Comm_size(comm, &size);
    if (comm == MPI_COMM_WORLD) {
        for (int rank = 0; rank < size; ++rank)
            key.add(static_cast<std::uint32_t>(rank));
        return key.text();
    }
    for (const int rank : ranks_in(MPI_COMM_WORLD, comm)) {
        if (rank == MPI_UNDEFINED) return std::nullopt;
        key.add(static_cast<std::uint32_t>(rank));
    }
    return key.text();
}

// One server of names may serve several jobs of a batch system.
std::string batch_job() {
    FnvHash job;
    for (const char *name : {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID"})
        if (const char *id = std::getenv(name)) job.add(std::string_view(id));
    return job.text();
}

struct Place {
    MPI_Comm comm;
    const AtHand &hand;
    Joining joining;
    std::string board; // its processes
};

using Shared = std::optional<SharedSettings>; // empty: this board cannot be used

const char *variable(const char *name) {
    return std::getenv(name);
}

// Which board of several is this copy's.
template <class Try>
Shared on_first_free(Try try_board) {
    for (int copy = 1; copy <= most_copies; ++copy)
        if (Shared shared = try_board("." + std::to_string(copy))) return shared;
    return std::nullopt;
}

// Removed as the process ends, and not in MPI_Finalize: that would need an attribute, and a library that stays
// loaded. A run that rank 0 switches off at once does without the note of the launcher.
CPL_LB_SWITCHED_OFF_PATH Shared share_in_folder(const JobFolder &job, const Place &place) {
    return on_first_free([&](const std::string &copy) -> Shared {
        const std::string folder = job.path + "." + place.board + copy;
        FolderBoard board(folder);
        if (!board.usable()) return std::nullopt;
        Joining joining = place.joining;
        joining.is_possible = [&] {
            if (board.is_new()) note_launcher(board, job.launcher);
            return place.joining.is_possible();
        };
        Shared shared = share_settings(board, place.hand, joining);
        if (board.has_mine())
            FolderBoard::leave_at_exit(folder, RollCall::notice_of(place.hand.part.rank));
        else if (board.is_new() && !shared)
            rmdir(folder.c_str()); // only if it is empty
        return shared;
    });
}

bool is_spawned() {
    MPI_Comm parent = MPI_COMM_NULL;
    MPI_Comm_get_parent(&parent);
    return parent != MPI_COMM_NULL;
}

// OpenMPI under another launcher than its own, such as srun, prints pages of help when it is asked for a name.
bool names_are_kept() {
#if defined(OPEN_MPI)
    return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr;
#else
    return true;
#endif
}

// Spawned jobs share the names of the job that spawned them, and may have as many processes.
Shared share_by_names(const Place &place) {
    if (!names_are_kept() || is_spawned()) return std::nullopt;
    return on_first_free([&](const std::string &copy) -> Shared {
        PublishedNames board("cpl_lb." + batch_job() + "." + place.board + copy + ".", node_folder(variable));
        Shared shared = share_settings(board, place.hand, place.joining);
        if (!board.mine()->empty()) when_freed(MPI_COMM_SELF, [names = board.mine()] { take_down(*names); });
        return shared;
    });
}

// Among the processes that something switches on: the others do not know the folder.
Shared share_in_results(const Place &place) {
    const Settings &settings = place.hand.loaded.settings;
    const std::string job = job_name(variable);
    if (job.empty() || !settings.enabled) return std::nullopt;
    std::error_code error;
    std::filesystem::create_directories(settings.directory, error); // if not, the board is not usable
    return share_in_folder({settings.directory + "/.cpl_lb_roll." + job, {}}, place);
}

bool all_are_said_to_be_linked() {
    const char *said = std::getenv("CPL_LB_LINKED");
    return said != nullptr && std::string_view(said) == "all";
}

// A communicator that all processes make, whatever their settings say. Only where the user says that all will come.
SharedSettings share_with_all(const Place &place, MPI_Comm &own) {
    MPI_Comm made = MPI_COMM_NULL;
    std::string message;
    const auto nothing_more = [](const RankSet & /*all*/, std::string & /*message*/) { return CPL_LB_OK; };
    if (make_own_communicator(place.comm, RankSet::all(place.hand.part.size), made, message) != CPL_LB_OK)
        return without_board(place.hand, no_communicator_left);
    const auto spread = [&](std::string &text) {
        auto length = static_cast<int>(text.size());
        MPI_Bcast(&length, 1, MPI_INT, 0, made);
        text.resize(static_cast<std::size_t>(length));
        MPI_Bcast(text.data(), length, MPI_BYTE, 0, made);
    };
    SharedSettings shared = share_settings_of_root(place.hand, spread, {{}, nothing_more});
    if (shared.settings.enabled)
        own = made;
    else
        MPI_Comm_free(&made);
    return shared;
}

} // namespace

CPL_LB_SWITCHED_OFF_PATH SharedSettings call_roll(MPI_Comm comm, MPI_Comm &own) {
    int rank = 0, size = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const AtHand hand = look_around(rank, size);
    const auto join = [&](const RankSet &present, std::string &message) {
        return make_own_communicator(comm, present, own, message);
    };
    Place place{comm, hand, {has_a_communicator_left, join}, {}};
    if (size == 1)
        return share_settings_of_root(
            hand, [](std::string & /*text*/) {}, place.joining);
    if (const auto key = key_of(comm)) {
        place.board = *key;
        if (rank == 0 && hand.part.asks) remove_left_boards();
        if (const JobFolder here = job_folder(variable); !here.path.empty()) {
            if (Shared shared = share_in_folder(here, place)) return *shared;
        }
        if (Shared shared = share_by_names(place)) return *shared;
        if (Shared shared = share_in_results(place)) return *shared;
    }
    if (all_are_said_to_be_linked()) return share_with_all(place, own);
    return without_board(
        hand, "the processes of this job cannot find out which of them have cpl_lb: its launcher publishes no "
              "names, and they have no folder in common. Switched off. If all executables have it, say so "
              "with CPL_LB_LINKED=all");
}

namespace {

// Room is left for the number of words.
constexpr std::size_t longest_name = MPI_MAX_PORT_NAME < 1000 ? 200 : 900;

} // namespace

PublishedNames::PublishedNames(std::string board, JobFolder folder_of_node)
    : BoardOfWords(longest_name), board_(std::move(board)), folder_of_node_(std::move(folder_of_node)),
      mine_(std::make_shared<std::vector<std::string>>()) {}

// Between the look at a name and its publication another process may publish it, too: those of one node ask its
// memory.
bool PublishedNames::put_line(const std::string &name) {
    return is_first_of_node(name) && put(name, "yes");
}

bool PublishedNames::is_first_of_node(const std::string &name) const {
    if (folder_of_node_.path.empty()) return true;
    const std::string folder = folder_of_node_.path + "." + name;
    FolderBoard here(folder);
    if (!here.usable()) return true;
    if (here.is_new()) note_launcher(here, folder_of_node_.launcher);
    const std::string mine = RollCall::notice_of(0);
    if (!here.put(mine, "yes")) return false;
    FolderBoard::leave_at_exit(folder, mine);
    return true;
}

// Slurm and OpenMPI replace an old text and report success. After an error the others may see the name all the same,
// and count on this process.
bool PublishedNames::put_word(const std::string &name, const std::string &word) {
    if (get_word(name)) return false;
    mine_->reserve(mine_->size() + 1);
    const ErrorsReturned quiet;
    const int code = MPI_Publish_name((board_ + name).c_str(), MPI_INFO_NULL, word.c_str());
    if (code != MPI_SUCCESS && get_word(name) != word) return false;
    mine_->push_back(board_ + name);
    return true;
}

std::optional<std::string> PublishedNames::get_word(const std::string &name) {
    const ErrorsReturned quiet;
    std::array<char, MPI_MAX_PORT_NAME + 1> text{};
    if (MPI_Lookup_name((board_ + name).c_str(), MPI_INFO_NULL, text.data()) != MPI_SUCCESS) return std::nullopt;
    return std::string(text.data());
}

void take_down(const std::vector<std::string> &names) noexcept {
    try {
        const ErrorsReturned quiet;
        for (const std::string &name : names)
            MPI_Unpublish_name(name.c_str(), MPI_INFO_NULL, "");
    } catch (const std::exception &) { // no memory: the launcher forgets them
        return;
    }
}

} // namespace cpl_lb
