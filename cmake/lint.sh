#!/bin/sh
# Style and lint: lint.sh BUILD_FOLDER [FILE...]
#   1. clang-format on all C and C++ files that git knows;
#   2. no two types of one name in the headers of libcpl_lb: the linker would take members of one for the other;
#   3. clang-tidy (.clang-tidy) on the files of libcpl_lb in BUILD_FOLDER/compile_commands.json, or on the FILEs given;
#      files that passed before as they are now, with their headers, are not looked at again (lint_passed.py).
#      lint.sh --record BUILD_FOLDER: all of them, whatever the list says; a good end writes the list anew.
# CPL_LB_LINT_JOBS: at once, 2 if not set. CLANG_FORMAT, CLANG_TIDY: other programs. Exit status 1: something to mend.
set -eu

record=''
if [ "${1:-}" = --record ]; then
    record=yes
    shift
fi
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

# One process for each file; a file that several targets compile is checked once for each of them.
tidied() {
    if [ $# -gt 0 ]; then
        printf '%s\n' "$@"
    else
        sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$build/compile_commands.json" | grep "^$source/libcpl_lb/.*\.cpp$" | sort -u
    fi
}
if [ -z "$(tidied "$@")" ]; then
    echo "lint.sh: no file of libcpl_lb in $build/compile_commands.json" >&2
    exit 2
fi
todo() {
    if [ -n "$record" ] || [ $# -gt 0 ]; then
        tidied "$@"
    else
        tidied | xargs "$here/lint_passed.py" todo
    fi
}
todo "$@" | tr '\n' '\0' |
    xargs -0 -r -n 1 -P "${CPL_LB_LINT_JOBS:-2}" "${CLANG_TIDY:-clang-tidy}" -p "$build" --quiet || status=1
if [ -n "$record" ] && [ "$status" = 0 ]; then
    tidied "$@" | xargs "$here/lint_passed.py" record
fi

exit $status
