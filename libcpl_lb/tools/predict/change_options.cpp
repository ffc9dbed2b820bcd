// Reads changes from the command line.
#include "tools/predict/change_options.hpp"

#include "support/fmt.hpp"
#include "support/shell_words.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <sstream>

namespace cpl_lb {
namespace {

// Those that may be given several times.
struct ListOption {
    const char *name;
    std::vector<std::string> ChangeOptions::*values;
    const char *help;
};
using ListOptions = std::vector<ListOption>;
const ListOptions list_options = {
    {"--faster", &ChangeOptions::faster,
     "a component or one of its regions that computes so many times as fast: ocean=2 or ocean:dynamics=1.5"},
    {"--lag", &ChangeOptions::lags, "the receiver gets what was sent so many exchanges before: SST=1"},
    {"--every", &ChangeOptions::every, "the field is exchanged in every so many of its exchanges: QNET=2"},
    {"--balanced", &ChangeOptions::balanced,
     "no imbalance inside a component, or a part of it: atmosphere, atmosphere=static, atmosphere=random; "
     "'*=random': "
     "of all components"},
};
const ListOptions turn_options = {
    {"--sequential", &ChangeOptions::in_turn,
     "components that compute in turn, each on the cores of all of them: ice,ocean"},
    {"--concurrent", &ChangeOptions::side_by_side,
     "components that are in turn on the same cores get a part of these each: ice,ocean"},
};

void add_all(cli::App &command, ChangeOptions &options, const ListOptions &all) {
    for (const ListOption &option : all)
        command.add_option(option.name, options.*option.values, option.help)->again();
}

struct NamedNumber {
    std::string name, number;
};

NamedNumber split(const std::string &option, const std::string &text) {
    const std::size_t at = text.rfind('=');
    if (at == std::string::npos || at == 0 || at + 1 == text.size())
        throw cli::WrongUsage(fmt::format("{}: not NAME=NUMBER: '{}'", option, text));
    return {text.substr(0, at), text.substr(at + 1)};
}

template <class T>
T number_in(const std::string &option, const std::string &text, T least, const std::string &what) {
    const auto value = cli::number_in<T>(text);
    if (!value || !(*value >= least) || !(*value <= T{1'000'000}))
        throw cli::WrongUsage(fmt::format("{}: not {}: '{}'", option, what, text));
    return *value;
}

// Fields with whole numbers.
template <class Change>
void add_numbers(std::vector<Change> &changes, const char *option, const std::vector<std::string> &values,
                 std::int64_t least) {
    for (const std::string &value : values) {
        const NamedNumber given = split(option, value);
        const std::string what = fmt::format("a whole number from {}", least);
        changes.push_back({given.name, number_in(option, given.number, least, what)});
    }
}

SpeedChange speed_of(const std::string &text) {
    constexpr double slowest = 1e-3;
    const NamedNumber given = split("--faster", text);
    const double factor = number_in("--faster", given.number, slowest, "a positive number");
    const std::size_t at = given.name.find(':');
    const std::string region = at == std::string::npos ? "" : given.name.substr(at + 1);
    return {given.name.substr(0, at), region, factor};
}

std::vector<std::string> group_of(const std::string &option, const std::string &text) {
    std::vector<std::string> names;
    std::istringstream words(text);
    for (std::string name; std::getline(words, name, ',');)
        names.push_back(name);
    if (names.size() < 2 || std::ranges::find(names, "") != names.end())
        throw cli::WrongUsage(fmt::format("{}: not the names of two components or more: '{}'", option, text));
    return names;
}

BalanceChange balance_of(const std::string &text) {
    constexpr std::array<const char *, 3> parts = {"all", "static", "random"};
    BalanceChange change{text};
    const std::size_t at = text.rfind('=');
    if (at == std::string::npos) return change;
    const std::string part = text.substr(at + 1);
    const auto *const found = std::ranges::find(parts, part);
    if (found == parts.end()) throw cli::WrongUsage(fmt::format("--balanced: not all, static or random: '{}'", part));
    return {text.substr(0, at), static_cast<BalanceChange::Part>(found - parts.begin())};
}

template <class List, class Name>
void refuse_doubles(const char *option, const List &list, Name name) {
    std::set<std::string> names;
    for (const auto &one : list)
        if (!names.insert(std::invoke(name, one)).second)
            throw cli::WrongUsage(fmt::format("{}: {} is given twice", option, std::invoke(name, one)));
}

// With both, the part would change twice.
void refuse_wholes_with_parts(const Changes &changes) {
    for (const SpeedChange &whole : changes.speeds) {
        const bool parts = std::ranges::any_of(changes.speeds, [&](const SpeedChange &part) {
            return !part.region.empty() && whole.component == part.component;
        });
        if (whole.region.empty() && parts)
            throw cli::WrongUsage(fmt::format("--faster: {} as a whole, or its regions: not both", whole.component));
    }
    for (auto a = changes.balanced.begin(); a != changes.balanced.end(); ++a) {
        const bool twice = std::any_of(changes.balanced.begin(), a, [&](const BalanceChange &b) {
            return a->component == b.component &&
                   (a->part == b.part || a->part == BalanceChange::Part::all || b.part == BalanceChange::Part::all);
        });
        if (twice) throw cli::WrongUsage(fmt::format("--balanced: a part of {} is given twice", a->component));
    }
}

// "*": components whose imbalance is known in parts, and of which this part is not taken away already.
void balance_all(Changes &changes, const CoupledRun &run) {
    const auto every = std::ranges::find(changes.balanced, "*", &BalanceChange::component);
    if (every == changes.balanced.end()) return;
    const BalanceChange::Part part = every->part;
    changes.balanced.erase(every);
    bool any = false;
    for (const Component &component : run.components) {
        if (!tells_imbalance(component.balance.imbalance_parts)) continue;
        any = true;
        const bool goes = std::ranges::any_of(changes.balanced, [&](const auto &given) {
            return given.component == component.name &&
                   (given.part == BalanceChange::Part::all || given.part == part);
        });
        if (!goes) changes.balanced.push_back({component.name, part});
    }
    if (any) return;
    const std::string why = run.components.empty() ? "" : run.components[0].balance.imbalance_parts.why_missing;
    throw PredictionError("--balanced *: why the processes of components wait for each other is not known" +
                          (why.empty() ? "" : ": " + why));
}

} // namespace

bool ChangeOptions::any() const {
    return !in_words().empty();
}

std::vector<std::string> ChangeOptions::in_words() const {
    std::vector<std::string> words;
    for (const auto *options : {&list_options, &turn_options}) {
        for (const ListOption &option : *options) {
            for (const std::string &value : this->*option.values)
                words.push_back(shell_option(option.name, value));
        }
    }
    if (transfer != 1) words.push_back(fmt::format("--transfer {}", transfer));
    if (!mapping_at.empty()) words.push_back(shell_option("--mapping-at", mapping_at));
    if (output_every != 1) words.push_back(fmt::format("--output-every {}", output_every));
    return words;
}

void add_change_options(cli::App &command, ChangeOptions &options) {
    add_all(command, options, list_options);
    command.add_option("--transfer", options.transfer, "transfers take so many times as long: 0.5")
        ->check(cli::in_range(0, 1000));
    command
        .add_option("--output-every", options.output_every,
                    "one of so many outputs (OUT) stays; 0: none, and no restarts")
        ->check(cli::in_range(0, 1e6));
}

void add_mapping_option(cli::App &command, ChangeOptions &options) {
    command.add_option("--mapping-at", options.mapping_at,
                       "mappings in exchanges with this component are done by it, not by the other side");
}

void add_turn_options(cli::App &command, ChangeOptions &options) {
    add_all(command, options, turn_options);
}

Changes changes_of(const ChangeOptions &options, const CoupledRun &run) {
    Changes changes;
    for (const std::string &one : options.faster)
        changes.speeds.push_back(speed_of(one));
    add_numbers(changes.lags, "--lag", options.lags, 0);
    add_numbers(changes.periods, "--every", options.every, 1);
    for (const std::string &one : options.balanced)
        changes.balanced.push_back(balance_of(one));
    refuse_doubles("--lag", changes.lags, &LagChange::field);
    refuse_doubles("--every", changes.periods, &PeriodChange::field);
    refuse_doubles("--faster", changes.speeds, [](const SpeedChange &c) {
        return c.region.empty() ? c.component : c.component + ":" + c.region;
    });
    refuse_wholes_with_parts(changes);
    for (const std::string &one : options.in_turn)
        changes.in_turn.push_back(group_of("--sequential", one));
    for (const std::string &one : options.side_by_side)
        changes.side_by_side.push_back(group_of("--concurrent", one));
    balance_all(changes, run);
    if (options.transfer != 1) changes.transfer = options.transfer;
    changes.mapping_at = options.mapping_at;
    changes.output_every = options.output_every;
    return changes;
}

} // namespace cpl_lb
