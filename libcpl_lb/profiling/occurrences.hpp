// Which occurrence of a field a message belongs to. A process that exchanges a field with several processes of the
// other component, each with a message of its own, has one exchange, not several: the n-th occurrence is the n-th
// message with each of them, so that all processes count alike, whoever their partners are.
#pragma once

#include <cstdint>
#include <unordered_map>

namespace cpl_lb::profiling {

// A message to or from another component.
struct Crossing {
    int field = 0;    // 0: none
    int process = -1; // by its rank in MPI_COMM_WORLD; less than 0: not known
};

class Occurrences {
public:
    // True: the message is the first of its occurrence. False: that has begun, with another process.
    [[nodiscard]] bool begins(int kind, const Crossing &message);

private:
    // A process may be so far behind the others and still be counted as one of them; one that took no part for longer
    // is taken for one that comes anew.
    static constexpr std::int64_t most_behind = 4;
    struct Field {
        std::int64_t newest = 0;
        std::unordered_map<int, std::int64_t> last; // by process
    };
    std::unordered_map<std::uint64_t, Field> fields_; // by kind and id
};

} // namespace cpl_lb::profiling
