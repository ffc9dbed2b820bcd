// Finds a component's events that are one side of an exchange, without a search through all events each time.
#pragma once

#include "data/events.hpp"

#include <cstdint>
#include <vector>

namespace cpl_lb {

using EventPlaces = std::vector<std::uint32_t>; // places in an event table

class ExchangeEvents {
public:
    explicit ExchangeEvents(const EventTable &table); // `table` outlives this object

    // The SYNC events of the field, in the order of their occurrence.
    [[nodiscard]] EventPlaces syncs(std::int32_t field) const;
    // The events that may be this side of the exchange, in the order in which find_exchanges numbers them.
    [[nodiscard]] EventPlaces side(Kind kind, std::int32_t field, std::int32_t other) const;

private:
    [[nodiscard]] const EventClass &key(std::uint32_t c) const { return table_.keys.classes()[c]; }
    void append(const EventClass &first, const EventClass &last, EventPlaces &places) const;

    const EventTable &table_;
    std::vector<EventPlaces> of_class_; // places of PUTs, GETs and SYNCs by class
    std::vector<std::uint32_t> sorted_; // classes with such events, by kind, field and counterpart
};

} // namespace cpl_lb
