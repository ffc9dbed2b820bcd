// Lines that a user is to copy into a shell, run by a real sh with names that would do harm: stubs in place of mpirun
// and the others note their arguments, which have to be the names as they were, and nothing else has run.
#include "support/shell_words.hpp"
#include "support/utf8.hpp"
#include "tests/json.hpp"
#include "tests/tools/command.hpp"
#include "tests/tools/coupled_run.hpp"
#include "tools/launch/launch_form.hpp"

#include <filesystem>

using namespace cpl_lb;
using namespace cpl_lb::test;

namespace {

using Words = std::vector<std::string>;

const Words planted = {"x;touch PWN;", "$(touch PWN2)", "`touch PWN3`", "a'b\ntouch PWN4\n#", "-n 9 & touch PWN5 &",
                       "atm} {ocn", "ends\n\n", "\n", "\x1b[2J\x07%s%n\\n!1\t$HOME\xff", "'\"'\\''",
                       // NOLINTNEXTLINE(misc-misleading-bidirectional): the subject
                       std::string("b\xc2\x9b\xe2\x80\xae") + "d", "*", "~", "#no", "%o%t", ":",
                       "\xc3\xa9t\xc3\xa9 2"};

// Runs the text in a folder with stubs of these names; the words of each call, the stub's name first.
std::vector<Words> calls_of(const TemporaryFolder &folder, const std::string &text) {
    for (const char *name : {"mpirun", "srun", "salloc", "cpl-lb"}) {
        const std::string stub =
            write(folder, name, "#!/bin/sh\nprintf '%s\\0' \"$#\" \"${0##*/}\" \"$@\" >> calls\n");
        std::filesystem::permissions(stub, std::filesystem::perms(0755));
    }
    std::filesystem::remove(folder / "calls");
    write(folder, "lines", text);
    static_cast<void>(shell(folder, "cd " + folder.path() + " && PATH=" + folder.path() + ":$PATH sh lines"));
    for (const auto &entry : std::filesystem::directory_iterator(folder.path()))
        CHECK_FALSE(says(entry.path().filename().string(), "PWN"));
    Words words;
    for (std::string all = contents(folder / "calls"); !all.empty(); all.erase(0, all.find('\0') + 1))
        words.push_back(all.substr(0, all.find('\0')));
    std::vector<Words> calls;
    for (auto at = words.begin(); at != words.end();) {
        const auto end = at + 2 + std::stoi(*at);
        calls.emplace_back(at + 1, end);
        at = end;
    }
    return calls;
}

LaunchPlan one_process_each(const Words &names, bool recorded) {
    LaunchPlan plan;
    for (const std::string &name : names)
        plan.parts.push_back({name, 1, 1, recorded});
    plan.pool = cores_of_their_own(names.size());
    return plan;
}

// What a terminal would obey, and what is on a line of its own where a user copies it.
void check_is_harmless_to_see(const std::string &text) {
    CHECK(safe_text(text) == text);
    CHECK_FALSE(says(text, "\ntouch"));
}

// The words of a line of srun's programs.conf: quotes and backslashes as src/slurmd/slurmstepd/multi_prog.c of Slurm
// takes them off.
Words words_for_slurm(const std::string &line) {
    Words words = {""};
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\'')
            quoted = !quoted;
        else if (!quoted && line[i] == '\\')
            words.back() += line[++i];
        else if (!quoted && line[i] == ' ' && !words.back().empty())
            words.emplace_back();
        else if (quoted || line[i] != ' ')
            words.back() += line[i];
        if (!quoted && line[i] == '%') words.back() += "(a number)"; // %o and %t outside of quotes
    }
    CHECK_FALSE(quoted);
    return words;
}

} // namespace

TEST_CASE("shell lines: mpirun and srun start the components, whatever they are called") {
    const TemporaryFolder folder;
    for (const bool recorded : {false, true}) {
        Words of_mpirun = {"mpirun"}, of_srun = {"srun"};
        for (std::size_t i = 0; i < planted.size(); ++i) {
            const Words program = recorded ? Words{"cpl-lb-record", "./" + planted[i]} : Words{"./" + planted[i]};
            const std::string group = "--het-group=" + std::to_string(i);
            of_mpirun.insert(of_mpirun.end(), {"-np", "1"});
            of_srun.insert(of_srun.end(), {group, "-n", "1"});
            for (Words *words : {&of_mpirun, &of_srun}) {
                words->insert(words->end(), program.begin(), program.end());
                if (i + 1 < planted.size()) words->emplace_back(":");
            }
        }
        const LaunchPlan plan = one_process_each(planted, recorded);
        const std::string mpirun = mpirun_lines(plan).text, srun = srun_lines(plan).text;
        check_is_harmless_to_see(mpirun + srun);
        const std::vector<Words> calls = calls_of(folder, mpirun + srun);
        REQUIRE(calls.size() == 3); // mpirun, salloc, srun
        CHECK(calls[0] == of_mpirun);
        CHECK(calls[2] == of_srun);
    }
}

