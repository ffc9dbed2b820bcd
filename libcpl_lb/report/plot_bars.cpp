// Places rows of bars below each other, and their labels at free places.
#include "report/format.hpp"
#include "report/plot.hpp"
#include "report/plot_parts.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

// In SVG units.
constexpr double margin = 20, bar = 13, between_rows = 9, bars_width = 520, row_of_legend = 22;
constexpr double part_bar = 20, narrowest_labelled_part = 36;
constexpr std::size_t longest_row_name = 34;

double larger(double a, double b) { // or the one that is known
    return b > a || std::isnan(a) ? b : a;
}

double sum_of(const BarRow &row) {
    double sum = 0;
    for (const double value : row.values)
        if (value > 0) sum += value;
    return sum;
}

double mark_of(const BarRow &row, std::size_t series) {
    return series < row.marks.size() ? row.marks[series] : std::nan("");
}

class BarDrawing {
public:
    explicit BarDrawing(const BarChart &chart) : chart_(chart) {
        for (const BarPanel &panel : chart.panels)
            for (const BarRow &row : panel.rows)
                left_ = std::max(left_, margin + width_of(short_name(row.name, longest_row_name)));
        right_ = std::max(left_ + bars_width, 752.0);
    }

    [[nodiscard]] std::string svg() {
        std::string drawing = legend();
        for (const BarPanel &one : chart_.panels)
            drawing += panel(one);
        drawing += words(left_, y_ + 6, chart_.axis);
        right_ = std::max(right_, margin + width_of(chart_.title, title_size));
        return svg_page(right_ + 8, y_ + 24, margin, chart_.title, drawing);
    }

private:
    [[nodiscard]] std::string words(double x, double y, const std::string &text, const std::string &look = "") {
        right_ = std::max(right_, x + width_of(text) * (look.empty() ? 1 : 1.1)); // bold
        return text_at(x, y, text, look);
    }

    [[nodiscard]] std::string filled(double x, double y, double wide, double high, std::size_t series) const {
        const char *own = series < chart_.colours.size() ? chart_.colours[series] : nullptr;
        const char *colour = own != nullptr ? own : plot_colour(series).fill;
        return box_at({x, y, x + wide, y + high}, fmt::format(" fill='{}'", colour));
    }

    // Names beside each other, as many as fit on a line.
    [[nodiscard]] std::string legend() {
        std::string svg;
        double x = margin;
        const auto place = [&](const std::string &name, const std::string &picture) {
            const double wide = 34 + width_of(name);
            if (x > margin && x + wide > bars_width + 200) {
                x = margin;
                y_ += row_of_legend;
            }
            svg += fmt::format("<g transform='translate({:.1f},{:.1f})'>{}</g>", x, y_, picture) +
                   words(x + 20, y_ + 11, name);
            x += wide;
        };
        for (std::size_t s = 0; s < chart_.series.size(); ++s)
            place(short_name(chart_.series[s], 40), filled(0, 0, 14, 12, s));
        if (!chart_.mark.empty()) place(chart_.mark, line_at(7, -1, 7, 13, " class='mark'"));
        if (!svg.empty()) y_ += row_of_legend + 8;
        return svg;
    }

    [[nodiscard]] std::string panel(const BarPanel &panel) {
        std::string svg = words(left_, y_ + 14, panel.title, " class='panel'");
        y_ += 24;
        const std::size_t beside = std::max<std::size_t>(1, chart_.series.size());
        const double begin = y_, high = chart_.stacked ? part_bar : bar * static_cast<double>(beside);
        double most = 0;
        for (const BarRow &row : panel.rows) {
            if (chart_.stacked) most = std::max(most, sum_of(row));
            for (std::size_t s = 0; !chart_.stacked && s < row.values.size(); ++s)
                most = std::max(most, larger(larger(0, row.values[s]), mark_of(row, s)));
        }
        const double scale = bars_width / (most > 0 ? most : 1);
        for (const BarRow &row : panel.rows) {
            svg += name_at(left_ - 8, y_ + high / 2 + 4.5, row.name, longest_row_name, " text-anchor='end'");
            svg += chart_.stacked ? parts(row, row.end.empty() ? bars_width / sum_of(row) : scale)
                                  : side_by_side(row, scale);
            y_ += high + (chart_.stacked ? 6 : between_rows);
        }
        svg += line_at(left_, begin - 3, left_, y_, " stroke='#888'");
        y_ += 14;
        return svg;
    }

    [[nodiscard]] std::string side_by_side(const BarRow &row, double scale) {
        std::string svg;
        double y = y_;
        for (std::size_t s = 0; s < row.values.size(); ++s, y += bar) {
            const double value = row.values[s], mark = mark_of(row, s);
            if (!(value >= 0)) continue;
            svg += filled(left_, y, scale * value, bar - 1.5, s);
            const double at = left_ + scale * mark, end = left_ + scale * larger(value, mark) + 6;
            if (mark >= 0) svg += line_at(at, y - 1, at, y + bar - 0.5, " class='mark'");
            const std::string text = fmt::format("{:.3g}", value) + (mark >= 0 ? fmt::format(" ({:.3g})", mark) : "");
            svg += text_at(end, y + bar - 3.5, text, " class='value'");
            right_ = std::max(right_, end + width_of(text, value_size));
        }
        return svg;
    }

    [[nodiscard]] std::string parts(const BarRow &row, double scale) {
        std::string svg;
        double x = left_;
        for (std::size_t s = 0; s < row.values.size(); ++s) {
            if (!(row.values[s] > 0)) continue;
            const double wide = scale * row.values[s];
            svg += filled(x, y_, wide, part_bar, s);
            if (row.end.empty() && wide >= narrowest_labelled_part) {
                svg +=
                    text_at(x + wide / 2, y_ + 15, fmt::format("{:.0f} %", 100 * row.values[s] / sum_of(row)),
                            fmt::format(" text-anchor='middle' class='value' style='fill:{}'", plot_colour(s).text));
            }
            x += wide;
        }
        return svg + (row.end.empty() ? "\n" : words(x + 8, y_ + 15, row.end));
    }

    const BarChart &chart_;
    double left_ = margin + 30, right_ = 0, y_ = 44;
};

} // namespace

std::string svg_of_bars(const BarChart &chart) {
    return BarDrawing(chart).svg();
}

} // namespace cpl_lb
