// Runs the roll call and puts its outcome into words.
#include "mpi/shared_settings.hpp"

#include "cpl_lb/cpl_lb.h"
#include "io/settings/settings_codec.hpp"
#include "mpi/patience.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/messages.hpp"
#include "support/switched_off_path.hpp"
#include "support/system.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace cpl_lb {
namespace {

constexpr std::chrono::microseconds longest_sleep_of_settings{2000};
constexpr double longest_wait_when_off_s = 5.0;
constexpr double longest_wait_by_default_s = 30.0;
constexpr double least_wait_s = 0.5;
constexpr double tells_who_is_awaited_after_s = 5.0;

double now_s() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string why_off(const SettingsResult &loaded) {
    return (loaded.found_namelist ? "they say ln_lb = .false. (" : "it finds no namelist_cpl_lb (") + loaded.folder +
           ")";
}

// One line, without its end.
std::string own_version() {
    std::string version = settings_header();
    version.erase(std::min(version.find('\n'), version.size()));
    return version;
}

} // namespace

CPL_LB_SWITCHED_OFF_PATH AtHand look_around(int rank, int size) {
    AtHand hand;
    hand.part.rank = rank;
    hand.part.size = size;
    hand.part.version = own_version();
    hand.loaded = load_settings_from_system();
    SettingsResult &loaded = hand.loaded;
    hand.folder_is_relative = !loaded.settings.directory.starts_with('/');
    hand.part.asks = loaded.settings.enabled || !loaded.error.empty();
    hand.part.patience_s = first_wait_s(loaded.settings.enabled, loaded.timeout_given, loaded.settings.timeout_s);
    if (!loaded.error.empty()) hand.part.code = CPL_LB_ENAMELIST;
    if (!loaded.settings.enabled) {
        hand.part.off_because = why_off(loaded);
        return hand;
    }
    // The masters of other components may run in other directories.
    if (std::error_code error; !loaded.settings.directory.empty() && loaded.settings.directory.front() != '/') {
        const std::filesystem::path here = std::filesystem::current_path(error);
        if (!error) loaded.settings.directory = (here / loaded.settings.directory).lexically_normal().string();
    }
    hand.part.settings = encode(loaded.settings);
    if (hand.part.settings.size() <= encoded_settings_max_bytes) return hand;
    loaded.error = "cn_dir: the path is too long";
    hand.part.settings.clear();
    hand.part.code = CPL_LB_ENAMELIST;
    return hand;
}

