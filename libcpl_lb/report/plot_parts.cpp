// Writes SVG elements, tries places around a mark, the nearest first, and finds scales of axes: the position of a
// value, and which values have labels.
#include "report/plot_parts.hpp"

#include "report/format.hpp"
#include "report/plot.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

namespace cpl_lb {
namespace {

constexpr double em_of_a_letter = 0.64, above_base = 0.82, below_base = 0.25; // of the font's size
constexpr double gap = 4;                                                     // between a mark and its name
constexpr double step = 6, farthest = 120, far_from = 12;

// The colours of Okabe and Ito, without yellow, which is hard to see on white.
constexpr std::array<PlotColour, 8> colours = {{{"#0072b2", "#fff"},
                                                {"#d55e00", "#000"},
                                                {"#009e73", "#000"},
                                                {"#cc79a7", "#000"},
                                                {"#e69f00", "#000"},
                                                {"#56b4e9", "#000"},
                                                {"#777777", "#000"},
                                                {"#000000", "#fff"}}};

struct Direction {
    double x, y; // -1, 0, 1
};
// A label is easiest to read right of its mark, then above and below.
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

// A text along a line, as a box for each letter.
std::vector<SvgBox> letters_of(const SvgLabels::Turned &text, double angle, double wide, double letter) {
    std::vector<SvgBox> boxes;
    for (int i = 0; i * letter <= wide; ++i) {
        const double at = i * letter;
        const double x = text.x + at * std::cos(angle) + letter * 0.6 * std::sin(angle);
        const double y = text.y + at * std::sin(angle) - letter * 0.6 * std::cos(angle);
        boxes.push_back({x - letter, y - letter, x + letter, y + letter});
    }
    return boxes;
}

void add_decades(AxisScale &scale, std::initializer_list<double> times) {
    scale.ticks.clear();
    for (int decade = static_cast<int>(std::floor(scale.first)); decade <= scale.last; ++decade) {
        for (const double each : times) {
            const double value = each * std::pow(10, decade), at = std::log10(value);
            if (at >= scale.first && at <= scale.last) scale.ticks.push_back(value);
        }
    }
}

void add_round_steps(AxisScale &scale) {
    const double least = std::pow(10, scale.first), most = std::pow(10, scale.last), step = round_step(most - least);
    scale.ticks.clear();
    for (double times = std::ceil(least / step); times * step <= most; ++times)
        scale.ticks.push_back(times * step);
}

} // namespace

const PlotColour &plot_colour(std::size_t series) {
    return colours[series % colours.size()];
}

std::string svg_text(const std::string &text) {
    std::string out;
    for (const char c : safe_name(text)) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        default:
            out += c;
        }
    }
    return out;
}

std::string text_at(double x, double y, const std::string &text, const std::string &more) {
    return fmt::format("<text x='{:.1f}' y='{:.1f}'{}>{}</text>\n", x, y, more, svg_text(text));
}

std::string name_at(double x, double y, const std::string &name, std::size_t letters, const std::string &more) {
    const std::string shown = short_name(name, letters), whole = safe_name(name);
    std::string text = text_at(x, y, shown, more);
    if (shown != whole) text.insert(text.rfind("</text>"), "<title>" + svg_text(name) + "</title>");
    return text;
}

std::string line_at(double x1, double y1, double x2, double y2, const std::string &more) {
    return fmt::format("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}'{}/>", x1, y1, x2, y2, more);
}

std::string box_at(const SvgBox &box, const std::string &more) {
    return fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}'{}/>", box.left, box.top,
                       box.right - box.left, box.bottom - box.top, more);
}

std::string svg_page(double width, double height, double title_x, const std::string &title,
                     const std::string &drawing, std::size_t letters_of_title) {
    return fmt::format("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0:.0f} {1:.0f}' width='{0:.0f}' "
                       "height='{1:.0f}' class='plot' role='img' font-family='sans-serif' font-size='13'>\n"
                       "<title>{2}</title>\n<style>.plot .grid{{stroke:#ddd}}.plot .title{{font-size:16px}}"
                       ".plot .panel{{font-weight:bold}}.plot .value{{font-size:11px}}"
                       ".plot .mark{{stroke:#000;stroke-width:2.5}}"
                       ".plot .label{{font-size:12px;paint-order:stroke;stroke:#fff;stroke-width:3}}</style>"
                       "<rect width='100%' height='100%' fill='#fff' class='paper'/>\n",
                       std::ceil(width), std::ceil(height), svg_text(title)) +
           text_at(title_x, 26, short_name(title, letters_of_title), " class='title'") + drawing + "</svg>\n";
}

