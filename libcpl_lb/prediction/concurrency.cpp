// Parses layouts such as max(max(ice,lnd)+atm,ocn).
#include "prediction/concurrency.hpp"

#include <algorithm>

namespace cpl_lb {

// sum: part { "+" part };  part: "max(" sum { "," sum } ")" | "(" sum ")" | name
class LayoutParser {
public:
    LayoutParser(const std::string &text, const std::vector<std::string> &components, Concurrency &layout)
        : text_(text), components_(components), layout_(layout), used_(components.size()) {}

    void parse() {
        layout_.root_ = sum(0);
        skip_blanks();
        if (at_ != text_.size()) fail("'" + text_.substr(at_) + "' is left over");
        for (std::size_t c = 0; c < components_.size(); ++c)
            if (!used_[c]) fail(components_[c] + " is missing");
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
    std::size_t add(Concurrency::Node node) {
        if (node.parts.size() == 1) return node.parts.front();
        layout_.nodes_.push_back(std::move(node));
        return layout_.nodes_.size() - 1;
    }
    std::size_t sum(int depth) {
        if (depth > deepest) fail("too many parentheses inside each other");
        Concurrency::Node node{Concurrency::Operation::sum, 0, {}};
        do
            node.parts.push_back(part(depth));
        while (take('+'));
        return add(std::move(node));
    }
    std::size_t part(int depth) {
        if (take('(')) {
            const std::size_t inner = sum(depth + 1);
            need(')');
            return inner;
        }
        const std::size_t begin = at_;
        while (at_ < text_.size() && std::string("+,() ").find(text_[at_]) == std::string::npos)
            ++at_;
        const std::string name = text_.substr(begin, at_ - begin);
        if (name == "max" && take('(')) {
            Concurrency::Node node{Concurrency::Operation::max, 0, {}};
            do
                node.parts.push_back(sum(depth + 1));
            while (take(','));
            need(')');
            return add(std::move(node));
        }
        const auto found = std::find(components_.begin(), components_.end(), name);
        if (name.empty()) fail("a component is missing at character " + std::to_string(begin + 1));
        if (found == components_.end()) fail("there is no measured time of '" + name + "'");
        const auto c = static_cast<std::size_t>(found - components_.begin());
        if (used_[c]) fail(name + " stands twice");
        used_[c] = true;
        layout_.nodes_.push_back({Concurrency::Operation::leaf, c, {}});
        return layout_.nodes_.size() - 1;
    }

    const std::string &text_;
    const std::vector<std::string> &components_;
    Concurrency &layout_;
    std::vector<bool> used_;
    std::size_t at_ = 0;
};

Concurrency::Concurrency(const std::string &text, const std::vector<std::string> &components) {
    LayoutParser(text, components, *this).parse();
}

double Concurrency::value(std::size_t node, const std::vector<double> &computing_s) const {
    const Node &n = nodes_[node];
    if (n.operation == Operation::leaf) return computing_s[n.component];
    double result = 0;
    for (const std::size_t part : n.parts) {
        const double v = value(part, computing_s);
        result = n.operation == Operation::sum ? result + v : std::max(result, v);
    }
    return result;
}

void Concurrency::follow(std::size_t node, const std::vector<double> &computing_s,
                         std::vector<double> &shares) const {
    const Node &n = nodes_[node];
    if (n.operation == Operation::leaf) {
        shares[n.component] = 1;
    } else if (n.operation == Operation::sum) {
        for (const std::size_t part : n.parts)
            follow(part, computing_s, shares);
    } else {
        follow(*std::max_element(
                   n.parts.begin(), n.parts.end(),
                   [&](std::size_t a, std::size_t b) { return value(a, computing_s) < value(b, computing_s); }),
               computing_s, shares);
    }
}

ProcessorPool Concurrency::pool_of_node(std::size_t node) const {
    const Node &n = nodes_[node];
    if (n.operation == Operation::leaf) return {ProcessorPool::Kind::component, n.component, {}};
    ProcessorPool pool;
    if (n.operation == Operation::sum) pool.kind = ProcessorPool::Kind::one_after_other;
    for (const std::size_t part : n.parts)
        pool.parts.push_back(pool_of_node(part));
    return pool;
}

std::vector<double> Concurrency::path_shares(const std::vector<double> &computing_s) const {
    std::vector<double> shares(computing_s.size());
    follow(root_, computing_s, shares);
    return shares;
}

} // namespace cpl_lb
