// The page's timeline as shares of bins of time: the finest level of detail of each process, and the mean of a group
// of processes. For each bin they have the exact share of each class of time, and the event class that fills most of
// the bin.
#pragma once

#include "analysis/nesting.hpp"
#include "data/events.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

namespace cpl_lb {

// The rest is inside the component. `ending`: in the coupler's terminate, where processes wait for the others.
// `away`: inside another component of the same process.
enum class TimeClass : std::uint8_t { receive, send, sync, mapping, files, other, ending, away };
inline constexpr std::size_t time_class_count = 8;
inline constexpr std::array<std::string_view, time_class_count> time_class_names = {
    "receive", "send", "sync", "mapping", "files", "other", "ending", "away"};

[[nodiscard]] constexpr TimeClass time_class_of(Kind kind) {
    if (kind == Kind::get) return TimeClass::receive;
    if (kind == Kind::put) return TimeClass::send;
    if (kind == Kind::sync) return TimeClass::sync;
    if (is_mapping(kind)) return TimeClass::mapping;
    if (kind == Kind::term) return TimeClass::ending;
    return is_output(kind) ? TimeClass::files : TimeClass::other;
}

// Numbers what the page shows, over all components.
class ShownClasses {
public:
    static constexpr std::size_t most = 65'000; // two bytes for each bin; later ones share the last
    [[nodiscard]] std::uint16_t number_of(const EventKey &key) {
        const EventClass what{key.kind, key.field, key.counterpart};
        const auto [found, is_new] = numbers_.try_emplace(what, static_cast<std::uint16_t>(list_.size()));
        if (is_new && list_.size() < most) list_.push_back(what);
        if (found->second >= list_.size()) found->second = static_cast<std::uint16_t>(list_.size() - 1);
        return found->second;
    }
    [[nodiscard]] const std::vector<EventClass> &list() const { return list_; }

private:
    std::map<EventClass, std::uint16_t> numbers_;
    std::vector<EventClass> list_;
};

// Equal bins of an interval: bin i is from edges[i] to edges[i + 1].
class BinEdges {
public:
    BinEdges(Interval extent, std::size_t bins);
    [[nodiscard]] std::size_t bins() const { return edges_.size() - 1; }
    [[nodiscard]] Interval extent() const { return {edges_.front(), edges_.back()}; }
    [[nodiscard]] Nanoseconds end(std::size_t bin) const { return edges_[bin + 1]; }
    [[nodiscard]] Nanoseconds width(std::size_t bin) const { return edges_[bin + 1] - edges_[bin]; }
    // The bin that holds t, which must lie inside the extent.
    [[nodiscard]] std::size_t bin_of(Nanoseconds t) const;

private:
    std::vector<Nanoseconds> edges_;
};

// `part` of `whole` as a byte; 255 is the whole.
[[nodiscard]] std::uint8_t share_byte(double part, double whole);

// Time of each event class in the bins of all processes of a group; BinRow fills it.
class GroupBins {
public:
    GroupBins(Interval extent, std::size_t bins, std::span<const EventClass> classes);

    void clear();
    // Times of the columns of a bin, to which the caller adds; the column of each event class.
    [[nodiscard]] Nanoseconds *times(std::size_t bin) { return times_.data() + bin * columns_; }
    [[nodiscard]] const std::uint16_t *columns() const { return column_of_.data(); }
    void add_away(const Interval &away);
    void count_row() { ++rows_; }

    // Means over the rows, like BinRow::share() and dominant() of one row.
    void bytes(std::size_t bin, std::span<std::uint8_t> shares, std::uint16_t &dominant) const;
    [[nodiscard]] const BinEdges &edges() const { return edges_; }
    [[nodiscard]] std::int64_t rows() const { return rows_; }

private:
    // If there are more event classes, those of one class of time count as the first of them.
    static constexpr std::size_t most_columns = 256;
    BinEdges edges_;
    std::vector<std::uint16_t> column_of_; // by event class
    std::vector<std::uint16_t> class_of_;  // by column: the event class that it stands for
    std::vector<TimeClass> time_class_of_; // by column
    std::size_t columns_ = 0;
    std::int64_t rows_ = 0;
    std::vector<Nanoseconds> times_; // [bin][column]
    std::vector<Nanoseconds> away_;
};

// The first plane of all groups, then the next ones; each is as long as a group has bins.
[[nodiscard]] std::vector<std::uint8_t> plane_by_plane(const std::vector<std::vector<std::uint8_t>> &groups,
                                                       std::size_t planes, std::size_t bins);

class BinRow {
public:
    BinRow(Interval extent, std::size_t bins);

    // class_of: event class of each event of the row's component; classes: kind of each event class. The row is also
    // added to `group`, whose number of bins is a multiple of this row's.
    void set(const Row &row, std::span<const std::uint16_t> class_of, std::span<const EventClass> classes,
             GroupBins *group = nullptr);

    // The shares of all classes of time add up to at most 255, apart from rounding.
    [[nodiscard]] std::uint8_t share(TimeClass c, std::size_t bin) const;
    // 1 + the event class with the longest time in the bin; 0: no event.
    [[nodiscard]] std::uint16_t dominant(std::size_t bin) const { return dominant_[bin]; }
    [[nodiscard]] std::size_t bins() const { return edges_.bins(); }

private:
    // Times of the event classes in the current bin.
    struct Open {
        static constexpr std::size_t most_few = 32;
        bool few = false;                   // there are few event classes: all are checked at the end of a bin
        std::vector<Nanoseconds> time;      // by event class
        std::vector<std::uint16_t> touched; // if there are many: those above 0, by their first piece
        void start(std::size_t classes);
    };
    // A time in which the process was doing one thing.
    struct Piece {
        Nanoseconds start, stop;
        std::uint16_t event_class;
    };
    static constexpr std::size_t pieces_at_once = 512; // 12 KiB
    template <bool grouped>
    void enter(std::span<const Piece> pieces, std::span<const EventClass> classes, GroupBins *group);
    template <bool grouped>
    void set_pieces(const Row &row, std::span<const std::uint16_t> class_of, std::span<const EventClass> classes,
                    GroupBins *group);
    void close(std::size_t bin, std::span<const EventClass> classes);

    BinEdges edges_;
    std::array<std::vector<Nanoseconds>, time_class_count> busy_;
    std::vector<std::uint16_t> dominant_;
    Open open_;
    InnermostPieces segments_;
    std::size_t place_ = 0; // bin of the last piece: of the group's, where there is one
};

} // namespace cpl_lb
