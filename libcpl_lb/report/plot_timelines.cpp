// Places rows of a timeline below each other, on one scale, and a line of ticks below them.
#include "report/format.hpp"
#include "report/plot.hpp"
#include "report/plot_parts.hpp"
#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

class TimelineDrawing {
public:
    explicit TimelineDrawing(const TimelineChart &chart) : chart_(chart) {
        for (const TimelinePanel &panel : chart.panels) {
            for (const TimelineRow &row : panel.rows) {
                left_ = std::max(left_, margin + width_of(short_name(row.name, longest_row_name)) + 8);
                for (const DrawnPiece &piece : row.pieces)
                    most_ = std::max(most_, piece.to);
            }
            for (const double mark : panel.marks)
                most_ = std::max(most_, mark);
        }
        if (!(most_ > 0)) most_ = 1;
    }

    [[nodiscard]] std::string svg() {
        std::string drawing = legend();
        for (const TimelinePanel &one : chart_.panels)
            drawing += panel(one);
        drawing += axis();
        const double right = std::max(left_ + wide + 30, margin + width_of(chart_.title, title_size));
        return svg_page(right, y_, margin, chart_.title, drawing);
    }

private:
    [[nodiscard]] double at(double value) const { return left_ + wide * value / most_; }

    [[nodiscard]] std::string filled(const SvgBox &box, std::size_t series) const {
        const char *own = series < chart_.colours.size() ? chart_.colours[series] : nullptr;
        return box_at(box, fmt::format(" fill='{}'", own != nullptr ? own : plot_colour(series).fill));
    }

    [[nodiscard]] std::string legend() {
        std::string svg;
        double x = margin;
        const auto place = [&](const std::string &name, const std::string &picture) {
            svg += picture + text_at(x + 20, y_ + 11, name, "");
            x += 40 + width_of(name);
        };
        for (std::size_t s = 0; s < chart_.series.size(); ++s)
            place(chart_.series[s], filled({x, y_, x + 14, y_ + 12}, s));
        if (!chart_.mark.empty()) place(chart_.mark, line_at(x + 7, y_ - 1, x + 7, y_ + 13, " class='mark'"));
        y_ += row_of_legend + 8;
        return svg;
    }

    [[nodiscard]] std::string row(const TimelineRow &row) const {
        std::string svg = name_at(left_ - 8, y_ + high / 2 + 4.5, row.name, longest_row_name, " text-anchor='end'");
        double drawn_to = left_;
        for (const DrawnPiece &piece : row.pieces) {
            if (at(piece.to) <= drawn_to) continue;
            const double from = std::max(at(piece.from), drawn_to);
            drawn_to = std::max(at(piece.to), from + narrowest);
            svg += filled({from, y_, drawn_to, y_ + high}, piece.series);
        }
        return svg + "\n";
    }

    [[nodiscard]] std::string panel(const TimelinePanel &panel) {
        std::string svg = text_at(left_, y_ + 14, short_name(panel.title, longest_panel_title), " class='panel'");
        y_ += 24 + beyond_rows;
        const double begin = y_;
        for (const TimelineRow &one : panel.rows) {
            svg += row(one);
            y_ += high + between_rows;
        }
        const double end = y_ - between_rows + beyond_rows;
        for (const double mark : panel.marks)
            svg += line_at(at(mark), begin - beyond_rows, at(mark), end, " class='mark'");
        y_ = end + 14;
        return svg;
    }

    [[nodiscard]] std::string axis() {
        const double step = round_step(most_);
        std::string svg = line_at(left_, y_, left_ + wide, y_, " stroke='#888'");
        for (int i = 0; step * i <= most_ * (1 + 1e-9); ++i) {
            const double x = at(step * i);
            svg += line_at(x, y_, x, y_ + 5, " stroke='#888'") +
                   text_at(x, y_ + 18, tick_text(step * i), " text-anchor='middle'");
        }
        svg += text_at(left_ + wide / 2, y_ + 38, chart_.axis, " text-anchor='middle'");
        y_ += 50;
        return svg;
    }

    // In SVG units.
    static constexpr double margin = 20, high = 22, between_rows = 6, wide = 620, row_of_legend = 22, beyond_rows = 5;
    static constexpr double narrowest = 0.3; // of a piece: others in its place are not drawn
    static constexpr std::size_t longest_row_name = 24, longest_panel_title = 76; // letters

    const TimelineChart &chart_;
    double left_ = margin + 30, most_ = 0, y_ = 44;
};

} // namespace

std::string svg_of_timelines(const TimelineChart &chart) {
    return TimelineDrawing(chart).svg();
}

} // namespace cpl_lb
