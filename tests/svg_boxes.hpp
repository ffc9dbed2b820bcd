// The texts of a picture as boxes, found in its SVG alone: what a viewer would draw.
#pragma once

#include <regex>
#include <string>
#include <vector>

namespace cpl_lb::test {

// How often a part stands in the picture.
inline std::size_t count_of(const std::string &svg, const std::string &part) {
    std::size_t n = 0;
    for (std::size_t at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1))
        ++n;
    return n;
}

struct TextOfSvg {
    std::string text;
    double left, top, right, bottom;

    [[nodiscard]] bool meets(const TextOfSvg &o) const {
        return left < o.right && o.left < right && top < o.bottom && o.top < bottom;
    }
};

inline double number_of(const std::string &attributes, const std::string &name, double otherwise) {
    std::smatch found;
    return std::regex_search(attributes, found, std::regex("(?:^| )" + name + "='([-0-9.]+)")) ? std::stod(found[1])
                                                                                               : otherwise;
}

// Letters of DejaVu Sans, the widest of the usual fonts, are 0.6 em wide in the mean (0.65 bold), capitals 0.8 em
// high and tails 0.24 em below the line.
inline std::vector<TextOfSvg> texts_of_svg(const std::string &svg, double usual_size) {
    std::vector<TextOfSvg> texts;
    const std::regex element("<text([^>]*)>([^<]*)</text>");
    for (std::sregex_iterator t(svg.begin(), svg.end(), element), end; t != end; ++t) {
        const std::string attributes = (*t)[1];
        double size = number_of(attributes, "font-size", usual_size);
        if (attributes.find("class='label'") != std::string::npos) size = 12;
        if (attributes.find("class='value'") != std::string::npos) size = 11;
        if (attributes.find("class='title'") != std::string::npos) size = 16;
        const std::string shown = std::regex_replace((*t)[2].str(), std::regex("&[a-z]+;"), "x");
        const bool bold =
            attributes.find("bold") != std::string::npos || attributes.find("class='panel'") != std::string::npos;
        const double wide = (bold ? 0.65 : 0.6) * size * static_cast<double>(shown.size());
        double x = number_of(attributes, "x", 0), y = number_of(attributes, "y", 0);
        const bool turned = attributes.find("rotate(-90") != std::string::npos;
        std::smatch moved;
        if (std::regex_search(attributes, moved, std::regex("translate\\(([-0-9.]+),([-0-9.]+)\\)"))) {
            x += std::stod(moved[1]);
            y += std::stod(moved[2]);
        }
        const bool middle = attributes.find("'middle'") != std::string::npos;
        const double from = middle ? -wide / 2 : attributes.find("'end'") != std::string::npos ? -wide : 0;
        if (turned)
            texts.push_back({shown, x - 0.8 * size, y - from - wide, x + 0.24 * size, y - from});
        else
            texts.push_back({shown, x + from, y - 0.8 * size, x + from + wide, y + 0.24 * size});
    }
    return texts;
}

// "a / b" for pairs of texts that lie on each other, and the text alone where it leaves the picture: the first ten.
inline std::string unreadable_texts(const std::string &svg, double usual_size) {
    std::smatch view;
    if (!std::regex_search(svg, view, std::regex("viewBox='0 0 ([0-9.]+) ([0-9.]+)'"))) return "no viewBox";
    const double width = std::stod(view[1]), height = std::stod(view[2]);
    const std::vector<TextOfSvg> texts = texts_of_svg(svg, usual_size);
    std::string bad;
    int count = 0;
    const auto note = [&](const std::string &what) {
        if (++count <= 10) bad += what + "; ";
    };
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const TextOfSvg &t = texts[i];
        if (t.left < 0 || t.top < 0 || t.right > width || t.bottom > height) note(t.text);
        for (std::size_t j = 0; j < i; ++j)
            if (t.meets(texts[j])) note(texts[j].text + " / " + t.text);
    }
    return bad;
}

} // namespace cpl_lb::test
