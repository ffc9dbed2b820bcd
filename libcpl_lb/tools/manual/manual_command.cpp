// cpl-lb completion and cpl-lb manual: what the commands say of themselves, for shells and for man.
#include "io/files/result_file.hpp"
#include "tools/commands.hpp"
#include "tools/manual/manual_page.hpp"

#include <cpl_lb/version.h>
#include <filesystem>
#include <memory>

namespace cpl_lb {
namespace {

void write_pages(const cli::CommandFacts &facts, const std::string &folder) {
    std::filesystem::create_directories(folder);
    for (const auto &[name, text] : manual_pages(facts, CPL_LB_VERSION))
        write_result_file((std::filesystem::path(folder) / name).string(), text);
}

} // namespace

void add_manual_commands(cli::App &app) {
    cli::App *completion =
        app.add_subcommand("completion", "Prints the completion for a shell: source <(cpl-lb completion bash)");
    const auto shell = std::make_shared<std::string>();
    completion->add_option("SHELL", *shell, "bash or zsh")->required()->check(cli::one_of({"bash", "zsh"}));
    completion->callback(
        [shell, &app] { print(*shell == "bash" ? bash_completion(app.facts()) : zsh_completion(app.facts())); });

    cli::App *manual = app.add_subcommand("manual", "Writes manual pages: cpl-lb.1 and one for each command");
    const auto folder = std::make_shared<std::string>();
    manual->add_option("FOLDER", *folder, "folder to write to; made if it is missing")->required();
    manual->callback([folder, &app] { write_pages(app.facts(), *folder); });
}

} // namespace cpl_lb
