// Draws the roofline as an SVG picture.
#include "projection/roofline/roofline_text.hpp"
#include "report/format.hpp"
#include "report/svg_chart.hpp"
#include "report/svg_labels.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

constexpr double left = 80, top = 44, width = 700, height = 420, font_size = 12; // of the drawing, in SVG units

// Whole decades.
struct LogAxis {
    int first = 0, last = 1;

    void include(double value) {
        if (!(value > 0)) return;
        const double decade = std::log10(value);
        if (is_empty) {
            first = static_cast<int>(std::floor(decade));
            last = first + 1;
            is_empty = false;
        }
        first = std::min(first, static_cast<int>(std::floor(decade)));
        last = std::max(last, static_cast<int>(std::ceil(decade)));
    }
    [[nodiscard]] double share(double value) const { return (std::log10(value) - first) / (last - first); }
    bool is_empty = true;
};

bool is_drawn(const RooflineRow &row) {
    return row.intensity > 0 && (row.attained_flop_per_s > 0 || row.ceiling_flop_per_s > 0);
}
// A region without a measured time stands at its ceiling, hollow.
double height_of(const RooflineRow &row) {
    return row.attained_flop_per_s > 0 ? row.attained_flop_per_s : row.ceiling_flop_per_s;
}

class Drawing {
public:
    explicit Drawing(const Roofline &roofline) : roofline_(roofline) {
        peak_ = roofline.ceilings.front().per_s;
        for (const RooflineCeiling &c : roofline.ceilings) {
            if (c.is_bandwidth)
                x_.include(peak_ / c.per_s); // where this roof meets the top
            else
                y_.include(c.per_s);
        }
        for (const RooflineRow &row : roofline.rows) {
            if (!is_drawn(row)) continue;
            x_.include(row.intensity);
            y_.include(height_of(row));
        }
        x_.include(std::pow(10.0, x_.first) * 0.9); // room on both sides
        x_.include(std::pow(10.0, x_.last) * 1.1);
    }

    [[nodiscard]] std::string svg() {
        const std::string title = svg_text("Roofline on " + roofline_.machine);
        std::string out = fmt::format(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {} {}' class='roofline' role='img' "
            "font-family='sans-serif' font-size='12'>\n<title>{}</title>\n"
            "<style>.roofline .paper{{fill:white}} .roofline .grid{{stroke:#e4e4e4}} "
            ".roofline .roof{{stroke:#356;stroke-width:2;fill:none}} .roofline .name{{fill:#356}} "
            ".roofline .dot{{fill:#c33;stroke:#811}} .roofline .hollow{{fill:white;stroke:#811;stroke-width:2}} "
            ".roofline .lead{{stroke:#999}} .roofline .gap{{stroke:#c33;stroke-dasharray:3 3}} "
            ".roofline .label{{paint-order:stroke;stroke:white;stroke-width:3}}</style>\n"
            "<rect width='100%' height='100%' class='paper'/>\n<text x='{}' y='24' class='title' "
            "font-size='15'>{}</text>\n",
            left + width + 30, top + height + 56, title, left, title);
        out += grid();
        for (const RooflineCeiling &c : roofline_.ceilings)
            out += roof(c);
        for (const RooflineRow &row : roofline_.rows)
            if (is_drawn(row)) out += dot(row);
        return out + names() + "</svg>\n"; // above all dots
    }

private:
    [[nodiscard]] double px(double intensity) const { return left + width * x_.share(intensity); }
    [[nodiscard]] double py(double rate) const { return top + height * (1 - y_.share(rate)); }

