// Shows which run owns a folder for results: a hidden file in it names the run, which locks it as long as it lives.
// A run that died leaves the file without its lock, and the next run takes it over. And whether two processes see the
// same folder.
#pragma once

#include "io/files/file_handle.hpp"
#include "support/held_descriptor.hpp"

#include <string>

namespace cpl_lb {

struct ClaimingRun {
    std::string token; // different for all runs, also of the same name
    std::string id, host, started;
    long process = 0;
};

class FolderClaim {
public:
    // Makes the folder if it is missing. A folder that cannot be made or written to is not claimed: cpl_lb_terminate
    // says why. Throws std::bad_alloc only.
    FolderClaim(const std::string &folder, ClaimingRun mine);
    ~FolderClaim(); // gives the folder up
    FolderClaim(const FolderClaim &) = delete;
    FolderClaim &operator=(const FolderClaim &) = delete;

    // Another run that had the folder when this one began, or has taken it since (where files cannot be locked), in
    // words; empty: none.
    [[nodiscard]] std::string other_run() const;

private:
    void claim();
    [[nodiscard]] bool is_left_by_another_user();
    [[nodiscard]] bool is_held();
    void write_mine() const;

    std::string path_;
    ClaimingRun mine_;
    HeldDescriptor file_;
    bool claimed_ = false;
    std::string other_;
};

// A folder that nobody else has, inside `folder`; throws FileError.
[[nodiscard]] std::string new_folder_in(const std::string &folder, const std::string &name);

inline constexpr const char *claim_file_name = ".cpl_lb_run";

// Finds out whether two processes see the same folder: one makes a file with a random name and content, the other
// looks for it. The same path on two nodes may be two folders. On a disk that is nearly full the file also keeps room
// for the small results until they are written: timelines come first, and would take all of it.
class FolderProbe {
public:
    // With an empty token nothing is made, and nobody sees it.
    FolderProbe(const std::string &folder, std::string token);
    ~FolderProbe();
    FolderProbe(const FolderProbe &) = delete;
    FolderProbe &operator=(const FolderProbe &) = delete;

    [[nodiscard]] static bool is_seen(const std::string &folder, const std::string &token);
    // The room is for others now. Others still see the folder.
    void give_room_back() const;

private:
    std::string path_, token_;
    FileHandle file_;
};

} // namespace cpl_lb
