// Packs and unpacks pairs of numbers without a branch for their lengths.
#include "mpi/packed_times.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace cpl_lb {
namespace {

constexpr unsigned longest_number = 8; // bytes of a number
constexpr unsigned no_number = 15;     // in place of a length: no number
constexpr std::size_t most_pair = 17;  // the lengths and two numbers

// Unsigned, so that any two times have a difference.
constexpr std::uint64_t difference(Nanoseconds a, Nanoseconds b) {
    return static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
}
constexpr Nanoseconds sum(Nanoseconds a, std::uint64_t b) {
    return static_cast<Nanoseconds>(static_cast<std::uint64_t>(a) + b);
}
// Makes both signs small: 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
constexpr std::uint64_t fold(std::uint64_t d) {
    return (d << 1U) ^ (0 - (d >> 63U));
}
constexpr std::uint64_t unfold(std::uint64_t f) {
    return (f >> 1U) ^ (0 - (f & 1U));
}
constexpr unsigned length_of(std::uint64_t number) {
    return static_cast<unsigned>(std::bit_width(number) + 7) / 8;
}
constexpr std::uint64_t lowest_first(std::uint64_t number) {
    return std::endian::native == std::endian::little ? number : __builtin_bswap64(number);
}

// 1 if this is no length.
constexpr std::array<std::uint8_t, 16> is_wrong = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0};
constexpr std::array<std::uint8_t, 16> bytes_of = {0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0};
constexpr std::array<std::uint64_t, 16> mask_of = [] {
    std::array<std::uint64_t, 16> masks{};
    for (unsigned n = 1; n <= longest_number; ++n)
        masks[n] = ~std::uint64_t{0} >> (64 - 8 * n);
    return masks;
}();

struct Number {
    std::uint64_t value = 0;
    bool there = true;
};

// Needs room for one number behind the last pair: it writes whole words, and the next one overwrites the rest.
class PairWriter {
public:
    PairWriter(Bytes &packed, std::size_t pairs) : packed_(packed) {
        packed_.resize(pairs * most_pair + longest_number);
        at_ = packed_.data();
    }
    void put(Number a, Number b) {
        std::byte *lengths = at_++;
        const unsigned of_a = put(a), of_b = put(b);
        *lengths = static_cast<std::byte>(of_a | of_b << 4U);
    }
    void finish() { packed_.resize(static_cast<std::size_t>(at_ - packed_.data())); }

private:
    unsigned put(Number number) {
        if (!number.there) return no_number;
        const unsigned length = length_of(number.value);
        const std::uint64_t word = lowest_first(number.value);
        std::memcpy(at_, &word, sizeof word);
        at_ += length;
        return length;
    }

    Bytes &packed_;
    std::byte *at_ = nullptr;
};

class PairReader {
public:
    explicit PairReader(std::span<const std::byte> packed) : rest_(packed) {}

    void get(Number &a, Number &b) {
        if (rest_.size() >= most_pair + longest_number) {
            rest_ = rest_.subspan(read(rest_.data(), a, b));
            return;
        }
        std::array<std::byte, most_pair + longest_number> last{}; // nothing is read beyond the message
        std::copy(rest_.begin(), rest_.end(), last.begin());
        const std::size_t length = rest_.empty() ? most_pair : read(last.data(), a, b);
        wrong_ |= length > rest_.size() ? 1U : 0U;
        rest_ = rest_.subspan(std::min(length, rest_.size()));
    }
    void finish(const char *what) const {
        if (wrong_ != 0 || !rest_.empty()) throw DamagedMessage(what);
    }

private:
    std::size_t read(const std::byte *from, Number &a, Number &b) {
        const auto lengths = static_cast<unsigned>(*from);
        const unsigned of_a = lengths & 15U, of_b = lengths >> 4U;
        wrong_ |= static_cast<unsigned>(is_wrong[of_a] | is_wrong[of_b]);
        a = read_number(from + 1, of_a);
        b = read_number(from + 1 + bytes_of[of_a], of_b);
        return std::size_t{1} + bytes_of[of_a] + bytes_of[of_b];
    }
    static Number read_number(const std::byte *from, unsigned length) {
        std::uint64_t word = 0;
        std::memcpy(&word, from, sizeof word);
        return {lowest_first(word) & mask_of[length], length != no_number};
    }

    std::span<const std::byte> rest_;
    unsigned wrong_ = 0;
};

} // namespace

void pack_row(std::span<const Nanoseconds> start, std::span<const Nanoseconds> stop, Bytes &packed) {
    PairWriter out(packed, start.size());
    Nanoseconds before = 0;
    for (std::size_t k = 0; k < start.size(); ++k) {
        const bool starts = start[k] != absent;
        const Nanoseconds at = starts ? start[k] : before;
        out.put({fold(difference(at, before)), starts}, {fold(difference(stop[k], at)), stop[k] != absent});
        before = at;
    }
    out.finish();
}

void unpack_row(std::span<const std::byte> packed, std::span<Nanoseconds> start, std::span<Nanoseconds> stop) {
    PairReader in(packed);
    Nanoseconds before = 0;
    for (std::size_t k = 0; k < start.size(); ++k) {
        Number a, b;
        in.get(a, b);
        before = sum(before, unfold(a.value));
        start[k] = a.there ? before : absent;
        stop[k] = b.there ? sum(before, unfold(b.value)) : absent;
    }
    in.finish("a row");
}

// An event is two pairs of numbers: start and jitter, then waiting and the number of processes. All except the
// waiting are differences from the previous event. An event without processes is one byte.
void pack_spans(std::span<const EventSpan> spans, Bytes &packed) {
    PairWriter out(packed, 2 * spans.size());
    EventSpan before{0, 0, 0, 0};
    for (const EventSpan &s : spans) {
        if (s == EventSpan{}) {
            out.put({0, false}, {0, false});
            continue;
        }
        const auto jitter = static_cast<Nanoseconds>(difference(s.last_start, s.first_start));
        const auto jitter_before = static_cast<Nanoseconds>(difference(before.last_start, before.first_start));
        out.put({fold(difference(s.first_start, before.first_start))}, {fold(difference(jitter, jitter_before))});
        out.put({fold(difference(s.last_stop, s.last_start))}, {fold(difference(s.processes, before.processes))});
        before = s;
    }
    out.finish();
}

void unpack_spans(std::span<const std::byte> packed, std::span<EventSpan> spans) {
    PairReader in(packed);
    EventSpan before{0, 0, 0, 0};
    for (EventSpan &s : spans) {
        s = {};
        Number later, jitter, waiting, processes;
        in.get(later, jitter);
        if (!later.there) continue;
        in.get(waiting, processes);
        const std::uint64_t jitter_before = difference(before.last_start, before.first_start);
        s.first_start = sum(before.first_start, unfold(later.value));
        s.last_start = sum(s.first_start, jitter_before + unfold(jitter.value));
        s.last_stop = sum(s.last_start, unfold(waiting.value));
        s.processes = static_cast<std::int32_t>(sum(before.processes, unfold(processes.value)));
        before = s;
    }
    in.finish("spans of events");
}

} // namespace cpl_lb
