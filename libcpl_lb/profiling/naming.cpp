// CPL_LB_COMPONENT first, then ranges of ranks, then the shortest end of the paths that tells all executables apart.
#include "profiling/naming.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace cpl_lb::profiling {
namespace {

struct RankRange {
    std::string name;
    int first = 0;
    int last = 0;
};

std::optional<int> number(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < 0) return {};
    return value;
}

std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

// "ocean:0-95" or "coupler:96".
std::optional<RankRange> range_of(std::string_view text) {
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0) return {};
    const std::string_view ranks = trimmed(text.substr(colon + 1));
    const auto dash = ranks.find('-');
    const auto first = number(ranks.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : number(ranks.substr(dash + 1));
    if (!first || !last || *last < *first) return {};
    return RankRange{std::string(trimmed(text.substr(0, colon))), *first, *last};
}

std::vector<RankRange> ranges_of(std::string_view text, std::string &problem) {
    std::vector<RankRange> ranges;
    while (!text.empty()) {
        const auto comma = std::min(text.find(','), text.size());
        const std::string_view one = trimmed(text.substr(0, comma));
        text.remove_prefix(std::min(comma + 1, text.size()));
        if (auto range = range_of(one)) {
            ranges.push_back(std::move(*range));
        } else {
            problem = "cn_components: '" + std::string(one) + "' is not name:first-last: ignored";
        }
    }
    return ranges;
}

// The last `parts` parts of a path.
std::string end_of(const std::string &path, int parts) {
    std::size_t at = path.size();
    for (; parts > 0 && at != std::string::npos && at > 0; --parts)
        at = path.rfind('/', at - 1);
    return at == std::string::npos || parts > 0 ? path : path.substr(at == path.size() ? 0 : at + 1);
}

bool tells_apart(const std::set<std::string> &paths, int parts) {
    std::set<std::string> ends;
    for (const std::string &path : paths)
        ends.insert(end_of(path, parts));
    return ends.size() == paths.size();
}

// "python3.11" is Python, and "pythonic_ocean" is not.
bool is_interpreter(std::string_view name) {
    constexpr std::array<std::string_view, 11> interpreters = {
        "python", "pypy", "perl", "ruby", "R", "julia", "lua", "node", "octave-cli", "tclsh", "guile"};
    return std::any_of(interpreters.begin(), interpreters.end(), [&](std::string_view interpreter) {
        return name.starts_with(interpreter) &&
               name.find_first_not_of("0123456789.", interpreter.size()) == std::string_view::npos;
    });
}

bool is_called_like_script(std::string_view argument) {
    constexpr std::array<std::string_view, 10> ends = {".py", ".pl",  ".rb", ".R", ".r",
                                                       ".jl", ".lua", ".js", ".m", ".tcl"};
    return std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return argument.ends_with(end); });
}

} // namespace

std::string program_of(const std::string &executable, const std::vector<std::string> &arguments,
                       bool (*is_file)(const std::string &)) {
    if (!is_interpreter(end_of(executable, 1))) return executable;
    constexpr std::string_view of_rscript = "--file=";
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        const std::string &argument = arguments[i];
        if (argument.starts_with(of_rscript)) return argument.substr(of_rscript.size());
        if (argument.starts_with('-') || argument.empty()) continue;
        if (is_called_like_script(argument) || is_file(argument)) return argument;
    }
    return executable;
}

ComponentNames name_components(const std::vector<Process> &processes, std::string_view text) {
    ComponentNames names;
    const std::vector<RankRange> ranges = ranges_of(text, names.problem);
    std::set<std::string> paths;
    for (const Process &p : processes)
        if (!p.said.starts_with('=')) paths.insert(p.said);
    int parts = 1;
    while (parts < 64 && !tells_apart(paths, parts))
        ++parts;
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
    std::replace_if(names.problem.begin(), names.problem.end(), is_control, '?');
    for (const Process &p : processes) {
        const auto range = std::find_if(ranges.begin(), ranges.end(),
                                        [&](const RankRange &r) { return p.rank >= r.first && p.rank <= r.last; });
        if (p.said.starts_with('=')) {
            names.components.push_back(p.said.substr(1));
        } else {
            names.components.push_back(range != ranges.end() ? range->name : end_of(p.said, parts));
            names.by_folders |= range == ranges.end() && names.components.back().find('/') != std::string::npos;
        }
        std::replace_if(names.components.back().begin(), names.components.back().end(), is_control, '?');
    }
    return names;
}

namespace {

std::string executable() {
    std::array<char, 4096> path{};
    const ssize_t length = readlink("/proc/self/exe", path.data(), path.size() - 1);
    return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : "program";
}

// The arguments with which this process was started.
std::vector<std::string> arguments() {
    std::ifstream in("/proc/self/cmdline", std::ios::binary);
    std::vector<std::string> all;
    for (std::string one; std::getline(in, one, '\0');)
        all.push_back(one);
    return all;
}

bool is_file(const std::string &path) {
    struct stat found {};
    return ::stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode);
}

// The text is the same for all processes of a program, wherever they were started.
std::string program() {
    const std::string path = program_of(executable(), arguments(), is_file);
    const std::unique_ptr<char, decltype(&std::free)> full(::realpath(path.c_str(), nullptr), &std::free);
    return full != nullptr ? full.get() : path;
}

} // namespace

std::string what_this_process_is() {
    const char *given = std::getenv("CPL_LB_COMPONENT");
    return given != nullptr && *given != '\0' ? "=" + std::string(given) : program();
}

} // namespace cpl_lb::profiling
