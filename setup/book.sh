#!/usr/bin/env bash
# The book without a grader: list, lesson and hint out of the texts that the grader shows, before anything is built. Shared by
# ../fusebox and nothing else. Titles and order come from the specs (grader/catalog/specs), what is solved from build/progress.json.

# The grader shows them itself once it is built and knows every puzzle that there is.
grader_knows_the_book() {
  [[ -x $BUILD/bin/grader && -z $(find "$ROOT/grader/catalog/specs" -newer "$BUILD/bin/grader" -name 'p*.cc' 2>/dev/null) ]]
}

# "id|slug|title|chapter", a line for each puzzle, in their order.
book() {
  awk -F'"' '
    /^  puzzle\.(id|slug|title|chapter) = "/ { split($1, word, /[. ]+/); value[word[3]] = $2 }
    /^  puzzle\.chapter = "/ { print value["id"] "|" value["slug"] "|" value["title"] "|" $2 }
  ' "$ROOT"/grader/catalog/specs/p*.cc | LC_ALL=C sort -t'|' -k1,1
}

# progress ID KEY: what build/progress.json says of it; nothing when it says nothing.
progress() {
  awk -v id="\"$1\": {" -v key="\"$2\":" '
    index($0, id) { inside = 1; next }
    /^ }/ { inside = 0 }
    inside && index($0, key) { sub(/.*: /, ""); sub(/,$/, ""); print }
  ' "$BUILD/progress.json" 2>/dev/null
}

# "id words blanks lines", a line for each puzzle: the lesson's words, the file's blanks and the lines that their markers name.
readings() {
  LC_ALL=C awk '
    FNR == 1 { match(FILENAME, /p[0-9][0-9]_[a-z0-9_]*(\/lesson\.md|\.cu)$/); id = substr(FILENAME, RSTART, 3) }
    FILENAME ~ /\.md$/ { words[id] += NF }
    FILENAME ~ /\.cu$/ && index($0, "// FILL ME IN: ") {
      ++blanks[id]
      if (match($0, /\(roughly [0-9]+/)) lines[id] += substr($0, RSTART + 9, RLENGTH - 9)
    }
    END { for (id in words) print id, words[id], blanks[id] + 0, lines[id] + 0 }
  ' "$ROOT"/assets/puzzles/p*/lesson.md "$ROOT"/solutions/p*.cu
}

# The sentence below `## PART` in the map.
book_sentence() { awk -v part="## $1" '/^## / { inside = $0 == part; next } inside && $0 != "" { print "  " $0 }' "$ROOT/assets/map.md"; }

book_list() {
  local id slug title chapter words blanks lines now='' next='' solved=0 all=0 mark
  local -A reading
  while read -r id words; do reading[$id]=$words; done < <(readings)
  printf '%54s%6s %4s %7s %6s\n' '' words min blanks lines
  while IFS='|' read -r id slug title chapter; do
    if [[ $chapter != "$now" ]]; then
      [[ -z $now ]] || echo
      now=$chapter
      echo "$chapter"
      book_sentence "$chapter"
    fi
    mark=○
    [[ $(progress "$id" tried) != true ]] || mark='~'
    if [[ $(progress "$id" solved) == true ]]; then
      mark=✓
      ((++solved))
    elif [[ -z $next ]]; then
      next=$id
    fi
    ((++all))
    read -r words blanks lines <<<"${reading[$id]}"
    printf '  %s %-4s %-44s %6s %4s %7s %6s\n' "$mark" "$id" "$title" "$words" "$(((words + 199) / 200))" "$blanks" "$lines"
  done < <(book)
  printf '\n%s of %s solved (✓ solved, ~ tried, ○ open). Words and minutes are the lesson'"'"'s,\n' "$solved" "$all"
  echo "lines what a reference needs in the blanks."
  [[ -z $next ]] || echo "next: ./fusebox lesson $next, then ./fusebox grade $next"
}

# asked_for WORD: "id slug" of the puzzle that it names, as the grader takes names: p04, 4, bias_gelu, p04_bias_gelu.
asked_for() {
  local wanted=${1,,} id slug rest
  wanted=${wanted%.cu}
  [[ ! $wanted =~ ^p?([0-9])$ ]] || wanted=p0${BASH_REMATCH[1]}
  [[ ! $wanted =~ ^[0-9]{2}$ ]] || wanted=p$wanted
  while IFS='|' read -r id slug rest; do
    if [[ $wanted == "$id" || $wanted == "$slug" || $wanted == "${id}_$slug" ]]; then
      echo "$id $slug"
      return
    fi
  done < <(book)
  return 1
}

# markdown FILE [SECTION]
markdown() { LC_ALL=C awk -v section="${2:-}" -f "$ROOT/setup/book.awk" "$1"; }

# Remembers that LEVEL hints of ID were shown, in the file as the grader writes it.
remember_hints() {
  local id=$1 level=$2 file=$BUILD/progress.json
  mkdir -p "$BUILD" && [[ -s $file ]] || echo '{}' >"$file" || return
  awk -v id=" \"$id\": {" -v level="$level" -v fresh="$([[ -n $(progress "$id" hints) ]] || echo yes)" '
    fresh && /^{/ {
      print "{"
      print id
      print "  \"hints\": " level
      print " }" ($0 ~ /^[{][}]/ ? "" : ",")
      if ($0 ~ /^[{][}]/) print "}"
      next
    }
    index($0, id) == 1 { inside = 1 }
    /^ }/ { inside = 0 }
    inside && /^  "hints": / { sub(/[0-9]+/, level) }
    { print }
  ' "$file" >"$file.new" && mv "$file.new" "$file"
}

book_hint() {
  local id=$1 file=$2 count level title shown
  count=$(grep -c '^## ' "$file")
  shown=$(progress "$id" hints)
  shown=$((${shown:-0} < count ? ${shown:-0} + 1 : count))
  for ((level = 1; level <= shown; ++level)); do
    title=$(grep '^## ' "$file" | sed -n "${level}s/^## *//p")
    echo "hint $level of $count: $title"
    markdown "$file" "$level"
    echo
  done
  if ((shown < count)); then
    echo "more: ./fusebox hint $id"
  else
    echo "that was the last one; the idea itself: ./fusebox lesson $id"
  fi
  remember_hints "$id" "$shown"
}

# show_book VERB [PUZZLE]
show_book() {
  local id slug folder
  if [[ $1 == list ]]; then
    book_list
    return
  fi
  read -r id slug < <(asked_for "${2:-}") || {
    say "fusebox: ${2:+there is no puzzle \`$2\`; }name one: ./fusebox list shows all"
    exit 2
  }
  folder=$ROOT/assets/puzzles/${id}_$slug
  case $1 in
    lesson) markdown "$folder/lesson.md" ;;
    hint) book_hint "$id" "$folder/hints.md" ;;
  esac
}
