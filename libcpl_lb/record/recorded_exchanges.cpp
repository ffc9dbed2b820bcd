// Reads marks on the thread that records, while more of them follow.
#include "record/recorded_exchanges.hpp"

namespace cpl_lb {
namespace {

class ExchangeReader {
public:
    ExchangeReader(std::uint64_t from, double ticks_per_s) : from_(from), since_(from), ticks_per_s_(ticks_per_s) {}

    void take(const MarkRead &mark, std::uint64_t ticks) {
        constexpr int put = static_cast<int>(Kind::put), get = static_cast<int>(Kind::get);
        if (is_exchange(mark.code, begin_code(put), begin_code(get))) {
            if (open_++ > 0) return;
            result_.exchanges.push_back(
                {seconds(since_, ticks), 0, mark.code == begin_code(put), static_cast<int>(mark.id)});
            since_ = ticks;
        } else if (is_exchange(mark.code, end_code(put), end_code(get))) {
            if (open_ == 0) { // begun before the interval
                result_.in_exchange = true;
                since_ = ticks;
                return;
            }
            if (--open_ > 0) return;
            result_.exchanges.back().seconds = seconds(since_, ticks);
            since_ = ticks;
        }
    }
    RecordedInterval finish(std::uint64_t now) {
        result_.in_exchange = result_.in_exchange || open_ > 0;
        if (open_ == 0) result_.last_s = seconds(since_, now);
        result_.seconds = seconds(from_, now);
        return std::move(result_);
    }

private:
    [[nodiscard]] double seconds(std::uint64_t from, std::uint64_t to) const {
        return static_cast<double>(to - from) / ticks_per_s_;
    }
    static bool is_exchange(unsigned code, unsigned put, unsigned get) { return code == put || code == get; }

    std::uint64_t from_, since_;
    double ticks_per_s_;
    int open_ = 0;
    RecordedInterval result_;
};

} // namespace

RecordedMoment recorded_now(const Recorder &recorder) {
    return {recorder.place(), read_ticks(recorder.clock())};
}

RecordedInterval recorded_since(const Recorder &recorder, const RecordedMoment &moment, double ticks_per_s) {
    const std::uint64_t now = read_ticks(recorder.clock());
    ExchangeReader reader(moment.ticks, ticks_per_s);
    MarkStore::Place place = moment.place;
    recorder.store().read_on(place, [&](const MarkRead &mark, std::uint64_t ticks) {
        if (ticks >= moment.ticks) reader.take(mark, ticks); // a span may be recorded later than it began
    });
    RecordedInterval interval = reader.finish(now);
    interval.complete = !recorder.full();
    return interval;
}

} // namespace cpl_lb
