// cpl-lb machine energy -- COMMAND on made-up trees of /sys, whose counters the command itself turns on.
#include "tests/json.hpp"
#include "tests/tools/command.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace cpl_lb;
using test::TemporaryFolder;

namespace {

// One package with DRAM, as the kernel lays them out.
class MachineWithRapl {
public:
    explicit MachineWithRapl(const TemporaryFolder &folder) : zone_(folder / "class/powercap/intel-rapl:0") {
        for (const std::string &path : {zone_, dram()}) {
            std::filesystem::create_directories(path);
            write(path + "/energy_uj", "1000000");
            write(path + "/max_energy_range_uj", "262143328850");
        }
        write(zone_ + "/name", "package-0");
        write(dram() + "/name", "dram");
    }
    [[nodiscard]] std::string dram() const { return zone_ + "/intel-rapl:0:0"; }
    // The words of a shell after which the counters stand there.
    [[nodiscard]] std::string counting_to(const std::string &package_uJ, const std::string &dram_uJ) const {
        return "echo " + package_uJ + " > " + zone_ + "/energy_uj; echo " + dram_uJ + " > " + dram() + "/energy_uj";
    }

private:
    static void write(const std::string &path, const std::string &text) { std::ofstream(path) << text << '\n'; }
    std::string zone_;
};

test::Result energy(const TemporaryFolder &folder, const std::string &arguments) {
    return test::shell(folder, "env CPL_LB_SYSFS=" + folder.path() + " CPL_LB_PROCFS=" + folder.path() +
                                   " " CPL_LB_COMMAND " machine energy " + arguments);
}

// The number that stands after a word in the answer.
double after(const std::string &text, const std::string &word) {
    const std::size_t at = text.find("\n" + word);
    REQUIRE(at != std::string::npos);
    return std::stod(text.substr(at + 1 + word.size()));
}

} // namespace

TEST_CASE("joules of a command are what the counters moved meanwhile, and its time is its own") {
    const TemporaryFolder folder;
    const MachineWithRapl machine(folder);
    // From 1 J to 7 J and to 3.5 J.
    const auto r =
        energy(folder, "-- sh -c '" + machine.counting_to("7000000", "3500000") + "; sleep 0.5; echo said'");
    CHECK(r.status == 0);
    CHECK(r.output == "said\n");
    CHECK(after(r.errors, "package-0 ") == 6.0);
    CHECK(after(r.errors, "package-0/dram") == 2.5);
    CHECK(after(r.errors, "package and DRAM") == 8.5);
    CHECK(after(r.errors, "all ") == 8.5);
    const double seconds = std::stod(r.errors.substr(std::string("Time: ").size()));
    CHECK(seconds >= 0.5);
    // Power is energy over time, to the digits that are printed.
    const auto json = energy(folder, "--json -o " + folder / "answer.json" + " -- sh -c '" +
                                         machine.counting_to("8000000", "3500000") + "; sleep 0.5; exit 3'");
    CHECK(json.status == 3);
    CHECK(json.errors.empty());
    const auto answer = nlohmann::json::parse(test::contents(folder / "answer.json"));
    CHECK(answer["exit_status"] == 3);
    CHECK(answer["source"] == "rapl");
    const auto &package = answer["domains"][0];
    CHECK(package["name"] == "package-0");
    CHECK(package["energy_J"].get<double>() == Approx(1.0)); // 7 J to 8 J
    CHECK(package["power_W"].get<double>() == Approx(1.0 / answer["seconds"].get<double>()));
}

TEST_CASE("without a meter the time is there, and the energy is n/a with its reason") {
    const TemporaryFolder folder;
    const auto r = energy(folder, "-- sleep 0.2");
    CHECK(r.status == 0);
    CHECK(r.output.empty());
    CHECK(r.errors.find("\nEnergy: n/a: rapl: no RAPL zone under ") != std::string::npos);
    CHECK(std::stod(r.errors.substr(std::string("Time: ").size())) >= 0.2);
}

TEST_CASE("the command ends as it would without us") {
    const TemporaryFolder folder;
    CHECK(energy(folder, "-- sh -c 'exit 7'").status == 7);
    CHECK(energy(folder, "-- sh -c 'kill -TERM $$'").status == 128 + 15);
    const auto none = energy(folder, "-- no_such_command --json");
    CHECK(none.status == 127);
    CHECK(none.errors == "cpl-lb: no_such_command: No such file or directory\n");
    CHECK(energy(folder, "-- " + folder.path()).status == 126);
    CHECK(energy(folder, "-- echo -- --json").output == "-- --json\n"); // options of its own
}

TEST_CASE("a command beside other questions, and no command, are wrong usage") {
    const TemporaryFolder folder;
    for (const std::string arguments : {"", "--", "table.csv -- ls", "--nodes 2 -- ls"}) {
        INFO(arguments);
        const auto r = energy(folder, arguments);
        CHECK(r.status == 2);
        CHECK(std::count(r.errors.begin(), r.errors.end(), '\n') == 1);
    }
    CHECK(energy(folder, "ls").errors.starts_with("cpl-lb: give the command after --"));
    CHECK(energy(folder, "table.csv -- ls").errors.starts_with("cpl-lb: not expected: table.csv"));
}
