#!/bin/sh
# Style and lint: lint.sh BUILD_FOLDER [FILE...]
#   1. clang-format on all C and C++ files that git knows;
#   2. no two types of one name in the headers of libcpl_lb: the linker would take members of one for the other;
#   3. clang-tidy (.clang-tidy) on every file of libcpl_lb, each time; or on the FILEs given, one by one, as they are
#      compiled in BUILD_FOLDER. Without FILEs several files are one unit, as in CMake's unity build, so that the headers
#      they share are read once: a sixth of the time. What looks at the main file only (unused using-declarations) then
#      sees nothing: it needs FILEs.
#   4. clang-tidy on every file of tests and examples, in units too (lint_units.py). Not there: products of two small
#      constants of a test that are widened, C11's memcpy_s, which no C library of ours has, and names as
#      _POSIX_C_SOURCE, which are made to be defined; parentheses that a macro of a function's parameters cannot have.
# CPL_LB_LINT_JOBS: at once, 2 if not set. CLANG_FORMAT, CLANG_TIDY: other programs. Exit status 1: something to mend.
set -eu

if [ $# -lt 1 ] || [ ! -f "$1/compile_commands.json" ]; then
    echo "usage: lint.sh BUILD_FOLDER [FILE...]; BUILD_FOLDER is one that cmake configured" >&2
    exit 2
fi
build=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/.." && pwd)
cd "$source"
status=0

git ls-files -z '*.c' '*.h' '*.cpp' '*.hpp' |
    xargs -0 "${CLANG_FORMAT:-clang-format}" --dry-run -Werror || status=1

doubles=$(git grep -hoE '^(struct|class|enum class) [A-Z][A-Za-z]+( final)?( :.*)? \{$' -- 'libcpl_lb/*.hpp' |
    sed -E 's/^(struct|class|enum class) ([A-Za-z]+).*/\2/' | sort | uniq -d)
if [ -n "$doubles" ]; then
    echo "lint.sh: defined in two headers: $doubles" >&2
    status=1
fi

# At the end of a pipe, where an assignment would be lost: its status is looked at there.
tidy() { xargs -0 -r -n 1 -P "${CPL_LB_LINT_JOBS:-2}" "${CLANG_TIDY:-clang-tidy}" --quiet "$@"; }
if [ $# -gt 0 ]; then
    printf '%s\0' "$@" | tidy -p "$build" || status=1
    exit $status
fi

units=$source/build/lint
log=$units.cmake.log # run-tests writes what this script says into build/lint.log
cmake -S "$source" -B "$units" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_UNITY_BUILD=ON \
    -DCMAKE_UNITY_BUILD_BATCH_SIZE=40 -DCPL_LB_FORTRAN=OFF -DCPL_LB_TESTS=OFF > "$log" 2>&1 ||
    { cat "$log" >&2; exit 1; }
# The page's texts as a source: from the build, if it has them; CMake would compile half of the library ahead of them.
assets=libcpl_lb/page/page_assets.cpp
mkdir -p "$units/${assets%/*}"
cp "$build/$assets" "$units/$assets" 2> /dev/null || cmake --build "$units" --target "$assets" > "$log" 2>&1 ||
    { cat "$log" >&2; exit 1; }
files=$(sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$units/compile_commands.json" | sort -u |
    grep -e "^$units/libcpl_lb/.*/Unity/" -e "^$units/CMakeFiles/.*/Unity/" -e "^$source/libcpl_lb/")
# Every file is looked at: alone, or in a unit.
seen=$(printf '%s\n' "$files" | grep '/Unity/' | xargs sed -n 's/^#include "\(.*\)"$/\1/p'; printf '%s\n' "$files")
for file in $(git ls-files 'libcpl_lb/*.cpp' ':!libcpl_lb/adapters/' ':!libcpl_lb/export/no_otf2.cpp'); do
    case "$seen" in *"$source/$file"*) ;; *) echo "lint.sh: nothing compiles $file" >&2; status=1 ;; esac
done
printf '%s\n' "$files" | tr '\n' '\0' |
    tidy -p "$units" --checks=-bugprone-suspicious-include --header-filter='(libcpl_lb|include/cpl_lb)/' || status=1

python3 "$here/lint_units.py" "$build" "$units/tests" > "$units.tests" || status=1
# The adapters are compiled in the user's build; here the tests do.
git ls-files -z 'libcpl_lb/adapters/*.cpp' | tidy -p "$units/tests" --header-filter='(libcpl_lb|include/cpl_lb)/' || status=1
tr '\n' '\0' < "$units.tests" |
    tidy -p "$units/tests" --header-filter='(tests|examples)/' --checks="-bugprone-suspicious-include,\
-bugprone-implicit-widening-of-multiplication-result,-bugprone-reserved-identifier,-bugprone-macro-parentheses,\
-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling" || status=1
exit $status
