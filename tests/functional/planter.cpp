// Somebody who may write into a folder and means harm: planter WHAT FOLDER BEGIN VICTIM waits for new names in FOLDER
// that start with BEGIN and at once, in the place of each, puts
//   link, second_name      one of the file VICTIM
//   pipe, folder
// It prints a line when it is ready and for each name, and runs until it is killed.
#include <array>
#include <cstdio>
#include <string>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

bool plant(const std::string &what, const std::string &path, const std::string &victim) {
    struct stat found {};
    if (::lstat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode) || found.st_nlink > 1) return false; // its own
    if (::unlink(path.c_str()) != 0) return false;
    if (what == "link") return ::symlink(victim.c_str(), path.c_str()) == 0;
    if (what == "second_name") return ::link(victim.c_str(), path.c_str()) == 0;
    if (what == "pipe") return ::mkfifo(path.c_str(), 0666) == 0;
    return ::mkdir(path.c_str(), 0777) == 0;
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    const std::string what = argv[1];
    const std::string folder = argv[2];
    const std::string begin = argv[3];
    ::alarm(120); // it does not outlive a test that fails
    const int events = ::inotify_init1(IN_CLOEXEC);
    if (events < 0 || ::inotify_add_watch(events, folder.c_str(), IN_CREATE | IN_MOVED_TO) < 0) return 1;
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    std::puts("ready");
    alignas(inotify_event) std::array<char, 65'536> buffer{};
    for (ssize_t got = 0; (got = ::read(events, buffer.data(), buffer.size())) > 0;) {
        for (ssize_t at = 0; at < got;) {
            const auto *event = reinterpret_cast<const inotify_event *>(buffer.data() + at);
            at += static_cast<ssize_t>(sizeof *event + event->len);
            const std::string name = event->len > 0 ? event->name : "";
            if (name.rfind(begin, 0) != 0 || !plant(what, folder + "/" + name, argv[4])) continue;
            std::printf("planted %s\n", name.c_str());
        }
    }
    return 1;
}