    [[nodiscard]] std::string grid() const {
        std::string out;
        for (int d = x_.first; d <= x_.last; ++d) {
            const double x = px(std::pow(10.0, d));
            out += fmt::format(
                "<line x1='{0:.1f}' y1='{1}' x2='{0:.1f}' y2='{2}' class='grid'/><text x='{0:.1f}' y='{3}' "
                "text-anchor='middle'>{4:g}</text>\n",
                x, top, top + height, top + height + 18, std::pow(10.0, d));
        }
        for (int d = y_.first; d <= y_.last; ++d) {
            const double y = py(std::pow(10.0, d));
            out += fmt::format(
                "<line x1='{1}' y1='{0:.1f}' x2='{2}' y2='{0:.1f}' class='grid'/><text x='{3}' y='{4:.1f}' "
                "text-anchor='end'>{5:g}</text>\n",
                y, left, left + width, left - 6, y + 4, std::pow(10.0, d - 9));
        }
        out += fmt::format(
            "<text x='{0}' y='{1}' text-anchor='middle'>operations for each byte moved, W/Q [flop/B]</text>\n"
            "<text x='20' y='{2}' text-anchor='middle' transform='rotate(-90 20 {2})'>GFLOP/s</text>\n",
            left + width / 2, top + height + 42, top + height / 2);
        return out;
    }

    [[nodiscard]] std::string line(double x1, double y1, double x2, double y2) const {
        return fmt::format("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' class='roof'/>\n", px(x1), py(y1),
                           px(x2), py(y2));
    }

    [[nodiscard]] double slope() const { // of the bandwidths' roofs; SVG counts downwards
        return -std::atan2(height / (y_.last - y_.first), width / (x_.last - x_.first));
    }

    // A name along a roof, as boxes of a letter each: the first `length` of the roof are left out.
    struct Along {
        double x = 0, y = 0; // start of the text on its base line
        std::vector<SvgBox> boxes;
    };
    [[nodiscard]] static Along along(double x, double y, double angle, double length, double aside,
                                     const std::string &name) {
        Along text{x + length * std::cos(angle) - aside * std::sin(angle),
                   y + length * std::sin(angle) + aside * std::cos(angle),
                   {}};
        const double wide = text_box(name, 0, 0, font_size).right, letter = font_size / 2;
        const int letters = static_cast<int>(wide / letter);
        for (int i = 0; i <= letters; ++i) {
            const double at = i * letter;
            const double middle_x = text.x + at * std::cos(angle) + letter * 0.6 * std::sin(angle);
            const double middle_y = text.y + at * std::sin(angle) - letter * 0.6 * std::cos(angle);
            text.boxes.push_back({middle_x - letter, middle_y - letter, middle_x + letter, middle_y + letter});
        }
        return text;
    }
    // The name above the roof, else below it, a line further from it, further along; nothing where there is no room.
    [[nodiscard]] std::string name_along(double x, double y, double to_x, double angle, const std::string &name) {
        const double roof = (to_x - x) / std::cos(angle), wide = text_box(name, 0, 0, font_size).right;
        const auto is_free = [&](const SvgBox &box) {
            return box.left >= left && box.right <= left + width && box.top >= top - 14 &&
                   box.bottom <= top + height &&
                   std::none_of(taken_.begin(), taken_.end(), [&](const SvgBox &other) { return box.meets(other); });
        };
        const double room = std::max(roof, wide + 9) - wide;
        for (int i = 0; 8 + 20 * i <= room; ++i) {
            const double length = 8 + 20 * i;
            // Flat roofs end at the right, where most room is.
            const double from = angle == 0 ? std::max(roof - length - wide, 0.0) : length;
            for (const double aside : {-5.0, 14.0, -19.0, 28.0}) {
                const Along text = along(x, y, angle, from, aside, name);
                if (!std::all_of(text.boxes.begin(), text.boxes.end(), is_free)) continue;
                taken_.insert(taken_.end(), text.boxes.begin(), text.boxes.end());
                const std::string turned = angle == 0 ? ""
                                                      : fmt::format(" transform='rotate({:.1f} {:.1f} {:.1f})'",
                                                                    angle * 180 / M_PI, text.x, text.y);
                return fmt::format("<text x='{:.1f}' y='{:.1f}' class='name label'{}>{}</text>\n", text.x, text.y,
                                   turned, svg_text(name));
            }
        }
        return "";
    }

