// The key of a coupling event, and a compact list of the keys of millions of them (docs/definitions.md, section 1).
#pragma once

#include "data/kinds.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace cpl_lb {

inline constexpr std::int64_t no_date = std::numeric_limits<std::int64_t>::min();

// Two processes recorded the same coupling event if these values are equal.
struct EventKey {
    Kind kind = Kind::undf;
    std::int32_t field = 0;       // id in CoupledRun::field_names, from 1; 0: none
    std::int32_t counterpart = 0; // id in CoupledRun::component_names, from 1; 0: none or not known
    std::int64_t date = no_date;  // model date [s]; no_date where not every process gave dates
    std::int64_t occurrence = 0;  // from 0, within the date, or over the run without dates

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 of the default for a pointer
    friend constexpr auto operator<=>(const EventKey &, const EventKey &) = default;
};

// A class of events of one component, with ids on which all processes agreed: the key without date and occurrence.
struct EventClass {
    Kind kind = Kind::undf;
    std::int32_t field = 0;
    std::int32_t counterpart = 0;
    // NOLINTNEXTLINE(modernize-use-nullptr): see above
    friend constexpr auto operator<=>(const EventClass &, const EventClass &) = default;
};

// The keys of many events, in their order. A component has few different (kind, field, counterpart) and may have
// millions of events: 4 bytes for each, and 8 or 4 more only where there are dates or occurrences other than 0.
class EventKeys {
public:
    EventKeys() = default;
    EventKeys(std::initializer_list<EventKey> keys) : EventKeys(std::vector(keys)) {}
    EventKeys(const std::vector<EventKey> &keys) { // NOLINT: as if it were one
        for (const EventKey &key : keys)
            push_back(key);
    }
    // Events by place in `classes`, without dates and with occurrences that nobody asks for (see has_occurrences).
    EventKeys(std::vector<EventClass> classes, std::vector<std::uint32_t> of_events)
        : classes_(std::move(classes)), of_events_(std::move(of_events)) {}

    [[nodiscard]] std::size_t size() const { return of_events_.size(); }
    [[nodiscard]] bool empty() const { return of_events_.empty(); }
    [[nodiscard]] const EventClass &what(std::size_t k) const { return classes_[of_events_[k]]; }
    [[nodiscard]] EventKey operator[](std::size_t k) const {
        const EventClass &c = what(k);
        return {c.kind, c.field, c.counterpart, date(k), occurrences_.empty() ? 0 : occurrences_[k]};
    }
    [[nodiscard]] EventKey front() const { return (*this)[0]; }
    [[nodiscard]] EventKey back() const { return (*this)[size() - 1]; }
    [[nodiscard]] std::int64_t date(std::size_t k) const { return dates_.empty() ? no_date : dates_[k]; }
    [[nodiscard]] bool has_dates() const { return !dates_.empty(); }
    // The classes of events. A change here changes all events of that class.
    [[nodiscard]] std::vector<EventClass> &classes() { return classes_; }
    [[nodiscard]] const std::vector<EventClass> &classes() const { return classes_; }
    [[nodiscard]] std::uint32_t class_of(std::size_t k) const { return of_events_[k]; }
    [[nodiscard]] const std::vector<std::uint32_t> &of_events() const { return of_events_; }
    [[nodiscard]] const std::vector<std::int64_t> &dates() const { return dates_; } // of all events, or empty

    // Classes of no event go: of thousands of components each would keep those of all.
    void keep_used_classes() {
        std::vector<std::uint32_t> place(classes_.size(), 0);
        for (const std::uint32_t at : of_events_)
            place[at] = 1;
        std::vector<EventClass> used;
        for (std::size_t at = 0; at < place.size(); ++at) {
            if (place[at] == 0) continue;
            place[at] = static_cast<std::uint32_t>(used.size());
            used.push_back(classes_[at]);
        }
        for (std::uint32_t &at : of_events_)
            at = place[at];
        classes_ = std::move(used);
        places_.clear();
    }

    void set_counterpart(std::size_t k, std::int32_t counterpart) {
        const EventClass c{what(k).kind, what(k).field, counterpart};
        of_events_[k] = class_for(c);
    }

    void reserve(std::size_t events) { of_events_.reserve(events); }
    void clear() { *this = {}; }
    void push_back(const EventKey &key) {
        const std::size_t k = size();
        of_events_.push_back(class_for({key.kind, key.field, key.counterpart}));
        if (key.date != no_date || !dates_.empty()) {
            dates_.resize(k, no_date);
            dates_.push_back(key.date);
        }
        if (key.occurrence != 0 || !occurrences_.empty()) {
            occurrences_.resize(k);
            occurrences_.push_back(key.occurrence);
        }
    }
    void assign(std::size_t events, const EventKey &key) {
        clear();
        for (std::size_t k = 0; k < events; ++k)
            push_back(key);
    }
    void set_dates(std::vector<std::int64_t> dates) { dates_ = std::move(dates); } // of all events, or empty
    void set_occurrences(std::vector<std::int64_t> occurrences) { occurrences_ = std::move(occurrences); }

    [[nodiscard]] std::vector<EventKey> all() const {
        std::vector<EventKey> keys;
        for (std::size_t k = 0; k < size(); ++k)
            keys.push_back((*this)[k]);
        return keys;
    }

    friend bool operator==(const EventKeys &a, const EventKeys &b) { return a.all() == b.all(); }

private:
    // Tries the last class first, then all: there are few.
    std::uint32_t class_for(const EventClass &c) {
        if (!of_events_.empty() && classes_[of_events_.back()] == c) return of_events_.back();
        const auto [found, is_new] = places_.try_emplace(c, static_cast<std::uint32_t>(classes_.size()));
        if (is_new) classes_.push_back(c);
        return found->second;
    }

    std::vector<EventClass> classes_;
    std::vector<std::uint32_t> of_events_;       // place in classes_
    std::vector<std::int64_t> dates_;            // empty: none has a date
    std::vector<std::int64_t> occurrences_;      // empty: not kept
    std::map<EventClass, std::uint32_t> places_; // places of the classes that push_back() met
};

} // namespace cpl_lb
