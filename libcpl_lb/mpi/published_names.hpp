// A notice board of names that MPI publishes (MPI 3.1, 10.4.4): MPICH's launcher keeps them for all processes of a
// job.
#pragma once

#include "mpi/notice_board.hpp"

#include <mpi.h>

namespace cpl_lb {

class PublishedNames final : public NoticeBoard {
public:
    // Processes with the same ranks in MPI_COMM_WORLD share a board.
    explicit PublishedNames(MPI_Comm comm);
    [[nodiscard]] bool put(const std::string &name, const std::string &text) override;
    [[nodiscard]] std::optional<std::string> get(const std::string &name) override;
    [[nodiscard]] std::string full_name(const std::string &name) const { return board_ + name; }

private:
    std::string board_;
};

void take_down(const std::string &full_name) noexcept;

} // namespace cpl_lb
