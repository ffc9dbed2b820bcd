// Expressions of a block's work: values by hand and by another program, errors with their places.
#include "assertions/expression.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>

using namespace cpl_lb;

namespace {

// a = 3, b = 4, n = 100
double value(const std::string &text) {
    const Expression e(text);
    std::vector<double> values;
    for (const std::string &name : e.names())
        values.push_back(name == "a" ? 3 : name == "b" ? 4 : name == "n" ? 100 : std::nan(""));
    const Expression::Result r = e.evaluate(values);
    INFO(text << ": " << r.why);
    CHECK(r.why.empty());
    return r.slope.value;
}

std::string error(const std::string &text) {
    try {
        const Expression e(text);
    } catch (const ExpressionError &e) {
        return e.what();
    }
    return "";
}

std::string why(const std::string &text, std::vector<double> values = {}) {
    const Expression::Result r = Expression(text).evaluate(values);
    CHECK(std::isnan(r.slope.value));
    return r.why;
}

double slope(const std::string &text, double a) {
    return Expression(text).evaluate(std::vector<double>{a}, 0).slope.by_parameter;
}

} // namespace

TEST_CASE("operators bind as in Fortran") {
    CHECK(value("2+3*4") == 14);
    CHECK(value("(2+3)*4") == 20);
    CHECK(value("7-3-2") == 2);
    CHECK(value("48/4/2") == 6);
    CHECK(value("2^3^2") == 512); // from the right: 2^9
    CHECK(value("2**3**2") == 512);
    CHECK(value("-a**2") == -9); // -(a**2)
    CHECK(value("2^-1") == 0.5);
    CHECK(value("a - -b") == 7);
    CHECK(value("--a") == 3);
    CHECK(value("-a*b") == -12);
    CHECK(value("7/2") == 3.5); // real numbers, unlike Fortran's integers
    CHECK(value("  2 *n ** 2\t/ ( a + 1 ) ") == 5000);
}

TEST_CASE("numbers as C and Fortran write them") {
    CHECK(value("1.5e3") == 1500);
    CHECK(value("1.5d3") == 1500);
    CHECK(value("1D-3") == 0.001);
    CHECK(value(".5 + 5.") == 5.5);
}

TEST_CASE("functions") {
    CHECK(value("min(a, b, 2)") == 2);
    CHECK(value("MAX(a,b,2)") == 4);
    CHECK(value("mod(7, 4)") == 3);
    CHECK(value("mod(-7, 4)") == -3); // Fortran's mod
    CHECK(value("abs(a - b)") == 1);
    CHECK(value("sqrt(a*a + b*b)") == 5);
    CHECK(value("log(exp(2))") == Approx(2));
    CHECK(value("log2(1024)") == 10);
    CHECK(value("log10(1000)") == Approx(3));
    CHECK(value("floor(-2.5)") == -3);
    CHECK(value("ceil(n/64)") == 2); // 100 / 64 = 1.56
}

TEST_CASE("what is wrong, and where") {
    CHECK(error("2 +") == "position 4: expected a number, a name or '(', found the end");
    CHECK(error("") == "position 1: expected a number, a name or '(', found the end");
    CHECK(error("2 n") == "position 3: expected an operator or the end, found 'n'");
    CHECK(error("(a") == "position 3: expected an operator or ')', found the end");
    CHECK(error("2 * foo(a)") == "position 5: there is no function 'foo'");
    CHECK(error("min(1)") == "position 1: min takes 2 to 16 arguments, not 1");
    CHECK(error("sqrt(1, 2)") == "position 1: sqrt takes 1 argument, not 2");
    CHECK(error("2*min") == "position 3: 'min' is a function: its arguments follow in parentheses");
    CHECK(error("1e999") == "position 1: the number '1e999' is out of range");
    CHECK(error("a\n+b") == "position 2: a character that cannot be printed");
    CHECK(error("\xc3\xa4") == "position 1: a letter that is not ASCII");
}

