// Runs a scenario under mpirun in a fresh folder and collects what it left.
#pragma once

#include "io/timeline/timeline_reader.hpp"
#include "tests/json.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace scenario {

// Each test says which program holds its scenarios; it lies beside the test.
struct Program {
    explicit Program(const char *name);
};
[[nodiscard]] const std::string &program();

// A file of the build, by its path from the folder of this test. Not a definition of the compiler: dev and mpich
// compile the same, so that ccache has it for the second.
// In front of a program: it takes its processes for those of a job on several nodes.
inline const std::string as_on_several_nodes = "/usr/bin/env OMPI_COMM_WORLD_LOCAL_SIZE=1 MPI_LOCALNRANKS=1 ";
[[nodiscard]] std::string beside(const std::string &file);

struct Result {
    int exit_code = -1;
    std::map<std::string, double> said;  // "name value" lines of the model
    std::string output;                  // standard output
    std::vector<std::string> complaints; // lines of standard error that start with "cpl_lb: "
    std::filesystem::path folder;

    [[nodiscard]] bool has(const std::string &file) const;
    [[nodiscard]] nlohmann::json info() const;
    [[nodiscard]] nlohmann::json component(const std::string &name) const;
    [[nodiscard]] std::size_t complaints_with(const std::string &words) const;
};

[[nodiscard]] std::string slurp(const std::filesystem::path &path);

// From the files stdout and stderr of its folder.
void read_output(Result &r);

// environment: "NAME=value NAME=value"; on: the library switched on.
// Keeps the exit status of each process, a line each, in the file "statuses", and what it prints in "words":
// MPICH 4.2's mpiexec loses the one, and OpenMPI 5's mpirun the other, of a program that leaves without MPI_Finalize.
inline const std::string keeping_status = "sh -c '\"$@\" >> words; s=$?; echo $s >> statuses; exit $s' sh";

Result run(const std::string &name, int processes, const std::string &environment = "", bool on = true,
           const std::string &wrapper = "");

// A job of several executables: what stands after "mpiexec -n". namelist: text of the file in its folder.
Result run_job(const std::string &job, const std::string &environment, const std::string &namelist = "");

// All rows of a component's timeline.
struct Timeline {
    cpl_lb::TimelineHeader header;
    std::vector<cpl_lb::Row> rows;
};
[[nodiscard]] Timeline timeline(const Result &r, const std::string &component);
[[nodiscard]] std::size_t kind_count_of(const Timeline &t, cpl_lb::Kind kind);

} // namespace scenario
