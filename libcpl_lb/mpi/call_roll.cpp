// Letters alone where MPI leaves unread ones in peace; else with notices of who is there, and what is left is
// received before MPI looks for it.
#include "mpi/call_roll.hpp"

#include "cpl_lb/cpl_lb.h"
#include "mpi/careful_mailbox.hpp"
#include "mpi/published_names.hpp"
#include "mpi/receive_unread.hpp"
#include "mpi/roll_call_mail.hpp"
#include "mpi/when_freed.hpp"
#include "support/clock.hpp"
#include "support/fmt.hpp"

#include <array>
#include <cstdlib>
#include <memory>
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

// Letters that nobody reads, and notices. MPI looks for such letters when it frees a communicator, and
// MPI_COMM_WORLD it frees in MPI_Finalize.
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
    // A program may have two copies of the library in it, and then each has a board of its own.
    constexpr int most_copies = 3;
    for (int number = 1; number <= most_copies; ++number) {
        PublishedNames board(comm, number);
        if (!receive_at_the_end(comm, mail.tag(), board.mine())) break;
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