double round_step(double most) {
    const double decade = std::pow(10, std::floor(std::log10(most)) - 1);
    for (const double times : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0})
        if (most / (times * decade) <= 7) return times * decade;
    return most;
}

std::string tick_text(double value) {
    std::string text = fmt::format("{:g}", value);
    for (const char *zeros : {"e+0", "e+"})
        if (const std::size_t at = text.find(zeros); at != std::string::npos)
            text.replace(at, std::string_view(zeros).size(), "e");
    return text;
}

double width_of(const std::string &text, double font_size) {
    return em_of_a_letter * font_size * static_cast<double>(display_columns(text));
}

bool SvgLabels::is_free(const SvgBox &box, bool also_of_marks) const {
    const auto meets = [&](const SvgBox &other) { return box.meets(other); };
    if (box.left < inside_.left || box.right > inside_.right || box.top < inside_.top || box.bottom > inside_.bottom)
        return false;
    return std::ranges::none_of(texts_, meets) && (!also_of_marks || std::ranges::none_of(marks_, meets));
}

std::optional<SvgLabels::Place> SvgLabels::place(const SvgBox &mark, const std::string &text, double font_size) {
    const SvgBox size{0, -above_base * font_size, width_of(text, font_size), below_base * font_size};
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

// The nearest free place, anywhere.
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

std::optional<SvgLabels::Turned> SvgLabels::along(const SvgBox &line, const std::string &text, double font_size) {
    const double across = line.right - line.left, down = line.bottom - line.top;
    const double angle = std::atan2(down, across), length = std::hypot(across, down);
    const double wide = width_of(text, font_size), room = std::max(length - wide, 9.0);
    for (int i = 0; 8 + 20 * i <= room; ++i) {
        const double further = 8 + 20 * i;
        // On flat lines the text goes to the right end, where there is most room.
        const double from = down == 0 ? std::max(length - further - wide, 0.0) : further;
        for (const double aside : {-5.0, 14.0, -19.0, 28.0}) {
            const Turned place{line.left + from * std::cos(angle) - aside * std::sin(angle),
                               line.top + from * std::sin(angle) + aside * std::cos(angle), angle * 180 / M_PI};
            const std::vector<SvgBox> letters = letters_of(place, angle, wide, font_size / 2);
            if (!std::ranges::all_of(letters, [&](const SvgBox &b) { return is_free(b, false); })) continue;
            texts_.insert(texts_.end(), letters.begin(), letters.end());
            return place;
        }
    }
    return std::nullopt;
}

std::string leader_of(const SvgBox &mark, const SvgLabels::Place &place) {
    const double x = (mark.left + mark.right) / 2, y = (mark.top + mark.bottom) / 2;
    return line_at(x, y, std::clamp(x, place.box.left, place.box.right),
                   std::clamp(y, place.box.top, place.box.bottom), " stroke='#999' stroke-width='0.7' class='lead'");
}

double AxisScale::share(double value) const {
    return ((logarithmic ? std::log10(value) : value) - first) / (last - first);
}

AxisScale linear_scale(double least, double most) {
    AxisScale scale;
    least = std::min(least, 0.0);
    most = std::max(most, 0.0);
    if (least == most) most = 1;
    const double step = round_step(most - least);
    const auto first = static_cast<int>(std::floor(least / step + 1e-9)),
               last = static_cast<int>(std::ceil(most / step - 1e-9));
    scale.first = step * first;
    scale.last = step * last;
    for (int i = first; i <= last; ++i)
        scale.ticks.push_back(i * step);
    return scale;
}

AxisScale log_scale(double least, double most) {
    AxisScale scale;
    scale.logarithmic = true;
    scale.first = std::log10(least) - 0.06;
    scale.last = std::log10(most) + 0.06;
    if (scale.last - scale.first < 3)
        add_decades(scale, {1, 2, 5});
    else
        add_decades(scale, {1});
    if (scale.ticks.size() < 3) add_decades(scale, {1, 1.5, 2, 3, 5, 7});
    if (scale.ticks.size() < 3) add_round_steps(scale); // values close to each other
    return scale;
}

} // namespace cpl_lb
