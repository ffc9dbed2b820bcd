#!/bin/sh
# Makes docs/pictures/page.png anew: what stands first on the page of data/runs/before, and its timeline.
# Usage: page.sh CPL-LB   (needs chromium and imagemagick; keep it below 150 kB)
set -eu
command=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$command" report "$here/../../data/runs/before" -o "$work/page.html"
# Two of the page's sections, without what only a mouse can use.
cat >> "$work/page.html" <<'END'
<style>
nav, .tools, .tool, #timeline-help, #timeline-state, #timeline-notes, label, select { display: none !important }
main > section { display: none } main > section:first-of-type, #timeline { display: block }
</style>
END
chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars --window-size=1150,1145 --virtual-time-budget=5000 \
  --screenshot="$work/page.png" "file://$work/page.html" 2> "$work/log"
convert "$work/page.png" +dither -colors 255 "PNG8:$here/page.png"
