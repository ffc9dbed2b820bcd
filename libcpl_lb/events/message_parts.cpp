// Renames the second and further calls of an exchange, and keeps numbers that are not just a count.
#include "events/message_numbers.hpp"

#include "data/field_parts.hpp"
#include "events/place_table.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace cpl_lb {
namespace {

void number_anew(LocalTimeline &t) {
    PlaceTable::number_by_first_appearance(t);
    t.order = OrderHash();
    t.order.add(t.place);
}

class Renumbering {
public:
    Renumbering(LocalTimeline &timeline, const std::vector<NumberedWhat> &numbered, std::vector<LocalField> &fields)
        : t_(timeline), fields_(fields), of_place_(timeline.distinct.size()) {
        for (const NumberedWhat &n : numbered) {
            const auto at = std::find(t_.distinct.begin(), t_.distinct.end(), n.what);
            if (at != t_.distinct.end()) of_place_[static_cast<std::size_t>(at - t_.distinct.begin())].of = &n;
        }
    }

    void run() {
        bool any_part = false;
        for (std::uint32_t &place : t_.place) {
            if (place >= of_place_.size() || of_place_[place].of == nullptr) continue;
            Calls &calls = of_place_[place];
            if (calls.next >= calls.of->calls.size()) continue;
            const NumberedCall call = calls.of->calls[calls.next++];
            const LocalWhat whole = calls.of->what;
            if (call.part > 1) {
                place = place_of_part(whole, std::min(call.part, most_parts + 1));
                any_part = true;
            }
            // Calls beyond the last part are just counted: a process has several of them in one exchange.
            if (call.part > most_parts) continue;
            if (place >= numbers_.size()) numbers_.resize(t_.distinct.size());
            if (numbers_[place].empty() && call.part == 1) numbers_[place].reserve(calls.of->calls.size());
            numbers_[place].push_back(call.number);
        }
        t_.numbers.clear();
        for (std::size_t n = 0; n < numbers_.size(); ++n)
            if (!just_counts(numbers_[n])) t_.numbers[t_.distinct[n]] = std::move(numbers_[n]);
        if (any_part) number_anew(t_);
    }

private:
    struct Calls {
        const NumberedWhat *of = nullptr;
        std::size_t next = 0;
    };

    std::uint32_t place_of_part(LocalWhat whole, std::uint32_t part) {
        const auto key = static_cast<std::uint64_t>(whole) << 32U | part;
        const auto [at, is_new] = parts_.try_emplace(key, static_cast<std::uint32_t>(t_.distinct.size()));
        if (is_new) {
            LocalField field = fields_[field_of(whole)];
            field.name = part > most_parts ? part_name(field.name, part) + " and on" : part_name(field.name, part);
            t_.distinct.push_back(make_what(static_cast<unsigned>(kind_of(whole)), id_of(std::move(field))));
        }
        return at->second;
    }
    std::uint32_t id_of(LocalField field) {
        const auto [at, is_new] =
            ids_.try_emplace({field.name, field.counterpart}, static_cast<std::uint32_t>(fields_.size()));
        if (is_new) fields_.push_back(std::move(field));
        return at->second;
    }

    LocalTimeline &t_;
    std::vector<LocalField> &fields_;
    std::vector<Calls> of_place_; // by place, of those that were recorded
    std::unordered_map<std::uint64_t, std::uint32_t> parts_;
    std::map<std::pair<std::string, std::string>, std::uint32_t> ids_; // of the parts' fields
    std::vector<std::vector<std::uint32_t>> numbers_;                  // by place
};

} // namespace

void apply_numbers(LocalTimeline &timeline, const std::vector<NumberedWhat> &numbered,
                   std::vector<LocalField> &fields) {
    Renumbering(timeline, numbered, fields).run();
}

void unite_alike(LocalTimeline &timeline, const std::vector<LocalField> &fields) {
    std::map<std::tuple<Kind, std::string, std::string>, std::uint32_t> places;
    std::vector<std::uint32_t> place_of(timeline.distinct.size());
    bool any = false;
    for (std::uint32_t place = 0; place < place_of.size(); ++place) {
        place_of[place] = place;
        const LocalWhat what = timeline.distinct[place];
        if (field_of(what) >= fields.size() || fields[field_of(what)].name.empty()) continue;
        const LocalField &field = fields[field_of(what)];
        place_of[place] = places.try_emplace({kind_of(what), field.name, field.counterpart}, place).first->second;
        any = any || place_of[place] != place;
    }
    if (!any) return;
    for (std::uint32_t &place : timeline.place)
        place = place_of[place];
    number_anew(timeline);
}

} // namespace cpl_lb
