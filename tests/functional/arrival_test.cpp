// Processes come to cpl_lb_init in every order, one of them perhaps too late or never, and each takes messages from
// anybody with any tag on the communicator that it gave: none of them gets a message that the model did not send.
#include "run_scenario.hpp"
#include "side_by_side.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

static const scenario::Program program("scenarios");

namespace {

enum class State { off, on, missing, missing_off, late };

struct Arrival {
    std::vector<int> order; // of coming, of the ranks
    State state = State::off;
    int missing = -1; // rank without the library
    bool on_several_nodes = false;

    [[nodiscard]] int processes() const { return static_cast<int>(order.size()); }
    [[nodiscard]] std::string words() const {
        const std::vector<std::string> names = {"off", "on", "on, one is missing", "off, one is missing",
                                                "on, the last is too late"};
        std::string text = names[static_cast<std::size_t>(state)] + "; in the order of ranks";
        for (const int rank : order)
            text += ' ' + std::to_string(rank);
        if (on_several_nodes) text += "; as on several nodes";
        return missing < 0 ? text : text + "; " + std::to_string(missing) + " lacks the library";
    }
};

// Off, the last comes later than anybody might ask for it; too late: after the rn_timeout of 0.5 s.
std::string job_of(const Arrival &a) {
    constexpr int apart_ms = 80;
    constexpr int late_ms = 1200;
    std::string job;
    for (int rank = 0; rank < a.processes(); ++rank) {
        const auto place = std::find(a.order.begin(), a.order.end(), rank) - a.order.begin();
        const bool is_last = place + 1 == a.processes();
        const bool late = is_last && (a.state == State::off || a.state == State::late);
        const auto ms = place * apart_ms + (late ? late_ms : 0);
        job += std::string(rank == 0 ? "" : " : " SCENARIOS_NUMPROC_FLAG " ") + "1 " +
               (a.on_several_nodes ? scenario::as_on_several_nodes : "") + "'" +
               scenario::beside(rank == a.missing ? "arrival_without" : "arrival_with") + "' component" +
               std::to_string(rank) + ' ' + std::to_string(ms) + (place % 2 == 0 ? " 1" : " 0");
    }
    return job;
}

// Words for what went wrong; empty: nothing.
std::string try_it(const Arrival &a) {
    const bool is_off = a.state == State::off || a.state == State::missing_off;
    std::string environment =
        scenario::own_sessions() + (is_off ? "" : "CPL_LB_ENABLED=1 CPL_LB_PRINT=0 CPL_LB_REPORT=0 ");
    if (a.state == State::missing || a.state == State::late) environment += "CPL_LB_TIMEOUT=0.5 ";
    const scenario::Result r = scenario::run_job(job_of(a), environment + "timeout -k 5 60");
    std::string wrong;
    if (r.exit_code != 0 || r.said.size() != 2) {
        wrong = " exit status " + std::to_string(r.exit_code) + ";";
    } else {
        const auto recording = static_cast<int>(r.said.at("recording"));
        if (r.said.at("foreign") != 0) wrong += " messages that the model did not send;";
        if (is_off && recording != 0) wrong += " it records;";
        if (a.state == State::on && recording != a.processes()) wrong += " not all record;";
    }
    return wrong.empty() ? "" : a.words() + ":" + wrong + "\n" + scenario::slurp(r.folder / "stderr");
}

// With MPICH, whose processes start quickly but work while they wait, every third order of four, and none of five.
// The orders of two, and some of five, also as on several nodes.
std::vector<Arrival> arrivals() {
    std::vector<Arrival> all;
    for (const int processes : {2, 3, 4, 5}) {
        if (processes == 5 && ARRIVAL_EACH > 1) break;
        std::vector<int> order(static_cast<std::size_t>(processes));
        std::iota(order.begin(), order.end(), 0);
        int number = 0;
        do {
            ++number;
            if (processes == 4 && number % ARRIVAL_EACH != 0) continue;
            if (processes == 5 && number % 12 != 0) continue;
            const int missing = number % processes;
            for (const State state : {State::off, State::on, State::late})
                all.push_back({order, state});
            for (const State state : {State::missing, State::missing_off})
                if (state == State::missing || processes < 4) all.push_back({order, state, missing});
            if (processes != 2 && processes != 5) continue;
            all.push_back({order, State::off, -1, true});
            all.push_back({order, State::late, -1, true});
            all.push_back({order, State::missing, missing, true});
        } while (std::next_permutation(order.begin(), order.end()));
    }
    return all;
}

} // namespace

TEST_CASE("whoever comes first to cpl_lb_init, late, or never: no receive of the model gets a foreign message") {
    const std::vector<Arrival> all = arrivals();
    const std::vector<std::string> wrong =
        scenario::side_by_side(all.size(), ARRIVAL_JOBS_AT_ONCE, [&](std::size_t n) { return try_it(all[n]); });
    std::string words;
    for (const std::string &w : wrong)
        words += w + "\n";
    INFO(words);
    CHECK(wrong.empty());
    WARN(all.size() << " orders of arrival");
}
