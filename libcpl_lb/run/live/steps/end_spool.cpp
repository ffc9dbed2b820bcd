// Removes the spool file of this process where all agree that it is not needed any more.
#include "run/live/steps/end_spool.hpp"

#include "support/fmt.hpp"
#include "support/messages.hpp"

#include <span>

namespace cpl_lb {

void end_spool(Group &present, const ProcessRecord &record, bool keep_here) {
    if (!record.settings.spool) return;
    std::int32_t keep = keep_here ? 1 : 0;
    const auto either = [](std::int32_t &mine, std::int32_t theirs) { mine |= theirs; };
    const bool agreed = !record.transport->failed() && present.reduce(std::span(&keep, 1), either) &&
                        present.broadcast(as_wire_out(keep));
    if (record.recorder && agreed && keep == 0) record.recorder->store().first_source().remove_file();
    if (present.leads() && (!agreed || keep != 0)) {
        tell(fmt::format("the spool files in {} are kept: cpl-lb recover makes results from them",
                         record.settings.spool_directory));
    }
}

} // namespace cpl_lb
