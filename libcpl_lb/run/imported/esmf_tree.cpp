// Finds the driver among the components of a trace, and its children on one PET.
#include "run/imported/esmf_tree.hpp"

#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::string_view between = "-TO-";

std::string component_of(const EsmfRegion &region) {
    return std::string(phase_name(region.name).component);
}

bool speaks_of_writing(const std::string &name) {
    std::string lower(name);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    constexpr std::array<std::string_view, 5> words = {"wrt", "write", "output", "history", "ioserver"};
    return std::ranges::any_of(words, [&](std::string_view w) { return lower.find(w) != std::string::npos; });
}

using Names = std::set<std::string>;

// Writers of one component: the names that run on them, and their PETs by place.
using Groups = std::map<Names, std::vector<std::size_t>>;

Groups writers_of(const std::string &component, const std::vector<PetTree> &trees) {
    Groups groups;
    Names of_models; // what runs on PETs that are no writers
    bool has_models = false;
    for (std::size_t i = 0; i < trees.size(); ++i) {
        if (!trees[i].components.contains(component)) continue;
        Names inside; // the component on this PET
        for (const auto &[around, name] : trees[i].inside)
            if (around == component) inside.insert(name);
        if (!inside.empty() && std::ranges::all_of(inside, speaks_of_writing)) {
            groups[inside].push_back(i);
        } else {
            has_models = true;
            of_models.insert(inside.begin(), inside.end());
        }
    }
    // If the PETs that compute write, too, there are no separate writers.
    std::erase_if(groups, [&](const auto &group) {
        const auto is_of_models = [&](const std::string &name) { return of_models.contains(name); };
        return !has_models || std::ranges::any_of(group.first, is_of_models);
    });
    return groups;
}

} // namespace

EsmfPhaseName phase_name(std::string_view region) {
    const std::size_t close = region.rfind("] ");
    if (region.empty() || region.front() != '[' || close == std::string_view::npos) return {{}, region};
    return {region.substr(1, close - 1), region.substr(close + 2)};
}

bool is_connector(std::string_view component) {
    return component.find(between) != std::string_view::npos;
}

ConnectorEnds connector_ends(std::string_view connector, const std::set<std::string> &components) {
    ConnectorEnds best;
    int best_known = -1;
    for (std::size_t at = connector.find(between); at != std::string_view::npos;
         at = connector.find(between, at + 1)) {
        ConnectorEnds ends{std::string(connector.substr(0, at)), std::string(connector.substr(at + between.size()))};
        const int known = (components.contains(ends.source) ? 1 : 0) + (components.contains(ends.target) ? 1 : 0);
        if (known <= best_known) continue;
        best_known = known;
        best = std::move(ends);
    }
    return best;
}

std::string driver_of(const std::vector<EsmfStream> &streams) {
    std::map<std::string, std::int64_t> votes;
    for (const EsmfStream &s : streams) {
        const EsmfRegion *outermost = nullptr;
        for (const EsmfRegion &r : s.regions) {
            if (r.parent == EsmfRegion::none || r.method != EsmfMethod::run) continue;
            const EsmfRegion &around = s.regions[r.parent];
            if (around.method != EsmfMethod::run || !is_connector(component_of(r))) continue;
            if (outermost == nullptr || around.depth < outermost->depth) outermost = &around;
        }
        if (outermost != nullptr) ++votes[component_of(*outermost)];
    }
    const auto most = std::ranges::max_element(votes, {}, [](const auto &vote) { return vote.second; });
    return most == votes.end() ? std::string() : most->first;
}

PetTree pet_tree(const EsmfStream &stream, const std::string &driver) {
    PetTree tree;
    tree.children.resize(stream.regions.size());
    for (std::size_t i = 0; i < stream.regions.size(); ++i) {
        const EsmfRegion &r = stream.regions[i];
        if (r.parent == EsmfRegion::none) continue;
        const EsmfRegion &parent = stream.regions[r.parent];
        if (component_of(parent) == driver && component_of(r) != driver) {
            const EsmfPhaseName name = phase_name(r.name);
            DriverChild child{std::string(name.component), std::string(name.phase), is_connector(name.component)};
            child.in_run = r.method == EsmfMethod::run && parent.method == EsmfMethod::run;
            if (!child.is_connector) tree.components.insert(child.component);
            tree.children[i] = std::move(child);
        } else if (r.method == EsmfMethod::run) {
            const std::optional<DriverChild> &around = tree.children[r.parent];
            if (around && around->in_run && !around->is_connector)
                tree.inside.emplace(around->component, component_of(r));
        }
    }
    return tree;
}

EsmfWriters find_esmf_writers(const std::vector<EsmfStream> &streams, const std::vector<PetTree> &trees) {
    EsmfWriters writers;
    writers.of_pet.resize(streams.size());
    Names components;
    for (const PetTree &t : trees)
        components.insert(t.components.begin(), t.components.end());
    for (const std::string &component : components) {
        for (const auto &[inside, pets] : writers_of(component, trees)) {
            // A PET that also runs other components is no writer.
            const auto is_shared = [&](std::size_t i) { return trees[i].components.size() > 1; };
            if (std::ranges::any_of(pets, is_shared)) continue;
            const std::string name = component + "-" + *inside.begin();
            for (const std::size_t i : pets)
                writers.of_pet[i] = name;
            writers.names.push_back(name);
            writers.remarks.push_back(
                say(Sentence::remark_writers, {{"pets", counted(pets.size(), "PET")},
                                               {"component", component},
                                               {"first", std::to_string(streams[pets.front()].pet)},
                                               {"write", word_for(pets.size(), "writes", "write")},
                                               {"name", name}}));
        }
    }
    return writers;
}

} // namespace cpl_lb
