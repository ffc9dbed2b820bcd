// For decoding: gives each (kind, field) that a component records a number, in the order of first appearance.
#pragma once

#include "events/decode.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace cpl_lb {

class PlaceTable {
public:
    explicit PlaceTable(std::uint32_t fields) : fields_(fields) {}

    // Events taken at once; so many stay in the cache until their times are read.
    static constexpr std::size_t most_at_once = 1024;
    static constexpr std::size_t few = 8; // from here on a way for many at once pays

    // Whether the words begin with an event of an existing field whose end follows its begin.
    [[nodiscard]] bool begins_with_event(std::span<const Mark> words) const {
        return words.size() >= 2 && is_begin(code_of(words[0])) && id_of(words[0]) < fields_ &&
               differs_from_event(words[0], words[1]) == 0;
    }
    // Adds the places of such events, as long as they follow each other. Returns their number.
    std::size_t take_events(LocalTimeline &t, std::span<const Mark> words) {
        const std::size_t limit = std::min(words.size() / 2, most_at_once);
        std::size_t n = 0;
        const auto one_by_one = [&](std::size_t last) {
            for (; n < last && begins_with_event(words.subspan(2 * n)); ++n)
                t.place.push_back(place_for(t, make_what(code_of(words[2 * n]) - 1, id_of(words[2 * n]))));
        };
        one_by_one(std::min(before_block_, limit));
        while (n >= before_block_ && limit - n >= block && next_block(t, words.subspan(2 * n).first<2 * block>()))
            n += block;
        one_by_one(limit);
        t.ended += n;
        return n;
    }

    std::uint32_t place_for(LocalTimeline &t, LocalWhat what) {
        fill();
        const Mark begin = make_mark(0, field_of(what), begin_code(static_cast<int>(kind_of(what))));
        std::uint32_t &place = place_of_[key_of_begin(begin)];
        if (place == no_place) {
            place = static_cast<std::uint32_t>(t.distinct.size());
            t.distinct.push_back(what);
        }
        return place;
    }

    // Numbers the kinds and fields anew after events were removed.
    static void number_by_first_appearance(LocalTimeline &t) {
        const std::vector<LocalWhat> all = std::exchange(t.distinct, {});
        std::vector<std::uint32_t> places(all.size(), no_place);
        for (std::uint32_t &p : t.place) {
            std::uint32_t &place = places[p];
            if (place == no_place) {
                place = static_cast<std::uint32_t>(t.distinct.size());
                t.distinct.push_back(all[p]);
            }
            p = place;
        }
    }

private:
    static constexpr Mark no_begin_bits = 32 | 16; // bits of a code
    static constexpr std::uint32_t no_place = ~std::uint32_t{0};
    static constexpr std::size_t block = 64; // events

    // A block that does not fit was read for nothing. If a model gives a date every few events, none fits.
    bool next_block(LocalTimeline &t, std::span<const Mark, 2 * block> words) {
        const bool fits = take_block(t, words);
        before_block_ = fits ? few : block;
        return fits;
    }

    // Takes a block of events without a branch. False: nothing is taken, because not all are whole events of kinds
    // and fields that have been met before.
    bool take_block(LocalTimeline &t, std::span<const Mark, 2 * block> words) {
        fill();
        const std::uint32_t *const place_of = place_of_.data();
        const Mark last = place_of_.size() - 1;
        t.place.resize(t.size() + block);
        std::uint32_t *const places = t.place.data() + t.size() - block;
        Mark wrong = 0;
        std::uint32_t all = 0;
        for (std::size_t i = 0; i < block; ++i) {
            const Mark begin = words[2 * i];
            const Mark key = key_of_begin(begin);
            const std::uint32_t place = place_of[std::min(key, last)];
            wrong |=
                differs_from_event(begin, words[2 * i + 1]) | (begin & no_begin_bits) | static_cast<Mark>(key > last);
            all |= places[i] = place;
        }
        if (wrong == 0 && all != no_place) return true; // an unknown place sets all bits
        t.place.resize(t.size() - block);
        return false;
    }

    // Makes the table only when it is needed: there may be many components and fields.
    void fill() {
        if (place_of_.empty()) place_of_.resize(keys_of_fields(fields_), no_place);
    }

    std::uint32_t fields_;
    std::vector<std::uint32_t> place_of_; // by key
    std::size_t before_block_ = few;      // so many events are taken one by one before a block is tried
};

} // namespace cpl_lb
