// A notice board of names that MPI publishes (MPI 3.1, 10.4.4): MPICH's launcher keeps them for all processes of a
// job.
#pragma once

#include "mpi/notice_board.hpp"

#include <memory>
#include <mpi.h>
#include <string>
#include <vector>

namespace cpl_lb {

class PublishedNames final : public NoticeBoard {
public:
    // Processes with the same ranks in MPI_COMM_WORLD and the same number share a board.
    PublishedNames(MPI_Comm comm, int number);
    [[nodiscard]] bool put(const std::string &name, const std::string &text) override;
    [[nodiscard]] std::optional<std::string> get(const std::string &name) override;
    // The names that this process put up, for take_down(). The list may outlive this object.
    [[nodiscard]] const std::shared_ptr<std::vector<std::string>> &mine() const { return mine_; }

private:
    std::string board_;
    std::shared_ptr<std::vector<std::string>> mine_;
};

void take_down(const std::vector<std::string> &names) noexcept;

} // namespace cpl_lb
