// Chooses the scales of two axes and draws lines, points and labels.
#include "report/plot.hpp"

#include "report/format.hpp"
#include "report/plot_parts.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace cpl_lb {
namespace {

// In SVG units: where the drawing begins, and the lines of the legend to the right of it.
constexpr double left = 80, top = 46, between_names = 22, between_numbers = 4, widest_mark = 20;
// The numbers of letters that fit, in the drawing's narrowest form.
constexpr std::size_t longest_title = 80, longest_axis = 60, longest_upright = 44, longest_name = 36;

bool can_be_drawn(double value, bool logarithmic) {
    return std::isfinite(value) && (!logarithmic || value > 0);
}

bool is_drawn(const SvgChart &chart, const ChartPoint &p) {
    return can_be_drawn(p.x, chart.x.logarithmic) && can_be_drawn(p.y, chart.y.logarithmic);
}

AxisScale scale_of(const SvgChart &chart, const ChartAxis &axis, double ChartPoint::*value) {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const ChartSeries &series : chart.series) {
        for (const ChartPoint &p : series.points) {
            if (!is_drawn(chart, p)) continue;
            least = std::min(least, p.*value);
            most = std::max(most, p.*value);
        }
    }
    if (least > most) least = most = 1;
    most = std::max(most, axis.at_least);
    AxisScale scale = axis.logarithmic ? log_scale(least, most) : linear_scale(least, most);
    if (!axis.ticks.empty()) scale.ticks = axis.ticks;
    scale.labels = axis.tick_labels;
    for (std::size_t i = scale.labels.size(); i < scale.ticks.size(); ++i)
        scale.labels.push_back(tick_text(scale.ticks[i]));
    return scale;
}

class Drawing {
public:
    explicit Drawing(const SvgChart &chart)
        : chart_(chart), right_(left + chart.width), bottom_(top + chart.height),
          x_(scale_of(chart, chart.x, &ChartPoint::x)), y_(scale_of(chart, chart.y, &ChartPoint::y)),
          labels_({left + 2, top + 2, right_ - 2, bottom_ - 2}) {}

    [[nodiscard]] std::string svg() {
        std::string drawing = axes();
        for (std::size_t s = 0; s < chart_.series.size(); ++s)
            drawing += series(s);
        drawing += names_along(); // in this order: what is placed first gets the better place
        drawing += names();
        drawing += legend();
        const std::string title = short_name(chart_.title, longest_title);
        return svg_page(std::max(wide_, left + width_of(title, title_size) + 8), high_, left, chart_.title, drawing,
                        longest_title);
    }

    // The legend's mark of the first series, for use inside the words of a page.
    [[nodiscard]] std::string key() const {
        return "<svg class='plot key' viewBox='0 0 28 16' width='28' height='16' aria-hidden='true'>" +
               key_at(0, 14, 8) + "</svg>";
    }

private:
    [[nodiscard]] double at_x(double value) const { return left + chart_.width * x_.share(value); }
    [[nodiscard]] double at_y(double value) const { return top + chart_.height * (1 - y_.share(value)); }

    [[nodiscard]] std::string axes() const {
        std::string svg;
        double free_x = -1, free_y = 2 * bottom_; // where the next number may be placed
        for (std::size_t i = 0; i < x_.ticks.size(); ++i) {
            const double x = at_x(x_.ticks[i]), half = width_of(x_.labels[i]) / 2;
            svg += line_at(x, top, x, bottom_, " class='grid'");
            if (x - half <= free_x + between_numbers) continue;
            svg += text_at(x, bottom_ + 20, x_.labels[i], " text-anchor='middle'");
            free_x = x + half;
        }
        for (std::size_t i = 0; i < y_.ticks.size(); ++i) {
            const double y = at_y(y_.ticks[i]);
            svg += line_at(left, y, right_, y, " class='grid'");
            if (y >= free_y) continue;
            svg += text_at(left - 8, y + 4, y_.labels[i], " text-anchor='end'");
            free_y = y - 1.1 * usual_size;
        }
        if (!y_.logarithmic && y_.first < 0) svg += line_at(left, at_y(0), right_, at_y(0), " stroke='#444'");
        svg += box_at({left, top, right_, bottom_}, " fill='none' stroke='#888'");
        svg += text_at((left + right_) / 2, bottom_ + 42, short_name(chart_.x.title, longest_axis),
                       " text-anchor='middle'");
        const double middle = (top + bottom_) / 2;
        return svg + text_at(22, middle, short_name(chart_.y.title, longest_upright),
                             fmt::format(" text-anchor='middle' transform='rotate(-90 22 {})'", middle));
    }

