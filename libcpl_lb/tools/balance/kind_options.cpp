// Reads the words of --kinds and of the options that go with it.
#include "tools/balance/kind_options.hpp"

#include "support/counted.hpp"
#include "support/csv_cells.hpp"
#include "support/fmt.hpp"
#include "support/word_distance.hpp"
#include "tools/command_line.hpp"
#include "tools/processor_counts.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace cpl_lb {
namespace {

constexpr std::int64_t most_nodes = 100'000, most_in_node = 100'000;

std::vector<std::string> parts_of(const std::string &text, char between) {
    std::vector<std::string> parts;
    std::istringstream all(text + between);
    for (std::string part; std::getline(all, part, between);)
        parts.emplace_back(without_blanks(part));
    return parts;
}

std::optional<std::int64_t> count_in(std::string_view text, std::int64_t most) {
    const auto n = cli::number_in<std::int64_t>(text);
    return n && *n >= 1 && *n <= most ? n : std::nullopt;
}

// So that sums over all nodes stay finite.
std::optional<double> amount_in(std::string_view text) {
    const auto x = cli::number_in<double>(text);
    return x && *x >= 1e-12 && *x <= 1e12 ? x : std::nullopt;
}

// NAME=WORD of a list; `what`: the form, for the error.
std::pair<std::string, std::string> name_and_word(const std::string &option, const std::string &part,
                                                  const std::string &what) {
    const std::size_t sign = part.rfind('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == part.size())
        throw std::invalid_argument(option + ": not " + what + ": '" + part + "'");
    const std::string_view whole = part;
    return {std::string(without_blanks(whole.substr(0, sign))), std::string(without_blanks(whole.substr(sign + 1)))};
}

std::size_t place_of(const std::string &option, const std::string &name, const std::string &noun,
                     const std::vector<std::string> &names) {
    if (const std::size_t place = place_in(names, name); place < names.size()) return place;
    const std::string nearest = nearest_word(name, names);
    throw std::invalid_argument(
        fmt::format("{}: there is no {} '{}'; {}", option, noun, name,
                    nearest.empty() ? word_for(names.size(), "there is ", "there are ") + joined(names, ", ")
                                    : "did you mean '" + nearest + "'?"));
}

constexpr const char *form_of_kind = "NAME=NODES:CORES or NAME=NODES:GPUSxCORES, each number at most 100000, such as "
                                     "cpu=200:128 or gpu=100:4x18 (4 GPUs with 18 cores each)";

} // namespace

std::vector<std::string> names_of(const std::vector<KindOfNode> &kinds) {
    std::vector<std::string> names;
    names.reserve(kinds.size());
    for (const KindOfNode &kind : kinds)
        names.push_back(kind.name);
    return names;
}

std::vector<KindOfNode> kinds_of_nodes(const std::string &text) {
    std::vector<KindOfNode> kinds;
    for (const std::string &part : parts_of(text, ',')) {
        const auto [name, words] = name_and_word("--kinds", part, form_of_kind);
        const std::vector<std::string> numbers = parts_of(words, ':');
        KindOfNode kind{name, 0, 0, 0};
        const auto nodes = count_in(numbers.front(), most_nodes);
        if (numbers.size() == 2 && nodes) {
            kind.nodes = *nodes;
            const std::vector<std::string> node = parts_of(numbers.back(), 'x');
            const auto cores = count_in(node.back(), most_in_node), gpus = count_in(node.front(), most_in_node);
            if (cores && node.size() == 1) kind.cores = *cores;
            if (cores && gpus && node.size() == 2) {
                kind.gpus = *gpus;
                kind.cores = *gpus * *cores;
            }
        }
        if (kind.cores == 0)
            throw std::invalid_argument(std::string("--kinds: not ") + form_of_kind + ": '" + part + "'");
        if (std::ranges::count(kinds, name, &KindOfNode::name) > 0)
            throw std::invalid_argument("--kinds: '" + name + "' is given twice");
        kinds.push_back(kind);
    }
    return kinds;
}

KindsByComponent kinds_by_component(const std::vector<std::string> &texts, const std::vector<std::string> &components,
                                    const std::vector<KindOfNode> &kinds) {
    KindsByComponent all;
    for (const std::string &text : texts) {
        const auto [names, words] = name_and_word("--on", text, "COMPONENT,...=KIND or KIND:KIND");
        std::vector<std::size_t> places;
        for (const std::string &kind : parts_of(words, ':'))
            places.push_back(place_of("--on", kind, "kind of node", names_of(kinds)));
        std::ranges::sort(places);
        places.erase(std::unique(places.begin(), places.end()), places.end());
        for (const std::string &name : parts_of(names, ',')) {
            place_of("--on", name, "component", components);
            if (!all.emplace(name, places).second)
                throw std::invalid_argument("--on: '" + name + "' is given twice; several kinds are KIND:KIND");
        }
    }
    return all;
}

SharedNodes shared_nodes(const std::vector<std::string> &texts, const std::vector<std::string> &components) {
    SharedNodes all;
    std::set<std::size_t> taken;
    for (const std::string &text : texts) {
        const std::vector<std::string> sides = parts_of(text, '+');
        const std::vector<std::string> first = parts_of(sides.front(), ':'), second = parts_of(sides.back(), ':');
        const auto cores = first.size() == 2 ? count_in(first.back(), most_in_node) : std::optional<std::int64_t>(1);
        const auto factor = second.size() == 2 ? amount_in(second.back()) : std::optional<double>(1);
        if (sides.size() != 2 || first.size() > 2 || second.size() > 2 || !cores || !factor || *factor < 1) {
            throw std::invalid_argument(
                "--share: not COMPONENT+COMPONENT, or with the cores for each GPU of the first "
                "and how many times as long they then take, such as "
                "atmosphere:2+ocean:1.08: '" +
                text + "'");
        }
        if (!all.halves.empty() && *cores != all.host_cores)
            throw std::invalid_argument("--share: the cores for each GPU have to be the same in all pairs");
        all.host_cores = *cores;
        NodeHalves pair{place_of("--share", first.front(), "component", components),
                        place_of("--share", second.front(), "component", components),
                        second.size() == 2 ? *factor : unknown};
        for (const std::size_t c : {pair.first, pair.second})
            if (!taken.insert(c).second)
                throw std::invalid_argument("--share: '" + components[c] + "' is given twice");
        all.halves.push_back(pair);
    }
    return all;
}

std::map<std::string, GivenNodes> given_nodes(const std::string &text, const std::vector<std::string> &components,
                                              const std::vector<KindOfNode> &kinds) {
    std::map<std::string, GivenNodes> all;
    if (text.empty()) return all;
    for (const std::string &part : parts_of(text, ',')) {
        const auto [name, words] = name_and_word("--nodes", part, "COMPONENT=NODES or COMPONENT=KIND:NODES");
        place_of("--nodes", name, "component", components);
        GivenNodes given;
        const std::size_t colon = words.rfind(':');
        const std::string count = colon == std::string::npos ? words : words.substr(colon + 1);
        if (colon != std::string::npos)
            given.kind = place_of("--nodes", words.substr(0, colon), "kind of node", names_of(kinds));
        const auto nodes = count_in(count, most_nodes);
        if (!nodes) throw std::invalid_argument("--nodes: not a number of nodes, at most 100000: '" + count + "'");
        given.nodes = *nodes;
        if (!all.emplace(name, given).second) throw std::invalid_argument("--nodes: '" + name + "' is given twice");
    }
    return all;
}

std::vector<double> node_prices(const std::string &text, const std::vector<KindOfNode> &kinds) {
    std::vector<std::string> words = {"gpu", "cpu"};
    for (const KindOfNode &kind : kinds)
        words.push_back(kind.name + "-node");
    std::vector<double> given(words.size(), unknown);
    for (const std::string &part : parts_of(text, ',')) {
        const auto [name, number] = name_and_word("--price", part, "gpu=PRICE, cpu=PRICE or KIND-node=PRICE");
        double &price = given[place_of("--price", name, "price of", words)];
        if (is_known(price)) throw std::invalid_argument("--price: '" + name + "' is given twice");
        const auto amount = amount_in(number);
        if (!amount) throw std::invalid_argument("--price: not a number from 1e-12 to 1e12: '" + number + "'");
        price = *amount;
    }
    std::vector<double> prices;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        const double of_units = (is_known(given[0]) ? given[0] * static_cast<double>(kinds[k].gpus) : 0) +
                                (is_known(given[1]) ? given[1] * static_cast<double>(kinds[k].cores) : 0);
        prices.push_back(is_known(given[k + 2]) ? given[k + 2] : of_units);
        if (!(prices.back() > 0)) {
            throw std::invalid_argument("--price: a node of " + kinds[k].name + " has no price: give cpu=PRICE, or " +
                                        words[k + 2] + "=PRICE");
        }
    }
    return prices;
}

std::vector<Power> node_power(const std::string &text, const std::vector<KindOfNode> &kinds) {
    std::vector<Power> power(kinds.size());
    for (const std::string &part : parts_of(text, ',')) {
        const char *const form =
            "KIND=BUSY or KIND=BUSY:IDLE, watts of a node from 1e-12 to 1e12, idle not above busy";
        const auto [name, words] = name_and_word("--power", part, form);
        Power &watts = power[place_of("--power", name, "kind of node", names_of(kinds))];
        if (watts.busy_W > 0) throw std::invalid_argument("--power: '" + name + "' is given twice");
        const std::vector<std::string> numbers = parts_of(words, ':');
        const auto busy = amount_in(numbers.front()), idle = amount_in(numbers.back());
        if (numbers.size() > 2 || !busy || !idle || *idle > *busy)
            throw std::invalid_argument(std::string("--power: not ") + form + ": '" + part + "'");
        watts = {*busy, *idle};
    }
    for (std::size_t k = 0; k < kinds.size(); ++k)
        if (!(power[k].busy_W > 0))
            throw std::invalid_argument("--power: the watts of a node of " + kinds[k].name + " are missing");
    return power;
}

} // namespace cpl_lb