    [[nodiscard]] std::string roof(const RooflineCeiling &c) {
        const double x_least = std::pow(10.0, x_.first), x_most = std::pow(10.0, x_.last);
        const double y_least = std::pow(10.0, y_.first);
        if (!c.is_bandwidth) {
            // A narrower instruction's roof begins where the nearest level's reaches it.
            double from = x_most;
            for (const RooflineCeiling &b : roofline_.ceilings)
                if (b.is_bandwidth) from = std::min(from, c.per_s / b.per_s);
            from = std::max(from, x_least);
            return line(from, c.per_s, x_most, c.per_s) +
                   name_along(px(from), py(c.per_s), px(x_most), 0,
                              fmt::format("{} {:.3g} GFLOP/s", c.name, c.per_s * 1e-9));
        }
        const double from = std::max(x_least, y_least / c.per_s), to = std::min(peak_ / c.per_s, x_most);
        if (!(from < to)) return "";
        return line(from, from * c.per_s, to, to * c.per_s) +
               name_along(px(from), py(from * c.per_s), px(to), slope(),
                          fmt::format("{} {:.3g} GB/s", c.name, c.per_s * 1e-9));
    }

    [[nodiscard]] SvgBox mark_of(const RooflineRow &row) const {
        const double x = px(row.intensity), y = py(height_of(row));
        return {x - 6, y - 6, x + 6, y + 6};
    }

    // The regions' names, where no other text lies; the lowest line of the drawing says how many have no room.
    [[nodiscard]] std::string names() const {
        const double above_foot = top + height - 18;
        SvgLabels labels({left + 2, top + 2, left + width - 2, above_foot});
        for (const SvgBox &box : taken_)
            labels.add_text(box);
        for (const RooflineRow &row : roofline_.rows)
            if (is_drawn(row)) labels.add_mark(mark_of(row));
        std::string out;
        int left_out = 0;
        for (const RooflineRow &row : roofline_.rows) {
            if (!is_drawn(row)) continue;
            const std::string name = short_name(row.work.name, 28);
            const auto place = labels.place(mark_of(row), name, font_size);
            left_out += place ? 0 : 1;
            if (!place) continue;
            if (place->far) out += leader_of(mark_of(row), *place);
            out += fmt::format("<text x='{:.1f}' y='{:.1f}' class='label'>{}</text>\n", place->x, place->y,
                               svg_text(name));
        }
        if (left_out > 0)
            out += fmt::format("<text x='{}' y='{}' class='label'>{}: no room</text>\n", left + 6, top + height - 5,
                               counted(left_out, "name"));
        return out;
    }

    [[nodiscard]] std::string dot(const RooflineRow &row) const {
        const double x = px(row.intensity), y = py(height_of(row));
        std::string out;
        if (row.ceiling_flop_per_s > row.attained_flop_per_s)
            out += fmt::format("<line x1='{0:.1f}' y1='{1:.1f}' x2='{0:.1f}' y2='{2:.1f}' class='gap'/>\n", x, y,
                               py(row.ceiling_flop_per_s));
        const bool measured = row.attained_flop_per_s > 0;
        const std::string name = svg_text(short_name(row.work.name, 28));
        out += fmt::format(
            "<circle cx='{:.1f}' cy='{:.1f}' r='5' class='{}'><title>{}: {:.3g} GFLOP/s, ceiling {:.3g}, {}"
            "</title></circle>\n",
            x, y, measured ? "dot" : "hollow", name, row.attained_flop_per_s * 1e-9, row.ceiling_flop_per_s * 1e-9,
            svg_text(row.limit));
        return out;
    }

    const Roofline &roofline_;
    double peak_ = 0;
    LogAxis x_, y_;
    std::vector<SvgBox> taken_; // by names of roofs
};

} // namespace

std::string roofline_svg(const Roofline &roofline) {
    return Drawing(roofline).svg();
}

} // namespace cpl_lb
