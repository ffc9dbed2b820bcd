// Parses layouts such as max(max(ice,lnd)+atm,ocn).
#include "prediction/concurrency.hpp"

#include <algorithm>
#include <utility>

namespace cpl_lb {
namespace {

using Way = ProcessorPool::Kind;

// steps: sum { ">" sum };  sum: part { "+" part };  part: "max(" steps { "," steps } ")" | "(" steps ")" | name
class LayoutParser {
public:
    // steps: what ">" is, one after the other in time, and side by side on cores.
    LayoutParser(const std::string &text, const std::vector<std::string> &components, Way steps)
        : text_(text), components_(components), steps_(steps), used_(components.size()) {}

    ProcessorPool parsed() {
        ProcessorPool all = steps(0);
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
    [[nodiscard]] bool is_component(const std::string &name) const {
        return std::ranges::find(components_, name) != components_.end();
    }
    // One part alone stands for itself.
    static ProcessorPool of_parts(Way way, std::vector<ProcessorPool> parts) {
        return parts.size() == 1 ? parts.front() : ProcessorPool{way, 0, std::move(parts)};
    }
    ProcessorPool steps(int depth) {
        if (depth > deepest) fail("too many parentheses inside each other");
        std::vector<ProcessorPool> parts;
        do
            parts.push_back(sum(depth));
        while (take('>'));
        return of_parts(steps_, std::move(parts));
    }
    ProcessorPool sum(int depth) {
        std::vector<ProcessorPool> parts;
        do
            parts.push_back(part(depth));
        while (take('+'));
        return of_parts(Way::one_after_other, std::move(parts));
    }
    ProcessorPool part(int depth) {
        if (take('(')) {
            ProcessorPool inner = steps(depth + 1);
            need(')');
            return inner;
        }
        const std::size_t begin = at_;
        while (at_ < text_.size() && std::string("+,() ").find(text_[at_]) == std::string::npos)
            ++at_;
        std::string name = text_.substr(begin, at_ - begin);
        // A name may hold the sign of steps: the longest name that there is.
        for (std::size_t sign = name.rfind('>'); sign != std::string::npos && !is_component(name);
             sign = name.rfind('>'))
            name.resize(sign);
        at_ = begin + name.size();
        if (name == "max" && take('(')) {
            std::vector<ProcessorPool> parts;
            do
                parts.push_back(steps(depth + 1));
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
    Way steps_;
    std::vector<bool> used_;
    std::size_t at_ = 0;
};

void follow(const ProcessorPool &part, const std::vector<double> &computing_s, std::vector<double> &shares) {
    if (part.kind == Way::component) {
        shares[part.component] = 1;
    } else if (part.kind == Way::one_after_other) {
        for (const ProcessorPool &one : part.parts)
            follow(one, computing_s, shares);
    } else {
        const auto length = [&](const ProcessorPool &one) { return one.time_of_all(computing_s); };
        follow(*std::ranges::max_element(part.parts, {}, length), computing_s, shares);
    }
}

} // namespace

Concurrency::Concurrency(const std::string &text, const std::vector<std::string> &components)
    : times_(LayoutParser(text, components, Way::one_after_other).parsed()),
      pool_(LayoutParser(text, components, Way::side_by_side).parsed()) {}

double Concurrency::length_s(const std::vector<double> &computing_s) const {
    return times_.time_of_all(computing_s);
}

std::vector<double> Concurrency::path_shares(const std::vector<double> &computing_s) const {
    std::vector<double> shares(computing_s.size());
    follow(times_, computing_s, shares);
    return shares;
}

} // namespace cpl_lb
