// Text of one namelist value: which texts are logicals, integers and reals, and which are not.
#include "io/settings/namelist_scanner.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace cpl_lb;

TEST_CASE("logicals") {
    for (const char *text : {"T", "t", ".t.", ".T", "true", ".TRUE.", ".true"}) {
        CHECK(fortran_logical(text) == true);
    }
    for (const char *text : {"F", "f", ".f.", ".F", "false", ".FALSE.", "False."}) {
        CHECK(fortran_logical(text) == false);
    }
    for (const char *text : {"", ".", "..", "tr", "1", "0", "yes", ".trash.", "truee", "..t"}) {
        CHECK_FALSE(fortran_logical(text));
    }
}

TEST_CASE("integers") {
    CHECK(fortran_integer("0") == 0);
    CHECK(fortran_integer("+3") == 3);
    CHECK(fortran_integer("-007") == -7);
    CHECK(fortran_integer("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
    CHECK(fortran_integer("-9223372036854775808") == std::numeric_limits<std::int64_t>::min());
    for (const char *text :
         {"", "+", "-", "+-3", "-+3", "++3", "1.", "1e3", "0x10", "1_8", "9223372036854775808", "1 "}) {
        CHECK_FALSE(fortran_integer(text));
    }
}

TEST_CASE("reals") {
    CHECK(fortran_real("600.") == 600.0);
    CHECK(fortran_real(".5") == 0.5);
    CHECK(fortran_real("3") == 3.0);
    CHECK(fortran_real("+3") == 3.0);
    CHECK(fortran_real("-1.5E+2") == -150.0);
    CHECK(fortran_real("1.d0") == 1.0);
    CHECK(fortran_real("1D-3") == 0.001);
    CHECK(fortran_real("2.5q1") == 25.0);
    CHECK(fortran_real("1.5+2") == 150.0); // the letter may be left out before a sign
    CHECK(fortran_real("15-1") == 1.5);
    for (const char *text : {"", ".", "+", "e5", "1e", "1e+", "1.2.3", "1,5", "600s", "inf", "nan", "1e999", "0x1",
                             "+-1.", "1e5.0", "1 ", "1d5e5", "1e99999999999999999999"}) {
        CHECK_FALSE(fortran_real(text));
    }
}
