#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>

#include "grader/cli/render/style.h"
#include "grader/cli/verbs/progress.h"
#include "grader/cli/verbs/verbs.h"

namespace fusebox {
namespace {

// What lies before a reader. setup/book.sh counts the same, with awk.
struct Reading {
  std::size_t words = 0;   // of the lesson
  std::size_t blanks = 0;  // of the file
  int lines = 0;           // that the blanks take, as their markers say
};

Reading reading_of(const WorkspacePaths& paths, const Puzzle& puzzle) {
  Reading reading;
  const std::string name = puzzle.id + "_" + puzzle.slug;
  std::ifstream lesson(paths.texts() / name / "lesson.md");
  for (std::string word; lesson >> word;) ++reading.words;
  std::ifstream solution(paths.solutions() / (name + ".cu"));
  for (std::string line; std::getline(solution, line);) {
    if (line.find("// FILL ME IN: ") == line.npos) continue;
    ++reading.blanks;
    const std::string before = "(roughly ";
    if (const std::size_t at = line.find(before); at != line.npos)
      reading.lines += std::atoi(line.c_str() + at + before.size());
  }
  return reading;
}

// Most people read about two hundred words of such a text in a minute.
std::size_t minutes(const Reading& reading) { return (reading.words + 199) / 200; }

// The sentence below each `## part` of the map.
std::map<std::string, std::string> sentences(const std::filesystem::path& map) {
  std::map<std::string, std::string> found;
  std::ifstream file(map);
  std::string part;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("## ", 0) == 0)
      part = line.substr(3);
    else if (!line.empty() && !part.empty())
      found[part] = line;
  }
  return found;
}

}  // namespace

int list_verb(const WorkspacePaths& paths, const Options& options) {
  const Style style = style_for(STDOUT_FILENO, options.no_color);
  const Progress progress = Progress::load(paths.progress());
  const std::map<std::string, std::string> after = sentences(paths.assets() / "map.md");
  fmt::print("{}\n",
             style.quiet(fmt::format("{:54}{:>6} {:>4} {:>7} {:>6}", "", "words", "min", "blanks", "lines")));
  std::string chapter;
  std::string next;
  std::size_t solved = 0;
  for (const Puzzle& puzzle : puzzles()) {
    if (puzzle.chapter != chapter) {
      if (!chapter.empty()) fmt::print("\n");
      chapter = puzzle.chapter;
      fmt::print("{}\n", style.strong(chapter));
      if (const auto one = after.find(chapter); one != after.end()) fmt::print("  {}\n", one->second);
    }
    const PuzzleProgress one = progress.of(puzzle.id);
    solved += one.solved;
    if (!one.solved && next.empty()) next = puzzle.id;
    const Reading reading = reading_of(paths, puzzle);
    fmt::print("  {} {:<4} {:<44} {:>6} {:>4} {:>7} {:>6}\n",
               one.solved  ? style.good("✓")
               : one.tried ? style.open("~")
                           : style.quiet("○"),
               puzzle.id, puzzle.title, reading.words, minutes(reading), reading.blanks, reading.lines);
  }
  fmt::print(
      "\n{} of {} solved (✓ solved, ~ tried, ○ open). Words and minutes are the lesson's,\n"
      "lines what a reference needs in the blanks.\n",
      solved, puzzles().size());
  if (!next.empty()) fmt::print("next: {0} lesson {1}, then {0} grade {1}\n", paths.command, next);
  return 0;
}

}  // namespace fusebox