TEST_CASE("shell lines: a programs.conf for srun has the names that it can hold") {
    CHECK_FALSE(says(srun_lines(one_process_each(planted, false)).text, "programs.conf"));
    Words names;
    for (const std::string &name : planted)
        if (!needs_a_shell(name)) names.push_back(name);
    REQUIRE(names.size() == planted.size() - 5); // a newline inside, two at the end, one alone, escapes, invisible
    const std::string text = srun_lines(one_process_each(names, false)).text;
    std::size_t at = text.find("programs.conf:\n") + std::string("programs.conf:\n").size();
    for (std::size_t rank = 0; rank < names.size(); ++rank) {
        const std::size_t end = text.find('\n', at);
        const std::string place = std::to_string(rank);
        CHECK(words_for_slurm(text.substr(at, end - at)) == Words{place + "-" + place, "./" + names[rank]});
        at = end + 1;
    }
    CHECK(at == text.size());
}

TEST_CASE("shell lines: options and folders arrive as they are, also with a dash in front") {
    const TemporaryFolder folder;
    for (const std::string &name : planted) {
        for (const std::string &value : {name, "-" + name}) {
            const std::vector<Words> calls =
                calls_of(folder, "cpl-lb " + shell_option("--without", value) + " " + shell_path(value) + "\n");
            const Words path = {value.front() == '-' ? "./" + value : value};
            REQUIRE(calls.size() == 1);
            CHECK(calls[0] == (value.front() == '-' ? Words{"cpl-lb", "--without=" + value, path[0]}
                                                    : Words{"cpl-lb", "--without", value, path[0]}));
        }
    }
    CHECK(shell_word("/data/run_1.2/ocean:T=2,ice+x@y") == "/data/run_1.2/ocean:T=2,ice+x@y");
    CHECK(shell_word("") == "''");
    CHECK(shell_word("a b") == "'a b'");
    CHECK(shell_word("a\nb") == "\"$(printf 'a\\012b')\""); // '\n' is 10, 012 in octal
}

TEST_CASE("shell lines: what balance and predict print of a run with planted names") {
    const TemporaryFolder folder, run;
    const std::string ocean = "$(touch PWN)`touch PWN2`;touch PWN3;", atmosphere = "a'b\ntouch PWN4\n#";
    std::vector<TimelineLiteral> components = sleepers();
    components[0].name = ocean;
    components[1].name = atmosphere;
    for (std::size_t c = 0; c < components.size(); ++c) {
        const std::string plain = run / std::to_string(c);
        std::filesystem::create_directory(plain);
        write_timeline(plain, components[c], {ocean, atmosphere});
        for (const auto &made : std::filesystem::directory_iterator(plain))
            std::filesystem::rename(made.path(), run / ("timeline_" + std::to_string(c) + ".nc"));
        std::filesystem::remove(plain);
    }
    const Result balance = command(folder, "balance " + run.path() + " --total 6 --launch mpirun");
    INFO(balance.errors);
    REQUIRE(balance.status == 0);
    check_is_harmless_to_see(balance.output);
    const std::vector<Words> calls = calls_of(folder, balance.output.substr(balance.output.find("\nmpirun ") + 1));
    REQUIRE(calls.size() == 1);
    REQUIRE(calls[0].size() == 8); // mpirun -np N ./A : -np N ./B
    CHECK(calls[0][3] == "./" + ocean);
    CHECK(calls[0][7] == "./" + atmosphere);
    const Result changes = command(folder, "predict what-if " + run.path() + " --json");
    INFO(changes.errors);
    REQUIRE(changes.status == 0);
    std::size_t seen = 0;
    const nlohmann::json answer = nlohmann::json::parse(changes.output);
    for (const auto &change : answer.at("changes")) {
        if (!change["option"].is_string() || change["component"] != atmosphere) continue;
        const std::vector<Words> words = calls_of(folder, "cpl-lb " + change["option"].get<std::string>() + "\n");
        REQUIRE(words.size() == 1);
        CHECK(words[0].size() == 3);
        CHECK(words[0][2].starts_with(atmosphere));
        ++seen;
    }
    INFO(changes.output);
    CHECK(seen > 0);
}
