// Makes docs/namelist.md and the commented namelist from the table of settings.
#include "io/settings/settings_docs.hpp"

#include "support/fmt.hpp"

namespace cpl_lb {

namespace {

constexpr std::string_view page_start = R"(# The namelist

An empty group in a file `namelist_cpl_lb` switches `cpl_lb` on, with all defaults:

```fortran
&namcpl_lb
/
```

| you want | do |
| --- | --- |
| switch on by a file | put `namelist_cpl_lb` into the folder where the root (rank 0) works, or where it was started |
| switch on without a file | set `CPL_LB_ENABLED=1` in the root's environment |
| another file | set `CPL_LB_NAMELIST` to its name. It may hold other groups too, as the namelists of models do |
| switch off | do nothing, or set `ln_lb = .false.` |

These are all settings with their defaults:

```fortran
)";

constexpr std::string_view page_rules = R"(```

## Rules

- Names and logicals may be in upper or lower case. Values may go over several lines. `! comments` are allowed, and so is
  `$namcpl_lb ... $end`.
- Text needs quotes, and the closing quote is on the same line. Numbers are as in Fortran: `600.`, `6.d2`.
- If a name is given twice, the last value counts. A name without a value keeps its default.
- A mistake (an unknown name, a bad value, no `/`) switches the library off, and the model runs on. One line on standard
  error says what is wrong: `cpl_lb: namelist_cpl_lb:7: nn_max_mb: not an integer: 'abc'`.
- Only the root's namelist counts. If only other processes find one, it does not count, and one line says so.

## When an executable lacks the library

Its processes then never come to `cpl_lb_init`. The others find each other without them and record themselves. One line
on standard error says who is missing. Fields to or from the missing processes are recorded on one side only. The lowest
rank that came takes the place of rank 0.

| | longest wait in `cpl_lb_init` |
| --- | --- |
| off, rank 0's executable has the library | none from rank 0 on: it sends "off" when it comes. A process that is earlier waits for rank 0, at most 5 s |
| off, rank 0's executable lacks the library | 5 s |
| on, all executables have the library | until the last one comes, at most 30 s or `rn_timeout` if it is given |
| on, one is missing | 30 s, or `rn_timeout` if it is given |

A process that comes later finds a letter that the others went on. It returns at once, is not recorded, and one line
tells it so. A process that is suspended in `cpl_lb_init` after it has answered the others is waited for, however long
that takes ([why](decisions/roll_call.md)). In `cpl_lb_terminate` the recorded processes wait
for each other at most `rn_timeout`.

With MPICH from 4.1 on the processes find each other by names that `mpiexec` keeps for them. With a launcher that keeps
none the library is off and says so, unless `CPL_LB_LINKED=all` in the environment says that all executables have it
([why](decisions/roll_call.md)).

## Environment and ranges

If the root's environment and the namelist differ, the environment counts. There a logical may also be 1, 0, on, off,
yes or no. An empty variable counts as not set, except where the value may be empty. If a variable starts with `CPL_LB_`
but is not known, one line says so, and nothing else happens.

| namelist, or what it is for | environment | value | default |
| --- | --- | --- | --- |
)";

constexpr std::string_view page_end = R"(
This page is made from the table in `libcpl_lb/io/settings/settings_table.cpp`. The test `settings_docs` compares the two.
With `CPL_LB_APPROVE=1` in its environment the test writes the page anew.
)";

std::string range(const Setting &setting) {
    if (std::holds_alternative<bool Settings::*>(setting.member)) return "logical";
    if (std::holds_alternative<std::string Settings::*>(setting.member)) {
        if (setting.name == "cn_submitted") return "ISO 8601, or empty";
        return fmt::format("text, {} to {} bytes", setting.least, setting.most);
    }
    const bool integer = std::holds_alternative<std::int64_t Settings::*>(setting.member);
    return fmt::format("{}, {:.15g} to {:.15g}", integer ? "integer" : "real", setting.least, setting.most);
}

} // namespace

std::string namelist_of(const Settings &settings) {
    std::string text = fmt::format("&{}\n", namelist_group);
    for (const Setting &setting : settings_table()) {
        if (setting.name.empty()) continue;
        text +=
            fmt::format("   {:<15} = {:<13} ! {}\n", setting.name, fortran_literal(settings, setting), setting.help);
    }
    return text + "/\n";
}

std::string namelist_page() {
    std::string page = std::string(page_start) + documented_namelist() + std::string(page_rules);
    const Settings defaults = default_settings_of_namelist();
    for (const Setting &setting : settings_table()) {
        const std::string name = setting.name.empty() ? std::string(setting.help) : fmt::format("`{}`", setting.name);
        page += fmt::format("| {} | `{}` | {} | `{}` |\n", name, setting.environment, range(setting),
                            fortran_literal(defaults, setting));
    }
    page += fmt::format("| the file with the namelist | `{}` | text | `'{}'` |\n", environment_of_namelist,
                        namelist_default_file);
    return page + std::string(page_end);
}

} // namespace cpl_lb
