// Reads runs if only the json is needed, or nothing else exists.
#include "analysis/cpmip.hpp"
#include "analysis/member_figures.hpp"
#include "io/files/file_handle.hpp"
#include "io/json/info_json.hpp"
#include "run/loaded/load_run.hpp"
#include "run/loaded/run_folder.hpp"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace cpl_lb {

std::optional<CoupledRun> run_from_timers(const std::string &directory, double simulated_s,
                                          const std::string &members) {
    const std::string json = lone_json_in(directory);
    if (json.empty()) return std::nullopt;
    CoupledRun run = run_from_json(json, read_text_file(json));
    if (!run.from_timers()) return std::nullopt;
    if (is_known(simulated_s)) {
        run.run.simulated_s = simulated_s;
        run.cpmip = cpmip_of(run);
    }
    if (!members.empty()) run.run.members = members;
    judge_members(run);
    return run;
}

CoupledRun load_figures(const std::string &directory, const TimelineHints &hints, const ProgressOf &progress_of) {
    const std::filesystem::path json = std::filesystem::path(directory) / "load_balancing_info.json";
    std::error_code error;
    const bool hinted = !hints.order.empty() || is_known(hints.simulated_s) || !hints.members.empty();
    if (hinted)
        if (std::optional<CoupledRun> run = run_from_timers(directory, hints.simulated_s, hints.members))
            return std::move(*run);
    if (hinted || !std::filesystem::is_regular_file(json, error)) return load_run(directory, hints, progress_of);
    return run_from_json(json.string(), read_text_file(json.string()));
}

} // namespace cpl_lb
