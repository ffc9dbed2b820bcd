#include "page/deflate.hpp"

#include "page/huffman.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace cpl_lb {
namespace {

constexpr std::size_t window = 32'768, shortest = 4, longest = 258;
constexpr std::size_t block_tokens = 65'536;
constexpr std::uint32_t end_of_block = 256;
constexpr std::size_t literal_codes = 286, distance_codes = 30, length_codes = 19;

constexpr std::array<std::uint16_t, 29> length_base = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                                       15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                                       67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::array<std::uint8_t, 29> length_extra = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                       2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr std::array<std::uint16_t, 30> distance_base = {
    1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
    193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
constexpr std::array<std::uint8_t, 30> distance_extra = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                                         6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};

class BitStream {
public:
    void put(std::uint32_t bits, unsigned count) {
        held_ |= static_cast<std::uint64_t>(bits) << count_;
        count_ += count;
        while (count_ >= 8) {
            bytes_ += static_cast<char>(held_ & 0xffU);
            held_ >>= 8U;
            count_ -= 8;
        }
    }
    void put(const PrefixCode &code, std::size_t symbol) { put(code.codes[symbol], code.lengths[symbol]); }
    std::string take() {
        if (count_ > 0) bytes_ += static_cast<char>(held_ & 0xffU);
        return std::move(bytes_);
    }

private:
    std::string bytes_;
    std::uint64_t held_ = 0;
    unsigned count_ = 0;
};

// A literal (distance 0) or a repetition of `length` bytes.
struct Token {
    std::uint16_t value; // byte or length
    std::uint16_t distance;
};

template <std::size_t N>
std::size_t code_of(const std::array<std::uint16_t, N> &base, std::uint16_t value) {
    return static_cast<std::size_t>(std::upper_bound(base.begin(), base.end(), value) - base.begin()) - 1;
}

// Lengths of both codes, one after the other, with runs of zeros shortened (codes 17 and 18).
struct CodeLength {
    std::uint8_t symbol, extra, extra_bits;
};
std::vector<CodeLength> run_lengths(const std::vector<std::uint8_t> &lengths) {
    std::vector<CodeLength> runs;
    for (std::size_t i = 0; i < lengths.size();) {
        std::size_t n = 1;
        while (i + n < lengths.size() && lengths[i + n] == lengths[i] && n < 138)
            ++n;
        if (lengths[i] == 0 && n >= 11) {
            runs.push_back({18, static_cast<std::uint8_t>(n - 11), 7});
        } else if (lengths[i] == 0 && n >= 3) {
            runs.push_back({17, static_cast<std::uint8_t>(n - 3), 3});
        } else {
            n = 1;
            runs.push_back({lengths[i], 0, 0});
        }
        i += n;
    }
    return runs;
}

void put_header(BitStream &out, const PrefixCode &literals, const PrefixCode &distances, bool last) {
    constexpr std::array<std::uint8_t, length_codes> order = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                              11, 4,  12, 3, 13, 2, 14, 1, 15};
    std::vector<std::uint8_t> lengths = literals.lengths;
    lengths.insert(lengths.end(), distances.lengths.begin(), distances.lengths.end());
    const std::vector<CodeLength> runs = run_lengths(lengths);
    std::array<std::uint32_t, length_codes> frequencies{};
    frequencies[0] = frequencies[1] = 1; // two symbols make a complete code
    for (const CodeLength &run : runs)
        ++frequencies[run.symbol];
    const PrefixCode code = prefix_code(frequencies, 7);
    out.put(last ? 1 : 0, 1);
    out.put(2, 2); // dynamic codes
    out.put(literal_codes - 257, 5);
    out.put(distance_codes - 1, 5);
    out.put(length_codes - 4, 4);
    for (const std::uint8_t symbol : order)
        out.put(code.lengths[symbol], 3);
    for (const CodeLength &run : runs) {
        out.put(code, run.symbol);
        out.put(run.extra, run.extra_bits);
    }
}

void put_block(BitStream &out, const std::vector<Token> &tokens, bool last) {
    std::array<std::uint32_t, literal_codes> literal_count{};
    std::array<std::uint32_t, distance_codes> distance_count{};
    distance_count[0] = distance_count[1] = 1;
    literal_count[0] = literal_count[end_of_block] = 1;
    for (const Token &t : tokens) {
        if (t.distance == 0) {
            ++literal_count[t.value];
        } else {
            ++literal_count[257 + code_of(length_base, t.value)];
            ++distance_count[code_of(distance_base, t.distance)];
        }
    }
    const PrefixCode literals = prefix_code(literal_count, 15);
    const PrefixCode distances = prefix_code(distance_count, 15);
    put_header(out, literals, distances, last);
    for (const Token &t : tokens) {
        if (t.distance == 0) {
            out.put(literals, t.value);
            continue;
        }
        const std::size_t length = code_of(length_base, t.value);
        out.put(literals, 257 + length);
        out.put(t.value - length_base[length], length_extra[length]);
        const std::size_t distance = code_of(distance_base, t.distance);
        out.put(distances, distance);
        out.put(t.distance - distance_base[distance], distance_extra[distance]);
    }
    out.put(literals, end_of_block);
}

std::uint32_t four_bytes(const std::uint8_t *at) {
    return static_cast<std::uint32_t>(at[0]) | static_cast<std::uint32_t>(at[1]) << 8U |
           static_cast<std::uint32_t>(at[2]) << 16U | static_cast<std::uint32_t>(at[3]) << 24U;
}

} // namespace

std::string deflated(std::span<const std::uint8_t> bytes) {
    constexpr std::size_t none = ~std::size_t{0};
    std::vector<std::size_t> last_at(window, none); // by hash of four bytes
    std::vector<Token> tokens;
    tokens.reserve(block_tokens);
    BitStream out;
    std::size_t i = 0;
    while (i < bytes.size()) {
        std::size_t length = 0;
        std::size_t from = none;
        if (i + shortest <= bytes.size()) {
            const std::uint32_t here = four_bytes(&bytes[i]);
            std::size_t &slot = last_at[here * 2654435761U >> 17U];
            from = slot;
            slot = i;
            if (from != none && i - from < window && four_bytes(&bytes[from]) == here) {
                const std::size_t most = std::min(longest, bytes.size() - i);
                length = shortest;
                while (length < most && bytes[from + length] == bytes[i + length])
                    ++length;
            }
        }
        if (length == 0) {
            tokens.push_back({bytes[i++], 0});
        } else {
            tokens.push_back({static_cast<std::uint16_t>(length), static_cast<std::uint16_t>(i - from)});
            i += length;
        }
        if (tokens.size() == block_tokens) {
            put_block(out, tokens, false);
            tokens.clear();
        }
    }
    put_block(out, tokens, true);
    return out.take();
}

} // namespace cpl_lb
