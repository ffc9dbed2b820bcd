// The library's own JSON against nlohmann's, which knows nothing of it: the same text, byte for byte where both have
// a choice, and the same values read back.
#include "io/json/json_tree.hpp"
#include "support/utf8.hpp"
#include "tests/json.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>

using cpl_lb::Codepoint;
using cpl_lb::is_invisible;
using cpl_lb::JsonTree;
using cpl_lb::next_codepoint;
using Other = nlohmann::ordered_json;

namespace {

std::string dump_of(const Other &json, int indent, bool ascii = false) {
    return json.dump(indent, ' ', ascii, Other::error_handler_t::replace);
}

template <class Json>
Json example() {
    const std::vector<std::string> names = {"a", "b"};
    const std::array<std::int64_t, 3> counts = {1, -2, 3};
    Json json;
    json["schema"] = "cpl_lb/1";
    json["empty list"] = Json::array();
    json["empty object"] = Json::object();
    json["run"] = {{"id", "x"}, {"wall_s", 1.5}, {"cores", 12}, {"on", true}, {"none", nullptr}};
    json["pairs"] = Json::array();
    json["pairs"].push_back({0.5, 86400});
    json["pairs"].push_back({{"name", "one member"}});
    json["pairs"].back()["second"] = names;
    json["counts"] = counts;
    json["run"]["cores"] = 13; // in its old place
    json["new list"].push_back(std::size_t{7});
    return json;
}

} // namespace

TEST_CASE("objects, lists and what is in them look as nlohmann writes them") {
    auto mine = example<JsonTree>();
    const auto other = example<Other>();
    CHECK(mine.dump(2) == dump_of(other, 2));
    CHECK(mine.dump(-1) == dump_of(other, -1));
    CHECK(mine.has("run"));
    CHECK(!mine.has("wall_s"));
    const JsonTree copy = mine;
    mine["run"]["id"] = "y";
    CHECK(copy.dump(2) == dump_of(other, 2));
}

TEST_CASE("what is not known is null") {
    CHECK(JsonTree::number(std::nan("")).dump(-1) == "null");
    CHECK(JsonTree(-std::numeric_limits<double>::infinity()).dump(-1) == "null");
    CHECK(JsonTree::text("").dump(-1) == "null");
    CHECK(JsonTree::text("0").dump(-1) == "\"0\"");
}

TEST_CASE("every number reads back as itself, and a real one as real") {
    std::mt19937_64 bits(7);
    std::vector<double> values = {0.0, -0.0, 1.0, -3.0, 1e15, 1e16, 1e22, 1e300, 5e-324, 0.1, 1.0 / 3, 123456789.0};
    for (int i = 0; i < 2000; ++i) {
        const std::uint64_t random = bits();
        double value = 0;
        std::memcpy(&value, &random, sizeof value);
        if (std::isfinite(value)) values.push_back(value);
    }
    for (const double value : values) {
        const std::string text = JsonTree(value).dump(-1);
        INFO(text);
        const Other read = Other::parse(text);
        CHECK(read.get<double>() == value);
        CHECK(read.is_number_float());
        CHECK(text.size() <= dump_of(value, -1).size() + 2); // no digit too many; the .0 of long whole numbers
    }
    CHECK(JsonTree(std::numeric_limits<std::int64_t>::min()).dump(-1) == "-9223372036854775808");
}

namespace {

// What nlohmann writes as it is and a terminal obeys: the only difference to it.
std::string safe_on_terminals(std::string_view json) {
    std::string safe;
    while (!json.empty()) {
        const Codepoint next = next_codepoint(json);
        std::array<char, 8> code{};
        std::snprintf(code.data(), code.size(), "\\u%04x", static_cast<unsigned>(next.value));
        const bool obeyed = next.valid && (next.value == 0x7f || is_invisible(next.value));
        safe += obeyed ? std::string_view(code.data()) : json.substr(0, next.bytes);
        json.remove_prefix(next.bytes);
    }
    return safe;
}

} // namespace

TEST_CASE("what a terminal would obey is written as its number") {
    // Delete, CSI (a C1 control), the right-to-left override, the byte order mark.
    CHECK(JsonTree("a\x7f\xc2\x9b\xe2\x80\xae\xef\xbb\xbf") // NOLINT(misc-misleading-bidirectional): the subject
              .dump(-1) == "\"a\\u007f\\u009b\\u202e\\ufeff\"");
}

TEST_CASE("names and texts of any bytes") {
    std::vector<std::string> texts = {"",
                                      "a\"b\\c/d",
                                      "\b\f\n\r\t\x01\x1f\x7f",
                                      "\xc3\xa9t\xc3\xa9",
                                      "\xff",
                                      "\xe2\x82\xac",
                                      "\xf0\x9f\x8c\x8a waves",
                                      "\xf4\x8f\xbf\xbf",
                                      "x\xc3",
                                      "\xed\xa0\x80",
                                      "</script><!--",
                                      "\xef\xbf\xbd",
                                      "\x80",
                                      "\xf0\x82\x82\xac",
                                      "a\xe2\x82",
                                      "\xf4\x90\x80\x80",
                                      "\xc0\xaf"};
    std::mt19937 random(3);
    for (int i = 0; i < 500; ++i) {
        std::string text;
        for (auto n = random() % 12; n > 0; --n)
            text += static_cast<char>(random() % 3 == 0 ? random() % 128 : 128 + random() % 128);
        texts.push_back(text);
    }
    for (const std::string &text : texts) {
        INFO(dump_of(text, -1, true));
        JsonTree mine;
        mine[text] = text;
        // How many U+FFFD stand for a broken character is left open; nothing else is.
        const auto without = [](std::string s, const std::string &what) {
            for (std::size_t at = s.find(what); at != std::string::npos; at = s.find(what))
                s.erase(at, what.size());
            return s;
        };
        const Other other = {{text, text}};
        CHECK(without(mine.dump(2), "\xef\xbf\xbd") == without(safe_on_terminals(dump_of(other, 2)), "\xef\xbf\xbd"));
        CHECK(without(mine.dump(-1, true), "\\ufffd") == without(dump_of(other, -1, true), "\\ufffd"));
        CHECK(Other::parse(mine.dump(-1)) == Other::parse(mine.dump(-1, true)));
    }
}
