// Parts of pictures: SVG elements, and places for names, so that no two texts overlap.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

// In SVG units; y grows downwards.
struct SvgBox {
    double left = 0, top = 0, right = 0, bottom = 0;

    [[nodiscard]] bool meets(const SvgBox &other) const {
        return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
};

constexpr double usual_size = 13, title_size = 16, label_size = 12, value_size = 11; // of fonts

struct PlotColour {
    const char *fill, *text; // and what is readable on it
};
// Colours that colour-blind readers can tell apart, too.
[[nodiscard]] const PlotColour &plot_colour(std::size_t series);

// An axis from its first to its last value, with the values that have labels.
struct AxisScale {
    bool logarithmic = false;
    double first = 0, last = 1;      // of the value or of its log10
    std::vector<double> ticks;       // values
    std::vector<std::string> labels; // of the ticks

    [[nodiscard]] double share(double value) const; // 0 at the first, 1 at the last
};
// From 0, or from below it if there are negative values.
[[nodiscard]] AxisScale linear_scale(double least, double most);
// Whole decades if there are several; 1, 2 and 5 for a few; finer steps if these are fewer than three.
[[nodiscard]] AxisScale log_scale(double least, double most);

// 1, 2 or 5 times a power of ten: at most seven steps to `most`.
[[nodiscard]] double round_step(double most);
// "1e6", because fmt prints 1e+06.
[[nodiscard]] std::string tick_text(double value);

// Viewers choose the font, so wide letters are assumed.
[[nodiscard]] double width_of(const std::string &text, double font_size = usual_size);

// `more` are further attributes, beginning with a blank; the text is escaped.
[[nodiscard]] std::string text_at(double x, double y, const std::string &text, const std::string &more = "");
// A name of at most so many letters. If it is cut, pointing at it shows the whole name.
[[nodiscard]] std::string name_at(double x, double y, const std::string &name, std::size_t letters,
                                  const std::string &more = "");
[[nodiscard]] std::string line_at(double x1, double y1, double x2, double y2, const std::string &more);
[[nodiscard]] std::string box_at(const SvgBox &box, const std::string &more);
// A whole file with its title.
[[nodiscard]] std::string svg_page(double width, double height, double title_x, const std::string &title,
                                   const std::string &drawing, std::size_t letters_of_title = 1000);

class SvgLabels {
public:
    // All labels stay inside.
    explicit SvgLabels(const SvgBox &inside) : inside_(inside) {}
    // Adds a text that is already placed, and a mark. A label may cover a mark if nothing else is free, but never a
    // text.
    void add_text(const SvgBox &box) { texts_.push_back(box); }
    void add_mark(const SvgBox &box) { marks_.push_back(box); }

    struct Place {
        double x = 0, y = 0; // start of the text on its base line
        bool far = false;    // so far from its mark that a line should connect them
        SvgBox box;
    };
    // Takes the free place nearest to the mark. Empty if the picture is full.
    [[nodiscard]] std::optional<Place> place(const SvgBox &mark, const std::string &text, double font_size);

    struct Turned {
        double x = 0, y = 0, degrees = 0;
    };
    // A place along a line: above it, else below it, farther from it, or farther along.
    [[nodiscard]] std::optional<Turned> along(const SvgBox &line, const std::string &text, double font_size);

private:
    [[nodiscard]] bool is_free(const SvgBox &box, bool also_of_marks) const;
    [[nodiscard]] std::optional<SvgBox> anywhere(const SvgBox &mark, const SvgBox &size) const;

    SvgBox inside_;
    std::vector<SvgBox> texts_, marks_;
};

// The line from a mark to its label.
[[nodiscard]] std::string leader_of(const SvgBox &mark, const SvgLabels::Place &place);

} // namespace cpl_lb
