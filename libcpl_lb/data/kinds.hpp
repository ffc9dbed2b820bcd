// Kinds of coupling events, with the numbers of TR/CMGC/20/176 table 1; SYNC is not in it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace cpl_lb {

enum class Kind : std::uint8_t { undf, put, get, map, out, read, rst, trn, part, endf, term, sync };

inline constexpr int kind_count = 12;
// SYNC is recorded at the level of MPI only (docs/record.md): a model has the kinds before it.
inline constexpr int kinds_of_models = 11;

inline constexpr std::array<std::string_view, kind_count> kind_names = {
    "UNDF", "PUT", "GET", "MAP", "OUT", "READ", "RST", "TRN", "PART", "ENDF", "TERM", "SYNC"};

[[nodiscard]] constexpr std::string_view name_of(Kind kind) {
    return kind_names[static_cast<std::size_t>(kind)];
}

// The kinds whose duration can be waiting for another component.
[[nodiscard]] constexpr bool is_exchange(Kind kind) {
    return kind == Kind::put || kind == Kind::get || kind == Kind::sync;
}
// Exchanges that one side sends and the other receives. In a SYNC each may wait for each.
[[nodiscard]] constexpr bool is_message(Kind kind) {
    return kind == Kind::put || kind == Kind::get;
}
// The coupler's own work on a field (docs/definitions.md, section 2: mapping and output).
[[nodiscard]] constexpr bool is_mapping(Kind kind) {
    return kind == Kind::map;
}
[[nodiscard]] constexpr bool is_restart(Kind kind) {
    return kind == Kind::rst || kind == Kind::trn;
}
[[nodiscard]] constexpr bool is_output(Kind kind) {
    return kind == Kind::out || kind == Kind::read || is_restart(kind);
}
[[nodiscard]] constexpr bool is_operation(Kind kind) {
    return is_mapping(kind) || is_output(kind);
}

} // namespace cpl_lb
