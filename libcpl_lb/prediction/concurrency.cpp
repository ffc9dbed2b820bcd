// Parses layouts such as max(max(ice,lnd)+atm,ocn).
#include "prediction/concurrency.hpp"

#include <algorithm>
#include <utility>

namespace cpl_lb {
namespace {

using Way = ProcessorPool::Kind;

// sum: part { "+" part };  part: "max(" sum { "," sum } ")" | "(" sum ")" | name
class LayoutParser {
public:
    LayoutParser(const std::string &text, const std::vector<std::string> &components)
        : text_(text), components_(components), used_(components.size()) {}

    ProcessorPool parsed() {
        ProcessorPool all = sum(0);
        skip_blanks();
        if (at_ != text_.size()) fail("'" + text_.substr(at_) + "' is left over");
        for (std::size_t c = 0; c < components_.size(); ++c)
            if (!used_[c]) fail(components_[c] + " is missing");
        return all;
    }

private:
    static constexpr int deepest = 100;

    [[noreturn]] static void fail(const std::string &what) { throw PredictionError("layout: " + what); }
    void skip_blanks() {
        while (at_ < text_.size() && text_[at_] == ' ')
            ++at_;
    }
    bool take(char c) {
        skip_blanks();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    void need(char c) {
        if (!take(c)) fail(std::string("'") + c + "' is missing at character " + std::to_string(at_ + 1));
    }
    // One part alone stands for itself.
    static ProcessorPool of_parts(Way way, std::vector<ProcessorPool> parts) {
        return parts.size() == 1 ? parts.front() : ProcessorPool{way, 0, std::move(parts)};
    }
    ProcessorPool sum(int depth) {
        if (depth > deepest) fail("too many parentheses inside each other");
        std::vector<ProcessorPool> parts;
        do
            parts.push_back(part(depth));
        while (take('+'));
        return of_parts(Way::one_after_other, std::move(parts));
    }
    ProcessorPool part(int depth) {
        if (take('(')) {
            ProcessorPool inner = sum(depth + 1);
            need(')');
            return inner;
        }
        const std::size_t begin = at_;
        while (at_ < text_.size() && std::string("+,() ").find(text_[at_]) == std::string::npos)
            ++at_;
        const std::string name = text_.substr(begin, at_ - begin);
        if (name == "max" && take('(')) {
            std::vector<ProcessorPool> parts;
            do
                parts.push_back(sum(depth + 1));
            while (take(','));
            need(')');
            return of_parts(Way::side_by_side, std::move(parts));
        }
        const auto found = std::ranges::find(components_, name);
        if (name.empty()) fail("a component is missing at character " + std::to_string(begin + 1));
        if (found == components_.end()) fail("there is no measured time of '" + name + "'");
        const auto c = static_cast<std::size_t>(found - components_.begin());
        if (used_[c]) fail(name + " stands twice");
        used_[c] = true;
        return {Way::component, c, {}};
    }

    const std::string &text_;
    const std::vector<std::string> &components_;
    std::vector<bool> used_;
    std::size_t at_ = 0;
};

double length_of(const ProcessorPool &part, const std::vector<double> &computing_s) {
    if (part.kind == Way::component) return computing_s[part.component];
    double length = 0;
    for (const ProcessorPool &one : part.parts) {
        const double s = length_of(one, computing_s);
        length = part.kind == Way::one_after_other ? length + s : std::max(length, s);
    }
    return length;
}

void follow(const ProcessorPool &part, const std::vector<double> &computing_s, std::vector<double> &shares) {
    if (part.kind == Way::component) {
        shares[part.component] = 1;
    } else if (part.kind == Way::one_after_other) {
        for (const ProcessorPool &one : part.parts)
            follow(one, computing_s, shares);
    } else {
        const auto length = [&](const ProcessorPool &one) { return length_of(one, computing_s); };
        follow(*std::ranges::max_element(part.parts, {}, length), computing_s, shares);
    }
}

} // namespace

Concurrency::Concurrency(const std::string &text, const std::vector<std::string> &components)
    : pool_(LayoutParser(text, components).parsed()) {}

double Concurrency::length_s(const std::vector<double> &computing_s) const {
    return length_of(pool_, computing_s);
}

std::vector<double> Concurrency::path_shares(const std::vector<double> &computing_s) const {
    std::vector<double> shares(computing_s.size());
    follow(pool_, computing_s, shares);
    return shares;
}

} // namespace cpl_lb
