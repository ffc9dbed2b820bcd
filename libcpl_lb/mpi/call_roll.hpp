// The roll call of cpl_lb_init over a communicator of MPI: its letters, and the names that MPI publishes.
#pragma once

#include "mpi/careful_mailbox.hpp"
#include "mpi/mpi_carrier.hpp"
#include "mpi/shared_settings.hpp"

#include <deque>
#include <list>
#include <memory>
#include <mpi.h>
#include <string>
#include <utility>
#include <vector>

namespace cpl_lb {

[[nodiscard]] SharedSettings call_roll(MPI_Comm comm, const Join &join);

// The letters of the roll call over the model's communicator. They are probed for, so that no receive is ever given
// up. Their tag is one that models do not use.
class MpiMailbox final : public RollCallMailbox {
public:
    explicit MpiMailbox(MPI_Comm comm);
    // Keeps the memory of a letter that is still coming until the process ends: MPI may still write there.
    ~MpiMailbox() override;

    [[nodiscard]] int rank() const override { return carrier_.rank(); }
    [[nodiscard]] int size() const override { return carrier_.size(); }
    void send(int to, const Bytes &text) override;
    [[nodiscard]] std::optional<Mail> next() override;
    [[nodiscard]] bool all_sent() override;
    [[nodiscard]] bool broken() const override;
    [[nodiscard]] int tag() const { return tag_; }

private:
    void try_again();
    struct Coming {
        Mail mail;
        MPI_Request request = MPI_REQUEST_NULL;
    };
    MPI_Comm comm_;
    MpiCarrier carrier_;
    int tag_ = 0;
    std::list<Letter> sent_; // letters that nobody received keep their memory
    // Letters that MPI has not taken yet. They are tried again, because others may count on them.
    std::deque<std::pair<int, Bytes>> unsent_;
    SteadyTime unsent_since_;
    std::unique_ptr<Coming> coming_;
};

// A notice board of names that MPI publishes (MPI 3.1, 10.4.4): MPICH's launcher keeps them for all processes of a
// job.
class PublishedNames final : public NoticeBoard {
public:
    // Processes with the same ranks in MPI_COMM_WORLD and the same number share a board.
    PublishedNames(MPI_Comm comm, int number);
    [[nodiscard]] bool put(const std::string &name, const std::string &text) override;
    [[nodiscard]] std::optional<std::string> get(const std::string &name) override;
    // The names that this process published, for take_down(). The list may outlive this object.
    [[nodiscard]] const std::shared_ptr<std::vector<std::string>> &mine() const { return mine_; }

private:
    std::string board_;
    std::shared_ptr<std::vector<std::string>> mine_;
};

void take_down(const std::vector<std::string> &names) noexcept;

} // namespace cpl_lb
