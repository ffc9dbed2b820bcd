// A random program as a script for play.c, and what its replay knows of it: write_script SEED FILE, which prints the
// components by ranks, their shares of the critical path and of the time that they compute.
#include "tests/programs/program.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>

using namespace cpl_lb::programs;

namespace {

void write(std::ofstream &out, std::size_t process, const Action &a) {
    out << process << ' ';
    switch (a.what) {
    case Action::What::compute:
        out << "compute " << a.ns;
        break;
    case Action::What::meet:
        out << "meet " << a.component << ' ' << a.other;
        break;
    default:
        out << (a.persistent ? "again_" : "")
            << (a.what == Action::What::send    ? "send"
                : a.what == Action::What::probe ? "probe"
                                                : "receive")
            << ' ' << a.messages.size();
        for (const Action::Message &m : a.messages)
            out << ' ' << m.peer << ' ' << m.tag;
    }
    out << '\n';
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    const Program p = random_program(std::strtoull(argv[1], nullptr, 10),
                                     {.components = 3, .processes = 2, .least_steps = 12, .most_steps = 15});
    std::ofstream out(argv[2]);
    for (std::size_t process = 0; process < p.processes.size(); ++process)
        for (const Action &a : p.processes[process])
            write(out, process, a);
    const Truth truth = replay(p);
    std::printf("%s\n%d\n", p.words.c_str(), static_cast<int>(p.processes.size()));
    const double end_s = 1e-9 * static_cast<double>(truth.end);
    for (std::size_t c = 0; c < p.components.size(); ++c) {
        const std::vector<int> ranks = p.members(static_cast<int>(c));
        std::printf("%s:%d-%d %.4f %.4f\n", p.components[c].c_str(), ranks.front(), ranks.back(),
                    truth.path_s[c] / end_s, truth.computing_s[c] / end_s);
    }
    return out ? 0 : 1;
}