    [[nodiscard]] const char *colour_of(std::size_t number) const {
        const char *own = chart_.series[number].colour;
        return own != nullptr ? own : plot_colour(number).fill;
    }

    [[nodiscard]] SvgBox box_of(const ChartSeries &series, const ChartPoint &p) const {
        const double x = at_x(p.x), y = at_y(p.y), half = (p.size > 0 ? p.size : series.size) / 2;
        return {x - half, y - half, x + half, y + half};
    }

    [[nodiscard]] std::string mark(std::size_t number, const SvgBox &box, const std::string &title) const {
        const ChartSeries &series = chart_.series[number];
        const double x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2, size = box.right - box.left;
        std::string look =
            fmt::format(" fill='{}' stroke='{}'", series.hollow ? "none" : colour_of(number), colour_of(number));
        look += series.hollow ? " stroke-width='2'" : " fill-opacity='.5'";
        if (*series.css != 0) look += fmt::format(" class='{}'", series.css);
        const std::size_t shape =
            series.shape == ChartShape::by_place ? number % 3 : (series.shape == ChartShape::circle ? 0 : 1);
        std::string svg;
        if (shape == 0) svg = fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='{:.1f}'{}/>", x, y, size / 2, look);
        if (shape == 1) svg = box_at(box, look);
        if (shape == 2)
            svg = fmt::format("<path d='M{:.1f} {:.1f}l{:.1f} {:.1f}h-{:.1f}z'{}/>", x, box.top, size / 2, size, size,
                              look);
        if (!title.empty())
            svg = fmt::format("{}><title>{}</title></{}>", svg.substr(0, svg.size() - 2), svg_text(title),
                              svg.substr(1, svg.find(' ') - 1));
        return svg;
    }

    [[nodiscard]] std::string stroke(std::size_t number) const {
        const ChartSeries &series = chart_.series[number];
        return fmt::format(" fill='none' stroke='{}' stroke-width='{}{}", colour_of(number),
                           series.dashed ? "1.5' stroke-dasharray='6 4'" : "2'",
                           *series.css != 0 ? fmt::format(" class='{}'", series.css) : "");
    }

    [[nodiscard]] std::string shade(std::size_t number) const {
        return fmt::format(" fill='{}' fill-opacity='.18' stroke='none'", colour_of(number));
    }

    [[nodiscard]] std::string series(std::size_t number) {
        const ChartSeries &series = chart_.series[number];
        std::string line, marks;
        for (const ChartPoint &p : series.points) {
            if (!is_drawn(chart_, p)) continue;
            line += fmt::format("{}{:.1f},{:.1f}", line.empty() ? "" : " ", at_x(p.x), at_y(p.y));
            const bool marked = series.marks && !series.area;
            if (marked) marks += mark(number, box_of(series, p), p.title);
            if (marked || !p.label.empty()) labels_.add_mark(box_of(series, p));
        }
        if (series.area) return fmt::format("<polygon points='{}'{}/>\n", line, shade(number));
        if (series.line) line = fmt::format("<polyline points='{}'{}/>\n", line, stroke(number));
        return (series.line ? line : "") + marks + "\n";
    }

    [[nodiscard]] std::string names_along() {
        std::string svg;
        for (std::size_t s = 0; s < chart_.series.size(); ++s) {
            const ChartSeries &series = chart_.series[s];
            if (series.along.empty()) continue;
            const ChartPoint &from = series.points.front(), &to = series.points.back();
            const auto place =
                labels_.along({at_x(from.x), at_y(from.y), at_x(to.x), at_y(to.y)}, series.along, label_size);
            if (!place) continue;
            std::string look = fmt::format(" class='name label' fill='{}'", colour_of(s));
            if (place->degrees != 0)
                look += fmt::format(" transform='rotate({:.1f} {:.1f} {:.1f})'", place->degrees, place->x, place->y);
            svg += text_at(place->x, place->y, series.along, look);
        }
        return svg;
    }

