// Simulates the queue event by event: starts the first job that fits, and fills holes with later ones.
#include "projection/models/job_queue.hpp"

#include "projection/models/loop_model.hpp"
#include "support/counted.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace cpl_lb {
namespace {

class Room {
public:
    Room(const std::vector<QueuedJob> &jobs, const MachineRoom &room, std::vector<JobStart> &starts)
        : jobs_(jobs), starts_(starts), free_(room.nodes) {
        to_come_.resize(jobs.size());
        std::iota(to_come_.begin(), to_come_.end(), std::size_t{0});
        std::ranges::stable_sort(to_come_, {}, [&](std::size_t job) { return jobs[job].submitted_s; });
    }

    void run(bool backfill) {
        while (!to_come_.empty() || !queue_.empty()) {
            now_ = next_event();
            take_in();
            while (!queue_.empty() && jobs_[queue_.front()].nodes <= free_)
                start(0, false);
            if (backfill && !queue_.empty()) fill_gaps();
        }
    }

private:
    [[nodiscard]] double end_of(std::size_t job) const { return starts_[job].start_s + jobs_[job].seconds; }

    // The next submission or end.
    [[nodiscard]] double next_event() const {
        double next = std::numeric_limits<double>::infinity();
        if (!to_come_.empty()) next = jobs_[to_come_.front()].submitted_s;
        for (const std::size_t job : running_)
            next = std::min(next, end_of(job));
        return next;
    }

    // Jobs that were submitted by now join the queue. Jobs that have ended give their nodes back.
    void take_in() {
        std::erase_if(running_, [&](std::size_t job) {
            if (end_of(job) > now_) return false;
            free_ += jobs_[job].nodes;
            return true;
        });
        while (!to_come_.empty() && jobs_[to_come_.front()].submitted_s <= now_) {
            queue_.push_back(to_come_.front());
            to_come_.erase(to_come_.begin());
        }
    }

    void start(std::size_t place, bool ahead) {
        const std::size_t job = queue_[place];
        starts_[job] = {now_, ahead};
        free_ -= jobs_[job].nodes;
        running_.push_back(job);
        queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(place));
    }

    void fill_gaps() {
        // When the first in the queue can start, and how many nodes it leaves free then.
        std::vector<std::size_t> by_end = running_;
        std::ranges::sort(by_end, {}, [&](std::size_t job) { return end_of(job); });
        int spare = free_ - jobs_[queue_.front()].nodes;
        double first_starts = now_;
        for (const std::size_t job : by_end) {
            if (spare >= 0 && end_of(job) > first_starts) break;
            spare += jobs_[job].nodes;
            first_starts = end_of(job);
        }
        for (std::size_t place = 1; place < queue_.size();) {
            const QueuedJob &job = jobs_[queue_[place]];
            const bool ends_before = now_ + job.seconds <= first_starts;
            if (job.nodes > free_ || (!ends_before && job.nodes > spare)) {
                ++place;
                continue;
            }
            if (!ends_before) spare -= job.nodes;
            start(place, true);
        }
    }

    const std::vector<QueuedJob> &jobs_;
    std::vector<JobStart> &starts_;
    int free_;
    double now_ = 0;
    std::vector<std::size_t> to_come_, queue_, running_;
};

} // namespace

RoomSchedule schedule_jobs(const std::vector<QueuedJob> &jobs, const MachineRoom &room, bool backfill) {
    if (jobs.empty()) throw ProjectionError("no jobs");
    for (const QueuedJob &job : jobs) {
        if (job.nodes > room.nodes)
            throw ProjectionError("job " + job.name + " needs " + counted(job.nodes, "node") + ", and the room has " +
                                  std::to_string(room.nodes));
    }
    RoomSchedule s;
    s.jobs.resize(jobs.size());
    Room(jobs, room, s.jobs).run(backfill);
    double busy = 0; // node seconds
    s.first_s = std::numeric_limits<double>::infinity();
    s.last_s = -s.first_s;
    s.mean_wait_s = s.longest_wait_s = s.job_J = 0;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        const double wait = s.jobs[j].start_s - jobs[j].submitted_s;
        const double node_seconds = jobs[j].nodes * jobs[j].seconds;
        s.first_s = std::min(s.first_s, jobs[j].submitted_s);
        s.last_s = std::max(s.last_s, s.jobs[j].start_s + jobs[j].seconds);
        s.mean_wait_s += wait / static_cast<double>(jobs.size());
        s.longest_wait_s = std::max(s.longest_wait_s, wait);
        busy += node_seconds;
        s.job_J += node_seconds * jobs[j].power_W;
    }
    const double all = room.nodes * (s.last_s - s.first_s);
    s.use = busy / all;
    s.idle_J = (all - busy) * room.idle_W;
    return s;
}

} // namespace cpl_lb
