// The PUTs and GETs that this process recorded since a moment, with the computing between them. The run-time manager
// learns a component's times from them while the model runs.
#pragma once

#include "record/recorder.hpp"

#include <cstdint>
#include <vector>

namespace cpl_lb {

struct RecordedMoment {
    MarkStore::Place place; // of the first mark after it
    std::uint64_t ticks = 0;
};

struct RecordedExchange {
    double computing_s = 0; // before the exchange, outside of other exchanges
    double seconds = 0;     // of the exchange itself
    bool is_put = false;
    int field = 0;
};

struct RecordedInterval {
    std::vector<RecordedExchange> exchanges; // without those inside another one
    double last_s = 0;                       // computing after the last of them
    double seconds = 0;                      // of the whole interval
    bool in_exchange = false;                // the interval begins or ends inside an exchange
    bool complete = true;                    // false: events were dropped
};

[[nodiscard]] RecordedMoment recorded_now(const Recorder &recorder);
[[nodiscard]] RecordedInterval recorded_since(const Recorder &recorder, const RecordedMoment &moment,
                                              double ticks_per_s);

} // namespace cpl_lb
