// Letters alone where MPI leaves unread ones in peace; else with notices of who is there, and what is left is
// received before MPI looks for it.
#include "mpi/call_roll.hpp"

#include "cpl_lb/cpl_lb.h"
#include "mpi/careful_mailbox.hpp"
#include "mpi/published_names.hpp"
#include "mpi/roll_call_mail.hpp"
#include "support/clock.hpp"
#include "support/fmt.hpp"
#include "support/stay_loaded.hpp"

#include <array>
#include <cstdlib>
#include <memory>
#include <new>
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

// What a process leaves behind.
struct Left {
    MPI_Comm comm;
    int tag;
    std::shared_ptr<std::vector<std::string>> notices;
};

bool receive_one(const Left &left) {
    int found = 0;
    int bytes = 0;
    MPI_Status status{};
    if (MPI_Iprobe(MPI_ANY_SOURCE, left.tag, left.comm, &found, &status) != MPI_SUCCESS || found == 0) return false;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    std::vector<std::byte> text(static_cast<std::size_t>(bytes > 0 ? bytes : 0));
    return MPI_Recv(text.data(), bytes, MPI_BYTE, status.MPI_SOURCE, left.tag, left.comm, MPI_STATUS_IGNORE) ==
           MPI_SUCCESS;
}

// A probe is one look at what has come, and another letter may be behind what it finds.
void receive_what_is_left(const Left &left) {
    constexpr int looks = 20;
    for (int in_vain = 0; in_vain < looks; ++in_vain)
        if (receive_one(left)) in_vain = -1;
}

extern "C" {
static int cpl_lb_communicator_ends(MPI_Comm /*comm*/, int /*key*/, void *value, void * /*extra*/) {
    const std::unique_ptr<Left> left(static_cast<Left *>(value));
    take_down(*left->notices); // so that nobody writes any more
    try {
        receive_what_is_left(*left);
    } catch (const std::bad_alloc &) { // MPI tells of it
    }
    return MPI_SUCCESS;
}
}

// MPI looks for unread letters when it frees a communicator, and MPI_COMM_WORLD it frees in MPI_Finalize. There
// messages work while the attributes of MPI_COMM_SELF are deleted, and no longer (MPI 3.1, 8.7.1).
bool receive_at_the_end(Left of_this) {
    int is_world = MPI_UNEQUAL;
    MPI_Comm_compare(of_this.comm, MPI_COMM_WORLD, &is_world);
    MPI_Comm watched = is_world == MPI_IDENT ? MPI_COMM_SELF : of_this.comm;
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &cpl_lb_communicator_ends, &key, nullptr);
    if (key == MPI_KEYVAL_INVALID) return false;
    stay_loaded(); // MPI calls it, also if all else fails here
    auto left = std::make_unique<Left>(std::move(of_this));
    const bool set = MPI_Comm_set_attr(watched, key, left.get()) == MPI_SUCCESS;
    if (set) static_cast<void>(left.release());
    MPI_Comm_free_keyval(&key); // lives on with the attribute
    return set;
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
    // A program may have two copies of the library in it, and then each has a board of its own.
    constexpr int most_copies = 3;
    for (int number = 1; number <= most_copies; ++number) {
        PublishedNames board(comm, number);
        if (!receive_at_the_end({comm, mail.tag(), board.mine()})) break;
        if (all_are_said_to_be_linked()) return share_settings(mail, join);
        if (is_spawned()) break; // such jobs share the names of the one that began them
        CarefulMailbox careful(mail, board, monotonic_s);
        if (careful.announce()) return share_settings(careful, join);
    }
    return without_letters(
        mail.rank(), fmt::format("with {} a message to a process without cpl_lb ends the model, and names that MPI "
                                 "publishes, which would tell who has it, are not to be had here: switched off. If "
                                 "all executables have it, say so with CPL_LB_LINKED=all",
                                 first_line(mpi)));
}

} // namespace cpl_lb
