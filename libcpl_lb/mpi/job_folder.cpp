// The name is a hash of what tells the job from all others: the address of OpenMPI's daemon, the start of the process
// that launched MPICH's job here, or the batch system's number of the step.
#include "mpi/job_folder.hpp"

#include "mpi/folder_board.hpp"
#include "support/fnv_hash.hpp"
#include "support/switched_off_path.hpp"

#include <array>
#include <cstdlib>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cpl_lb {
namespace {

CPL_LB_SWITCHED_OFF_PATH std::string text_of(const Variables &variables, const char *name) {
    const char *text = variables(name);
    return text != nullptr ? text : "";
}

CPL_LB_SWITCHED_OFF_PATH bool are_equal(const Variables &variables, const char *a, const char *b) {
    const std::string one = text_of(variables, a);
    return !one.empty() && one == text_of(variables, b);
}

std::string names_begin() {
    return "cpl_lb." + std::to_string(geteuid()) + ".";
}

CPL_LB_SWITCHED_OFF_PATH std::string hash_of(const std::string &text) {
    FnvHash hash;
    hash.add(text);
    return hash.text();
}

std::string in_memory_of_node(std::string_view name) {
    return std::string(memory_of_node) + "/" + std::string(name);
}

CPL_LB_SWITCHED_OFF_PATH JobFolder folder_of(const std::string &job, const std::string &launcher) {
    if (job.empty()) return {};
    return {in_memory_of_node(names_begin() + hash_of(job)), launcher};
}

// What is here runs in every cpl_lb_init, switched off, too: without streams, whose locales take longer than the
// rest.
std::string text_of_file(const std::string &path) {
    std::array<char, 1024> text{};
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const ssize_t length = descriptor < 0 ? -1 : read(descriptor, text.data(), text.size());
    if (descriptor >= 0) close(descriptor);
    return {text.data(), length < 0 ? 0 : static_cast<std::size_t>(length)};
}

std::string target_of_link(const char *path) {
    std::array<char, 256> text{};
    const ssize_t length = readlink(path, text.data(), text.size());
    return {text.data(), length < 0 ? 0 : static_cast<std::size_t>(length)};
}

// When the process began, in ticks since the machine started; empty: there is no such process.
std::string start_of(long process) {
    const std::string line = text_of_file("/proc/" + std::to_string(process) + "/stat");
    std::size_t at = line.rfind(')');   // the name may have blanks
    constexpr int blanks_to_start = 20; // proc(5): field 22, and the name is field 2
    for (int i = 0; i < blanks_to_start && at != std::string::npos; ++i)
        at = line.find(' ', at + 1);
    if (at == std::string::npos) return {};
    return line.substr(at + 1, line.find(' ', at + 1) - at - 1);
}

// In which numbers of processes count, and paths lead: a container may share the node's memory and nothing else.
std::string namespaces() {
    return target_of_link("/proc/self/ns/pid") + target_of_link("/proc/self/ns/mnt");
}

// The process that launched MPICH's job on this node holds the other end of this socket.
JobFolder folder_of_launcher(const std::string &descriptor) {
    ucred other{};
    socklen_t size = sizeof other;
    const int socket = std::atoi(descriptor.c_str());
    if (descriptor.empty() || getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &other, &size) != 0) return {};
    const std::string start = other.pid > 0 ? start_of(other.pid) : "";
    if (start.empty()) return {};
    return folder_of("mpich " + target_of_link("/proc/self/ns/pid") + " " + std::to_string(other.pid) + " " + start,
                     "/proc/" + std::to_string(other.pid));
}

std::string step_of_slurm(const Variables &variables) {
    const std::string job = text_of(variables, "SLURM_JOB_ID");
    const std::string step = text_of(variables, "SLURM_STEP_ID");
    const std::string again = text_of(variables, "SLURM_RESTART_COUNT"); // of a job that was put back into the queue
    return job.empty() || step.empty() ? "" : "slurm " + job + " " + step + " " + again;
}

// Of a run that was switched off at once: who comes later than that finds it off by itself.
bool is_old(const std::string &folder) {
    constexpr time_t long_s = 3600;
    struct stat found {};
    return lstat(folder.c_str(), &found) == 0 && time(nullptr) - found.st_mtime > long_s;
}

// Its last process may remove the folder meanwhile: it is not made anew.
std::optional<std::string> launcher_noted_in(const std::string &folder) {
    FolderBoard board(folder, false);
    return board.usable() ? board.get("launcher") : std::nullopt;
}

} // namespace

CPL_LB_SWITCHED_OFF_PATH JobFolder node_folder(const Variables &variables) {
    if (variables("OMPI_COMM_WORLD_SIZE") != nullptr) {
        const std::string session = text_of(variables, "PMIX_SERVER_TMPDIR");
        const std::string job = text_of(variables, "PMIX_NAMESPACE");
        if (session.empty() || job.empty()) return {};
        std::string daemon;
        for (const char *name : {"PMIX_SERVER_URI2", "PMIX_SERVER_URI3", "PMIX_SERVER_URI4", "PMIX_SERVER_URI41"})
            daemon += text_of(variables, name);
        return folder_of("openmpi " + session + " " + job + " " + daemon, session);
    }
    if (variables("MPI_LOCALNRANKS") != nullptr) return folder_of_launcher(text_of(variables, "PMI_FD"));
    return folder_of(step_of_slurm(variables), {});
}

CPL_LB_SWITCHED_OFF_PATH JobFolder job_folder(const Variables &variables) {
    const bool is_on_one_node =
        variables("OMPI_COMM_WORLD_SIZE") != nullptr
            ? are_equal(variables, "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE")
            : (variables("MPI_LOCALNRANKS") != nullptr ? are_equal(variables, "MPI_LOCALNRANKS", "PMI_SIZE")
                                                       : text_of(variables, "SLURM_STEP_NUM_NODES") == "1");
    return is_on_one_node ? node_folder(variables) : JobFolder{};
}

std::string job_name(const Variables &variables) {
    const std::string of_daemon = text_of(variables, "PMIX_NAMESPACE");
    const std::string job = of_daemon.empty() ? step_of_slurm(variables) : of_daemon;
    return job.empty() ? job : hash_of(job);
}

void note_launcher(FolderBoard &board, const std::string &launcher) {
    static_cast<void>(board.put("launcher", launcher.empty() ? "unknown" : namespaces() + launcher));
}

void remove_left_boards() noexcept {
    const std::unique_ptr<DIR, int (*)(DIR *)> list(opendir(memory_of_node), closedir);
    try {
        const std::string begin = names_begin();
        const std::string seen_from = namespaces();
        while (const dirent *entry = list ? readdir(list.get()) : nullptr) {
            if (!std::string_view(entry->d_name).starts_with(begin)) continue;
            const std::string folder = in_memory_of_node(entry->d_name);
            const std::optional<std::string> launcher = launcher_noted_in(folder);
            const bool is_left =
                launcher ? launcher->starts_with(seen_from) && access(launcher->c_str() + seen_from.size(), F_OK) != 0
                         : is_old(folder);
            if (is_left) FolderBoard::remove(folder);
        }
    } catch (const std::exception &) { // no memory: they stay for the next run
        return;
    }
}

} // namespace cpl_lb
