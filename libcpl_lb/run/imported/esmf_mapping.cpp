// Makes components, exchanges and times away of the calls that the driver of a NUOPC application makes on each PET.
#include "run/imported/esmf_mapping.hpp"

#include "run/imported/esmf_tree.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

namespace cpl_lb {
namespace {

class PetMapper {
public:
    PetMapper(const EsmfStream &stream, const PetTree &tree, const std::string &driver,
              const std::set<std::string> &components, const std::string &writer)
        : stream_(stream), tree_(tree), driver_(driver), components_(components), writer_(writer) {}
    MappedPet map(Nanoseconds ahead);
    // Connectors of this PET between two components of which it runs none.
    [[nodiscard]] const std::set<std::string> &strange() const { return strange_; }

private:
    struct Turn { // from then on the PET works for that part
        Nanoseconds since;
        std::size_t part;
    };
    struct Visit { // it sends in that moment, and the PET works for another
        std::size_t part;
        Nanoseconds at;
    };
    static constexpr std::size_t no_part = static_cast<std::size_t>(-1);

    [[nodiscard]] std::size_t part_of(const std::string &component) const;
    void add(std::size_t part, Kind kind, const std::string &field, const std::string &counterpart, Interval time);
    void take_turn(std::size_t part, Nanoseconds since);
    void map_connector(const DriverChild &child, Interval time);
    void map_phase(const DriverChild &child, const EsmfCall &call, Interval time);
    void enter_times_away();
    void return_to_send(std::size_t part);

