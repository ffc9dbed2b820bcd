// Each remark of the energy meter about random machines with random troubles, evaluated by code of its own: the test
// writes what the counters say, so it knows what they should have counted.
#include "meters/energy.hpp"
#include "meters/energy_check.hpp"
#include "tests/meters/values.hpp"
#include "tests/report/sentence_check.hpp"

#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <random>

using namespace cpl_lb;
using namespace cpl_lb_test;

namespace {

class Dice {
public:
    explicit Dice(unsigned seed) : random_(seed) {}
    double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
    bool chance(double share) { return between(0, 1) < share; }

private:
    std::mt19937_64 random_;
};

constexpr double range_J = 262'143;

// A counter: what it says, and what of it counts.
struct Counter {
    std::string path, kind, label; // kind: "package", "dram" or "psys"
    double most_W = 0, usual_W = 0;
    bool has_range = true, gone = false;
    double says_J = 1000, passed_J = 0, counts_J = 0, jumped_s = 0;
    int fell = 0;
};

struct Machine {
    RecordedTree tree{"no_meters"};
    std::vector<Counter> counters;
    double all_s = 0, longest_s = 0;

    void add(const std::string &path, const Counter &like) {
        counters.push_back(like);
        Counter &c = counters.back();
        c.path = "class/powercap/intel-rapl:" + path;
        tree.write(c.path + "/name", c.kind == "package" ? c.label : c.kind);
        if (c.has_range) tree.write(c.path + "/max_energy_range_uj", "262143000000");
        write(c);
    }
    void write(const Counter &c) const {
        tree.write(c.path + "/energy_uj", std::to_string(std::llround(std::fmod(c.says_J, range_J) * 1e6)));
    }
    // What is left of it after the whole time; more than 1 % of jumps spoil it.
    [[nodiscard]] double known_J(const Counter &c) const {
        return c.gone || c.jumped_s > 0.01 * all_s ? unknown : c.counts_J;
    }
    [[nodiscard]] double sum_J(const std::string &kind) const {
        double joules = 0;
        for (const Counter &c : counters)
            if (c.kind == kind) joules += known_J(c);
        return joules;
    }
    void pass(Counter &c, double s, Dice &dice) const {
        if (c.gone) return;
        if (dice.chance(0.01)) {
            c.gone = true;
            std::filesystem::remove_all(tree.root() + "/" + c.path);
            return;
        }
        if (!c.has_range && dice.chance(0.1)) { // started again: nobody knows what it passed
            c.says_J *= 0.5;
            ++c.fell;
        } else if (c.has_range && c.kind != "psys" && dice.chance(0.03)) { // more than five times what it can
            c.says_J += 7.5 * c.most_W * (s + 1);
            c.passed_J += 7.5 * c.most_W * (s + 1);
            c.jumped_s += s;
        } else {
            const double joules = c.usual_W * s * dice.between(0.8, 1.2);
            c.says_J += joules;
            c.passed_J += joules;
            c.counts_J += joules;
        }
        write(c);
    }
    void pass(double s, Dice &dice) {
        all_s += s;
        longest_s = std::max(longest_s, s);
        for (Counter &c : counters)
            pass(c, s, dice);
    }
};

void fill(Machine &machine, Dice &dice) {
    const int sockets = dice.chance(0.5) ? 1 : 2;
    for (int n = 0; n < sockets; ++n) {
        const std::string path = std::to_string(n), label = "package-" + path;
        machine.add(path, {"", "package", label, 1000, dice.between(20, 200), dice.chance(0.8)});
        const double unit = dice.chance(0.2) ? 16 : 1;
        machine.add(path + ":0", {"", "dram", label + "/dram", 500, unit * dice.between(5, 10), true});
    }
    if (dice.chance(0.5))
        machine.add(std::to_string(sockets), {"", "psys", "psys", 20000, dice.between(50, 500), true});
}

bool is(const std::string &text, double value, double digit) {
    return std::abs(std::stod(text) - value) <= 0.501 * digit;
}

class RemarkChecker {
public:
    explicit RemarkChecker(const Machine &machine) : machine_(machine) {}
    void check(const std::vector<std::string> &remarks) {
        for (const std::string &remark : remarks) {
            const auto read = test::read_sentences(remark);
            INFO(remark);
            REQUIRE(read.size() == 1);
            ++said[read.front().id];
            CHECK(holds(read.front().id, read.front().figures));
        }
        check_all_are_there();
    }
    std::map<std::string, int> said;

private:
    using Figures = std::map<std::string, std::string>;
    [[nodiscard]] const Counter &labelled(const std::string &label) const {
        for (const Counter &c : machine_.counters)
            if (c.label == label) return c;
        FAIL("no counter " << label);
        return machine_.counters.front();
    }
    [[nodiscard]] double wraps_s() const {
        double least_s = std::numeric_limits<double>::infinity();
        for (const Counter &c : machine_.counters)
            if (c.has_range) least_s = std::min(least_s, range_J / c.most_W);
        return least_s;
    }
    // Least and most of the DRAM that is known.
    [[nodiscard]] std::pair<double, double> dram_J() const {
        std::pair<double, double> ends{unknown, unknown};
        for (const Counter &c : machine_.counters) {
            const double joules = machine_.known_J(c);
            if (c.kind != "dram" || std::isnan(joules)) continue;
            ends.first = std::isnan(ends.first) ? joules : std::min(ends.first, joules);
            ends.second = std::isnan(ends.second) ? joules : std::max(ends.second, joules);
        }
        return ends;
    }
    [[nodiscard]] double parts_J() const {
        double joules = 0;
        for (const char *kind : {"package", "dram"})
            if (const double sum = machine_.sum_J(kind); !std::isnan(sum)) joules += sum;
        return joules;
    }
    [[nodiscard]] bool parts_exceed() const {
        const double parts = parts_J(), slack = 2 * (0.1 * parts / machine_.all_s + 1);
        return machine_.counters.back().kind == "psys" && parts - machine_.sum_J("psys") > 0.1 * parts + slack;
    }
    [[nodiscard]] bool holds(const std::string &id, const Figures &f) const {
        if (id == "remark_too_much_power") {
            const Counter &c = labelled(f.at("name"));
            return c.jumped_s > 0 && is(f.at("watts"), 5 * c.most_W, 1) && is(f.at("seconds"), c.jumped_s, 0.1) &&
                   is(f.at("all"), machine_.all_s, 0.1) &&
                   (f.at("figure") == "n/a") == std::isnan(machine_.known_J(c));
        }
        if (id == "remark_not_sampled")
            return machine_.longest_s > wraps_s() && is(f.at("seconds"), machine_.longest_s, 1) &&
                   is(f.at("longest"), wraps_s(), 1);
        if (id == "remark_sockets_differ") {
            const auto [least, most] = dram_J();
            return most > 4 * least && is(f.at("least"), least, 0.1) && is(f.at("most"), most, 0.1);
        }
        if (id == "remark_parts_exceed")
            return parts_exceed() && is(f.at("sum"), parts_J(), 1) && is(f.at("joules"), machine_.sum_J("psys"), 1) &&
                   f.at("not") == "not ";
        if (id == "remark_zone_gone") {
            const Counter &c = labelled(f.at("zone"));
            return c.gone && std::abs(std::stod(f.at("joules")) - c.passed_J) < 0.002;
        }
        if (id == "remark_zone_started_again") {
            const Counter &c = labelled(f.at("zone"));
            return !c.has_range && c.fell > 0 && std::stoi(f.at("times")) == c.fell;
        }
        return false;
    }
    void check_all_are_there() {
        std::map<std::string, int> due;
        for (const Counter &c : machine_.counters) {
            due["remark_too_much_power"] += c.jumped_s > 0 ? 1 : 0;
            due["remark_zone_gone"] += c.gone ? 1 : 0;
            due["remark_zone_started_again"] += c.fell > 0 ? 1 : 0;
        }
        const auto [least, most] = dram_J();
        due["remark_sockets_differ"] = most > 4 * least && most > machine_.all_s ? 1 : 0;
        due["remark_not_sampled"] = machine_.longest_s > wraps_s() ? 1 : 0;
        due["remark_parts_exceed"] = parts_exceed() ? 1 : 0;
        for (const auto &[id, count] : due) {
            INFO(id);
            CHECK(said[id] == count);
        }
    }

