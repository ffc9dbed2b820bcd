// The names of the run, from what each process recorded: components, fields and classes of events by number. Pure;
// run/live/steps/one_list.hpp lets the processes of a run agree on it.
#pragma once

#include "data/event_keys.hpp"
#include "support/number_list.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// A field as one process knows it. Its place is the number that the model gives it.
struct LocalField {
    std::string name;        // empty: not known
    std::string counterpart; // empty: not known
};

// A kind, field and counterpart that a process recorded at least once, by name, as processes exchange them.
struct CatalogueEntry {
    std::string component;
    Kind kind = Kind::undf;
    std::string field;       // empty: none
    std::string counterpart; // empty: not known

    friend auto operator<=>(const CatalogueEntry &, const CatalogueEntry &) = default;
};

// field: 0 (none) or a number in `fields`. A field that is not there, or has no name, gets its number as its name.
[[nodiscard]] CatalogueEntry entry_of(const std::string &component, Kind kind, std::uint32_t field,
                                      const std::vector<LocalField> &fields);

// The same by the numbers on which all processes agreed.
struct ClassOfComponent {
    std::int32_t component = 0; // ids from 1
    EventClass what;

    friend auto operator<=>(const ClassOfComponent &, const ClassOfComponent &) = default;
};

struct Catalogue {
    std::vector<std::string> component_names;  // by id - 1: instrumented ones, then other counterparts
    std::vector<std::string> field_names;      // by id - 1
    std::vector<NumberList> members;           // ranks of each instrumented component
    std::vector<ClassOfComponent> classes;     // ascending
    std::vector<CatalogueEntry> entries;       // ascending
    std::vector<std::uint32_t> class_of_entry; // index into classes

    // The index into classes of an entry. Entries of this process are always there.
    [[nodiscard]] std::uint32_t class_of(const CatalogueEntry &entry) const;
};

// The counterpart of messages with another part of the same program, recorded by MPI before the parts have names
// (CPL_LB_ANOTHER_PART).
inline constexpr std::string_view another_part = "another part";

// Makes the catalogue from all entries of the run and the ranks of each component. If the model named no counterpart,
// it is the component that has the same field with the opposite kind, if there is exactly one. In a program of two
// components another part is the other one. Pure.
[[nodiscard]] Catalogue make_catalogue(std::vector<CatalogueEntry> entries, std::vector<std::string> component_names,
                                       std::vector<NumberList> members);

// Ranks of each component, by name. The components are in the order of their lowest rank, and by name if that is
// equal (one process runs several).
using Members = std::map<std::string, std::set<std::int32_t>>;
[[nodiscard]] Catalogue make_catalogue(std::vector<CatalogueEntry> entries, const Members &members);

} // namespace cpl_lb
