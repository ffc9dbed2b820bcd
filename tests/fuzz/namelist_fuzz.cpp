// Properties, for any bytes as namelist:
// 1. The parser ends, and the lines and values that it gives lie within the text.
// 2. load_settings gives either an error of one printable line and everything off, or settings that survive both
//    round trips: encode and decode_settings, namelist_of and load_settings.
// 3. The same with the bytes as value of one variable of the environment (chosen by their number), and as its name.
// 4. decode_settings of the bytes gives nothing, or settings that encode to the same settings again.
#include "io/settings/namelist.hpp"
#include "io/settings/settings_codec.hpp"
#include "io/settings/settings_source.hpp"
#include "io/settings/settings_table.hpp"
#include "tests/io/settings_docs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace cpl_lb;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

bool one_line(std::string_view text) {
    return std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

void check_settings(const SettingsResult &result) {
    require(one_line(result.error) && one_line(result.warning));
    if (!result.error.empty() || result.settings == Settings{}) {
        require(result.settings == Settings{});
        return;
    }
    const std::string encoded = encode(result.settings);
    require(encoded.size() <= encoded_settings_max_bytes);
    require(decode_settings(encoded) == result.settings);
    SettingsResult again = load_settings({"again", test::namelist_of(result.settings)}, {});
    again.settings.sysfs_root = result.settings.sysfs_root; // environment only
    again.settings.procfs_root = result.settings.procfs_root;
    again.settings.timeline_given = result.settings.timeline_given; // that namelist has each name
    require(again.error.empty() && again.settings == result.settings);
}

void check_parser(const std::string &text) {
    const Namelists lists = parse_namelists(text, "f");
    const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
    std::size_t values = 0;
    for (const NamelistGroup &group : lists.groups) {
        require(group.line >= 1 && group.line <= lines);
        require(!group.error ||
                (group.error->line >= 1 && group.error->line <= lines && one_line(group.error->text())));
        for (const NamelistEntry &entry : group.entries) {
            require(entry.line >= group.line && entry.line <= lines);
            values += entry.values.size() + 1;
            for (const NamelistValue &value : entry.values) {
                require(value.line >= entry.line && value.line <= lines && value.text.size() < text.size());
            }
        }
    }
    require(lists.groups.size() + values <= text.size());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string text(reinterpret_cast<const char *>(data), size);
    check_parser(text);
    check_settings(load_settings({"f", text}, {}));
    const Setting &setting = settings_table()[size % settings_table().size()];
    check_settings(load_settings({"f", {}}, {{std::string(setting.environment), text}}));
    check_settings(load_settings({"f", {}}, {{"CPL_LB_" + text, "1"}}));
    if (const auto settings = decode_settings(text)) require(decode_settings(encode(*settings)) == settings);
    return 0;
}
