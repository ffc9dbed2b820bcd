// Runs the roll call and puts its outcome into words.
#include "mpi/shared_settings.hpp"

#include "cpl_lb/cpl_lb.h"
#include "io/settings/settings_codec.hpp"
#include "io/settings/settings_source.hpp"
#include "mpi/patience.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/messages.hpp"
#include "support/system.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace cpl_lb {
namespace {

constexpr std::chrono::microseconds longest_sleep_of_settings{2000};
constexpr double longest_wait_when_off_s = 5.0;
constexpr double longest_wait_by_default_s = 30.0;
constexpr double least_wait_s = 0.5;
constexpr double tells_who_is_awaited_after_s = 5.0;
constexpr double longest_sending_s = 0.1; // what is under way longer arrives while the model calls MPI

double now_s() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The settings that this process finds in its own folder and environment.
struct AtHand {
    SettingsResult loaded;
    RollCallPart part;
    bool folder_is_relative = false; // then it differs between working directories
};

std::string why_off(bool found_namelist) {
    std::error_code error;
    const std::string folder = std::filesystem::current_path(error).string();
    return fmt::format("{} ({})", found_namelist ? "they say ln_lb = .false." : "it finds no namelist_cpl_lb",
                       folder);
}

AtHand look_around() {
    AtHand hand;
    hand.loaded = load_settings_from_system();
    SettingsResult &loaded = hand.loaded;
    hand.folder_is_relative = !loaded.settings.directory.starts_with('/');
    hand.part.asks = loaded.settings.enabled || !loaded.error.empty();
    hand.part.patience_s = first_wait_s(loaded.settings.enabled, loaded.timeout_given, loaded.settings.timeout_s);
    hand.part.accepts = [](const std::string &settings) { return decode_settings(settings).has_value(); };
    if (!loaded.error.empty()) hand.part.code = CPL_LB_ENAMELIST;
    if (!loaded.settings.enabled) {
        hand.part.off_because = why_off(loaded.found_namelist);
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

// One step. If memory is short it is tried again, because others may count on this process.
bool goes_on(RollCall &call, double now) {
    try {
        return call.step(now);
    } catch (const std::exception &) {
        if (!call.has_promised()) throw;
        return true;
    }
}

// False if letters cannot be sent.
bool hold(RollCall &call, RollCallMailbox &mail, bool asks) {
    Patience patience(longest_sleep_of_settings);
    const double told_at_s = now_s() + tells_who_is_awaited_after_s;
    bool told = !asks;
    for (double now = now_s(); goes_on(call, now); now = now_s()) {
        if (mail.broken()) return false;
        if (!told && now >= told_at_s) {
            told = true;
            if (call.leads()) tell_who_is_awaited(call, mail.size(), call.ends_at_s() - now);
        }
        patience.pause();
    }
    return true;
}

// For the first of neighbouring processes that ask.
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
    if (call.verdict()->root != 0) {
        const RankSet missing = not_come(call, size);
        return fmt::format("switched off; {} of {} processes did not answer in cpl_lb_init ({} {}), which cost "
                           "{:.1f} s: they come later, or their executables lack the library (link it into all, or "
                           "into none)",
                           missing.count(), size, word_for(missing.count(), "rank"), missing.text(), waited_s);
    }
    return hand.loaded.warning;
}

SharedSettings without_verdict(bool broken) {
    SharedSettings shared;
    shared.code = broken ? CPL_LB_EMPI : CPL_LB_ETIMEOUT;
    shared.message = broken ? "MPI_Isend failed: switched off here"
                            : "the other processes did not answer in cpl_lb_init: switched off here";
    return shared;
}

// Among neighbouring ranks that are left out, only the first speaks.
bool is_first_of_left_out(const Verdict &v, int rank) {
    return !v.present.contains(rank) && (rank == 0 || v.present.contains(rank - 1));
}

std::string unreadable_in_words(const Verdict &v) {
    const std::string mine = version_of_settings(settings_header());
    const std::string theirs = version_of_settings(v.settings);
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

SharedSettings take_part(const Verdict &v, const AtHand &hand, int rank, int size, double waited_s) {
    SharedSettings shared;
    shared.code = v.code;
    const std::optional<Settings> settings = decode_settings(v.settings);
    if (!settings || !v.present.contains(rank)) {
        shared.code = CPL_LB_EINTERNAL;
        if (is_first_of_left_out(v, rank)) shared.message = unreadable_in_words(v);
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

SharedSettings stay_off(const RollCall &call, const AtHand &hand, int rank, int size, double waited_s) {
    const Verdict &v = *call.verdict();
    SharedSettings off;
    off.code = v.late && (v.others_record || hand.part.asks) ? CPL_LB_ETIMEOUT : v.code;
    if (v.root == rank && !v.late) {
        off.message = off_in_words(call, hand, size, waited_s);
    } else if (call.speaks() && v.others_record) {
        off.message = fmt::format("the others waited {:.1f} s in cpl_lb_init for process {} and its neighbours, and "
                                  "went on: they came too late and are not recorded. With a larger rn_timeout the "
                                  "others wait longer",
                                  v.patience_s, rank);
    } else if (call.speaks()) {
        off.message = asks_in_vain(v, rank);
    }
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

SharedSettings share_settings(RollCallMailbox &mail, const Join &join) {
    const double began_s = now_s();
    const AtHand hand = look_around();
    RollCall call(mail, hand.part, now_s());
    const bool held = hold(call, mail, hand.part.asks);
    if (!held || !call.verdict()) return without_verdict(!held);
    const Verdict &v = *call.verdict();
    const double waited_s = now_s() - began_s;
    SharedSettings shared;
    if (v.present.contains(mail.rank())) shared.code = join(v.present, shared.message);
    if (shared.code != CPL_LB_OK) return shared;
    if (!v.settings.empty()) {
        shared = take_part(v, hand, mail.rank(), mail.size(), waited_s);
    } else {
        shared = stay_off(call, hand, mail.rank(), mail.size(), waited_s);
    }
    static_cast<void>(
        wait_until(deadline_in(longest_sending_s), longest_sleep_of_settings, [&] { return mail.all_sent(); }));
    return shared;
}

SharedSettings without_letters(int rank, const std::string &why) {
    const AtHand hand = look_around();
    SharedSettings off;
    if (!hand.part.asks) return off;
    off.code = hand.part.code != 0 ? hand.part.code : CPL_LB_EMPI;
    if (rank == 0 || is_first_on_node()) off.message = hand.loaded.error.empty() ? why : hand.loaded.error;
    return off;
}

} // namespace cpl_lb
