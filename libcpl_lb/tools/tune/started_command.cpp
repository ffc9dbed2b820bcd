// Starts a command without a shell.
#include "tools/tune/started_command.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <stdexcept>
#include <string_view>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace cpl_lb {
namespace {

[[noreturn]] void fail(const std::string &what, int error) {
    throw std::runtime_error(what + ": " + std::generic_category().message(error));
}

// Standard output and standard error go to a file.
class ToFile {
public:
    explicit ToFile(const std::string &path) {
        ::posix_spawn_file_actions_init(&actions_);
        ::posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, path.c_str(), O_WRONLY | O_CREAT | O_APPEND,
                                           0666);
        ::posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
    }
    ~ToFile() { ::posix_spawn_file_actions_destroy(&actions_); }
    ToFile(const ToFile &) = delete;
    ToFile &operator=(const ToFile &) = delete;
    [[nodiscard]] const posix_spawn_file_actions_t *actions() const { return &actions_; }

private:
    posix_spawn_file_actions_t actions_{};
};

std::vector<char *> pointers(std::vector<std::string> &words) {
    std::vector<char *> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string &word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

std::vector<std::string> environment_with(const std::string &results) {
    std::vector<std::string> environment = {"CPL_LB_ENABLED=1", "CPL_LB_DIR=" + results};
    for (char **one = ::environ; *one != nullptr; ++one) {
        const std::string_view word = *one;
        if (!word.starts_with("CPL_LB_ENABLED=") && !word.starts_with("CPL_LB_DIR=")) environment.emplace_back(word);
    }
    return environment;
}

} // namespace

std::string run_and_wait(const std::vector<std::string> &words, const std::string &results,
                         const std::string &output) {
    std::vector<std::string> arguments = words, environment = environment_with(results);
    const ToFile to_file(output);
    pid_t child = 0;
    const int error = ::posix_spawnp(&child, arguments.front().c_str(), to_file.actions(), nullptr,
                                     pointers(arguments).data(), pointers(environment).data());
    if (error != 0) fail("cannot start " + words.front(), error);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR) fail("waiting for " + words.front(), errno);
    if (WIFSIGNALED(status)) return "was ended by signal " + std::to_string(WTERMSIG(status));
    return WEXITSTATUS(status) == 0 ? "" : "ended with exit status " + std::to_string(WEXITSTATUS(status));
}

} // namespace cpl_lb
