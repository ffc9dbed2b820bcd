// The names of the run: agreed on at terminate, when every process knows its fields, the same on every process.
#pragma once

#include "data/kinds.hpp"
#include "gather/layout.hpp"

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace cpl_lb {

// What one process recorded at least once, by name.
struct CatalogueEntry {
    std::string component;
    Kind kind = Kind::undf;
    std::string field;       // empty: none
    std::string counterpart; // empty: not known

    friend auto operator<=>(const CatalogueEntry &, const CatalogueEntry &) = default;
};

// The same, by number.
struct EventClass {
    std::int32_t component = 0; // ids from 1
    Kind kind = Kind::undf;
    std::int32_t field = 0;
    std::int32_t counterpart = 0;

    friend auto operator<=>(const EventClass &, const EventClass &) = default;
};

struct Catalogue {
    std::vector<std::string> component_names;       // by id - 1: instrumented ones, then other counterparts
    std::vector<std::string> field_names;           // by id - 1
    std::vector<std::vector<std::int32_t>> members; // ranks of each instrumented component
    std::vector<EventClass> classes;                // ascending
    std::vector<CatalogueEntry> entries;            // ascending
    std::vector<std::uint32_t> class_of_entry;      // index into classes

    // Index into classes; entries of this process are always there.
    [[nodiscard]] std::uint32_t class_of(const CatalogueEntry &entry) const;
    [[nodiscard]] std::int32_t component_id(const std::string &name) const; // 0: no such
};

// From all entries of the run, and who is in which component. Counterparts that the model did not name are those
// components that have the same field with the opposite kind, where there is exactly one. Pure.
[[nodiscard]] Catalogue make_catalogue(std::vector<CatalogueEntry> entries, std::vector<std::string> component_names,
                                       std::vector<std::vector<std::int32_t>> members);

// Collective over `present`. components: those of this process, the first from cpl_lb_init.
bool agree_on_catalogue(Group &present, const std::vector<std::string> &components,
                        std::vector<CatalogueEntry> entries, Catalogue &catalogue);

} // namespace cpl_lb
