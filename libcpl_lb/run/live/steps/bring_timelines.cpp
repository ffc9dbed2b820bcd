// Brings timelines from nodes that do not share the output folder to the root's; a master whose file does not arrive
// keeps it and says where.
#include "data/error_codes.hpp"
#include "io/files/result_file.hpp"
#include "io/timeline/timeline.hpp"
#include "run/live/file_transfer.hpp"
#include "run/live/steps/collect_components.hpp"
#include "support/fmt.hpp"
#include "support/held_up.hpp"
#include "support/system.hpp"

namespace cpl_lb {
namespace {

const char *fate_in_words(FileFate fate) {
    switch (fate) {
    case FileFate::too_slow:
        return "bringing it there took more than half of rn_timeout";
    case FileFate::not_readable:
        return "it cannot be read again";
    default:
        return "it could not be written there";
    }
}

void hand_over(const ProcessRecord &record, const Agreed &agreed, const TimelineHome &home, ProblemList &problems) {
    const FileFate fate = send_file(*record.transport, agreed.present.front(), home.path);
    if (fate == FileFate::arrived) return remove_local(home.path);
    problems.lose_results(error::io, fmt::format("{} stays on {}: this node does not share {}, and {}", home.path,
                                                 host_name(), agreed.folder.path, fate_in_words(fate)));
}

void fetch(const ProcessRecord &record, const Agreed &agreed, std::vector<TimelineIs> &all, ProblemList &problems) {
    // The others wait meanwhile; they must not give up.
    const std::int64_t until_ns = record.transport->ns_after(record.settings.timeout_s / 2);
    const std::vector<std::string> stems = file_stems(agreed.catalogue.component_names);
    const std::string &folder = agreed.folder.path;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i] != TimelineIs::on_another_node) continue;
        std::string why;
        const std::string path = path_in(folder, timeline_name_in(folder, stems[i]));
        const int from = agreed.catalogue.members[i].front();
        const FileFate fate = receive_file(*record.transport, from, path, until_ns, why);
        all[i] = fate == FileFate::arrived ? TimelineIs::in_the_folder : TimelineIs::missing;
        if (!why.empty()) problems.add(error::io, why);
        if (fate != FileFate::arrived) problems.lose_results();
    }
}

} // namespace

void bring_timelines(const ProcessRecord &record, Agreed &agreed, const std::vector<TimelineHome> &led,
                     std::vector<TimelineIs> &all, ProblemList &problems) {
    if (record.rank() == agreed.present.front()) {
        {
            const HeldUp by_the_folder;
            agreed.folder.probe.reset();
        }
        return fetch(record, agreed, all, problems);
    }
    for (const TimelineHome &home : led)
        if (home.is == TimelineIs::on_another_node) hand_over(record, agreed, home, problems);
}

} // namespace cpl_lb
