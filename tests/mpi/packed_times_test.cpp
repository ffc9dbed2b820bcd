// Times on their way: what comes out is what went in, the bytes are those of the format, and a message that is cut,
// too long or wrong is refused or taken for other times, but never read beyond its end.
#include "mpi/packed_times.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <random>

using namespace cpl_lb;

namespace {

Bytes bytes(std::initializer_list<int> values) {
    Bytes all;
    for (const int value : values)
        all.push_back(static_cast<std::byte>(value));
    return all;
}

struct Times {
    std::vector<Nanoseconds> start, stop;
};

// In memory of exactly its size, so that a sanitizer sees a read beyond.
Times unpacked(const Bytes &packed, std::size_t events) {
    const std::vector<std::byte> exact(packed.begin(), packed.end());
    Times times{std::vector<Nanoseconds>(events), std::vector<Nanoseconds>(events)};
    unpack_row(exact, times.start, times.stop);
    return times;
}

Bytes packed(const Times &times) {
    Bytes bytes;
    pack_row(times.start, times.stop, bytes);
    return bytes;
}

void check_there_and_back(const Times &times) {
    const Bytes message = packed(times);
    CHECK(message.size() <= most_packed_row_bytes(times.start.size()));
    const Times back = unpacked(message, times.start.size());
    CHECK(back.start == times.start);
    CHECK(back.stop == times.stop);
}

constexpr Nanoseconds largest = std::numeric_limits<Nanoseconds>::max();

} // namespace

TEST_CASE("the bytes of a row") {
    // 100 after 0, folded 200 = c8; it takes 50, folded 100 = 64. 300 is 200 later, folded 400 = 0190, and takes
    // nothing. 299 is one earlier, folded 1, and takes 65536, folded 131072 = 020000. The last did not take part.
    CHECK(packed({{100, 300, 299, absent}, {150, 300, 65'835, absent}}) ==
          bytes({0x11, 0xc8, 0x64, 0x02, 0x90, 0x01, 0x31, 0x01, 0x00, 0x00, 0x02, 0xff}));
}

TEST_CASE("the bytes of spans") {
    // From 10 to 14, jitter 4 (folded 8), ends at 20, waiting 6 (12), 3 processes (6). Nobody. The third begins at
    // 12, 2 later (4), with jitter 3, one less (1), waiting 0, as many processes.
    const std::vector<EventSpan> spans = {{10, 14, 20, 3}, {}, {12, 15, 15, 3}};
    Bytes message;
    pack_spans(spans, message);
    CHECK(message == bytes({0x11, 20, 8, 0x11, 12, 6, 0xff, 0x11, 4, 1, 0x00}));
    std::vector<EventSpan> back(3);
    unpack_spans(message, back);
    CHECK(back == spans);
}

TEST_CASE("rows there and back") {
    check_there_and_back({});
    check_there_and_back({{0}, {0}});
    check_there_and_back({{absent, absent, 5, absent, 6}, {absent, absent, 7, absent, 6}});
    check_there_and_back({{largest, absent + 1, 0, largest, -1}, {absent + 1, largest, largest, 0, -2}});
    check_there_and_back({{absent, 3}, {4, absent}}); // no such event exists, but nothing is lost
    std::mt19937_64 random(1);
    for (unsigned bits = 1; bits < 64; ++bits) { // all lengths of differences
        Times times;
        for (int k = 0; k < 100; ++k) {
            times.start.push_back(static_cast<Nanoseconds>(random() >> bits));
            times.stop.push_back(static_cast<Nanoseconds>(random() >> (63 - bits)));
        }
        check_there_and_back(times);
    }
}

TEST_CASE("any spans there and back") {
    std::mt19937_64 random(2);
    for (unsigned bits = 0; bits < 64; ++bits) {
        std::vector<EventSpan> spans;
        spans.reserve(50);
        const auto any = [&] { return static_cast<Nanoseconds>(random() >> bits); };
        for (int k = 0; k < 50; ++k)
            spans.push_back(k % 7 == 3 ? EventSpan{}
                                       : EventSpan{any(), any(), any(), static_cast<std::int32_t>(any())});
        Bytes message;
        pack_spans(spans, message);
        CHECK(message.size() <= most_packed_span_bytes(spans.size()));
        std::vector<EventSpan> back(spans.size(), EventSpan{1, 2, 3, 4});
        unpack_spans(message, back);
        CHECK(back == spans);
    }
}

TEST_CASE("cut, longer or wrong messages") {
    Times times;
    for (int k = 0; k < 20; ++k) {
        times.start.push_back(Nanoseconds{1'000'000} * k * k);
        times.stop.push_back(times.start.back() + Nanoseconds{300} * k);
    }
    const Bytes message = packed(times);
    for (std::size_t n = 0; n < message.size(); ++n)
        CHECK_THROWS_AS(unpacked({message.begin(), message.begin() + static_cast<std::ptrdiff_t>(n)}, 20),
                        DamagedMessage);
    Bytes longer = message;
    longer.push_back(std::byte{0});
    CHECK_THROWS_AS(unpacked(longer, 20), DamagedMessage);
    CHECK_THROWS_AS(unpacked(message, 19), DamagedMessage);
    CHECK_THROWS_AS(unpacked(message, 21), DamagedMessage);
    for (const int wrong_length : {0x09, 0x90, 0x0e, 0xe0}) // 9 to 14 are no lengths
        CHECK_THROWS_AS(unpacked(bytes({wrong_length}), 1), DamagedMessage);
    for (std::size_t bit = 0; bit < 8 * message.size(); ++bit) { // refused, or other times
        Bytes wrong = message;
        wrong[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
        try {
            static_cast<void>(unpacked(wrong, 20));
        } catch (const DamagedMessage &) {
            continue;
        }
    }
    std::vector<EventSpan> none(1);
    CHECK_THROWS_AS(unpack_spans(bytes({0x11, 1, 2}), none), DamagedMessage); // half a span
}
