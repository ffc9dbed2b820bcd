// fmt is compiled here, once: header-only, every file of the project would compile it again (more than half of the
// time that a build takes). All files see it as namespace cpl_lb_fmt (a compile definition), so that a model which
// links fmt itself never meets two of them. Where this does not go with the fmt at hand, CMake falls back to
// header-only.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {

template auto dragonbox::to_decimal(float x) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double x) noexcept -> dragonbox::decimal_fp<double>;
template locale_ref::locale_ref(const std::locale &locale);
template auto locale_ref::get<std::locale>() const -> std::locale;
template auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;
template void buffer<char>::append(const char *, const char *);
template void vformat_to(buffer<char> &, string_view, basic_format_args<buffer_context<char>>, locale_ref);

} // namespace detail
FMT_END_NAMESPACE
