// The letters of the roll call over the model's communicator: probed for, so that no receive is ever given up, and
// sent with a tag that models do not use.
#pragma once

#include "gather/letter.hpp"
#include "gather/roll_call.hpp"

#include <list>
#include <memory>
#include <mpi.h>

namespace cpl_lb {

class MpiMailbox final : public Mailbox {
public:
    explicit MpiMailbox(MPI_Comm comm);
    // What is still coming keeps its memory until the process ends: MPI may still write there.
    ~MpiMailbox() override;

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int size() const override { return size_; }
    void send(int to, const Bytes &text) override;
    [[nodiscard]] std::optional<Mail> next() override;
    [[nodiscard]] bool all_sent(); // as far as others took them
    // A message could not even be begun.
    [[nodiscard]] bool broken() const { return broken_; }
    [[nodiscard]] int tag() const { return tag_; }

private:
    struct Coming {
        Mail mail;
        MPI_Request request = MPI_REQUEST_NULL;
    };
    MPI_Comm comm_;
    int rank_ = 0;
    int size_ = 1;
    int tag_ = 0;
    bool broken_ = false;
    std::list<Letter> sent_; // those that nobody received keep their memory
    std::unique_ptr<Coming> coming_;
};

} // namespace cpl_lb
