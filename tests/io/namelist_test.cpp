// The syntax of namelists: groups, names, values and lines. What the values mean is tested in settings_source_test.
#include "io/settings/namelist.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace cpl_lb;

namespace {

// "name@line=v v" for each entry; values as text, 'quoted', or _ for null, with their repeat count if not 1.
std::string show(const NamelistGroup &group) {
    std::string text;
    for (const NamelistEntry &entry : group.entries) {
        text += (text.empty() ? "" : "; ") + entry.name + "@" + std::to_string(entry.line) + "=";
        for (const NamelistValue &value : entry.values) {
            text += &value == entry.values.data() ? "" : " ";
            if (value.repeat != 1) text += std::to_string(value.repeat) + "*";
            if (value.form == NamelistValue::Form::null) text += "_";
            if (value.form == NamelistValue::Form::bare) text += value.text;
            if (value.form == NamelistValue::Form::quoted) text += "'" + value.text + "'";
        }
    }
    return text;
}

std::string entries(const std::string &body) {
    const Namelists lists = parse_namelists("&g\n" + body + "\n/\n", "f");
    REQUIRE(lists.groups.size() == 1);
    return lists.groups[0].error ? "error" : show(lists.groups[0]);
}

std::string error(const std::string &text) {
    const Namelists lists = parse_namelists(text, "f");
    if (lists.error) return lists.error->text();
    for (const NamelistGroup &group : lists.groups) {
        if (group.error) return group.error->text();
    }
    return "";
}

} // namespace

TEST_CASE("names and values") {
    CHECK(entries("a=1") == "a@2=1");
    CHECK(entries("A_b2 = .TRUE.") == "a_b2@2=.TRUE.");
    CHECK(entries("a=1,b=2 c=3") == "a@2=1; b@2=2; c@2=3");
    CHECK(entries("a=1\n\n b\n=\n2") == "a@2=1; b@4=2");
    CHECK(entries("a=1 2,3\n4") == "a@2=1 2 3 4");
    CHECK(entries("a=1 ! b=2\n! c=3\n d=4!e") == "a@2=1; d@4=4");
    CHECK(entries("a=(1,2) (3, 4)") == "a@2=(1,2) (3, 4)");
}

TEST_CASE("strings") {
    CHECK(entries("a='x y' b=\"it's\" c='it''s'") == "a@2='x y'; b@2='it's'; c@2='it's'");
    CHECK(entries("a='! no comment / & $ = ,'") == "a@2='! no comment / & $ = ,'");
    CHECK(entries("a='','b'") == "a@2='' 'b'");
    CHECK(entries("a=3*'x'") == "a@2=3*'x'");
    CHECK(entries("a=Bob's") == "a@2=Bob's");
}

TEST_CASE("null values and repeat counts") {
    CHECK(entries("a= b=1") == "a@2=; b@2=1");
    CHECK(entries("a=,2") == "a@2=_ 2");
    CHECK(entries("a=1,,3,") == "a@2=1 _ 3");
    CHECK(entries("a=1,,,,3") == "a@2=1 3*_ 3");
    CHECK(entries("a=2*,2*7") == "a@2=2*_ 2*7");
    CHECK(entries("a=1000000000000*7") == "a@2=1000000000000*7");
    CHECK(entries("a=2*b*c") == "a@2=2*b*c");
}

TEST_CASE("groups") {
    const Namelists lists =
        parse_namelists("text 'of nobody\n&A x=1 /\n ! &b y=2 /\n$c z=3 $END &d/\n &E\n&end", "f");
    REQUIRE(lists.groups.size() == 4);
    CHECK(lists.groups[0].name == "a");
    CHECK(lists.groups[1].name == "c");
    CHECK(lists.groups[2].name == "d");
    CHECK(lists.groups[3].name == "e");
    CHECK(lists.groups[3].line == 5);
    CHECK(error("&a x=1 /\n$c z=3 $END &d/\n &E\n&end").empty());
    CHECK(lists.find("c")->entries.at(0).values.at(0).text == "3");
    CHECK(lists.find("b") == nullptr);
}

TEST_CASE("line ends, tabs and the byte order mark") {
    const Namelists lists = parse_namelists("\xEF\xBB\xBF&g\r\n\ta\t=\t'x'\t,\r\n b=2\r\n/", "f");
    REQUIRE(lists.groups.size() == 1);
    CHECK_FALSE(lists.groups[0].error);
    CHECK(show(lists.groups[0]) == "a@2='x'; b@3=2");
}

TEST_CASE("a mistake in a group is told with its line and name, and later groups are found") {
    CHECK(error("&g\na(1)=2\n/") == "f:2: a: subscripts and components are not supported: 'a(1)'");
    CHECK(error("&g\na%b=2\n/") == "f:2: a: subscripts and components are not supported: 'a%b'");
    CHECK(error("&g\na='x\n/") == "f:2: a: the string is not closed on its line");
    CHECK(error("&g\na='x'y /") == "f:2: a: no blank or comma after the string 'x'");
    CHECK(error("&g\na=1") == "f:1: &g: the group does not end: no '/'");
    CHECK(error("&g\na=1\n&h /") == "f:1: &g: the group does not end: no '/' before line 3");
    CHECK(error("&g a=0*7 /") == "f:1: a: bad repeat count: '0*7'");
    CHECK(error("&g a=99999999999999999999*7 /") == "f:1: a: bad repeat count: '99999999999999999999*7'");
    CHECK(error("&g a==7 /") == "f:1: a: '=' without a name before it");
    CHECK(error("&g 1=7 /") == "f:1: not a name: '1'");
    CHECK(error("&g a 7 /") == "f:1: a: no '=' after the name");
    CHECK(error("&g 7 /") == "f:1: not 'name = value': '7'");
    CHECK(error("&g a=/scratch /") == "f:1: a: the '/' ends the group here: a path needs quotes");
    CHECK(error("&g a=$HOME /") == "f:1: a: unexpected '$'");
    CHECK(error("&g a(1)=2 b='x'y, c=0*'q' /\n&h b=3 /").starts_with("f:1: a: subscripts"));
    CHECK(parse_namelists("&g a(1)=2 b='x'y, c=0*'/' /\n&h b=3 /", "f").find("h") != nullptr);
    CHECK(parse_namelists("&g a=1\n&h b=3 /", "f").find("h") != nullptr);
}

TEST_CASE("too large a file is an error, many values are not") {
    CHECK(error(std::string(namelist_max_bytes + 1, ' ')) == "f: larger than 1048576 bytes");
    std::string text = "&g a=";
    while (text.size() < namelist_max_bytes - 10) {
        text += "1,";
    }
    const Namelists lists = parse_namelists(text + "/", "f");
    CHECK(lists.groups.at(0).entries.at(0).values.size() == (text.size() - 5) / 2); // 5: "&g a="
}

TEST_CASE("messages are one printable line") {
    CHECK(quoted_for_message("a\nb\x01") == "'a\\nb\\x01'");
    CHECK(quoted_for_message(std::string(61, 'x')) == "'" + std::string(60, 'x') + "...'");
    CHECK(NamelistError{"a\nb", 3, std::string(70, 'n'), "m"}.text() ==
          "a\\nb:3: " + std::string(60, 'n') + "...: m");
    CHECK(NamelistError{"f", 0, "", "m"}.text() == "f: m");
}
