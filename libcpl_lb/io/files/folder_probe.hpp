// Finds out whether two processes see the same folder: one makes a file with a random name and content, the other
// looks for it. The same path on two nodes may be two folders.
#pragma once

#include <string>

namespace cpl_lb {

class FolderProbe {
public:
    // With an empty token nothing is made, and nobody sees it.
    FolderProbe(const std::string &folder, std::string token);
    ~FolderProbe();
    FolderProbe(const FolderProbe &) = delete;
    FolderProbe &operator=(const FolderProbe &) = delete;

    [[nodiscard]] static bool is_seen(const std::string &folder, const std::string &token);

private:
    std::string path_;
};

} // namespace cpl_lb
