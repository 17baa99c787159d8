# Markdown for a terminal, word for word as grader/cli/render/markdown.cc and wrapped() in grader/cli/render/style.cc have it without colours: what
# the launcher shows before anything is built. Run it with LC_ALL=C: columns are counted by bytes that begin a character.
# With -v section=N: only the body below the N-th `## heading` (a hint), after a line that the caller makes of its title.

function width(text) { gsub(/[\200-\277]/, "", text); return length(text) }
function spaces(count,   text) { while (length(text) < count) text = text " "; return text }
# A line that fits stays as it was set; a longer one is broken at spaces, behind its own indentation.
function wrap(text, indent,   own, line, words, count, i, first) {
  if (width(text) + indent <= 80) { out(text == "" ? "" : spaces(indent) text); return }
  match(text, /^ */)
  own = spaces(RLENGTH)
  line = own
  first = 1
  count = split(substr(text, RLENGTH + 1), words, / +/)
  for (i = 1; i <= count; ++i) {
    if (words[i] == "") continue
    if (!first && width(line) + 1 + width(words[i]) + indent > 80) {
      out(spaces(indent) line)
      line = own
      first = 1
    }
    line = line (first ? "" : " ") words[i]
    first = 0
  }
  out(spaces(indent) line)
}
function out(line) { print line }
function flush() {
  if (paragraph == "") return
  gsub(/\*\*/, "", paragraph)
  wrap(paragraph, 0)
  paragraph = ""
}
# What is drawn or aligned stays as it was set.
function show(line,   item) {
  if (line ~ /^```/) {
    flush()
    code = !code
  } else if (code || line ~ /^\|/ || line ~ /^    /) {
    flush()
    if (line ~ /^\|/ && !code) wrap(line, 2)
    else out((code ? "    " : "") line)
  } else if (line ~ /^#/) {
    flush()
    sub(/^[# ]*/, "", line)
    out(line)
  } else if (line == "") {
    flush()
    out("")
  } else {
    item = line ~ /^[-*] / || line ~ /^[0-9][0-9]?\. /
    if (item) flush()
    if (paragraph != "") sub(/^ */, "", line)
    paragraph = paragraph (paragraph == "" ? "" : " ") line
  }
}

section == "" { show($0); next }
/^## / { ++number; next }
number == section {
  if ($0 == "" && !begun) next
  begun = 1
  # Empty lines at the end are no part of it.
  if ($0 == "") { ++empty; next }
  for (; empty > 0; --empty) show("")
  show($0)
}
END { flush() }
