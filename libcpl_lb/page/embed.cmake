# cmake -DOUT=FILE.cpp -DSHARED_STYLE=a.css -DSHARED_SCRIPTS=a.js -DSTYLE=a.css;b.css -DBODY=a.html -DSCRIPTS=a.js;b.js -P embed.cmake
# The files as string literals of one C++ source, in the order given.
function(literals function files)
  set(text "\nstd::span<const std::string_view> ${function}() {\n    using namespace std::string_view_literals;\n")
  string(APPEND text "    static constexpr std::string_view pieces[] = {\n")
  foreach(file IN LISTS files)
    file(READ "${file}" hex HEX)
    # As bytes, because a literal may hold no more than 65,536 characters and no raw delimiter of its own.
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1\"\"" hex "${hex}")
    string(APPEND text "        \"${hex}\"sv,\n")
  endforeach()
  string(APPEND text "    };\n    return pieces;\n}\n")
  set(result "${result}${text}" PARENT_SCOPE)
endfunction()

set(result "// Made by embed.cmake from page/assets.\n#include \"page/page_file.hpp\"\n\nnamespace cpl_lb {\n")
literals(shared_style "${SHARED_STYLE}")
literals(shared_scripts "${SHARED_SCRIPTS}")
literals(page_style "${STYLE}")
literals(page_body "${BODY}")
literals(page_scripts "${SCRIPTS}")
file(WRITE "${OUT}" "${result}\n} // namespace cpl_lb\n")
