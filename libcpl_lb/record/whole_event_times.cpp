#include "record/whole_event_times.hpp"

#include <algorithm>
#include <vector>

namespace cpl_lb {
namespace {

constexpr std::size_t block_events = 16'384; // 256 KiB of starts and stops

class BlockReader {
public:
    BlockReader(const DecodeInput &input, const TakeTimes &take)
        : scale_(input.scale), take_(take), start_(block_events), stop_(block_events) {}

    void read(std::span<const Mark> words) {
        while (!words.empty() && words[0] != 0) {
            std::size_t used = read_events(words);
            if (used == 0) used = read_one(words);
            words = words.subspan(std::min(used, words.size()));
        }
    }
    void flush() {
        if (count_ > 0) take_(first_, std::span(start_).first(count_), std::span(stop_).first(count_));
        first_ += count_;
        count_ = 0;
    }

private:
    // Begin and end in turn, up to the end of the block at most. Returns the number of words.
    std::size_t read_events(std::span<const Mark> words) {
        const std::size_t most = std::min(block_events - count_, words.size() / 2);
        Nanoseconds *const start = start_.data() + count_;
        Nanoseconds *const stop = stop_.data() + count_;
        const TickScale scale = scale_;
        std::uint64_t ticks = ticks_;
        std::size_t n = 0;
        const auto is_event = [](Mark begin, Mark end) {
            return is_begin(code_of(begin)) && ((end - begin) & 63U) == end_code(0) - begin_code(0);
        };
        for (; n < most && is_event(words[2 * n], words[2 * n + 1]); ++n) {
            start[n] = scale.to_ns(ticks += delta_of(words[2 * n]));
            stop[n] = scale.to_ns(ticks += delta_of(words[2 * n + 1]));
        }
        ticks_ = ticks;
        count_events(n);
        return 2 * n;
    }
    std::size_t read_one(std::span<const Mark> words) {
        const unsigned code = code_of(words[0]);
        ticks_ += delta_of(words[0]);
        if (code == static_cast<unsigned>(MarkCode::time) && words.size() > 1) ticks_ = words[1];
        if (is_begin(code)) {
            start_[count_] = scale_.to_ns(ticks_);
        } else if (is_end(code)) {
            stop_[count_] = std::max(scale_.to_ns(ticks_), start_[count_]); // a clock may have stepped back
            count_events(1);
        }
        return 1 + static_cast<std::size_t>(extra_words(code));
    }
    void count_events(std::size_t events) {
        count_ += events;
        if (count_ == block_events) flush();
    }

    TickScale scale_;
    const TakeTimes &take_;
    std::vector<Nanoseconds> start_, stop_;
    std::size_t first_ = 0, count_ = 0;
    std::uint64_t ticks_ = 0;
};

} // namespace

void for_each_block_of_times(const DecodeInput &input, const TakeTimes &take) {
    BlockReader reader(input, take);
    for (std::size_t i = 0; i < input.chunks; ++i)
        reader.read(input.chunk(i));
    reader.flush();
}

} // namespace cpl_lb
