// Draws the roofline as an SVG picture.
#include "projection/roofline/roofline_text.hpp"
#include "report/format.hpp"
#include "report/svg_chart.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

constexpr double left = 80, top = 44, width = 700, height = 420; // of the drawing, in SVG units

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
        return out + labels_ + "</svg>\n"; // names above all dots
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

    [[nodiscard]] double slope() const { // of the bandwidths' roofs, in degrees; SVG counts downwards
        return -std::atan2(height / (y_.last - y_.first), width / (x_.last - x_.first)) * 180 / M_PI;
    }

    // How many roofs just above this one lie so close that their names would meet.
    [[nodiscard]] std::size_t close_above(const RooflineCeiling &c) const {
        constexpr double letters_high = 15;
        const double across = c.is_bandwidth ? std::cos(slope() * M_PI / 180) : 1;
        std::size_t close = 0;
        const RooflineCeiling *last = nullptr;
        for (const RooflineCeiling &next : roofline_.ceilings) {
            if (next.is_bandwidth != c.is_bandwidth) continue;
            const bool meets = last != nullptr && std::abs(py(next.per_s) - py(last->per_s)) * across < letters_high;
            close = meets ? close + 1 : 0;
            if (&next == &c) break;
            last = &next;
        }
        return close;
    }

    // The name's place beside its roof: above it, the next one below it, further ones beside these.
    [[nodiscard]] static double aside(std::size_t close) { return close % 2 == 0 ? -5 : 14; }
    [[nodiscard]] static double along(std::size_t close) {
        const std::size_t pairs = close / 2;
        return 190 * static_cast<double>(pairs);
    }

    [[nodiscard]] std::string roof(const RooflineCeiling &c) const {
        const std::size_t close = close_above(c);
        const double x_least = std::pow(10.0, x_.first), x_most = std::pow(10.0, x_.last);
        const double y_least = std::pow(10.0, y_.first);
        if (!c.is_bandwidth) {
            // A narrower instruction's roof begins where the nearest level's reaches it.
            double from = x_most;
            for (const RooflineCeiling &b : roofline_.ceilings)
                if (b.is_bandwidth) from = std::min(from, c.per_s / b.per_s);
            return line(std::max(from, x_least), c.per_s, x_most, c.per_s) +
                   fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='end' class='name label'>{} {:.3g} "
                               "GFLOP/s</text>\n",
                               left + width - 4 - along(close), py(c.per_s) + aside(close), svg_text(c.name),
                               c.per_s * 1e-9);
        }
        const double from = std::max(x_least, y_least / c.per_s), to = std::min(peak_ / c.per_s, x_most);
        if (!(from < to)) return "";
        const double angle = slope() * M_PI / 180, at = 14 + along(close); // on the roof, then off it
        const double at_x = px(from) + at * std::cos(angle) - aside(close) * std::sin(angle);
        const double at_y = py(from * c.per_s) + at * std::sin(angle) + aside(close) * std::cos(angle);
        return line(from, from * c.per_s, to, to * c.per_s) +
               fmt::format("<text x='{0:.1f}' y='{1:.1f}' class='name label' transform='rotate({2:.1f} {0:.1f} "
                           "{1:.1f})'>{3} {4:.3g} GB/s</text>\n",
                           at_x, at_y, slope(), svg_text(c.name), c.per_s * 1e-9);
    }

    // Names go below each other where dots stand close.
    [[nodiscard]] double free_line(double x, double y, std::size_t letters) {
        const double wide = 7.0 * static_cast<double>(letters);
        const auto meets = [&](const Place &p) {
            return std::abs(p.y - y) < 12 && p.x < x + wide && x < p.x + p.wide;
        };
        for (int tries = 0; tries < 40 && std::any_of(places_.begin(), places_.end(), meets); ++tries)
            y += 6;
        places_.push_back({x, y, wide});
        return y;
    }

    [[nodiscard]] std::string dot(const RooflineRow &row) {
        const double x = px(row.intensity), y = py(height_of(row));
        std::string out;
        if (row.ceiling_flop_per_s > row.attained_flop_per_s)
            out += fmt::format("<line x1='{0:.1f}' y1='{1:.1f}' x2='{0:.1f}' y2='{2:.1f}' class='gap'/>\n", x, y,
                               py(row.ceiling_flop_per_s));
        const bool measured = row.attained_flop_per_s > 0;
        const std::string name = svg_text(short_name(row.work.name, 28));
        const bool to_the_left = x > left + width - 180;
        out += fmt::format(
            "<circle cx='{:.1f}' cy='{:.1f}' r='5' class='{}'><title>{}: {:.3g} GFLOP/s, ceiling {:.3g}, {}"
            "</title></circle>\n",
            x, y, measured ? "dot" : "hollow", name, row.attained_flop_per_s * 1e-9, row.ceiling_flop_per_s * 1e-9,
            svg_text(row.limit));
        const double side = to_the_left ? -1 : 1;
        const double label_y =
            free_line(x + 9 * side - (to_the_left ? 7.0 * static_cast<double>(name.size()) : 0), y + 4, name.size());
        if (label_y > y + 10) // which dot it names
            labels_ += fmt::format("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' class='lead'/>\n", x, y,
                                   x + 9 * side, label_y - 4);
        labels_ += fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='{}' class='label'>{}</text>\n",
                               x + 10 * side, label_y, to_the_left ? "end" : "start", name);
        return out;
    }

    struct Place {
        double x, y, wide;
    };
    const Roofline &roofline_;
    double peak_ = 0;
    LogAxis x_, y_;
    std::vector<Place> places_;
    std::string labels_;
};

} // namespace

std::string roofline_svg(const Roofline &roofline) {
    return Drawing(roofline).svg();
}

} // namespace cpl_lb
