// Finds the file of a machine, by its path or by the name of one that ships.
#include "projection/machine/machine_file.hpp"
#include "projection/machine/shipped_machines.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace cpl_lb {
namespace {

std::string contents_of(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) throw std::runtime_error(path + ": cannot read");
    return text.str();
}

// A word without a dot or slash is a name; anything else is a file.
bool is_name(const std::string &text) {
    return !text.empty() && text.find_first_of("./") == std::string::npos;
}

} // namespace

std::vector<std::string> shipped_machine_names() {
    std::vector<std::string> names;
    for (const ShippedMachine &machine : shipped_machines())
        names.emplace_back(machine.name);
    return names;
}

Machine load_machine(const std::string &name_or_path) {
    for (const ShippedMachine &machine : shipped_machines())
        if (name_or_path == machine.name) return parse_machine(machine.text, name_or_path + ".toml");
    if (is_name(name_or_path) && !std::ifstream(name_or_path).good()) {
        throw std::runtime_error(
            fmt::format("{}: no such machine; there are {}, or give a file that cpl-lb machine -o wrote",
                        name_or_path, joined(shipped_machine_names(), ", ")));
    }
    return parse_machine(contents_of(name_or_path), name_or_path);
}

} // namespace cpl_lb