    const Machine &machine_;
};

} // namespace

TEST_CASE("each remark about the energy of random machines is true, and none is missing") {
    std::map<std::string, int> said;
    for (unsigned seed = 1; seed <= 150; ++seed) {
        Dice dice(seed);
        Machine machine;
        fill(machine, dice);
        EnergyMeter meter(options_for(machine.tree));
        REQUIRE(meter.open().works);
        for (int n = 0; n < 12; ++n) {
            const double s = std::round(dice.between(1, 20));
            machine.pass(s, dice);
            pass(s);
            meter.sample();
        }
        INFO("seed " << seed);
        RemarkChecker checker(machine);
        checker.check(meter.remarks());
        for (const auto &[id, count] : checker.said)
            said[id] += count;
    }
    for (const char *id : {"remark_too_much_power", "remark_zone_gone", "remark_zone_started_again",
                           "remark_sockets_differ", "remark_not_sampled", "remark_parts_exceed"}) {
        INFO(id);
        CHECK(said[id] > 0);
    }
}

TEST_CASE("what is said of two sources that differ is true, for random energies") {
    Dice dice(1);
    int said = 0;
    for (int n = 0; n < 500; ++n) {
        const double one_J = dice.between(1, 500), other_J = one_J * dice.between(0.7, 1.3), s = dice.between(1, 100);
        const std::string remark = disagreement("the processors", {"rapl", one_J}, {"hwmon", other_J}, s);
        const double larger_J = std::max(one_J, other_J), apart_J = std::abs(one_J - other_J);
        INFO(one_J << " " << other_J << " " << s << " " << remark);
        CHECK(remark.empty() == (apart_J <= 0.1 * larger_J + 2 * (0.1 * larger_J / s + 1)));
        if (remark.empty()) continue;
        ++said;
        const auto read = test::read_sentences(remark);
        REQUIRE(read.size() == 1);
        const auto &f = read.front().figures;
        CHECK(is(f.at("joules"), one_J, 1));
        CHECK(is(f.at("others"), other_J, 1));
        CHECK(is(f.at("share"), 100 * apart_J / larger_J, 1));
        CHECK(f.at("source") == "rapl");
    }
    CHECK(said > 50);
}
