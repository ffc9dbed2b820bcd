// Tells writers by what runs inside their component: on PETs of their own, nothing that the other PETs run, and a
// name that speaks of writing.
#include "run/imported/esmf_writers.hpp"

#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

namespace cpl_lb {
namespace {

bool speaks_of_writing(const std::string &name) {
    std::string lower;
    for (const char c : name)
        lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    constexpr std::array<std::string_view, 5> words = {"wrt", "write", "output", "history", "ioserver"};
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

using Names = std::set<std::string>;

// The components that run inside a component on one PET.
Names inside_of(const PetTree &tree, const std::string &component) {
    Names names;
    for (const auto &[around, inside] : tree.inside)
        if (around == component) names.insert(inside);
    return names;
}

// Writers of one component: what runs on them, and their PETs by place.
using Groups = std::map<Names, std::vector<std::size_t>>;

Groups writers_of(const std::string &component, const std::vector<PetTree> &trees) {
    Groups groups;
    Names of_models; // what runs on PETs that are no writers
    bool has_models = false;
    for (std::size_t i = 0; i < trees.size(); ++i) {
        if (!trees[i].components.contains(component)) continue;
        const Names inside = inside_of(trees[i], component);
        if (!inside.empty() && std::all_of(inside.begin(), inside.end(), speaks_of_writing)) {
            groups[inside].push_back(i);
        } else {
            has_models = true;
            of_models.insert(inside.begin(), inside.end());
        }
    }
    // If the PETs that compute write, too, there are no separate writers.
    std::erase_if(groups, [&](const auto &group) {
        return !has_models || std::any_of(group.first.begin(), group.first.end(),
                                          [&](const std::string &name) { return of_models.contains(name); });
    });
    return groups;
}

} // namespace

EsmfWriters find_esmf_writers(const std::vector<EsmfStream> &streams, const std::vector<PetTree> &trees) {
    EsmfWriters writers;
    writers.of_pet.resize(streams.size());
    Names components;
    for (const PetTree &t : trees)
        components.insert(t.components.begin(), t.components.end());
    for (const std::string &component : components) {
        for (const auto &[inside, pets] : writers_of(component, trees)) {
            // A PET that runs other components, too, is not one of its own.
            const auto is_shared = [&](std::size_t i) { return trees[i].components.size() > 1; };
            if (std::any_of(pets.begin(), pets.end(), is_shared)) continue;
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
