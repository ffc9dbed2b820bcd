// Matches each PUT of a run with the GET that received it (docs/definitions.md, section 1).
#pragma once

#include "analysis/exchanges.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace cpl_lb {

// Whether a PUT was seen to wait for its GET. A sender that came first and left before its receiver came did not
// wait. In a collective operation each direction is an exchange of its own (analysis/exchanges.hpp).
enum class Transfer : std::uint8_t { not_seen, synchronous, buffered, collective };

[[nodiscard]] std::string name_of(Transfer transfer);

struct EventPair {
    std::uint32_t put = 0, get = 0; // places in the event tables of source and target
};

// The same exchange in another call of a process, which has its own events (data/field_parts.hpp).
struct MatchedParts {
    std::vector<EventPair> pairs; // by time
    Transfer transfer = Transfer::not_seen;
};

struct MatchedExchange {
    Exchange exchange;
    // Unequal periods: one of so many PUTs is received, or one PUT answers so many GETs (the field is
    // accumulated, or read again). 1 and 1: each PUT has its GET.
    std::int64_t puts_per_pair = 1, gets_per_pair = 1;
    std::vector<EventPair> pairs; // by time
    Transfer transfer = Transfer::not_seen;
    std::vector<MatchedParts> parts; // filled if either side made several calls for one exchange
};

// For each class, the first class of the same exchange. In a SYNC the last to come may differ between classes.
[[nodiscard]] std::vector<std::uint32_t> first_alike(const std::vector<EventClass> &classes);

// Ids of the components that have a pair in any of these exchanges.
[[nodiscard]] std::set<std::int32_t> those_that_exchange(const std::vector<MatchedExchange> &exchanges);

// Finds the place of a component in run.components.
class ComponentPlaces {
public:
    explicit ComponentPlaces(const CoupledRun &run);
    [[nodiscard]] std::size_t of(std::int32_t id) const; // the number of components if none has this id

private:
    std::unordered_map<std::int32_t, std::size_t> places_;
    std::size_t none_;
};

// All exchanges of the run with their pairs, by field, source, target. `found`: result of find_exchanges().
[[nodiscard]] std::vector<MatchedExchange> match_events(const CoupledRun &run, const std::vector<Exchange> &found,
                                                        const Budget &budget = {});

} // namespace cpl_lb
