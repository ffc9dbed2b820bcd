// Runs a scenario under mpirun and collects what it leaves.
#include "run_scenario.hpp"

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace scenario {

static std::string &chosen_program() {
    static std::string name;
    return name;
}

Program::Program(const char *name) {
    chosen_program() = name;
}

const std::string &program() {
    return chosen_program();
}

std::string beside(const std::string &file) {
    static const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    return (here / file).lexically_normal().string();
}

bool Result::has(const std::string &file) const {
    return std::filesystem::exists(folder / file);
}

nlohmann::json Result::info() const {
    return nlohmann::json::parse(slurp(folder / "load_balancing_info.json"));
}

nlohmann::json Result::component(const std::string &name) const {
    const nlohmann::json all = info();
    for (const auto &c : all.at("components"))
        if (c.at("name") == name) return c;
    return {};
}

std::size_t Result::complaints_with(const std::string &words) const {
    std::size_t n = 0;
    for (const std::string &c : complaints)
        n += c.find(words) != std::string::npos ? 1 : 0;
    return n;
}

std::string slurp(const std::filesystem::path &path) {
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

void read_output(Result &r) {
    r.output = slurp(r.folder / "stdout");
    std::istringstream out(r.output);
    for (std::string line; std::getline(out, line);) {
        std::istringstream words(line);
        std::string name;
        double value = 0;
        if (words >> name >> value) r.said[name] = value;
    }
    std::istringstream err(slurp(r.folder / "stderr"));
    for (std::string line; std::getline(err, line);)
        if (line.rfind("cpl_lb: ", 0) == 0) r.complaints.push_back(line);
}

namespace {

// Removed at the end, unless CPL_LB_KEEP is set. One of a former process of this number may still be there.
class Folders {
public:
    ~Folders() {
        std::error_code error;
        if (std::getenv("CPL_LB_KEEP") == nullptr)
            for (int n = 0; n < count_; ++n)
                std::filesystem::remove_all(folder(n), error);
    }
    Folders() = default;
    Folders(const Folders &) = delete;
    Folders &operator=(const Folders &) = delete;
    std::filesystem::path next() {
        std::filesystem::path made = folder(count_++);
        std::filesystem::remove_all(made);
        std::filesystem::create_directories(made);
        return made;
    }

private:
    static std::filesystem::path folder(int n) {
        return std::filesystem::temp_directory_path() /
               ("cpl_lb_scenario_" + std::to_string(getpid()) + "_" + std::to_string(n));
    }
    std::atomic<int> count_ = 0; // tests may run several jobs at once
};

} // namespace

Result run_job(const std::string &job, const std::string &environment, const std::string &namelist) {
    static Folders folders;
    Result r;
    r.folder = folders.next();
    if (!namelist.empty()) std::ofstream(r.folder / "namelist_cpl_lb") << namelist;
    const std::string command = "cd '" + r.folder.string() + "' && " + environment + " " SCENARIOS_MPIEXEC " " + job +
                                " >stdout 2>stderr </dev/null";
    const int status = std::system(command.c_str());
    r.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    read_output(r);
    return r;
}

Result run(const std::string &name, int processes, const std::string &environment, bool on,
           const std::string &wrapper) {
    return run_job(std::to_string(processes) + " " + wrapper + " '" + beside(program()) + "' " + name,
                   environment + (on ? " CPL_LB_ENABLED=1" : ""));
}

Timeline timeline(const Result &r, const std::string &component) {
    cpl_lb::TimelineReader reader((r.folder / ("timeline_" + component + ".nc")).string());
    Timeline t{reader.header(), std::vector<cpl_lb::Row>(static_cast<std::size_t>(reader.processes()))};
    reader.read_rows(0, t.rows);
    return t;
}

std::size_t kind_count_of(const Timeline &t, cpl_lb::Kind kind) {
    std::size_t n = 0;
    for (const cpl_lb::EventKey &key : t.header.keys.all())
        n += key.kind == kind ? 1 : 0;
    return n;
}

} // namespace scenario
