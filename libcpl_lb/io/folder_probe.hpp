// Whether a folder of some process's file system is that of another process: a file with a random name and content
// that one makes and the other looks for. The same path on two nodes may be two folders.
#pragma once

#include <string>

namespace cpl_lb {

class FolderProbe {
public:
    // A token that is empty: nothing is made, and nobody sees it.
    FolderProbe(const std::string &folder, std::string token);
    ~FolderProbe();
    FolderProbe(const FolderProbe &) = delete;
    FolderProbe &operator=(const FolderProbe &) = delete;

    [[nodiscard]] static bool is_seen(const std::string &folder, const std::string &token);

private:
    std::string path_;
};

} // namespace cpl_lb
