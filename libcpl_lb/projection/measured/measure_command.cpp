// Reads the energy meters around a command.
#include "projection/measured/measure_command.hpp"

#include "meters/energy.hpp"
#include "meters/meters_report.hpp"
#include "meters/sampler.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cpl_lb {
namespace {

// As a shell does: Ctrl-C ends the command, and we tell what it took until then.
class OnlyTheCommandIsInterrupted {
public:
    OnlyTheCommandIsInterrupted() {
        struct sigaction ignore {};
        ignore.sa_handler = SIG_IGN;
        ::sigaction(SIGINT, &ignore, &interrupt_);
        ::sigaction(SIGQUIT, &ignore, &quit_);
        ::posix_spawnattr_init(&for_the_command_);
        sigset_t both;
        ::sigemptyset(&both);
        if (interrupt_.sa_handler != SIG_IGN) ::sigaddset(&both, SIGINT); // who ignored it goes on doing so
        if (quit_.sa_handler != SIG_IGN) ::sigaddset(&both, SIGQUIT);
        ::posix_spawnattr_setsigdefault(&for_the_command_, &both);
        ::posix_spawnattr_setflags(&for_the_command_, POSIX_SPAWN_SETSIGDEF);
    }
    OnlyTheCommandIsInterrupted(const OnlyTheCommandIsInterrupted &) = delete;
    OnlyTheCommandIsInterrupted &operator=(const OnlyTheCommandIsInterrupted &) = delete;
    ~OnlyTheCommandIsInterrupted() {
        ::posix_spawnattr_destroy(&for_the_command_);
        ::sigaction(SIGINT, &interrupt_, nullptr);
        ::sigaction(SIGQUIT, &quit_, nullptr);
    }
    [[nodiscard]] const posix_spawnattr_t *attributes() const { return &for_the_command_; }

private:
    struct sigaction interrupt_ {
    }, quit_{};
    posix_spawnattr_t for_the_command_{};
};

void run_and_wait(const std::vector<std::string> &words, MeasuredCommand &measured) {
    std::vector<std::string> copies = words;
    std::vector<char *> pointers;
    pointers.reserve(copies.size() + 1);
    for (std::string &word : copies)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const OnlyTheCommandIsInterrupted interrupted;
    pid_t child = 0;
    const int error =
        ::posix_spawnp(&child, pointers[0], nullptr, interrupted.attributes(), pointers.data(), environ);
    if (error != 0) {
        measured.why_not_started = words[0] + ": " + std::strerror(error);
        measured.status = error == ENOENT ? 127 : 126;
        return;
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    measured.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::vector<MeasuredDomain> domains_of(const EnergyMeter &meter) {
    std::vector<MeasuredDomain> domains;
    for (const EnergyMeter::ZoneTotal &zone : meter.zones())
        domains.push_back({zone.name, zone.joules});
    const EnergyTotals totals = meter.totals();
    if (is_known(totals.package_and_dram_J)) domains.push_back({"package and DRAM", totals.package_and_dram_J});
    if (is_known(totals.total_J)) domains.push_back({"all", totals.total_J});
    return domains;
}

} // namespace

MeasuredCommand measure_command(const std::vector<std::string> &words) {
    EnergyMeter meter(reader_options_of_environment());
    const Availability state = meter.open();
    MeasuredCommand measured;
    if (!state.works) measured.why_no_energy = state.reason + (state.remedy.empty() ? "" : "; " + state.remedy);
    PeriodicThread samples; // a counter must not wrap twice unseen
    if (state.works && is_known(meter.longest_gap_s())) {
        const std::chrono::milliseconds gap(
            static_cast<std::int64_t>(std::clamp(meter.longest_gap_s() / 2, 0.1, 3600.0) * 1000));
        if (!samples.start(gap, [&meter, gap] {
                meter.sample();
                return gap;
            }))
            measured.remarks.emplace_back(
                "no thread could be started: in a long run a counter may have wrapped unseen");
    }
    if (state.works) meter.sample();
    const Nanoseconds start = steady_now();
    run_and_wait(words, measured);
    measured.seconds = to_seconds(steady_now() - start);
    samples.stop();
    if (!state.works) return measured;
    meter.sample();
    measured.source = meter.source();
    measured.domains = domains_of(meter);
    for (const std::string &remark : meter.remarks())
        measured.remarks.push_back(remark);
    return measured;
}

} // namespace cpl_lb
