// Places for names beside the marks of a picture, so that no two texts lie on each other.
#pragma once

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

// The room of a text that starts at x on the base line y. Viewers choose the font: wide letters are assumed.
[[nodiscard]] SvgBox text_box(const std::string &text, double x, double y, double font_size);

class SvgLabels {
public:
    // All labels stay inside.
    explicit SvgLabels(const SvgBox &inside) : inside_(inside) {}
    // A text that is there already, and a mark; a label may lie on a mark where nothing else is free, on a text
    // never.
    void add_text(const SvgBox &box) { texts_.push_back(box); }
    void add_mark(const SvgBox &box) { marks_.push_back(box); }

    struct Place {
        double x = 0, y = 0; // start of the text on its base line
        bool far = false;    // so far from its mark that a line should lead there
        SvgBox box;
    };
    // The free place nearest to the mark, which is taken then; nothing where the picture is full.
    [[nodiscard]] std::optional<Place> place(const SvgBox &mark, const std::string &text, double font_size);

private:
    [[nodiscard]] bool is_free(const SvgBox &box, bool also_of_marks) const;
    [[nodiscard]] std::optional<SvgBox> anywhere(const SvgBox &mark, const SvgBox &size) const;

    SvgBox inside_;
    std::vector<SvgBox> texts_, marks_;
};

// The line from a mark to its label.
[[nodiscard]] std::string leader_of(const SvgBox &mark, const SvgLabels::Place &place);

} // namespace cpl_lb
