// The output of cpl-lb project for jobs in a queue.
#include "io/json/json_tree.hpp"
#include "projection/tools/project/project_output.hpp"
#include "report/format.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <numeric>

namespace cpl_lb {

std::string queue_as_text(const std::vector<QueuedJob> &jobs, const MachineRoom &room, const RoomSchedule &schedule) {
    std::vector<std::size_t> order(jobs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return schedule.jobs[a].start_s < schedule.jobs[b].start_s;
    });
    TextTable table;
    table.left(6);
    table.row({"job", "nodes", "submitted [s]", "start [s]", "end [s]", "wait [s]", ""});
    for (const std::size_t j : order) {
        const QueuedJob &job = jobs[j];
        const JobStart &start = schedule.jobs[j];
        table.row({short_name(job.name, 30), count_text(job.nodes), number_text(job.submitted_s),
                   number_text(start.start_s), number_text(start.start_s + job.seconds),
                   number_text(start.start_s - job.submitted_s), start.backfilled ? "went ahead" : ""});
    }
    return table.text() +
           fmt::format("\nAll done {} s after the first submission. Wait: {} s on average, {} s at most.\n"
                       "The {} in use {} % of the time. Energy: jobs {} J, waiting nodes {} J.\n",
                       number_text(schedule.last_s - schedule.first_s), number_text(schedule.mean_wait_s),
                       number_text(schedule.longest_wait_s), counted(room.nodes, "node is", "nodes are"),
                       per_cent_text(schedule.use), number_text(schedule.job_J), number_text(schedule.idle_J));
}

std::string queue_as_json(const std::vector<QueuedJob> &jobs, const MachineRoom &room, const RoomSchedule &schedule) {
    JsonTree root = {{"nodes", room.nodes},
                     {"seconds", schedule.last_s - schedule.first_s},
                     {"mean_wait_s", schedule.mean_wait_s},
                     {"longest_wait_s", schedule.longest_wait_s},
                     {"use", schedule.use},
                     {"job_J", JsonTree::number(schedule.job_J)},
                     {"idle_J", JsonTree::number(schedule.idle_J)},
                     {"joules", JsonTree::number(schedule.job_J + schedule.idle_J)}};
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        root["jobs"].push_back({{"job", jobs[j].name},
                                {"nodes", jobs[j].nodes},
                                {"submitted_s", jobs[j].submitted_s},
                                {"start_s", schedule.jobs[j].start_s},
                                {"end_s", schedule.jobs[j].start_s + jobs[j].seconds},
                                {"backfilled", schedule.jobs[j].backfilled}});
    }
    return root.dump(2) + "\n";
}

} // namespace cpl_lb
