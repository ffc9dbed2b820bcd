// Numbers what a component records, each kind and field, by first appearance (LocalTimeline::place), for decoding.
#pragma once

#include "record/decode.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace cpl_lb {

class PlaceTable {
public:
    explicit PlaceTable(std::uint32_t fields) : fields_(fields) {}

    // Whether the second mark ends what the first begins, and the field exists.
    [[nodiscard]] bool is_event(Mark begin, Mark end) const {
        return is_begin(code_of(begin)) && id_of(begin) < fields_ &&
               ((end - begin) & what_bits) == end_code(0) - begin_code(0);
    }

    std::uint32_t place_for(LocalTimeline &t, LocalWhat what) {
        fill();
        const Mark begin = make_mark(0, field_of(what), begin_code(static_cast<int>(kind_of(what))));
        std::uint32_t &place = place_of_[key_of(begin)];
        if (place == no_place) {
            place = static_cast<std::uint32_t>(t.distinct.size());
            t.distinct.push_back(what);
        }
        return place;
    }

    // So many begins and ends in turn; without a branch. False, and nothing is taken: not all are events whose kinds
    // and fields have been met before.
    static constexpr std::size_t block = 64;
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
            const Mark key = key_of(begin);
            const std::uint32_t place = place_of[std::min(key, last)];
            wrong |= (((words[2 * i + 1] - begin) & what_bits) ^ (end_code(0) - begin_code(0))) |
                     (begin & no_begin_bits) | static_cast<Mark>(key > last);
            all |= places[i] = place;
        }
        if (wrong == 0 && all != no_place) return true; // one that is not known makes it all ones
        t.place.resize(t.size() - block);
        return false;
    }

    // After events were taken out.
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
    static constexpr Mark what_bits = (Mark{1} << 24U) - 1; // id and code
    static constexpr Mark no_begin_bits = 32 | 16;          // of a code
    static constexpr std::uint32_t no_place = ~std::uint32_t{0};

    // Of a begin: the field, and the code in four bits.
    [[nodiscard]] static Mark key_of(Mark begin) { return (begin >> 2U & Mark{mark_max_id} << 4U) | (begin & 15U); }
    // Not before it is needed: there may be many components and fields.
    void fill() {
        if (place_of_.empty()) place_of_.resize(std::size_t{16} * fields_, no_place);
    }

    std::uint32_t fields_;
    std::vector<std::uint32_t> place_of_; // by key
};

} // namespace cpl_lb
