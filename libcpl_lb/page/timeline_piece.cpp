// Reads the rows of a piece and turns each into bins and, if it is wanted, into single events.
#include "page/timeline_piece.hpp"

#include "data/raster.hpp"

#include <algorithm>

namespace cpl_lb {

PieceMaker::PieceMaker(Interval extent, const PagePlan &plan, std::span<const EventClass> classes)
    : classes_(classes), bins_(plan.bins), row_(extent, std::max<std::size_t>(plan.bins, 1)),
      inside_(extent, std::max<std::size_t>(plan.inside_bins, 1)),
      inside_of_group_(extent, std::max<std::size_t>(plan.group_bins, 1)),
      group_inside_(std::max<std::size_t>(plan.group_bins, 1)), percent_(raster_bins) {
    if (plan.group_bins > 0) group_ = std::make_unique<GroupBins>(extent, plan.group_bins, classes);
}

void PieceMaker::add_bins(TimelinePiece &piece, std::size_t row, std::size_t rows) const {
    const auto plane = [&](std::size_t n) {
        return piece.bins.begin() + static_cast<std::ptrdiff_t>((n * rows + row) * bins_);
    };
    for (std::size_t c = 0; c < time_class_count; ++c) {
        auto to = plane(c);
        for (std::size_t bin = 0; bin < bins_; ++bin)
            *to++ = row_.share(static_cast<TimeClass>(c), bin);
    }
    auto low = plane(time_class_count);
    auto high = plane(time_class_count + 1);
    for (std::size_t bin = 0; bin < bins_; ++bin) {
        *low++ = static_cast<std::uint8_t>(row_.dominant(bin) & 0xffU);
        *high++ = static_cast<std::uint8_t>(row_.dominant(bin) >> 8U);
    }
}

void PieceMaker::add_inside(TimelinePiece &piece, const Wanted &wanted, std::size_t row, const Row &times) {
    const bool recorded = wanted.rows.has_inside();
    if (recorded) wanted.rows.read_inside(wanted.processes[row], percent_);
    const auto set = [&](InsideBins &bins) {
        if (recorded)
            bins.set_recorded(percent_);
        else
            bins.set_unrecorded(times, wanted.class_of, classes_, wanted.running);
    };
    set(inside_);
    const std::span<const std::uint8_t> bytes = inside_.bytes();
    if (piece.inside.empty() && inside_.tells()) piece.inside.resize(wanted.processes.size() * bytes.size());
    if (!piece.inside.empty())
        std::copy(bytes.begin(), bytes.end(), piece.inside.begin() + static_cast<std::ptrdiff_t>(row * bytes.size()));
    if (!wanted.group) return;
    set(inside_of_group_);
    group_inside_.add(inside_of_group_.bytes());
}

std::vector<std::uint8_t> PieceMaker::group_planes() const {
    const std::size_t bins = group_->edges().bins();
    std::vector<std::uint8_t> bytes(bin_planes * bins);
    std::array<std::uint8_t, time_class_count> shares{};
    for (std::size_t bin = 0; bin < bins; ++bin) {
        std::uint16_t dominant = 0;
        group_->bytes(bin, shares, dominant);
        for (std::size_t c = 0; c < time_class_count; ++c)
            bytes[c * bins + bin] = shares[c];
        bytes[time_class_count * bins + bin] = static_cast<std::uint8_t>(dominant & 0xffU);
        bytes[(time_class_count + 1) * bins + bin] = static_cast<std::uint8_t>(dominant >> 8U);
    }
    return bytes;
}

TimelinePiece PieceMaker::make(const Wanted &wanted, const std::function<void()> &check) {
    TimelinePiece piece;
    const std::size_t rows = wanted.processes.size();
    piece.bins.resize(bin_planes * rows * bins_);
    GroupBins *const group = wanted.group ? group_.get() : nullptr;
    if (group != nullptr) group->clear();
    group_inside_.clear();
    auto next = std::lower_bound(wanted.exact.begin(), wanted.exact.end(), wanted.processes.front());
    for (std::size_t i = 0; i < rows;) {
        const std::size_t n = wanted.rows.read(wanted.processes.subspan(i), wanted.most_held, buffers_);
        for (std::size_t r = 0; r < n; ++r, ++i) {
            const Row &row = buffers_.rows[r];
            if (bins_ > 0 || group != nullptr) row_.set(row, wanted.class_of, classes_, group);
            if (bins_ > 0) add_bins(piece, i, rows);
            add_inside(piece, wanted, i, row);
            if (next == wanted.exact.end() || *next != wanted.processes[i]) continue;
            ++next;
            events_.add(row);
            piece.exact.push_back(wanted.processes[i]);
        }
        check();
    }
    piece.gap_bytes = events_.gap_bytes();
    piece.length_bytes = events_.length_bytes();
    piece.events = events_.take();
    if (group != nullptr) piece.group = group_planes();
    if (group != nullptr) piece.group_inside = group_inside_.planes();
    return piece;
}

TimelineRows::TimelineRows(TimelineReader &reader) : reader_(reader) {
    if (const std::optional<ClassicLayout> layout = reader.classic_layout()) classic_.emplace(reader.path(), *layout);
}

std::size_t TimelineRows::read(std::span<const std::int64_t> processes, std::int64_t most_held,
                               Buffers &buffers) const {
    if (classic_) {
        buffers.rows.resize(std::max<std::size_t>(buffers.rows.size(), 1));
        Row &row = buffers.rows.front();
        classic_->read(processes.front(), row, buffers.file);
        const std::span<const Interval> away = reader_.away_of(processes.front());
        row.away.assign(away.begin(), away.end());
        return 1;
    }
    const auto most = static_cast<std::size_t>(
        std::clamp<std::int64_t>(most_held / (reader_.events() + 1), 1, reader_.block_rows()));
    std::size_t n = 1;
    while (n < std::min(most, processes.size()) && processes[n] == processes[n - 1] + 1)
        ++n;
    buffers.rows.resize(std::max(buffers.rows.size(), n));
    reader_.read_rows(processes.front(), std::span(buffers.rows).first(n));
    return n;
}

} // namespace cpl_lb
