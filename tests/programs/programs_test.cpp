// What the recorder of MPI concludes of random programs, beside what their replay knows.
#include "report/words.hpp"
#include "tests/programs/program.hpp"
#include "tests/programs/recorded.hpp"
#include "tests/programs/splits.hpp"
#include "tests/simulator/environment.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace cpl_lb;
using namespace cpl_lb::programs;
using cpl_lb::simulator::from_environment;
using cpl_lb::simulator::tells_figures;

namespace {

const std::uint64_t first_seed = from_environment("CPL_LB_SIMULATED_FIRST", 1);

// The part with the largest share of the critical path, of those that do not wait for most of their time; -1 where
// two are close, or where one is close to the half.
int clear_slow_side(const Truth &truth) {
    const double end_s = 1e-9 * static_cast<double>(truth.end);
    const double path_s = [&] {
        double sum = 0;
        for (const double s : truth.path_s)
            sum += s;
        return sum;
    }();
    std::vector<std::pair<double, int>> busy, all;
    for (std::size_t c = 0; c < truth.path_s.size(); ++c) {
        const double share = truth.computing_s[c] / end_s;
        if (std::abs(share - 0.5) < 0.1) return -1;
        all.emplace_back(truth.path_s[c] / path_s, static_cast<int>(c));
        if (share > 0.5) busy.push_back(all.back());
    }
    if (busy.empty()) busy = all;
    std::sort(busy.rbegin(), busy.rend());
    return busy.size() > 1 && busy[0].first - busy[1].first < 0.05 ? -1 : busy[0].second;
}

// Messages whose two calls were found to belong to different exchanges. A call with several messages belongs to the
// last of theirs.
std::int64_t torn_messages(const Program &program, const Truth &truth) {
    struct End {
        std::uint32_t number = 0;
        bool alone = false; // in its call
    };
    std::map<std::tuple<int, int, int>, std::vector<End>> sent, received; // by sender, receiver, tag
    const NumbersOfCalls numbers = numbers_of_calls(program, truth);
    for (std::size_t p = 0; p < truth.calls.size(); ++p) {
        const int me = static_cast<int>(p);
        for (std::size_t c = 0; c < truth.calls[p].size(); ++c) {
            const Call &call = truth.calls[p][c];
            for (std::size_t m = 0; m < call.messages.size(); ++m) {
                const auto &[peer, tag] = call.messages[m];
                const End end{numbers[p][c][m], call.messages.size() == 1};
                if (call.what == Action::What::send) sent[{me, peer, tag}].push_back(end);
                if (call.what == Action::What::receive) received[{peer, me, tag}].push_back(end);
            }
        }
    }
    std::int64_t torn = 0;
    for (const auto &[channel, ends] : sent) {
        const std::vector<End> &others = received[channel];
        for (std::size_t n = 0; n < ends.size(); ++n) {
            const bool same = n < others.size() && (others[n].alone ? ends[n].number == others[n].number
                                                                    : ends[n].number <= others[n].number);
            torn += same ? 0 : 1;
        }
    }
    return torn;
}

// Within a tenth, or one point.
bool as_good_as(double gain, double truth) {
    return std::abs(gain - truth) <= std::max(0.01, 0.1 * truth);
}

// The gain that is promised, beside what the replay makes of the same cores and of the best ones.
struct Gain {
    double promised = 0, replayed = 0, best = 0;
    Split split;

