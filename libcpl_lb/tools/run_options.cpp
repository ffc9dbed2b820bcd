// --order, --simulated and --rename, and the page of new results. Folders are compared by their resolved paths.
#include "tools/run_options.hpp"

#include "analysis/members.hpp"
#include "io/files/file_error.hpp"
#include "io/files/result_file.hpp"
#include "io/json/info_json.hpp"
#include "page/page.hpp"
#include "report/text_summary.hpp"
#include "support/utf8.hpp"
#include "tools/commands.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

namespace cpl_lb {

void add_order_option(cli::App &command, std::vector<std::string> &order) {
    command
        .add_option("--order", order,
                    "components in the order of the run, such as ocean,atmosphere; for timelines without ids "
                    "(OASIS3-MCT's own)")
        ->delimiter(',');
}

void add_timeline_options(cli::App &command, TimelineHints &hints) {
    add_order_option(command, hints.order);
    command.add_option("--simulated", hints.simulated_s, "simulated seconds; for timelines that do not have them")
        ->check(cli::positive());
}

void add_members_option(cli::App &command, std::string &members) {
    command
        .add_option("--members", members,
                    "members of one ensemble: names with a *, such as 'atmosphere_*,ocean_*', or none; default: "
                    "guessed from the names")
        ->check([](const std::string &text) { return member_choice(text).why_not; });
}

void refuse_folders_twice(const std::vector<std::string> &folders) {
    for (std::size_t i = 0; i < folders.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            std::error_code error;
            if (!std::filesystem::equivalent(folders[j], folders[i], error)) continue;
            throw FileError(folders[i], std::filesystem::is_directory(folders[i], error)
                                            ? "the same folder is given twice"
                                            : "the same file is given twice");
        }
    }
}

void refuse_runs_twice(const std::vector<CoupledRun> &runs, const std::vector<std::string> &folders) {
    refuse_folders_twice(folders);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const RunInfo &a = runs[j].run, &b = runs[i].run;
            if (!a.id.empty() && a.id == b.id && a.started == b.started && a.ended == b.ended)
                throw FileError(folders[i], "holds the same job as " + folders[j] + ": " + a.id);
        }
    }
}

void print_results(CoupledRun run, const std::string &folder, std::vector<std::string> files, bool json) {
    PageSources sources;
    for (const std::string &file : files)
        if (file.starts_with("timeline_")) sources.timelines.push_back(path_in(folder, file));
    sources.threads = true;
    write_page(path_in(folder, page_file_name), run, sources);
    files.emplace_back(page_file_name);
    if (json) return print(info_json(run));
    std::string text;
    for (const std::string &remark : std::exchange(run.remarks, {}))
        text += safe_name(remark) + "\n";
    print(text + "\n" + screen_summary(run, folder, files));
}

void Renames::add_option(cli::App &command) {
    command
        .add_option(
            "--rename", given_,
            "OLD=NEW: the component OLD is called NEW, in all runs that have it; for runs whose components were "
            "named otherwise")
        ->again();
}

std::string Renames::new_name(const std::string &name) {
    for (const std::string &one : given_) {
        const std::size_t at = one.find('=');
        if (at == std::string::npos || at == 0 || at + 1 == one.size())
            throw std::invalid_argument("--rename: not OLD=NEW: '" + one + "'");
        if (name != one.substr(0, at)) continue;
        used_.insert(one);
        return one.substr(at + 1);
    }
    return name;
}

void Renames::apply(CoupledRun &run) {
    for (std::string &name : run.component_names)
        name = new_name(name);
    for (Component &c : run.components)
        c.name = new_name(c.name);
    std::set<std::string> names;
    for (const Component &c : run.components)
        if (!names.insert(c.name).second)
            throw std::invalid_argument("--rename: two components of a run are then called '" + c.name + "'");
}

void Renames::check_all_used() const {
    for (const std::string &one : given_)
        if (!used_.contains(one))
            throw std::invalid_argument("--rename: no run has a component '" + one.substr(0, one.find('=')) + "'");
}

} // namespace cpl_lb
