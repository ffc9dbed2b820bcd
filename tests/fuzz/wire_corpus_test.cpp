// The corpus of wire_fuzz.cpp is made of today's messages: those of an older layout the reader refuses, and the
// fuzzer then does not get any further. CPL_LB_APPROVE=1 ctest -R fuzz_wire_corpus writes it anew.
#include "mpi/wire_formats.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace cpl_lb;

namespace {

const std::filesystem::path corpus = CPL_LB_WIRE_CORPUS;
constexpr std::size_t first_number = 1; // 8 bytes, behind the one by which the fuzzer knows the format

std::string too_large(std::string bytes) {
    bytes.at(first_number + 7) = 0x40; // the highest byte
    return bytes;
}

std::string half(const std::string &bytes) {
    return bytes.substr(0, (bytes.size() + 1) / 2);
}

void write_three(const testing::WireFormat &format, std::size_t place) {
    std::string bytes(1, static_cast<char>(place));
    bytes.append(reinterpret_cast<const char *>(format.example.data()), format.example.size());
    std::ofstream(corpus / format.name, std::ios::binary) << bytes;
    std::ofstream(corpus / (std::string(format.name) + "_cut"), std::ios::binary) << half(bytes);
    std::ofstream(corpus / (std::string(format.name) + "_long_list"), std::ios::binary) << too_large(bytes);
}

std::string kept(const std::string &name) {
    std::ifstream file(corpus / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

Bytes message(const std::string &bytes) {
    Bytes result(bytes.size() - 1);
    std::memcpy(result.data(), bytes.data() + 1, result.size());
    return result;
}

} // namespace

// Not byte for byte as the example: what lies between the members of a structure is anything.
TEST_CASE("each message is there whole, cut in the middle, and with a first number that is far too large") {
    const std::vector<testing::WireFormat> &formats = testing::wire_formats();
    const char *approve = std::getenv("CPL_LB_APPROVE");
    for (std::size_t place = 0; place < formats.size(); ++place) {
        const testing::WireFormat &format = formats[place];
        INFO(format.name);
        if (approve != nullptr && *approve == '1') write_three(format, place);
        const std::string whole = kept(format.name);
        REQUIRE(whole.size() == format.example.size() + 1);
        CHECK(static_cast<std::size_t>(whole[0]) == place);
        CHECK_NOTHROW(format.again(message(whole)));
        CHECK_THROWS_AS(format.again(message(half(whole))), DamagedMessage);
        for (const auto &[name, bytes] :
             {std::pair{"_cut", half(whole)}, std::pair{"_long_list", too_large(whole)}}) {
            INFO(name);
            CHECK((kept(format.name + std::string(name)) == bytes)); // no bytes on the screen
        }
    }
    using Files = std::filesystem::directory_iterator;
    const auto files = static_cast<std::size_t>(std::distance(Files(corpus), Files()));
    CHECK(files == 3 * formats.size()); // and nothing else
}
