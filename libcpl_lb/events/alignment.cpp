// First collects the times of those that recorded the usual number, then places the others on them.
#include "events/alignment.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

std::uint32_t count_of(const std::vector<RecordedCount> &counts, std::uint32_t event_class) {
    const auto is_it = [&](const RecordedCount &c) { return c.event_class == event_class; };
    const auto at = std::find_if(counts.begin(), counts.end(), is_it);
    return at == counts.end() ? 0 : at->occurrences;
}

class Aligner {
public:
    Aligner(std::size_t classes, const std::vector<std::int32_t> &ranks,
            const std::function<LocalEvents(std::size_t)> &events)
        : classes_(classes), ranks_(ranks), events_(events) {
        std::vector<RecordedCount> all;
        for (std::size_t p = 0; p < ranks.size(); ++p)
            unite(all, counts_.emplace_back(recorded_counts(events(p), classes)));
        usual_ = usual_counts(all);
        for (const RecordedCount &u : usual_)
            extents_.emplace_back(u.occurrences);
    }

    Alignment result() {
        Alignment alignment;
        if (usual_.empty()) return alignment;
        for_each([](std::uint32_t mine, std::uint32_t usual) { return mine == usual; },
                 [&](std::size_t, std::size_t i, const EventsByClass &events) {
                     events.add_to(extents_[i], usual_[i].event_class);
                 });
        for (const RecordedCount &u : usual_)
            alignment.shifts.push_back({u.event_class, 0, {}, {}});
        std::vector<std::vector<std::int64_t>> shifts(counts_.size(), std::vector<std::int64_t>(usual_.size()));
        for_each([](std::uint32_t mine, std::uint32_t usual) { return mine > 0 && mine != usual; },
                 [&](std::size_t p, std::size_t i, const EventsByClass &events) {
                     shifts[p][i] = shift_of(events, usual_[i].event_class, usual_[i].occurrences, extents_[i]);
                     alignment.shifts[i].add(shifts[p][i], ranks_[p]);
                 });
        for (const std::vector<std::int64_t> &of_process : shifts) {
            std::vector<std::uint32_t> &first = alignment.numbers.emplace_back(classes_);
            for (std::size_t i = 0; i < usual_.size(); ++i)
                first[usual_[i].event_class] = static_cast<std::uint32_t>(of_process[i] - alignment.shifts[i].least);
        }
        return alignment;
    }

private:
    // Calls visit(process, place in usual_, events) where asks(number of the process, usual number).
    template <class Asks, class Visit>
    void for_each(Asks asks, Visit visit) {
        for (std::size_t p = 0; p < counts_.size(); ++p) {
            const auto asked = [&](const RecordedCount &u) {
                return asks(count_of(counts_[p], u.event_class), u.occurrences);
            };
            if (std::none_of(usual_.begin(), usual_.end(), asked)) continue;
            const LocalEvents events = events_(p);
            const EventsByClass by_class(events, classes_);
            for (std::size_t i = 0; i < usual_.size(); ++i)
                if (asked(usual_[i])) visit(p, i, by_class);
        }
    }

    std::size_t classes_;
    const std::vector<std::int32_t> &ranks_;
    const std::function<LocalEvents(std::size_t)> &events_;
    std::vector<std::vector<RecordedCount>> counts_; // of each process
    std::vector<RecordedCount> usual_;
    std::vector<std::vector<OccurrenceExtent>> extents_; // as usual_
};

} // namespace

Alignment align_occurrences(std::size_t classes, const std::vector<std::int32_t> &ranks,
                            const std::function<LocalEvents(std::size_t)> &events) {
    return Aligner(classes, ranks, events).result();
}

} // namespace cpl_lb
