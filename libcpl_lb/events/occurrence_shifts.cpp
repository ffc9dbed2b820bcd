// Counts numbers of occurrences, and slides one sequence of times along another.
#include "events/occurrence_shifts.hpp"

#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <tuple>

namespace cpl_lb {
namespace {

constexpr std::size_t most_counts_of_a_class = 16;
constexpr std::size_t most_tries = 32;

} // namespace

std::vector<RecordedCount> recorded_counts(const LocalEvents &events, std::size_t classes) {
    std::vector<std::uint32_t> times(classes);
    for (std::size_t i = 0; i < events.size(); ++i)
        ++times[events.class_of(i)];
    std::vector<RecordedCount> counts;
    for (std::size_t c = 0; c < classes; ++c)
        if (times[c] > 0) counts.push_back({static_cast<std::uint32_t>(c), times[c]});
    return counts;
}

namespace {

// Calls visit(numbers of one class) for each class.
template <class Visit>
void for_each_class(std::span<RecordedCount> all, Visit visit) {
    while (!all.empty()) {
        std::size_t n = 1;
        while (n < all.size() && all[n].event_class == all[0].event_class)
            ++n;
        visit(all.first(n));
        all = all.subspan(n);
    }
}

bool more_frequent(const RecordedCount &a, const RecordedCount &b) {
    return a.processes != b.processes ? a.processes > b.processes : a.occurrences < b.occurrences;
}

bool by_number(const RecordedCount &a, const RecordedCount &b) {
    return std::tie(a.event_class, a.occurrences) < std::tie(b.event_class, b.occurrences);
}

} // namespace

void unite(std::vector<RecordedCount> &mine, const std::vector<RecordedCount> &theirs) {
    std::vector<RecordedCount> both;
    both.reserve(mine.size() + theirs.size());
    std::merge(mine.begin(), mine.end(), theirs.begin(), theirs.end(), std::back_inserter(both), by_number);
    mine.clear();
    for (const RecordedCount &c : both) {
        const bool same = !mine.empty() && !by_number(mine.back(), c);
        if (same)
            mine.back().processes += c.processes;
        else
            mine.push_back(c);
    }
    both.clear();
    for_each_class(mine, [&](std::span<RecordedCount> numbers) {
        if (numbers.size() > most_counts_of_a_class) {
            std::sort(numbers.begin(), numbers.end(), more_frequent);
            numbers = numbers.first(most_counts_of_a_class);
            std::sort(numbers.begin(), numbers.end(), by_number);
        }
        both.insert(both.end(), numbers.begin(), numbers.end());
    });
    mine = std::move(both);
}

std::vector<RecordedCount> usual_counts(const std::vector<RecordedCount> &all) {
    std::vector<RecordedCount> usual;
    std::vector<RecordedCount> copy = all;
    for_each_class(copy, [&](std::span<RecordedCount> numbers) {
        if (numbers.size() > 1) usual.push_back(*std::min_element(numbers.begin(), numbers.end(), more_frequent));
    });
    return usual;
}

EventsByClass::EventsByClass(const LocalEvents &events, std::size_t classes)
    : events_(events), first_(classes + 1), events_of_(events.size()) {
    for (std::size_t i = 0; i < events.size(); ++i)
        ++first_[events.class_of(i) + 1];
    for (std::size_t c = 0; c < classes; ++c)
        first_[c + 1] += first_[c];
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t i = 0; i < events.size(); ++i)
        events_of_[next[events.class_of(i)]++] = static_cast<std::uint32_t>(i);
}

void EventsByClass::add_to(std::span<OccurrenceExtent> extents, std::uint32_t event_class) const {
    for (std::size_t n = 0; n < std::min(extents.size(), count(event_class)); ++n)
        extents[n].add(extent(event_class, n));
}

namespace {

// By how much two extents are apart: what the one adds to the jitter of the other.
WideNanoseconds apart(Nanoseconds first_a, Nanoseconds last_a, Nanoseconds first_b, Nanoseconds last_b) {
    return std::max<WideNanoseconds>({0, WideNanoseconds{first_a} - last_b, WideNanoseconds{first_b} - last_a});
}

WideNanoseconds apart(const OccurrenceExtent &a, const OccurrenceExtent &b) {
    return apart(a.first_start, a.last_start, b.first_start, b.last_start) +
           apart(a.first_stop, a.last_stop, b.first_stop, b.last_stop);
}

bool not_before(const OccurrenceExtent &a, const OccurrenceExtent &b) {
    return a.last_start >= b.first_start && a.last_stop >= b.first_stop;
}

// A shorter sequence at places 0, 1, ... of a longer one. long_at(i), short_at(i): their occurrences.
template <class Long, class Short>
class Slide {
public:
    // compared: of the shorter one. farthest: the last place.
    Slide(Long long_at, Short short_at, std::size_t compared, std::size_t farthest)
        : long_at_(long_at), short_at_(short_at), compared_(compared), farthest_(farthest) {}

