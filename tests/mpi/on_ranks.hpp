// Runs a body on all ranks of a world in memory, as cpl_lb_terminate runs: with a watch for the distress of others,
// and told to the others where it cannot go on.
#pragma once

#include "mpi/transport.hpp"
#include "tests/mpi/memory_world.hpp"

#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace cpl_lb::testing {

struct Ended {
    std::string said;    // by the body
    bool failed = false; // a message failed, the other's distress came, or an exception
    bool timed_out = false, distressed = false;
    bool stopped = false; // by the world
};

// Whether a message fails.
template <class Action>
[[nodiscard]] bool fails(Action action) {
    try {
        action();
    } catch (const MessageFailed &) {
        return true;
    }
    return false;
}

inline Ended end_of(Transport &t, const std::function<std::string(Transport &)> &body) {
    Ended end;
    t.watch_for_distress();
    try {
        end.said = body(t);
    } catch (const std::exception &e) {
        end.said = e.what();
        end.failed = true;
    }
    end.failed = end.failed || t.failed();
    end.timed_out = t.timed_out();
    end.distressed = t.distressed();
    if (end.failed && !end.distressed) t.send_distress();
    t.stop_watching();
    return end;
}

inline std::vector<Ended> on_ranks(MemoryWorld &world, int ranks, double timeout_s,
                                   const std::function<std::string(Transport &)> &body) {
    std::vector<Ended> ends(static_cast<std::size_t>(ranks));
    world.run([&](int rank, std::unique_ptr<Carrier> carrier) {
        Ended &end = ends[static_cast<std::size_t>(rank)];
        end.stopped = true;
        Transport t(std::move(carrier), timeout_s);
        end = end_of(t, body);
    });
    return ends;
}

} // namespace cpl_lb::testing