    const EsmfStream &stream_;
    const PetTree &tree_;
    const std::string &driver_;
    const std::set<std::string> &components_;
    const std::string &writer_; // name of the component of writers that this PET is of, or empty
    MappedPet pet_;
    std::vector<Turn> turns_;
    std::vector<Visit> visits_;
    std::set<std::string> strange_;
};

std::size_t PetMapper::part_of(const std::string &component) const {
    const auto found = std::ranges::find(pet_.parts, component, &MappedPart::component);
    return found == pet_.parts.end() ? no_part : static_cast<std::size_t>(found - pet_.parts.begin());
}

void PetMapper::add(std::size_t part, Kind kind, const std::string &field, const std::string &counterpart,
                    Interval time) {
    MappedPart &p = pet_.parts[part];
    const CatalogueEntry entry{p.component, kind, field, counterpart};
    const auto found = std::ranges::find(p.entries, entry);
    const auto place = static_cast<std::uint32_t>(found - p.entries.begin());
    if (found == p.entries.end()) p.entries.push_back(entry);
    p.events.push_back({place, time.start, time.stop});
}

void PetMapper::take_turn(std::size_t part, Nanoseconds since) {
    if (turns_.empty())
        turns_.push_back({pet_.first, part});
    else if (turns_.back().part != part)
        turns_.push_back({std::max(since, turns_.back().since), part});
}

// A receives nothing in A-TO-B, and B gives nothing: a connector waits where the target is. If one PET runs both, A
// has sent as soon as the connector begins, and the time belongs to B.
void PetMapper::map_connector(const DriverChild &child, Interval time) {
    const ConnectorEnds ends = connector_ends(child.component, components_);
    if (ends.source == driver_ || ends.target == driver_) return;
    const std::size_t source = part_of(ends.source), target = part_of(ends.target);
    if (source == no_part && target == no_part) {
        if (child.in_run) strange_.insert(child.component);
        return;
    }
    if (child.in_run && source != no_part) {
        const bool both = target != no_part;
        add(source, Kind::put, child.component, ends.target, both ? Interval{time.start, time.start} : time);
        if (both) visits_.push_back({source, time.start});
    }
    if (child.in_run && target != no_part) add(target, Kind::get, child.component, ends.source, time);
    take_turn(target != no_part ? target : source, time.start);
}

void PetMapper::map_phase(const DriverChild &child, const EsmfCall &call, Interval time) {
    const std::size_t part = part_of(child.component);
    if (part == no_part) return; // initialised, but never run
    take_turn(part, time.start);
    if (!child.in_run || call.exit == absent) return;
    const auto has = [&](std::string_view word) { return child.phase.find(word) != std::string::npos; };
    if (has("restart_write"))
        add(part, Kind::rst, child.phase, {}, time);
    else if (has("history_write"))
        add(part, Kind::out, child.phase, {}, time);
}

void PetMapper::enter_times_away() {
    if (pet_.parts.size() < 2) return;
    for (std::size_t part = 0; part < pet_.parts.size(); ++part) {
        std::vector<Interval> &away = pet_.parts[part].away;
        for (std::size_t i = 0; i < turns_.size(); ++i) {
            if (turns_[i].part == part) continue;
            const Nanoseconds until = i + 1 < turns_.size() ? turns_[i + 1].since : pet_.last;
            if (!away.empty() && away.back().stop == turns_[i].since)
                away.back().stop = until;
            else
                away.push_back({turns_[i].since, until});
        }
        std::erase_if(away, [](const Interval &a) { return a.length() == 0; });
    }
    for (std::size_t part = 0; part < pet_.parts.size(); ++part)
        return_to_send(part);
}

// A PET that sends counts as in its component: it sends what it computed before the others go on.
void PetMapper::return_to_send(std::size_t part) {
    std::vector<Interval> away;
    auto visit = visits_.begin();
    for (Interval a : pet_.parts[part].away) {
        for (; visit != visits_.end() && visit->at < a.stop; ++visit) {
            if (visit->part != part || visit->at <= a.start) continue;
            away.push_back({a.start, visit->at});
            a.start = visit->at;
        }
        away.push_back(a);
    }
    pet_.parts[part].away = std::move(away);
}

MappedPet PetMapper::map(Nanoseconds ahead) {
    pet_.pet = stream_.pet;
    pet_.first = stream_.first - ahead;
    pet_.last = stream_.last - ahead;
    pet_.has_tail = stream_.has_profile;
    if (!writer_.empty()) {
        pet_.parts.push_back({writer_, {}, {}, {}});
        for (const EsmfCall &c : stream_.calls) {
            const EsmfRegion &region = stream_.regions[c.region];
            const bool inside = region.parent != EsmfRegion::none && tree_.children[region.parent];
            if (!inside || region.method != EsmfMethod::run || c.exit == absent) continue;
            add(0, Kind::out, std::string(phase_name(region.name).component), {}, {c.enter - ahead, c.exit - ahead});
        }
        return std::move(pet_);
    }
    for (const std::string &name : tree_.components)
        if (components_.contains(name)) pet_.parts.push_back({name, {}, {}, {}});
    for (const EsmfCall &c : stream_.calls) {
        const std::optional<DriverChild> &child = tree_.children[c.region];
        if (!child) continue;
        const Interval time{c.enter - ahead, (c.exit == absent ? c.enter : c.exit) - ahead};
        if (!child->is_connector)
            map_phase(*child, c, time);
        else if (c.exit != absent)
            map_connector(*child, time);
    }
    enter_times_away();
    return std::move(pet_);
}

// Components that the driver runs on a traced PET.
std::set<std::string> run_components(const std::vector<PetTree> &trees) {
    std::set<std::string> names;
    for (const PetTree &t : trees)
        for (const std::optional<DriverChild> &c : t.children)
            if (c && c->in_run && !c->is_connector) names.insert(c->component);
    return names;
}

// Ends of connectors that no traced PET runs. The driver is known, too.
void tell_untraced(const std::vector<PetTree> &trees, const std::set<std::string> &known, MappedTrace &mapped) {
    std::set<std::string> untraced;
    for (const PetTree &t : trees) {
        for (const std::optional<DriverChild> &c : t.children) {
            if (!c || !c->is_connector || !c->in_run) continue;
            const ConnectorEnds ends = connector_ends(c->component, known);
            for (const std::string &end : {ends.source, ends.target})
                if (!known.contains(end)) untraced.insert(end);
        }
    }
    for (const std::string &name : untraced)
        mapped.remarks.push_back(say(Sentence::remark_untraced, {{"name", name}}));
}

} // namespace

MappedTrace map_esmf(const std::vector<EsmfStream> &streams, const NodeClocks &clocks) {
    MappedTrace mapped;
    mapped.driver = driver_of(streams);
    if (mapped.driver.empty())
        throw std::runtime_error("no driver in the trace: no component's run phase calls a connector (A-TO-B), so "
                                 "nothing is coupled by NUOPC");
    std::vector<PetTree> trees;
    trees.reserve(streams.size());
    for (const EsmfStream &s : streams)
        trees.push_back(pet_tree(s, mapped.driver));
    const std::set<std::string> components = run_components(trees);
    if (components.empty())
        throw std::runtime_error(fmt::format("{} runs no components in the trace", mapped.driver));
    std::set<std::string> known = components;
    known.insert(mapped.driver);
    EsmfWriters writers = find_esmf_writers(streams, trees);
    mapped.remarks = std::move(writers.remarks);
    mapped.writers = std::move(writers.names);
    std::set<std::string> strange;
    for (std::size_t i = 0; i < streams.size(); ++i) {
        PetMapper mapper(streams[i], trees[i], mapped.driver, known, writers.of_pet[i]);
        const auto ahead = clocks.ahead.find(streams[i].node);
        mapped.pets.push_back(mapper.map(ahead == clocks.ahead.end() ? 0 : ahead->second));
        strange.insert(mapper.strange().begin(), mapper.strange().end());
    }
    tell_untraced(trees, known, mapped);
    if (!strange.empty()) {
        mapped.remarks.push_back(
            say(Sentence::remark_connectors_left_out,
                {{"connectors", counted(strange.size(), "connector")}, {"first", *strange.begin()}}));
    }
    return mapped;
}

} // namespace cpl_lb
