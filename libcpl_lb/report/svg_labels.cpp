// Tries places around the mark, the nearest first.
#include "report/svg_labels.hpp"

#include "report/format.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>

namespace cpl_lb {
namespace {

constexpr double em_of_a_letter = 0.64, above_base = 0.82, below_base = 0.25; // of the font's size
constexpr double gap = 4;                                                     // between a mark and its name
constexpr double step = 6, farthest = 120, far_from = 12;

struct Direction {
    double x, y; // -1, 0, 1
};
// Right of the mark is read best, then above and below.
constexpr std::array<Direction, 8> directions = {
    {{1, 0}, {1, -1}, {1, 1}, {-1, 0}, {0, -1}, {0, 1}, {-1, -1}, {-1, 1}}};

SvgBox moved(const SvgBox &box, double x, double y) {
    return {box.left + x, box.top + y, box.right + x, box.bottom + y};
}

// A box of that size beside the mark, `distance` away.
SvgBox beside(const SvgBox &mark, const SvgBox &size, const Direction &to, double distance) {
    const double wide = size.right - size.left, high = size.bottom - size.top;
    const double middle_x = (mark.left + mark.right) / 2, middle_y = (mark.top + mark.bottom) / 2;
    double left = middle_x - wide / 2, top = middle_y - high / 2;
    if (to.x > 0) left = mark.right + gap + distance;
    if (to.x < 0) left = mark.left - gap - distance - wide;
    if (to.y > 0) top = std::max(mark.bottom - (to.x == 0 ? 0 : high), middle_y) + distance;
    if (to.y < 0) top = std::min(mark.top + (to.x == 0 ? 0 : high), middle_y) - distance - high;
    return moved(size, left - size.left, top - size.top);
}

} // namespace

SvgBox text_box(const std::string &text, double x, double y, double font_size) {
    const double wide = em_of_a_letter * font_size * static_cast<double>(display_columns(text));
    return {x, y - above_base * font_size, x + wide, y + below_base * font_size};
}

bool SvgLabels::is_free(const SvgBox &box, bool also_of_marks) const {
    const auto meets = [&](const SvgBox &other) { return box.meets(other); };
    if (box.left < inside_.left || box.right > inside_.right || box.top < inside_.top || box.bottom > inside_.bottom)
        return false;
    return std::none_of(texts_.begin(), texts_.end(), meets) &&
           (!also_of_marks || std::none_of(marks_.begin(), marks_.end(), meets));
}

std::optional<SvgLabels::Place> SvgLabels::place(const SvgBox &mark, const std::string &text, double font_size) {
    const SvgBox size = text_box(text, 0, 0, font_size);
    const auto taken = [&](const SvgBox &box, double distance) {
        texts_.push_back(box);
        return Place{box.left - size.left, box.top - size.top, distance > far_from, box};
    };
    for (const bool off_marks : {true, false}) {
        for (int ring = 0; ring * step <= farthest; ++ring) {
            const double distance = ring * step;
            for (const Direction &to : directions) {
                const SvgBox box = beside(mark, size, to, distance);
                if (is_free(box, off_marks)) return taken(box, distance);
            }
        }
    }
    if (const std::optional<SvgBox> box = anywhere(mark, size)) return taken(*box, farthest);
    return std::nullopt;
}

// The free place that is nearest, wherever it is.
std::optional<SvgBox> SvgLabels::anywhere(const SvgBox &mark, const SvgBox &size) const {
    std::optional<SvgBox> best;
    double best_square = 0;
    const int lines = static_cast<int>((inside_.bottom - inside_.top) / step);
    const int columns = static_cast<int>((inside_.right - inside_.left) / (2 * step));
    for (int line = 0; line < lines; ++line) {
        for (int column = 0; column < columns; ++column) {
            const double x = inside_.left + 2 * step * column, y = inside_.top - size.top + step * line;
            const SvgBox box = moved(size, x, y);
            const double away_x = x - mark.right, away_y = y - mark.bottom;
            const double square = away_x * away_x + away_y * away_y;
            if ((best && square >= best_square) || !is_free(box, false)) continue;
            best = box;
            best_square = square;
        }
    }
    return best;
}

std::string leader_of(const SvgBox &mark, const SvgLabels::Place &place) {
    const double x = (mark.left + mark.right) / 2, y = (mark.top + mark.bottom) / 2;
    return fmt::format("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='#999' stroke-width='0.7'/>", x,
                       y, std::clamp(x, place.box.left, place.box.right),
                       std::clamp(y, place.box.top, place.box.bottom));
}

} // namespace cpl_lb
