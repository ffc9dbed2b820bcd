// Finds the files of a folder that belong to one run.
#pragma once

#include "data/event_keys.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace cpl_lb {

struct RunFolder {
    std::string run_id;                     // of the timelines; empty if they do not say
    std::vector<std::string> timelines;     // paths, by name
    std::string json;                       // path of load_balancing_info.json; empty: there is none
    std::vector<std::string> other_run_ids; // of timelines that are left out, the newest first
};

// If the folder has several runs, the one with the newest timelines is taken. Timelines without the name of a run
// count only if no other has one. Throws FileError if there is no timeline.
[[nodiscard]] RunFolder look_into(const std::string &directory);

[[nodiscard]] bool is_timeline_name(std::string_view name); // of a file

// Whether a run left timelines or a json there; false, too, if the folder cannot be read.
[[nodiscard]] bool holds_results(const std::string &directory);

// The path of the json in a folder; empty: there is none.
[[nodiscard]] std::string json_in(const std::string &directory);
// The same in a folder without timelines; empty, too, if there are timelines.
[[nodiscard]] std::string lone_json_in(const std::string &directory);

// Finds the ids of components whose timelines do not have them, as those that OASIS3-MCT 5 writes. The ids of
// counterparts in them follow the components' order in the run, which is not the order of the files' names.
// (kind, field, id of the counterpart) of a component's PUTs and GETs; only those that name a counterpart.
using NamedExchanges = std::set<std::tuple<Kind, std::int32_t, std::int32_t>>;
[[nodiscard]] NamedExchanges named_exchanges(const EventKeys &keys);

// The ids from 1 for which each component's counterpart exchanges with it, too, and none with itself; empty if not
// exactly one order fits, or there are too many to try.
[[nodiscard]] std::optional<std::vector<std::int32_t>> ids_that_fit(const std::vector<NamedExchanges> &components);

} // namespace cpl_lb
