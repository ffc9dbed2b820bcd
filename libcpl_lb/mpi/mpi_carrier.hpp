// Messages by MPI: non-blocking sends and receives that are tested. They use the library's own communicator.
#pragma once

#include "mpi/carrier.hpp"
#include "mpi/rank_set.hpp"

#include <mpi.h>
#include <set>
#include <string>

namespace cpl_lb {

class MpiCarrier final : public Carrier {
public:
    // comm has MPI_ERRORS_RETURN. Must outlive its messages.
    explicit MpiCarrier(MPI_Comm comm);

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int size() const override { return size_; }
    [[nodiscard]] std::unique_ptr<UnderWay> start_send(int to, int tag, std::span<const std::byte> data) override;
    [[nodiscard]] std::unique_ptr<UnderWay> start_receive(int from, int tag, std::size_t size) override;
    void send_empty(int to, int tag) noexcept override;
    void last_word() noexcept override;
    // Sleeps briefly between two tests, because MPI does not wake a process.
    void pause(Patience &patience, std::int64_t until_ns) override;
    [[nodiscard]] std::int64_t now_ns() override;
    [[nodiscard]] const std::string &first_error() const override { return first_error_; }
    void note_error(int code, const char *call);

private:
    MPI_Comm comm_;
    int rank_ = 0;
    int size_ = 1;
    std::set<int> peers_;
    std::string first_error_;
};

// The ranks in `there` of the processes of comm, in the order of comm; MPI_UNDEFINED for those that are not there.
[[nodiscard]] NumberList ranks_in(MPI_Comm there, MPI_Comm comm);

// Whether MPI can make one more communicator for this process, found out by itself.
[[nodiscard]] bool has_a_communicator_left();

// Creates the communicator for the library's messages, `own`, from the present ranks of comm, in their order, with
// MPI_ERRORS_RETURN. All of them have promised to call this, and it waits for them without a limit. Nothing of comm
// but its group gets into it: no attribute of the model is copied, none of its error handlers is called, and no
// receive of the model can take a message of it. Returns CPL_LB_OK, or an error and its message.
[[nodiscard]] int make_own_communicator(MPI_Comm comm, const RankSet &present, MPI_Comm &own, std::string &message);

} // namespace cpl_lb
