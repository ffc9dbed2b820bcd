// The library's own communicator. MPI_Comm_dup would run the copy functions of the model's attributes, and so would
// MPI_Comm_create_group of OpenMPI, which also sends its messages where a receive of the model with MPI_ANY_TAG takes
// them (docs/decisions/roll_call.md).
#include "cpl_lb/cpl_lb.h"
#include "mpi/errors_returned.hpp"
#include "mpi/mpi_carrier.hpp"
#include "mpi/patience.hpp"
#include "mpi/shared_settings.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <memory>
#include <new>
#include <vector>

namespace cpl_lb {
namespace {

// Retries if memory is short, because others count on this process.
template <class Make>
auto with_patience(Make make) {
    constexpr std::chrono::microseconds longest_sleep{2000};
    for (Patience patience(longest_sleep);; patience.pause()) {
        try {
            return make();
        } catch (const std::bad_alloc &) { // the model's other processes may free some
        }
    }
}

// make(&comm) is a call of MPI. If it reports an error and there is a communicator all the same, the others have
// theirs and count on this process: it goes on with it.
template <class Make>
MPI_Comm made_by(Make make) {
    MPI_Comm made = MPI_COMM_NULL;
    static_cast<void>(make(&made));
    return made;
}

MPI_Comm of_all(MPI_Comm comm) {
    MPI_Group all = MPI_GROUP_NULL;
    MPI_Comm_group(comm, &all);
    MPI_Comm made = made_by([&](MPI_Comm *to) { return MPI_Comm_create(comm, all, to); });
    MPI_Group_free(&all);
    return made;
}

#if defined(OPEN_MPI)

// OpenMPI refuses tags below 0, which no receive of the model can have, only while it checks arguments.
class ArgumentsUnchecked {
public:
    ArgumentsUnchecked() : checks_(static_cast<bool *>(dlsym(RTLD_DEFAULT, "ompi_mpi_param_check"))) {
        if (checks_ == nullptr) return;
        before_ = *checks_;
        *checks_ = false;
    }
    ~ArgumentsUnchecked() {
        if (checks_ != nullptr) *checks_ = before_;
    }
    ArgumentsUnchecked(const ArgumentsUnchecked &) = delete;
    ArgumentsUnchecked &operator=(const ArgumentsUnchecked &) = delete;
    [[nodiscard]] int tag() const { return checks_ != nullptr ? below_those_of_collectives : 0x4c42; }

private:
    // Within 24 bits, which is what OpenMPI's UCX has; its nonblocking collective operations count down from -27.
    static constexpr int below_those_of_collectives = -(1 << 23) + 0x4c42;
    bool *checks_;
    bool before_ = true;
};

void free_if_made(MPI_Comm &comm) {
    if (comm == MPI_COMM_NULL || comm == MPI_COMM_SELF) return;
    MPI_Comm_free(&comm);
}

// Two halves of 1, 2, 4, ... processes become one, as in Dinan et al., Noncollective communicator creation in MPI
// (EuroMPI 2011), section 3. Neighbours that fail leave the others waiting, as in any collective operation.
MPI_Comm of_some(MPI_Comm comm, const std::vector<int> &ranks, int me) {
    const ArgumentsUnchecked unchecked;
    MPI_Comm mine = MPI_COMM_SELF;
    const int size = static_cast<int>(ranks.size());
    for (int half = 1; half < size && mine != MPI_COMM_NULL; half *= 2) {
        const int index = me / half;
        const int other = (index % 2 == 0 ? index + 1 : index - 1) * half;
        if (other >= size) continue;
        const int leader = ranks[static_cast<std::size_t>(other)];
        MPI_Comm both = MPI_COMM_NULL, between = made_by([&](MPI_Comm *to) {
                                           return MPI_Intercomm_create(mine, 0, comm, leader, unchecked.tag(), to);
                                       });
        if (between != MPI_COMM_NULL) {
            MPI_Comm_set_errhandler(between, MPI_ERRORS_RETURN);
            both = made_by([&](MPI_Comm *to) { return MPI_Intercomm_merge(between, index % 2, to); });
        }
        free_if_made(between);
        free_if_made(mine);
        if (both != MPI_COMM_NULL) MPI_Comm_set_errhandler(both, MPI_ERRORS_RETURN);
        mine = both;
    }
    if (mine != MPI_COMM_SELF) return mine;
    return of_all(MPI_COMM_SELF); // the only one
}

#else

MPI_Comm of_some(MPI_Comm comm, const std::vector<int> &ranks, int /*me*/) {
    constexpr int tag = 0x4c42;
    MPI_Group all = MPI_GROUP_NULL, some = MPI_GROUP_NULL;
    MPI_Comm_group(comm, &all);
    MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &some);
    MPI_Comm made = made_by([&](MPI_Comm *to) { return MPI_Comm_create_group(comm, some, tag, to); });
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    return made;
}

#endif

MPI_Comm of_those_present(MPI_Comm comm, const RankSet &present) {
    int size = 0, rank = 0;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    if (present.count() == size) return of_all(comm);
    const std::vector<int> ranks = with_patience([&] { return present.ranks(); });
    const auto me = std::ranges::lower_bound(ranks, rank) - ranks.begin();
    return of_some(comm, ranks, static_cast<int>(me));
}

} // namespace

// OpenMPI 4.1 reports that none is left, and gives one all the same, with which no message can be sent.
bool has_a_communicator_left() {
    const ErrorsReturned quiet({MPI_COMM_SELF});
    MPI_Group self = MPI_GROUP_NULL;
    MPI_Comm_group(MPI_COMM_SELF, &self);
    MPI_Comm made = MPI_COMM_NULL;
    const bool has = MPI_Comm_create(MPI_COMM_SELF, self, &made) == MPI_SUCCESS && made != MPI_COMM_NULL;
    MPI_Group_free(&self);
    if (has) MPI_Comm_free(&made);
    return has;
}

int make_own_communicator(MPI_Comm comm, const RankSet &present, MPI_Comm &own, std::string &message) {
    const auto quiet = with_patience([&] {
        return std::make_unique<ErrorsReturned>(std::vector<MPI_Comm>{comm, MPI_COMM_SELF});
    });
    own = of_those_present(comm, present);
    if (own != MPI_COMM_NULL) {
        MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
        return CPL_LB_OK;
    }
    message = no_communicator_left;
    return CPL_LB_EMPI;
}

} // namespace cpl_lb
