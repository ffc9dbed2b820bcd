// The grammar of expressions, for the library PEGTL. The rule that binds least comes first:
//   sum      product { (+|-) product }
//   product  signed { (*|/) signed }
//   signed   { + | - } power                so -a^2 is -(a^2), as in Fortran and in Octave
//   power    primary [ (^|**) signed ]      from the right, as in Fortran (Octave's goes from the left)
//   primary  number | function ( sum {, sum} ) | name | ( sum )
#include "assertions/expression.hpp"

#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tao/pegtl.hpp>

namespace cpl_lb {
namespace {

namespace pegtl = tao::pegtl;

// Nodes made so far, and those that wait for their operator.
struct Builder {
    ParsedExpression parsed;
    std::vector<std::uint32_t> waiting;
    std::vector<bool> negative;           // of the signs that wait for their operand
    std::vector<std::uint32_t> positions; // of the operators that wait for their second operand
    struct Call {
        std::size_t function, position, arguments;
    };
    std::vector<Call> calls;

    void push(ExpressionNode node) {
        waiting.push_back(static_cast<std::uint32_t>(parsed.nodes.size()));
        parsed.nodes.push_back(node);
    }
    std::uint32_t pop() {
        const std::uint32_t place = waiting.back();
        waiting.pop_back();
        return place;
    }
    void unary(Operation operation, std::size_t position) {
        const std::uint32_t a = pop();
        push({operation, static_cast<std::uint32_t>(position), a, 0, 0});
    }
    void binary(Operation operation, std::size_t position) {
        const std::uint32_t b = pop(), a = pop();
        push({operation, static_cast<std::uint32_t>(position), a, b, 0});
    }
    void binary(Operation operation) {
        binary(operation, positions.back());
        positions.pop_back();
    }
};

[[noreturn]] void fail(std::string_view what, std::size_t position) {
    throw ExpressionError(fmt::format("position {}: {}", position, what));
}

template <class Input>
std::size_t position_of(const Input &in) {
    return in.position().byte + 1;
}

// Without the blanks behind it.
template <class Input>
std::string name_in(const Input &in) {
    const std::string text = in.string();
    return text.substr(0, text.find_first_of(" \t"));
}

struct blanks : pegtl::star<pegtl::blank> {};
template <char C>
struct sign_of : pegtl::seq<pegtl::one<C>, blanks> {};
struct plus : sign_of<'+'> {};
struct minus : sign_of<'-'> {};
struct star : pegtl::seq<pegtl::one<'*'>, pegtl::not_at<pegtl::one<'*'>>, blanks> {};
struct slash : sign_of<'/'> {};
struct hat : pegtl::seq<pegtl::sor<pegtl::one<'^'>, pegtl::string<'*', '*'>>, blanks> {};
struct open : sign_of<'('> {};
struct comma : sign_of<','> {};
struct close : sign_of<')'> {};

struct digits : pegtl::plus<pegtl::digit> {};
// Also Fortran's 1.5d3.
struct exponent : pegtl::seq<pegtl::one<'e', 'E', 'd', 'D'>, pegtl::opt<pegtl::one<'+', '-'>>, digits> {};
struct mantissa : pegtl::sor<pegtl::seq<digits, pegtl::opt<pegtl::one<'.'>, pegtl::opt<digits>>>,
                             pegtl::seq<pegtl::one<'.'>, digits>> {};
struct number_text : pegtl::seq<mantissa, pegtl::opt<exponent>> {};
struct number : pegtl::seq<number_text, blanks> {};
struct name_text : pegtl::seq<pegtl::alpha, pegtl::star<pegtl::sor<pegtl::alnum, pegtl::one<'_'>>>> {};
struct name : pegtl::seq<name_text, blanks> {};

struct sum;
struct end_of_text : pegtl::eof {};
struct argument : pegtl::seq<sum> {};
struct called : pegtl::seq<name_text, blanks, pegtl::at<pegtl::one<'('>>> {};
struct call : pegtl::if_must<called, open, argument, pegtl::star<pegtl::if_must<comma, argument>>, close> {};
struct bracketed : pegtl::if_must<open, sum, close> {};
struct primary : pegtl::sor<number, call, name, bracketed> {};
struct signed_power;
struct raised : pegtl::if_must<hat, signed_power> {};
struct power : pegtl::seq<primary, pegtl::opt<raised>> {};
struct signs : pegtl::star<pegtl::one<'+', '-'>, blanks> {};
struct operand : pegtl::seq<power> {};
struct signed_power : pegtl::seq<signs, pegtl::must<operand>> {};
struct times : pegtl::if_must<star, signed_power> {};
struct over : pegtl::if_must<slash, signed_power> {};
struct product : pegtl::seq<signed_power, pegtl::star<pegtl::sor<times, over>>> {};
struct added : pegtl::if_must<plus, product> {};
struct subtracted : pegtl::if_must<minus, product> {};
struct sum : pegtl::seq<product, pegtl::star<pegtl::sor<added, subtracted>>> {};
struct whole : pegtl::seq<blanks, pegtl::must<sum>, pegtl::must<end_of_text>> {};

template <class Rule>
struct action : pegtl::nothing<Rule> {};

// Operators: their position waits until the second operand is there.
template <class Rule>
struct remember {
    template <class Input>
    static void apply(const Input &in, Builder &b) {
        b.positions.push_back(static_cast<std::uint32_t>(position_of(in)));
    }
};
template <>
struct action<plus> : remember<plus> {};
template <>
struct action<minus> : remember<minus> {};
template <>
struct action<star> : remember<star> {};
template <>
struct action<slash> : remember<slash> {};
template <>
struct action<hat> : remember<hat> {};

template <Operation operation>
struct combine {
    static void apply0(Builder &b) { b.binary(operation); }
};
template <>
struct action<added> : combine<Operation::add> {};
template <>
struct action<subtracted> : combine<Operation::subtract> {};
template <>
struct action<times> : combine<Operation::multiply> {};
template <>
struct action<over> : combine<Operation::divide> {};
template <>
struct action<raised> : combine<Operation::power> {};

template <>
struct action<signs> {
    template <class Input>
    static void apply(const Input &in, Builder &b) {
        const std::string_view text = in.string_view();
        b.negative.push_back(std::ranges::count(text, '-') % 2 != 0);
        b.positions.push_back(static_cast<std::uint32_t>(position_of(in)));
    }
};
template <>
struct action<signed_power> {
    static void apply0(Builder &b) {
        if (b.negative.back()) b.unary(Operation::negate, b.positions.back());
        b.negative.pop_back();
        b.positions.pop_back();
    }
};

template <>
struct action<number_text> {
    template <class Input>
    static void apply(const Input &in, Builder &b) {
        std::string text = in.string();
        std::ranges::replace(text, 'd', 'e');
        std::ranges::replace(text, 'D', 'e');
        ExpressionNode node{Operation::number, static_cast<std::uint32_t>(position_of(in)), 0, 0, 0};
        const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), node.number);
        if (error != std::errc() || rest != text.data() + text.size())
            fail(fmt::format("the number '{}' is out of range", text), node.position);
        b.push(node);
    }
};

