// Reads a template once from its begin to its end: text, braces, names.
#include "tools/launch/launch_form.hpp"

#include "io/files/file_error.hpp"
#include "report/format.hpp"
#include "support/fmt.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <string_view>

namespace cpl_lb {
namespace {

class Template {
public:
    Template(std::string_view text, const std::string &path, const LaunchPlan &plan)
        : text_(text), path_(path), plan_(plan), ranks_(ranks_of(plan)) {}

    std::string filled() {
        std::string result;
        while (at_ < text_.size()) {
            if (text_.substr(at_, 2) == "{{" || text_.substr(at_, 2) == "}}") {
                result += text_[at_];
                at_ += 2;
            } else if (text_.substr(at_, 2) == "${") {
                result += of_the_shell();
            } else if (text_[at_] == '{') {
                result += value();
            } else if (text_[at_] == '}') {
                throw wrong("a '}' without its '{'; write }} for a brace of the file's own");
            } else {
                result += text_[at_++];
            }
        }
        return result;
    }

private:
    // At at_, with its line.
    [[nodiscard]] FileError wrong(const std::string &what) const {
        const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
        return FileError{path_ + ":" + std::to_string(line), what};
    }

    // "${OUT:-${HOME}/out}", whole.
    std::string_view of_the_shell() {
        std::size_t depth = 0;
        for (std::size_t end = at_ + 1; end < text_.size(); ++end) {
            if (text_[end] == '{') ++depth;
            if (text_[end] != '}' || --depth > 0) continue;
            const std::string_view whole = text_.substr(at_, end + 1 - at_);
            at_ = end + 1;
            return whole;
        }
        throw wrong("'${' without its '}'");
    }

    std::string value() {
        const std::size_t end = text_.find_first_of("{}\n", at_ + 1);
        if (end == std::string_view::npos || text_[end] != '}')
            throw wrong("a '{' without its '}'; write {{ for a brace of the file's own");
        const std::string name(text_.substr(at_ + 1, end - at_ - 1));
        std::string figure = of_component(name);
        if (figure.empty()) figure = of_job(name);
        if (figure.empty()) throw wrong(unknown_name(name));
        at_ = end + 1;
        return figure;
    }

    [[nodiscard]] std::string of_component(const std::string &name) const {
        for (std::size_t p = 0; p < plan_.parts.size(); ++p) {
            const std::string &component = plan_.parts[p].name;
            if (name == component) return std::to_string(plan_.parts[p].processes);
            if (name.size() <= component.size() || name[component.size()] != '.' || !name.starts_with(component))
                continue;
            if (std::string figure = figure_of(p, name.substr(component.size() + 1)); !figure.empty()) return figure;
        }
        return "";
    }

    [[nodiscard]] std::string figure_of(std::size_t p, const std::string &figure) const {
        const LaunchPart &part = plan_.parts[p];
        if (figure == "processes") return std::to_string(part.processes);
        if (figure == "threads") return std::to_string(part.threads);
        if (figure == "cores") return std::to_string(part.cores());
        if (figure == "nodes") return nodes_of(part.nodes(plan_.node_cores));
        if (figure == "tiles_i") return std::to_string(part.tiles().first);
        if (figure == "tiles_j") return std::to_string(part.tiles().second);
        if (figure != "first" && figure != "last") return "";
        if (!plan_.with_unknown.empty())
            throw wrong("it is not known on whose cores these run: " + plan_.with_unknown);
        return std::to_string(figure == "first" ? ranks_.parts[p].first : ranks_.parts[p].last());
    }

    [[nodiscard]] std::string of_job(const std::string &name) const {
        if (name != "total" && name != "cores" && name != "nodes") return "";
        if (!plan_.with_unknown.empty())
            throw wrong("it is not known on whose cores these run: " + plan_.with_unknown);
        if (name == "total") return std::to_string(ranks_.total);
        std::vector<std::int64_t> sizes;
        for (const LaunchPart &part : plan_.parts)
            sizes.push_back(name == "cores" ? part.cores() : part.nodes(plan_.node_cores));
        const std::int64_t all = placed(plan_, sizes).total;
        return name == "cores" ? std::to_string(all) : nodes_of(all);
    }

    [[nodiscard]] std::string nodes_of(std::int64_t nodes) const {
        if (plan_.node_cores == 1) throw wrong("the number of nodes needs --cores-per-node");
        return std::to_string(nodes);
    }

    [[nodiscard]] std::string unknown_name(const std::string &name) const {
        constexpr std::size_t most_named = 20;
        std::vector<std::string> names;
        for (std::size_t p = 0; p < std::min(most_named, plan_.parts.size()); ++p)
            names.push_back(fmt::format("{{{}}}", excerpt(plan_.parts[p].name)));
        if (plan_.parts.size() > most_named)
            names.push_back(std::to_string(plan_.parts.size() - most_named) + " more");
        return fmt::format(
            "there is no name {{{}}}: write {{{{ and }}}} for braces of the file's own; there are {}, each also with "
            ".processes, .threads, .cores, .nodes, .first, .last, .tiles_i and .tiles_j, and {{total}}, {{cores}}, "
            "{{nodes}}",
            excerpt(name), joined(names, ", "));
    }

    std::string_view text_;
    const std::string &path_;
    const LaunchPlan &plan_;
    PlacesInRow ranks_;
    std::size_t at_ = 0;
};

} // namespace

std::string filled_template(const std::string &text, const std::string &path, const LaunchPlan &plan) {
    return Template(text, path, plan).filled();
}

} // namespace cpl_lb
