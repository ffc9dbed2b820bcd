// The one place that looks at the real environment and file system for settings.
#include "io/settings/namelist.hpp"
#include "io/settings/settings_source.hpp"
#include "io/settings/settings_table.hpp"
#include "support/fmt.hpp"
#include "support/switched_off_path.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h> // environ
#include <utility>

namespace cpl_lb {

namespace {

// The folder where the program was started: a model may change its directory before it comes to cpl_lb_init.
std::array<char, 4096> start_folder{};

__attribute__((constructor)) void remember_start_folder() {
    if (::getcwd(start_folder.data(), start_folder.size()) == nullptr) start_folder[0] = '\0';
}

CPL_LB_SWITCHED_OFF_PATH std::string working_folder() {
    std::array<char, start_folder.size()> here; // NOLINT(*-member-init): written as far as it is read
    return ::getcwd(here.data(), here.size()) == nullptr ? "" : here.data();
}

Environment read_environ() {
    Environment ours;
    for (char **variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        const std::size_t equals = text.find('=');
        if (!text.starts_with(environment_prefix) || equals == std::string_view::npos) continue;
        ours.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return ours;
}

struct FileDescriptor {
    int number;
    explicit FileDescriptor(int of) : number(of) {}
    FileDescriptor(const FileDescriptor &) = delete;
    FileDescriptor &operator=(const FileDescriptor &) = delete;
    ~FileDescriptor() {
        if (number >= 0) ::close(number);
    }
};

// "" or why not. A file that does not exist is no mistake; one byte too many is read, so that the parser can tell.
CPL_LB_SWITCHED_OFF_PATH std::string read_text(NamelistFile &file) {
    const FileDescriptor descriptor(::open(file.name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (descriptor.number < 0 && errno == ENOENT) return {};
    struct stat status {};
    if (descriptor.number < 0 || ::fstat(descriptor.number, &status) != 0)
        return std::system_category().message(errno);
    if (!S_ISREG(status.st_mode)) return "not a regular file"; // a pipe could make the model wait
    std::string text(namelist_max_bytes + 1, '\0');
    std::size_t length = 0;
    while (length < text.size()) {
        const ssize_t got = ::read(descriptor.number, text.data() + length, text.size() - length);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return std::system_category().message(errno);
        if (got == 0) break;
        length += static_cast<std::size_t>(got);
    }
    text.resize(length);
    file.text = std::move(text);
    return {};
}

} // namespace

CPL_LB_SWITCHED_OFF_PATH SettingsResult load_settings_from_system() {
    SettingsResult result;
    result.folder = working_folder();
    const Environment environment = read_environ();
    NamelistFile file{std::string(namelist_default_file), {}};
    const auto named = environment.find(environment_of_namelist);
    const bool other = named != environment.end() && !named->second.empty();
    if (other) file.name = named->second;
    std::string wrong = read_text(file);
    if (wrong.empty() && !file.text && !file.name.starts_with('/') && start_folder[0] != '\0' &&
        result.folder != start_folder.data()) {
        NamelistFile at_start{std::string(start_folder.data()) + "/" + file.name, {}};
        wrong = read_text(at_start);
        if (!wrong.empty() || at_start.text) file = std::move(at_start);
    }
    if (!wrong.empty()) {
        result.error = NamelistError{file.name, 0, "", wrong}.text();
        result.found_namelist = true;
        return result;
    }
    if (!file.text && environment.empty()) return result; // most runs: switched off, and nothing to read
    std::string folder = std::move(result.folder);
    result = load_settings(file, environment);
    result.folder = std::move(folder);
    if (other && !file.text && result.warning.empty()) {
        result.warning =
            fmt::format("{}: there is no file {}", environment_of_namelist, quoted_for_message(file.name));
    }
    return result;
}

} // namespace cpl_lb