template <>
struct action<called> {
    template <class Input>
    static void apply(const Input &in, Builder &b) {
        const std::string text = name_in(in);
        const auto known = expression_functions();
        const auto found = std::ranges::find(known, in_lower_case(text), &ExpressionFunction::name);
        if (found == known.end()) fail(fmt::format("there is no function '{}'", text), position_of(in));
        b.calls.push_back({static_cast<std::size_t>(found - known.begin()), position_of(in), 0});
    }
};
template <>
struct action<argument> {
    static void apply0(Builder &b) { ++b.calls.back().arguments; }
};
template <>
struct action<call> {
    static void apply0(Builder &b) {
        const Builder::Call call = b.calls.back();
        b.calls.pop_back();
        const ExpressionFunction &f = expression_functions()[call.function];
        if (call.arguments < f.least || call.arguments > f.most) {
            fail(
                fmt::format("{} takes {} {}, not {}", f.name,
                            f.least == f.most ? fmt::format("{}", f.least) : fmt::format("{} to {}", f.least, f.most),
                            word_for(f.most, "argument"), call.arguments),
                call.position);
        }
        if (call.arguments == 1) return b.unary(f.operation, call.position);
        for (std::size_t i = 1; i < call.arguments; ++i)
            b.binary(f.operation, call.position);
    }
};

template <>
struct action<name> {
    template <class Input>
    static void apply(const Input &in, Builder &b) {
        const std::string text = name_in(in);
        if (!is_parameter_name(text))
            fail(fmt::format("'{}' is a function: its arguments follow in parentheses", text), position_of(in));
        auto &names = b.parsed.names;
        const auto at = std::ranges::find(names, text);
        const auto place = static_cast<std::uint32_t>(at - names.begin());
        if (at == names.end()) names.push_back(text);
        b.push({Operation::name, static_cast<std::uint32_t>(position_of(in)), place, 0, 0});
    }
};

// The message if a rule had to match and did not: the text expected there.
template <class>
inline constexpr const char *expected = "a number, a name or '('";
template <>
inline constexpr const char *expected<close> = "an operator or ')'";
template <>
inline constexpr const char *expected<end_of_text> = "an operator or the end";
template <>
inline constexpr const char *expected<open> = "'('";

template <class Rule>
struct control : pegtl::normal<Rule> {
    template <class Input, class... States>
    [[noreturn]] static void raise(const Input &in, States &&...) {
        const std::string found = in.empty() ? std::string("the end") : fmt::format("'{}'", in.peek_char());
        fail(fmt::format("expected {}, found {}", expected<Rule>, found), in.position().byte + 1);
    }
};

// PEGTL goes one call deeper for each level: the levels are bounded before it sees the text.
void refuse_too_much(std::string_view text) {
    if (text.size() > Expression::longest_text)
        throw ExpressionError(fmt::format("the expression has {} characters; at most {} are taken", text.size(),
                                          Expression::longest_text));
    std::size_t depth = 0, powers = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c < 0x20 && c != '\t') fail("a character that cannot be printed", i + 1);
        if (c > 0x7e) fail("a letter that is not ASCII", i + 1);
        if (c == '(') ++depth;
        if (c == ')' && depth > 0) --depth;
        if (c == '^' || (c == '*' && i > 0 && text[i - 1] == '*')) ++powers;
        if (depth > Expression::deepest) fail("more than 64 parentheses inside each other", i + 1);
        if (powers > Expression::deepest) fail("more than 64 powers", i + 1);
    }
}

} // namespace

ParsedExpression parse_expression(std::string_view text) {
    refuse_too_much(text);
    pegtl::memory_input<pegtl::tracking_mode::lazy> in(text.data(), text.size(), "");
    Builder builder;
    pegtl::parse<whole, action, control>(in, builder);
    return std::move(builder.parsed);
}

} // namespace cpl_lb
