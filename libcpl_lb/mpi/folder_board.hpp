// A notice board of symbolic links in a folder that only this job's processes use: in the node's memory, or in the
// folder for results. A link is made in one call, with its text, and the first one stays. Nothing is left of it
// when the processes have left.
#pragma once

#include "mpi/notice_board.hpp"

#include <string>

namespace cpl_lb {

inline constexpr const char *memory_of_node = "/dev/shm";

class FolderBoard final : public BoardOfWords {
public:
    // make: if the folder is not there. A folder of another user, or a link, is not used.
    explicit FolderBoard(const std::string &folder, bool make = true);
    ~FolderBoard() override;

    [[nodiscard]] bool usable() const { return descriptor_ >= 0; }
    [[nodiscard]] bool has_mine() const { return has_mine_; } // this process put something up
    [[nodiscard]] bool first_stays() const override { return true; }
    [[nodiscard]] bool is_on_this_node() const override { return is_in_memory_; }

    [[nodiscard]] bool is_new() const { return is_new_; } // this process made the folder

    // Takes down the notice `name` of a process that leaves; the last one removes the folder.
    static void leave(const std::string &folder, const std::string &name) noexcept;
    // Does that when this process ends, unless it is killed. Not in a forked child.
    static void leave_at_exit(const std::string &folder, const std::string &name);
    static void remove(const std::string &folder) noexcept;

private:
    [[nodiscard]] bool put_word(const std::string &name, const std::string &word) override;
    [[nodiscard]] std::optional<std::string> get_word(const std::string &name) override;

    bool is_in_memory_,
        is_new_; // on a shared disk it is looked for before it is made: thousands would make it at once
    int descriptor_;
    bool has_mine_ = false;
};

} // namespace cpl_lb
