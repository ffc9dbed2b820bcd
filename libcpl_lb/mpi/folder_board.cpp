// Makes, reads and removes the links.
#include "mpi/folder_board.hpp"

#include "support/switched_off_path.hpp"

#include <array>
#include <dirent.h>
#include <fcntl.h>
#include <list>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace cpl_lb {
namespace {

constexpr std::size_t longest_link = 2000; // every file system has room for twice as much

// Not here: whatever another user, or another kind of file, put in its place.
CPL_LB_SWITCHED_OFF_PATH int open_own_folder(const std::string &folder) {
    const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat found {};
    if (descriptor < 0) return -1;
    const bool is_own = fstat(descriptor, &found) == 0 && found.st_uid == geteuid() && (found.st_mode & 077U) == 0;
    if (is_own) return descriptor;
    close(descriptor);
    return -1;
}

} // namespace

CPL_LB_SWITCHED_OFF_PATH FolderBoard::FolderBoard(const std::string &folder, bool make)
    : BoardOfWords(longest_link), is_in_memory_(folder.starts_with(memory_of_node)),
      is_new_(make && is_in_memory_ && mkdir(folder.c_str(), S_IRWXU) == 0), descriptor_(open_own_folder(folder)) {
    if (descriptor_ >= 0 || !make) return;
    is_new_ = mkdir(folder.c_str(), S_IRWXU) == 0; // another process may have been faster, or has just removed it
    descriptor_ = open_own_folder(folder);
}

FolderBoard::~FolderBoard() {
    if (descriptor_ >= 0) close(descriptor_);
}

CPL_LB_SWITCHED_OFF_PATH bool FolderBoard::put_word(const std::string &name, const std::string &word) {
    const bool done = symlinkat(word.c_str(), descriptor_, name.c_str()) == 0;
    has_mine_ = has_mine_ || done;
    return done;
}

CPL_LB_SWITCHED_OFF_PATH std::optional<std::string> FolderBoard::get_word(const std::string &name) {
    std::array<char, 2 * longest_link> text; // NOLINT(*-member-init): written as far as it is read
    const ssize_t length = readlinkat(descriptor_, name.c_str(), text.data(), text.size());
    return length < 0 ? std::nullopt : std::optional(std::string(text.data(), static_cast<std::size_t>(length)));
}

namespace {

struct List {
    explicit List(const std::string &folder) : descriptor(open_own_folder(folder)) {
        if (descriptor >= 0) entries = fdopendir(descriptor);
        if (descriptor >= 0 && entries == nullptr) close(descriptor);
    }
    ~List() {
        if (entries != nullptr) closedir(entries);
    }
    List(const List &) = delete;
    List &operator=(const List &) = delete;
    int descriptor;
    DIR *entries = nullptr;
};

void remove_all(const List &list, const std::string &folder) {
    rewinddir(list.entries);
    while (const dirent *entry = readdir(list.entries))
        unlinkat(list.descriptor, entry->d_name, 0);
    rmdir(folder.c_str()); // only if it is empty
}

} // namespace

void FolderBoard::leave(const std::string &folder, const std::string &name) noexcept {
    const List list(folder);
    if (list.entries == nullptr) return;
    unlinkat(list.descriptor, name.c_str(), 0);
    while (const dirent *entry = readdir(list.entries))
        if (std::string_view(entry->d_name).starts_with("here.")) return;
    remove_all(list, folder);
}

namespace {

// Their destructors run as the process ends, or as the library is unloaded.
struct Leaving {
    Leaving(std::string of, std::string mine) : folder(std::move(of)), name(std::move(mine)), process(getpid()) {}
    ~Leaving() {
        if (getpid() == process) FolderBoard::leave(folder, name);
    }
    Leaving(const Leaving &) = delete;
    Leaving &operator=(const Leaving &) = delete;
    std::string folder, name;
    pid_t process;
};

} // namespace

CPL_LB_SWITCHED_OFF_PATH void FolderBoard::leave_at_exit(const std::string &folder, const std::string &name) {
    static std::list<Leaving> leaving;
    leaving.emplace_back(folder, name);
}

void FolderBoard::remove(const std::string &folder) noexcept {
    if (const List list(folder); list.entries != nullptr) remove_all(list, folder);
}

} // namespace cpl_lb
