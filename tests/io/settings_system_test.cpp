// What really reads the environment and the working directory.
#include "io/settings/settings_source.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h> // environ
#include <vector>

using namespace cpl_lb;
namespace fs = std::filesystem;

namespace {

void clear_variables() {
    std::vector<std::string> ours;
    for (char **variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
        const std::string text = *variable;
        if (text.starts_with("CPL_LB_")) ours.push_back(text.substr(0, text.find('=')));
    }
    for (const std::string &name : ours) {
        ::unsetenv(name.c_str());
    }
}

// An empty working directory and no CPL_LB_ variables, whatever the tester's environment holds.
class CleanPlace {
public:
    CleanPlace() : before_(fs::current_path()) {
        std::string name = (fs::temp_directory_path() / "cpl_lb_settings_XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        place_ = name;
        clear_variables();
        fs::current_path(place_);
    }
    CleanPlace(const CleanPlace &) = delete;
    CleanPlace &operator=(const CleanPlace &) = delete;
    ~CleanPlace() {
        fs::current_path(before_);
        fs::remove_all(place_);
        clear_variables();
    }

private:
    fs::path before_;
    fs::path place_;
};

void write(const std::string &file, const std::string &text) {
    std::ofstream(file) << text;
}

void set(const char *name, const char *value) {
    ::setenv(name, value, 1);
}

} // namespace

TEST_CASE("nothing there: off without a word") {
    const CleanPlace place;
    const SettingsResult result = load_settings_from_system();
    CHECK_FALSE(result.settings.enabled);
    CHECK(result.error.empty());
    CHECK(result.warning.empty());
    set("CPL_LB_ENABLED", "1");
    CHECK(load_settings_from_system().settings.enabled);
}

TEST_CASE("the file of the working directory, and the environment over it") {
    const CleanPlace place;
    write("namelist_cpl_lb", "&namcpl_lb nn_cores=3 /\n");
    CHECK(load_settings_from_system().settings.cores == 3);
    set("CPL_LB_CORES", "4");
    CHECK(load_settings_from_system().settings.cores == 4);
    write("namelist_cpl_lb", "&namcpl_lb\nnn_cores=x /\n");
    CHECK(load_settings_from_system().error == "namelist_cpl_lb:2: nn_cores: not an integer: 'x'");
}

TEST_CASE("another file") {
    const CleanPlace place;
    write("namelist_cfg", "&namocean a=1 /\n&namcpl_lb nn_cores=5 /\n");
    set("CPL_LB_NAMELIST", "namelist_cfg");
    CHECK(load_settings_from_system().settings.cores == 5);
    set("CPL_LB_NAMELIST", "nowhere");
    const SettingsResult result = load_settings_from_system();
    CHECK_FALSE(result.settings.enabled);
    CHECK(result.error.empty());
    CHECK(result.warning == "CPL_LB_NAMELIST: there is no file 'nowhere'");
}

TEST_CASE("what is no ordinary file") {
    const CleanPlace place;
    set("CPL_LB_NAMELIST", "/");
    CHECK(load_settings_from_system().error == "/: not a regular file");
    REQUIRE(::mkfifo("pipe", 0600) == 0);
    set("CPL_LB_NAMELIST", "pipe");
    CHECK(load_settings_from_system().error == "pipe: not a regular file"); // and does not wait for a writer
    write("large", std::string(2 << 20, '\n'));
    set("CPL_LB_NAMELIST", "large");
    CHECK(load_settings_from_system().error == "large: larger than 1048576 bytes");
    write("plain", "");
    set("CPL_LB_NAMELIST", "plain/below");
    CHECK(load_settings_from_system().error == "plain/below: Not a directory");
}
