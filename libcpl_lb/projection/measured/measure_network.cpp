// Latency and bandwidth of messages: a ping-pong of two processes, which the user's own mpirun starts.
#include "projection/measured/measure_machine.hpp"

#include "support/fmt.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <sys/wait.h>

namespace cpl_lb {
namespace {

struct CommandOutput {
    std::string text;
    int status = -1;
};

CommandOutput output_of(const std::string &command) {
    CommandOutput output;
    std::fflush(nullptr);
    FILE *const pipe = ::popen(command.c_str(), "r"); // NOLINT(cert-env33-c): the command is the user's own
    if (pipe == nullptr) return output;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe))
        output.text += static_cast<char>(c);
    const int status = ::pclose(pipe);
    output.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return output;
}

// Quotes for the shell.
std::string as_word(const std::string &path) {
    std::string word = "'";
    for (const char c : path)
        word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

} // namespace

NetworkLink network_from(const std::string &pingpong_output) {
    NetworkLink link;
    std::istringstream lines(pingpong_output);
    std::string word;
    double bytes = 0, seconds = 0, longest = 0, longest_s = 0;
    while (lines >> word) {
        if (word == "hosts") {
            std::string a, b;
            lines >> a >> b;
            link.between = a == b ? "processes of one node" : "nodes";
        } else if (word == "message" && lines >> bytes >> seconds && seconds > 0) {
            if (!is_known(link.latency_s)) link.latency_s = seconds; // the shortest comes first
            longest = bytes;
            longest_s = seconds;
        }
    }
    if (is_known(link.latency_s) && longest_s > link.latency_s) link.B_per_s = longest / (longest_s - link.latency_s);
    return link;
}

void measure_network(const MeasuringPlan &plan, Machine &machine) {
    const MeasuringOptions &options = plan.options;
    if (options.mpirun.empty()) {
        machine.remarks.emplace_back("network n/a: --mpirun 'mpirun -n 2' was not given");
        return;
    }
    if (options.pingpong.empty()) {
        machine.remarks.emplace_back(
            "network n/a: cpl-lb-pingpong is not beside cpl-lb (cpl-lb was built without MPI)");
        return;
    }
    options.progress("messages");
    const std::string command = options.mpirun + " " + as_word(options.pingpong) + (options.quick ? " quick" : "");
    const CommandOutput output = output_of(command + " 2>/dev/null < /dev/null");
    const NetworkLink link = network_from(output.text);
    if (output.status == 0 && is_known(link.latency_s))
        machine.network.push_back(link);
    else
        machine.remarks.push_back(
            fmt::format("network n/a: '{}' ended with status {} and no times", command, output.status));
}

} // namespace cpl_lb
