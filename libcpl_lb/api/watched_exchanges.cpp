// From recorded exchanges to the parts of a coupling cycle.
#include "api/watched_exchanges.hpp"

#include "api/guarded.hpp"

namespace cpl_lb {

std::optional<RecordedMoment> recorded_moment() {
    const Recording *recording = recording_here();
    return recording == nullptr ? std::nullopt : std::optional(recording->recorded_now());
}

CycleParts recorded_parts(const RecordedMoment &since, const std::map<std::string, int> &numbers) {
    constexpr double waits_from = 0.01;
    Recording *recording = recording_here();
    if (recording == nullptr) throw PredictionError("the recording ended, or this is another thread");
    const RecordedInterval interval = recording->recorded_since(since);
    if (interval.in_exchange) throw PredictionError("it begins or ends inside of a PUT or GET");
    if (!interval.complete) throw PredictionError("the memory for events is full (nn_max_mb): they are dropped");
    CycleParts parts;
    double before_s = 0;
    for (const RecordedExchange &exchange : interval.exchanges) {
        before_s += exchange.computing_s;
        const LocalField &field = recording->recorder()->fields()[static_cast<std::size_t>(exchange.field)];
        const auto number = numbers.find(field.counterpart);
        if (number == numbers.end()) {
            before_s += exchange.seconds;
            continue;
        }
        const bool waits = !exchange.is_put || exchange.seconds > waits_from * interval.seconds;
        parts.meetings.push_back(
            {before_s, {coded_partner(number->second, exchange.is_put ? MeetingWay::put : MeetingWay::get, waits)}});
        before_s = 0;
    }
    parts.last_s = before_s + interval.last_s;
    return parts;
}

} // namespace cpl_lb