TEST_CASE("what has no value, and why") {
    CHECK(why("2*nx") == "parameter 'nx' has no value (position 3 of '2*nx')");
    CHECK(why("1/(a-3)", {3}) == "division by zero (position 2 of '1/(a-3)')");
    CHECK(why("0/0").find("division by zero") == 0);
    CHECK(why("0^-1").find("division by zero") == 0);
    CHECK(why("mod(1,0)").find("mod by zero") == 0);
    CHECK(why("exp(1000)").find("unbounded") == 0);
    CHECK(why("10^300*10^300").find("unbounded") == 0);
    CHECK(why("log(0)").find("logarithm of a number that is not above 0") == 0);
    CHECK(why("sqrt(-1)").find("square root of a negative number") == 0);
    CHECK(why("(-8)^(1/3)").find("fractional power of a negative number") == 0);
    CHECK(value("(-2)^3") == -8);
}

TEST_CASE("long and deep texts end with an error, not with the process") {
    CHECK(error(std::string(5000, '1')).find("at most 4096") != std::string::npos);
    CHECK(error(std::string(2000, '(')).find("more than 64 parentheses") != std::string::npos);
    std::string powers = "2", signs(4000, '-'), sum = "1";
    for (int i = 0; i < 1000; ++i) {
        powers += "^1";
        sum += "+1";
    }
    CHECK(error(powers).find("more than 64 powers") != std::string::npos);
    CHECK(value(signs + "1") == 1); // 4000 signs
    CHECK(value(sum) == 1001);
    CHECK(value(std::string(64, '(') + "1" + std::string(64, ')')) == 1);
}

TEST_CASE("slopes are the derivatives that calculus gives") {
    CHECK(slope("a^3", 2) == Approx(12));                      // 3 a^2
    CHECK(slope("2^a", 3) == Approx(8 * std::log(2.0)));       // 2^a log 2
    CHECK(slope("a^a", 2) == Approx(4 * (1 + std::log(2.0)))); // a^a (1 + log a)
    CHECK(slope("1/a", 2) == Approx(-0.25));                   // -1 / a^2
    CHECK(slope("a*a - 5*a", 2) == Approx(-1));                // 2 a - 5
    CHECK(slope("sqrt(a)", 4) == Approx(0.25));                // 1 / (2 sqrt a)
    CHECK(slope("log(a)", 4) == Approx(0.25));
    CHECK(slope("log2(a)", 4) == Approx(0.25 / std::log(2.0)));
    CHECK(slope("log10(a)", 4) == Approx(0.25 / std::log(10.0)));
    CHECK(slope("exp(2*a)", 0) == Approx(2));
    CHECK(slope("abs(-a)", 3) == 1);
    CHECK(slope("abs(a)", -3) == -1);
    CHECK(slope("min(a, 10)", 3) == 1);
    CHECK(slope("min(a, 10)", 30) == 0);
    CHECK(slope("max(2*a, 1)", 3) == 2);
    CHECK(slope("floor(a)", 2.5) == 0);
    CHECK(slope("mod(17, a)", 5) == Approx(-3)); // 17 - 3 a near 5
    CHECK(slope("-a", 5) == -1);
    CHECK(slope("sqrt(0*a)", 1) == 0);
}

TEST_CASE("names that a parameter may have") {
    CHECK(is_parameter_name("nx"));
    CHECK(is_parameter_name("N_x2"));
    CHECK_FALSE(is_parameter_name(""));
    CHECK_FALSE(is_parameter_name("2x"));
    CHECK_FALSE(is_parameter_name("_x"));
    CHECK_FALSE(is_parameter_name("a b"));
    CHECK_FALSE(is_parameter_name("Min"));
    CHECK_FALSE(is_parameter_name(std::string(64, 'a')));
    const Expression e("ny*nx + ny");
    CHECK(e.names() == std::vector<std::string>{"ny", "nx"});
}