    // The names of points, at places without other text. What is drawn last lies on top, and is named first.
    [[nodiscard]] std::string names() {
        // Each place is looked for among all that was placed: where so many in turn found none, the picture is full.
        constexpr std::size_t most_in_turn = 50;
        std::string svg;
        std::size_t left_out = 0, in_turn = 0;
        for (std::size_t s = chart_.series.size(); s-- > 0;) {
            const ChartSeries &series = chart_.series[s];
            for (std::size_t i = series.points.size(); i-- > 0;) {
                const ChartPoint &p = series.points[i];
                if (p.label.empty() || !is_drawn(chart_, p)) continue;
                const SvgBox box = box_of(series, p);
                const std::string name = short_name(p.label, 40);
                const auto place = in_turn < most_in_turn
                                       ? labels_.place(box, name, series.bold ? label_size + 1 : label_size)
                                       : std::nullopt;
                left_out += place ? 0U : 1U;
                in_turn = place ? 0 : in_turn + 1;
                if (!place) continue;
                if (place->far) svg += leader_of(box, *place);
                svg += name_at(place->x, place->y, p.label, 40,
                               series.bold ? " class='label' font-weight='bold'" : " class='label'");
            }
        }
        if (left_out == 0) return svg;
        return svg + text_at(left, bottom_ + 60, counted(left_out, "name") + ": no room", " class='label'");
    }

    // The legend's mark of a series, around that place.
    [[nodiscard]] std::string key_at(std::size_t number, double x, double y) const {
        const ChartSeries &series = chart_.series[number];
        const double half = std::min(series.size, widest_mark) / 2;
        if (series.area) return box_at({x - 10, y - 6, x + 10, y + 6}, shade(number));
        std::string svg;
        if (series.line) svg += line_at(x - 10, y, x + 10, y, stroke(number));
        if (series.marks) svg += mark(number, {x - half, y - half, x + half, y + half}, "");
        return svg;
    }

    [[nodiscard]] std::string legend() {
        std::string svg;
        const double x = right_ + 28;
        double y = top + 12;
        for (std::size_t s = 0; s < chart_.series.size(); ++s) {
            const ChartSeries &series = chart_.series[s];
            if (series.name.empty()) continue;
            const std::string name = short_name(series.name, longest_name);
            svg += key_at(s, x, y);
            svg += name_at(x + 16, y + 4, series.name, longest_name);
            wide_ = std::max(wide_, x + 16 + width_of(name) + 8);
            y += between_names;
        }
        high_ = std::max(high_, y + 12);
        return svg;
    }

    const SvgChart &chart_;
    double right_, bottom_;
    AxisScale x_, y_;
    SvgLabels labels_;
    double wide_ = right_ + 30, high_ = bottom_ + 68; // of the whole picture
};

} // namespace

std::vector<ChartPoint> thinned(const std::vector<ChartPoint> &points, std::size_t most) {
    if (points.size() <= most) return points;
    const std::size_t stretch = (2 * points.size() + most - 1) / most;
    std::vector<ChartPoint> kept;
    for (std::size_t i = 0; i < points.size(); i += stretch) {
        const auto some = std::span(points).subspan(i, std::min(stretch, points.size() - i));
        auto [least, largest] = std::ranges::minmax_element(some, {}, &ChartPoint::y);
        if (largest < least) std::swap(least, largest);
        kept.push_back(*least);
        if (largest != least) kept.push_back(*largest);
    }
    return kept;
}

std::string svg_of(const SvgChart &chart) {
    return Drawing(chart).svg();
}

std::string svg_key(const ChartSeries &series) {
    SvgChart chart;
    chart.series = {series};
    return Drawing(chart).key();
}

} // namespace cpl_lb
