// Calls perf_event_open and turns its errors into words.
#include "meters/perf_event_file.hpp"

#include "meters/small_file.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <unistd.h>

#if __has_include(<linux/perf_event.h>)
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#endif

namespace cpl_lb {

int system_perf_event_open(const PerfEventRequest &request) {
#if defined(PERF_FLAG_FD_CLOEXEC) && defined(SYS_perf_event_open)
    perf_event_attr attr = {};
    attr.size = sizeof attr;
    attr.type = request.type;
    attr.config = request.config;
    attr.config1 = request.config1;
    attr.config2 = request.config2;
    attr.exclude_kernel = request.exclude_kernel ? 1 : 0;
    attr.exclude_hv = request.exclude_kernel ? 1 : 0;
    attr.exclude_user = request.exclude_user ? 1 : 0;
    attr.disabled = request.stopped ? 1 : 0;
    attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_GROUP;
    return static_cast<int>(
        ::syscall(SYS_perf_event_open, &attr, request.process, request.cpu, request.group, PERF_FLAG_FD_CLOEXEC));
#else
    static_cast<void>(request);
    errno = ENOSYS;
    return -1;
#endif
}

namespace {

// 0: this is no perf event.
std::uint64_t id_of_event(int descriptor) noexcept {
    std::uint64_t id = 0;
#if defined(PERF_EVENT_IOC_ID)
    if (::ioctl(descriptor, PERF_EVENT_IOC_ID, &id) != 0) return 0;
#else
    static_cast<void>(descriptor);
#endif
    return id;
}

} // namespace

PerfEventFile::PerfEventFile(int descriptor) noexcept
    : file_(descriptor), id_(file_.was_opened() ? id_of_event(file_.number()) : 0) {}

PerfEventFile::~PerfEventFile() {
    if (is_open() && !is_ours()) file_.leave(); // the model's
}

bool PerfEventFile::is_ours() const noexcept {
    return file_.is_ours() && id_of_event(file_.number()) == id_;
}

bool PerfEventFile::start() const noexcept {
#if defined(PERF_EVENT_IOC_ENABLE)
    return is_ours() && ::ioctl(file_.number(), PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP) == 0;
#else
    return false;
#endif
}

std::optional<std::uint64_t> PerfEventFile::read() const noexcept {
    std::uint64_t count = 0;
    if (!read_group({&count, 1})) return std::nullopt;
    return count;
}

bool PerfEventFile::read_group(std::span<std::uint64_t> counts) const noexcept {
    struct {
        std::uint64_t events, enabled_ns, running_ns;
        std::array<std::uint64_t, most_in_group> counts;
    } all = {};
    const auto wanted = static_cast<ssize_t>((3 + counts.size()) * sizeof(std::uint64_t));
    if (counts.size() > most_in_group || !is_ours() ||
        ::read(file_.number(), &all, static_cast<std::size_t>(wanted)) != wanted)
        return false;
    // Both times advance together unless the group had to wait for hardware counters.
    const std::uint64_t waited_ns = all.enabled_ns > all.running_ns ? all.enabled_ns - all.running_ns : 0;
    if (waited_ns > all.enabled_ns / 100) return false;
    std::copy_n(all.counts.begin(), counts.size(), counts.begin());
    return true;
}

std::string perf_failure_reason(int error) {
    switch (error) {
    case EACCES:
    case EPERM:
        return fmt::format("the kernel forbids it to this user ({})", error_text(error));
    case ENOENT:
    case EOPNOTSUPP:
        return "this processor, or the virtual machine around it, does not offer the event";
    case ENOSYS:
        return "this kernel has no perf events";
    case EMFILE:
        return "too many open files";
    default:
        return fmt::format("perf_event_open failed: {}", error_text(error));
    }
}

std::string perf_failure_remedy(int error, const std::string &procfs_root, int needed_paranoid) {
    if (error != EACCES && error != EPERM) return {};
    const std::string rest = "CAP_PERFMON; in a container its seccomp profile must allow perf_event_open";
    const std::string level = read_text(procfs_root + "/sys/kernel/perf_event_paranoid").value_or("not readable");
    int known = needed_paranoid + 1;
    std::from_chars(level.data(), level.data() + level.size(), known); // -1 to 4
    if (known <= needed_paranoid) return fmt::format("kernel.perf_event_paranoid is {}: ask for {}", level, rest);
    return fmt::format("ask for kernel.perf_event_paranoid <= {} (it is {} here) or for {}", needed_paranoid, level,
                       rest);
}

} // namespace cpl_lb
