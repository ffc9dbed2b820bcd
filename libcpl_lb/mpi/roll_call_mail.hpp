// The letters of the roll call over the model's communicator. They are probed for, so that no receive is ever given
// up, and have a tag that models do not use.
#pragma once

#include "mpi/mpi_carrier.hpp"
#include "mpi/shared_settings.hpp"

#include <deque>
#include <list>
#include <memory>
#include <mpi.h>
#include <utility>

namespace cpl_lb {

class MpiMailbox final : public RollCallMailbox {
public:
    explicit MpiMailbox(MPI_Comm comm);
    // A letter that is still coming keeps its memory until the process ends: MPI may still write there.
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
    // Letters that MPI did not take yet. Others may count on them, so they are tried again.
    std::deque<std::pair<int, Bytes>> unsent_;
    SteadyTime unsent_since_;
    std::unique_ptr<Coming> coming_;
};

} // namespace cpl_lb
