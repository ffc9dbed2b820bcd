// The roll call of cpl_lb_init over the processes of a communicator of MPI: which notice board this job has.
#pragma once

#include "mpi/job_folder.hpp"
#include "mpi/notice_board.hpp"
#include "mpi/shared_settings.hpp"

#include <memory>
#include <mpi.h>
#include <string>
#include <vector>

namespace cpl_lb {

// own: the library's own communicator, if this process takes part in a recording.
[[nodiscard]] SharedSettings call_roll(MPI_Comm comm, MPI_Comm &own);

// A notice board of names that MPI publishes (MPI 3.1, 10.4.4): MPICH's and OpenMPI's launchers keep them for all
// processes of a job.
class PublishedNames final : public BoardOfWords {
public:
    // Processes that give the same `board` share one. folder_of_node: a folder in the node's memory that only this
    // job's processes use; empty: none.
    PublishedNames(std::string board, JobFolder folder_of_node);
    [[nodiscard]] bool put_line(const std::string &name) override;
    [[nodiscard]] bool first_stays() const override { return false; } // some launchers replace the old text
    // The names that this process published, for take_down(). The list may outlive this object.
    [[nodiscard]] const std::shared_ptr<std::vector<std::string>> &mine() const { return mine_; }

private:
    [[nodiscard]] bool is_first_of_node(const std::string &name) const;
    [[nodiscard]] bool put_word(const std::string &name, const std::string &word) override;
    [[nodiscard]] std::optional<std::string> get_word(const std::string &name) override;

    std::string board_;
    JobFolder folder_of_node_;
    std::shared_ptr<std::vector<std::string>> mine_;
};

void take_down(const std::vector<std::string> &names) noexcept;

} // namespace cpl_lb
