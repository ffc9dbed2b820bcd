// Makes docs/namelist.md and the commented namelist from the table of settings.
#include "io/settings/settings_docs.hpp"

#include "support/fmt.hpp"

namespace cpl_lb {

namespace {

constexpr std::string_view page_start = R"(# The namelist

This page is made from the table in `libcpl_lb/io/settings/settings_table.cpp`; the test `settings_docs` compares them, and
`CPL_LB_APPROVE=1` in its environment writes the page anew.

`cpl_lb` is switched off unless there is a file `namelist_cpl_lb` with the group below where the root (rank 0) works, or
where it was started, or `CPL_LB_ENABLED=1` in its environment. `CPL_LB_NAMELIST` names another file, which may hold other
groups too, as the namelists of models do. An empty group switches on with all defaults:

```fortran
)";

constexpr std::string_view page_rules = R"(```

## Rules

- Names and logicals in any case; `! comments`; values over several lines; `$namcpl_lb ... $end` also works.
- Text needs quotes, and the closing quote stands on the same line. Numbers as Fortran reads them: `600.`, `6.d2`.
- A name given twice: the last value holds. A name without a value keeps its default.
- Mistakes (an unknown name, a bad value, no `/`) are told in one line on standard error, and the library is switched
  off; the model runs on. Such a line is `cpl_lb: namelist_cpl_lb:7: nn_max_mb: not an integer: 'abc'`.

## When an executable lacks the library

Then its processes never come to `cpl_lb_init`. The others find each other without them, record themselves, and one line
on standard error says who is missing. Fields that go there are seen from this side only. The lowest rank that came takes
the place of rank 0.

| | longest wait in `cpl_lb_init` |
| --- | --- |
| all executables have the library | for the last one to come |
| one is missing, nothing switches on | 5 s |
| one is missing, switched on | 30 s, or `rn_timeout` if it is given |

Who comes later than that is not recorded, and is told so. In `cpl_lb_terminate` those who are recorded wait for each
other at most `rn_timeout`.

A namelist that only other processes than the root find does not count, and one line says so.

## Environment and ranges

The environment of the root wins over the namelist. Logicals may there also be written 1, 0, on, off, yes, no.
A variable that is empty counts as not set, except where the value may be empty. A variable that starts with `CPL_LB_` and
is not known is told in one line, and nothing else happens.

| namelist | environment | value | default |
| --- | --- | --- | --- |
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
        const std::string name = setting.name.empty() ? "" : fmt::format("`{}`", setting.name);
        page += fmt::format("| {} | `{}` | {} | `{}` |\n", name, setting.environment, range(setting),
                            fortran_literal(defaults, setting));
    }
    return page + fmt::format("|  | `{}` | text | `'{}'` |\n", environment_of_namelist, namelist_default_file);
}

} // namespace cpl_lb