namespace {

std::string some_of_all(const RankSet &missing, int size) {
    return fmt::format("{} of {} processes did not come to cpl_lb_init ({} {})", missing.count(), size,
                       word_for(missing.count(), "rank"), missing.text());
}

RankSet not_come(const RollCall &call, int size) {
    return RankSet::all(size).without(call.came());
}

// Only the leader knows whom it waits for.
void tell_who_is_awaited(const RollCall &call, int size, double rest_s) {
    tell(fmt::format(
        "{} so far: cpl_lb waits at most {:.0f} s more for them. An executable without the library never comes; "
        "rn_timeout sets how long to wait",
        some_of_all(not_come(call, size), size), std::max(rest_s, 0.0)));
}

// One step. If memory is short it is tried again, because others count on this process.
bool goes_on(RollCall &call) {
    try {
        return call.step();
    } catch (const std::exception &) {
        return true;
    }
}

void hold(RollCall &call, int size, bool asks) {
    Patience patience(longest_sleep_of_settings);
    const double told_at_s = now_s() + tells_who_is_awaited_after_s;
    bool told = !asks;
    while (goes_on(call)) {
        if (const double now = now_s(); !told && now >= told_at_s) {
            told = true;
            if (call.leads()) tell_who_is_awaited(call, size, call.ends_at_s() - now);
        }
        patience.pause();
    }
}

// For the first process that asks.
std::string asks_in_vain(const Verdict &v, int rank) {
    const std::string others =
        v.late
            ? fmt::format("the others waited {:.1f} s for it, found nothing that says so, and went on", v.patience_s)
            : fmt::format("the settings of process {} count, and {}", v.root, v.off_because);
    return fmt::format(
        "process {} is told to record, but {}: switched off. Put namelist_cpl_lb there, or name it for "
        "all processes with CPL_LB_NAMELIST",
        rank, others);
}

// For the process that led.
std::string off_in_words(const RollCall &call, const AtHand &hand, int size, double waited_s) {
    if (!hand.loaded.error.empty()) return hand.loaded.error;
    if (call.verdict().root != 0) {
        const RankSet missing = not_come(call, size);
        return fmt::format("switched off; {} of {} processes did not answer in cpl_lb_init ({} {}), which cost "
                           "{:.1f} s: they come later, or their executables lack the library (link it into all, or "
                           "into none)",
                           missing.count(), size, word_for(missing.count(), "rank"), missing.text(), waited_s);
    }
    return hand.loaded.warning;
}

std::string unreadable_in_words(const Verdict &v) {
    const std::string mine = version_of_settings(settings_header());
    const std::string theirs = version_of_settings(v.version + "\n");
    if (theirs.empty() || theirs == mine) {
        return fmt::format("the settings of process {} cannot be read: is this executable linked with another "
                           "version of cpl_lb? Switched off here",
                           v.root);
    }
    return fmt::format("this executable on {} has cpl_lb {}, and process {} has cpl_lb {}: these versions cannot "
                       "work together. Switched off here; link all executables with one version",
                       host_name(), mine, v.root, theirs);
}

// A process without a namelist of its own has no differences.
std::string differing_in_words(const AtHand &hand, const Settings &of_run, int root) {
    if (!hand.loaded.found_namelist || !hand.loaded.error.empty()) return {};
    Settings mine = hand.loaded.settings;
    if (hand.folder_is_relative) mine.directory = of_run.directory;
    std::string names;
    for (const std::string_view name : differing_settings(mine, of_run))
        names += (names.empty() ? "" : ", ") + std::string(name);
    if (names.empty()) return {};
    return fmt::format("the settings of process {} count, and the namelist that is found here differs from them: {}",
                       root, names);
}

// For the lowest recorded process.
std::string missing_in_words(const Verdict &v, int size, double waited_s) {
    const RankSet missing = RankSet::all(size).without(v.present);
    if (missing.empty()) return {};
    return fmt::format(
        "{}: the others waited {:.1f} s for them and are recorded without them. If they come "
        "later, give a larger rn_timeout; if their executable lacks the library, link the same version "
        "into it, or put cpl-lb-record in front of it.",
        some_of_all(missing, size), waited_s);
}

SharedSettings take_part(const Verdict &v, const AtHand &hand, double waited_s) {
    const int rank = hand.part.rank, size = hand.part.size;
    SharedSettings shared;
    shared.code = v.code;
    const std::optional<Settings> settings = decode_settings(v.settings);
    if (!settings) {
        shared.code = CPL_LB_EINTERNAL;
        shared.message = unreadable_in_words(v);
        return shared;
    }
    shared.settings = *settings;
    shared.present = v.present.ranks();
    shared.differs = differing_in_words(hand, *settings, v.root);
    shared.partial = v.present.count() < size;
    if (v.root != rank) return shared;
    shared.message = hand.loaded.warning;
    shared.missing = missing_in_words(v, size, waited_s);
    return shared;
}

CPL_LB_SWITCHED_OFF_PATH SharedSettings stay_off(RollCall &call, const AtHand &hand, double waited_s) {
    const Verdict &v = call.verdict();
    SharedSettings off;
    off.code = v.late && (v.others_record() || hand.part.asks) ? CPL_LB_ETIMEOUT : v.code;
    if (!v.readable) {
        off.code = CPL_LB_EINTERNAL;
        if (call.may_speak()) off.message = unreadable_in_words(v);
    } else if (v.root == hand.part.rank && !v.late) {
        off.message = off_in_words(call, hand, hand.part.size, waited_s);
    } else if (v.others_record()) {
        if (call.may_speak()) {
            off.message =
                fmt::format("the others waited {:.1f} s in cpl_lb_init for process {} and its neighbours, and "
                            "went on: they came too late and are not recorded. With a larger rn_timeout the "
                            "others wait longer",
                            v.patience_s, hand.part.rank);
        }
    } else if (hand.part.asks && v.code == 0 && call.may_speak()) { // else the root has said what is wrong
        off.message = asks_in_vain(v, hand.part.rank);
    }
    return off;
}

SharedSettings left_out(const AtHand &hand, const char *why, bool speaks) {
    SharedSettings off;
    if (!hand.part.asks) return off;
    off.code = hand.part.code != 0 ? hand.part.code : CPL_LB_EMPI;
    if (speaks) off.message = hand.loaded.error.empty() ? why : hand.loaded.error;
    return off;
}

// Uses what the launchers of MPICH, Slurm and Cray set.
bool is_first_on_node() {
    for (const char *name : {"MPI_LOCALRANKID", "SLURM_LOCALID", "PALS_LOCAL_RANKID"})
        if (const char *said = std::getenv(name)) return std::string_view(said) == "0";
    return false;
}

} // namespace

double first_wait_s(bool switched_on, bool timeout_given, double timeout_s) {
    const double longest = switched_on ? longest_wait_by_default_s : longest_wait_when_off_s;
    const double wished = timeout_given && switched_on ? timeout_s : std::min(longest, timeout_s);
    return std::max(wished, least_wait_s); // with less, each process would find itself alone
}

CPL_LB_SWITCHED_OFF_PATH std::optional<SharedSettings> share_settings(NoticeBoard &board, const AtHand &hand,
                                                                      const Joining &joining) {
    const double began_s = now_s();
    RollCall call(board, hand.part, now_s);
    const RollCall::Arrival arrival = call.arrive(joining.is_possible);
    if (arrival == RollCall::Arrival::not_here) return std::nullopt;
    if (arrival == RollCall::Arrival::cannot_join) return left_out(hand, no_communicator_left, call.may_speak());
    if (arrival == RollCall::Arrival::announced) hold(call, hand.part.size, hand.part.asks);
    const Verdict &v = call.verdict();
    const double waited_s = now_s() - began_s;
    if (!v.present.contains(hand.part.rank)) return stay_off(call, hand, waited_s);
    SharedSettings shared;
    shared.code = joining.join(v.present, shared.message);
    return shared.code == CPL_LB_OK ? take_part(v, hand, waited_s) : shared;
}

SharedSettings share_settings_of_root(const AtHand &hand, const std::function<void(std::string &)> &spread,
                                      const Joining &joining) {
    Verdict v;
    v.root = 0;
    v.code = hand.part.code;
    v.settings = hand.part.settings;
    v.present = RankSet::all(hand.part.size);
    spread(v.settings);
    SharedSettings shared;
    shared.code = v.code;
    if (v.settings.empty()) {
        if (hand.part.rank == 0) shared.message = hand.loaded.error.empty() ? hand.loaded.warning : hand.loaded.error;
        return shared;
    }
    shared.code = joining.join(v.present, shared.message);
    return shared.code == CPL_LB_OK ? take_part(v, hand, 0) : shared;
}

SharedSettings without_board(const AtHand &hand, const char *why) {
    return left_out(hand, why, hand.part.rank == 0 || is_first_on_node());
}

} // namespace cpl_lb
