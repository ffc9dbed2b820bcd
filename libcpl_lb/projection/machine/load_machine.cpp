// Finds the file of a machine, by its path or by the name of one that ships.
#include "io/files/file_handle.hpp"
#include "projection/machine/machine_file.hpp"
#include "projection/machine/shipped_machines.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

namespace cpl_lb {
namespace {

// A word without a dot or slash is a name, but for that of a file; anything else is a file.
bool is_name(const std::string &text) {
    std::error_code error;
    const bool is_word = !text.empty() && text.find_first_of("./") == std::string::npos;
    return is_word && (!std::filesystem::exists(text, error) || std::filesystem::is_directory(text, error));
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
    if (is_name(name_or_path)) {
        throw std::runtime_error(
            fmt::format("{}: no such machine; there are {}, or give a file that cpl-lb machine -o wrote",
                        name_or_path, joined(shipped_machine_names(), ", ")));
    }
    return parse_machine(read_text_file(name_or_path), name_or_path);
}

} // namespace cpl_lb