    [[nodiscard]] bool promise_kept() const { return as_good_as(promised, replayed); }
    [[nodiscard]] bool best_found() const { return as_good_as(replayed, best); }
    [[nodiscard]] std::string words() const {
        std::string cores;
        for (const int count : split)
            cores += ' ' + std::to_string(count);
        return "gain " + std::to_string(promised) + ", by the replay " + std::to_string(replayed) + ", of the best " +
               std::to_string(best) + "; cores" + cores;
    }
};

// As docs/definitions.md has an I/O server: it only receives, and waits for most of its time.
bool may_keep_its_cores(const Program &program, const Truth &truth, std::size_t component) {
    for (const int p : program.members(static_cast<int>(component)))
        for (const Action &a : program.processes[static_cast<std::size_t>(p)])
            if (a.what == Action::What::send || (a.what == Action::What::meet && a.other >= 0)) return false;
    return truth.computing_s[component] < 0.55 * 1e-9 * static_cast<double>(truth.end);
}

Gain gain_of(const CoupledRun &run, const Program &program, const Truth &truth) {
    const Split present = present_split(program);
    Split split = present;
    std::vector<bool> keeps(present.size(), false);
    for (std::size_t c = 0; c < run.components.size(); ++c) {
        const auto found = std::find(program.components.begin(), program.components.end(), run.components[c].name);
        const auto at = static_cast<std::size_t>(found - program.components.begin());
        const auto cores = static_cast<int>(run.balance.best_cores[c]);
        if (cores > 0) split[at] = cores;
        keeps[at] = cores == 0 && may_keep_its_cores(program, truth, at);
    }
    const double now_s = seconds_of_loop(program, present);
    return {run.balance.gain_s / run.balance.loop_s, 1 - seconds_of_loop(program, split) / now_s,
            1 - least_seconds_of_loop(program, keeps) / now_s, split};
}

bool says_that_little_is_left(const CoupledRun &run) {
    return std::ranges::any_of(verdict_words(run), [](const std::string &sentence) {
        return sentence.find("Little is left to gain.") != std::string::npos;
    });
}

struct Tally {
    std::int64_t torn = 0;
    int programs = 0, lost = 0, no_path = 0, impossible = 0, clear = 0, unnamed_side = 0, wrong_side = 0,
        wrong_steps = 0;
    int gains = 0, wrong_promise = 0, better_split = 0, wrong_gain = 0, hidden_gain = 0;
};

Tally try_programs(std::uint64_t programs) {
    Tally tally;
    for (std::uint64_t seed = first_seed; seed < first_seed + programs; ++seed) {
        const test::TemporaryFolder folder;
        const Program program = random_program(seed);
        const Truth truth = replay(program);
        const CoupledRun run = recorded_run(program, truth, folder.path());
        ++tally.programs;
        tally.torn += torn_messages(program, truth);
        tally.lost += std::any_of(run.remarks.begin(), run.remarks.end(), [](const std::string &remark) {
            return remark.find("not seen to be received") != std::string::npos;
        }); // all messages of these programs are received
        const auto tell = [&](const std::string &what) {
            if (tells_figures())
                std::printf("seed %d: %s: %s\n", static_cast<int>(seed), what.c_str(), program.words.c_str());
        };
        if (!run.balance.why_no_path.empty()) {
            ++tally.no_path;
            for (const char *impossible : {"which nobody", "in a ring"})
                tally.impossible += run.balance.why_no_path.find(impossible) == std::string::npos ? 0 : 1;
            tell(run.balance.why_no_path);
            continue;
        }
        for (std::size_t c = 0; c < program.components.size(); ++c) {
            const auto found = std::find_if(run.components.begin(), run.components.end(),
                                            [&](const Component &o) { return o.name == program.components[c]; });
            // The window leaves out the first step and the last one.
            const int repeats = program.steps / program.pattern[c];
            const auto seen = static_cast<int>(found->balance.step_count);
            if (seen == 0 || (seen >= repeats - 3 && seen <= repeats)) continue;
            ++tally.wrong_steps;
            tell(program.components[c] + " has " + std::to_string(seen) + " steps, not " + std::to_string(repeats));
            break;
        }
        if (run.balance.why_no_gain.empty()) {
            const Gain gain = gain_of(run, program, truth);
            ++tally.gains;
            tally.wrong_promise += gain.promise_kept() ? 0 : 1;
            tally.better_split += gain.best_found() ? 0 : 1;
            if (gain.best >= 0.05 && says_that_little_is_left(run)) {
                ++tally.hidden_gain;
                tell("little is left, but " + gain.words());
            }
            if (!gain.promise_kept() || !gain.best_found()) {
                ++tally.wrong_gain;
                tell(gain.words());
            }
        }
        const int slow = clear_slow_side(truth);
        if (slow < 0) continue;
        ++tally.clear;
        const std::string &name = program.components[static_cast<std::size_t>(slow)];
        if (run.component_name(run.balance.slow_side) == name) continue;
        ++(run.balance.slow_side == 0 ? tally.unnamed_side : tally.wrong_side);
        std::string shares;
        for (const Component &c : run.components) {
            const auto place = std::find(program.components.begin(), program.components.end(), c.name);
            const auto at = static_cast<std::size_t>(place - program.components.begin());
            shares += " " + c.name + " " + std::to_string(c.balance.critical_share) + " of " +
                      std::to_string(truth.path_s[at]) + " computing " + std::to_string(c.balance.computing_s) +
                      " of " + std::to_string(truth.computing_s[at]);
        }
        tell("slow side " + run.component_name(run.balance.slow_side) + ", not " + name + ":" + shares);
    }
    if (tells_figures()) {
        std::printf("%d programs: %d torn messages, %d without a critical path, slow side wrong in %d of %d and not "
                    "named in %d, "
                    "steps wrong in %d; gain wrong in %d of %d: %d not as promised, %d with a better split\n",
                    tally.programs, static_cast<int>(tally.torn), tally.no_path, tally.wrong_side, tally.clear,
                    tally.unnamed_side, tally.wrong_steps, tally.wrong_gain, tally.gains, tally.wrong_promise,
                    tally.better_split);
    }
    return tally;
}

// Senders that never wait may have ended before their receivers begin, and a run may be too short. What is never so
// in a run that ended: a message that nobody sent, and components that wait for each other in a ring.
void check(const Tally &tally) {
    CHECK(tally.torn == 0);
    CHECK(tally.lost == 0);
    CHECK(tally.impossible == 0);
    CHECK(50 * tally.no_path <= tally.programs);
    CHECK(tally.wrong_side == 0);
    CHECK(50 * tally.unnamed_side <= tally.clear); // two are equally slow, nearly
    CHECK(100 * tally.wrong_steps <= tally.programs);
    CHECK(20 * tally.wrong_gain <= tally.gains);
    CHECK(tally.hidden_gain == 0);
}

} // namespace

TEST_CASE("what is concluded of a few random programs is true") {
    check(try_programs(12));
}

// CPL_LB_PROGRAMS: more of them; docs/evidence/tested.md has the figures of 1,000.
TEST_CASE("what is concluded of random programs is true", "[long]") {
    check(try_programs(from_environment("CPL_LB_PROGRAMS", 100)));
}