    [[nodiscard]] std::size_t best() {
        narrow();
        try_place(0);
        if (to_ - from_ < most_tries) {
            for (std::size_t place = from_; place <= to_; ++place)
                try_place(place);
            return best_;
        }
        std::size_t first = middle() - std::min(middle() - from_, most_tries / 2);
        first = std::min(first, to_ + 1 - most_tries);
        for (std::size_t place = first; place < first + most_tries; ++place)
            try_place(place);
        return best_;
    }

private:
    // From the place on at which no occurrence of the longer sequence lies before its partner, each further place
    // adds to the jitter. Up to the place at which none lies after its partner, each place back does. The best is in
    // between.
    void narrow() {
        std::size_t m = 0;
        std::size_t no_later = 0;
        for (std::size_t n = 0; n < compared_; ++n) {
            while (m < n + farthest_ && !not_before(long_at_(m), short_at_(n)))
                ++m;
            no_later = std::max(no_later, m - std::min(m, n));
        }
        m = compared_ - 1 + farthest_;
        std::size_t no_earlier = farthest_;
        for (std::size_t n = compared_; n-- > 0;) {
            while (m > n && !not_before(short_at_(n), long_at_(m)))
                --m;
            no_earlier = std::min(no_earlier, m - std::min(m, n));
        }
        from_ = std::min(no_earlier, no_later);
        to_ = no_earlier < no_later ? no_later : from_;
    }

    // The place at which as many lie before their partner as after it.
    [[nodiscard]] std::size_t middle() const {
        std::size_t low = from_;
        std::size_t high = to_;
        while (low < high) {
            const std::size_t place = low + (high - low) / 2;
            std::size_t before = 0;
            for (std::size_t n = 0; n < compared_; ++n)
                before += not_before(long_at_(n + place), short_at_(n)) ? 0 : 1;
            if (2 * before > compared_)
                low = place + 1;
            else
                high = place;
        }
        return low;
    }

    void try_place(std::size_t place) {
        WideNanoseconds sum = 0;
        for (std::size_t n = 0; n < compared_; ++n) {
            sum += apart(long_at_(n + place), short_at_(n));
            if (tried_ && sum > least_) return;
        }
        if (tried_ && sum == least_ && place >= best_) return;
        tried_ = true;
        least_ = sum;
        best_ = place;
    }

    Long long_at_;
    Short short_at_;
    std::size_t compared_;
    std::size_t farthest_;
    std::size_t from_ = 0, to_ = 0;
    bool tried_ = false;
    WideNanoseconds least_ = 0;
    std::size_t best_ = 0;
};

} // namespace

std::int64_t shift_of(const EventsByClass &events, std::uint32_t event_class, std::size_t usual,
                      std::span<const OccurrenceExtent> extents) {
    const std::size_t mine = events.count(event_class);
    const auto own = [&](std::size_t n) { return events.extent(event_class, n); };
    const auto others = [&](std::size_t n) -> const OccurrenceExtent & { return extents[n]; };
    if (mine > usual) {
        const std::size_t compared = std::min(usual, extents.size());
        if (compared == 0) return 0;
        return -static_cast<std::int64_t>(Slide(own, others, compared, mine - usual).best());
    }
    const std::size_t farthest = usual - mine;
    if (extents.size() <= farthest || mine == 0) return 0;
    const std::size_t compared = std::min(mine, extents.size() - farthest);
    return static_cast<std::int64_t>(Slide(others, own, compared, farthest).best());
}

void ClassShifts::add(std::int64_t shift, std::int32_t rank) {
    least = std::min(least, shift);
    if (shift == 0) return;
    Processes &side = shift < 0 ? more : fewer;
    ++side.count;
    side.lowest_rank = std::min(side.lowest_rank, rank);
    side.occurrences += shift < 0 ? -shift : shift;
}

void ClassShifts::add(const ClassShifts &other) {
    least = std::min(least, other.least);
    for (const auto &[mine, theirs] : {std::pair{&more, &other.more}, std::pair{&fewer, &other.fewer}}) {
        mine->count += theirs->count;
        mine->lowest_rank = std::min(mine->lowest_rank, theirs->lowest_rank);
        mine->occurrences += theirs->occurrences;
    }
}

std::vector<ShiftRemark> shift_remarks(const std::vector<ClassShifts> &shifts, const Catalogue &catalogue) {
    std::vector<ShiftRemark> remarks;
    for (const ClassShifts &s : shifts) {
        const auto &[id, c] = catalogue.classes[s.event_class];
        std::string what(name_of(c.kind));
        if (c.field > 0) what += " of field '" + catalogue.field_names[static_cast<std::size_t>(c.field) - 1] + "'";
        const std::string &component = catalogue.component_names[static_cast<std::size_t>(id) - 1];
        const auto tell = [&](const char *more_or_fewer, const ClassShifts::Processes &processes) {
            if (processes.count == 0) return;
            remarks.push_back({say(Sentence::remark_shifted,
                                   {{"more_or_fewer", more_or_fewer}, {"what", what}, {"component", component}}),
                               processes});
        };
        tell("more", s.more);
        tell("fewer", s.fewer);
    }
    return remarks;
}

} // namespace cpl_lb
