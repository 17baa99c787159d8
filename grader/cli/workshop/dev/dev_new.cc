#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "grader/catalog/puzzle_text.h"
#include "grader/cli/verbs/verbs.h"
#include "grader/toolchain/blanks.h"
#include "grader/toolchain/cache/files.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

/// What `dev new` was asked for.
struct NewPuzzle {
  std::string id, slug, title;
};

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
}

/// A skeleton of grader/catalog/skeletons with the puzzle's names in it.
Result<std::string> filled_in(const WorkspacePaths& paths, const char* name, const NewPuzzle& puzzle) {
  const fs::path path = paths.root / "grader" / "catalog" / "skeletons" / name;
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return Error{ErrorKind::missing_part, fmt::format("cannot read {}", path.string()),
                 "git checkout -- grader/catalog/skeletons"};
  std::string text{std::istreambuf_iterator<char>(file), {}};
  replace_all(text, "@ID@", puzzle.id), replace_all(text, "@SLUG@", puzzle.slug);
  replace_all(text, "@TITLE@", puzzle.title);
  return text;
}

std::optional<Error> check_names(const NewPuzzle& puzzle) {
  const auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  const auto of_slug = [&](unsigned char c) { return std::islower(c) != 0 || digit(c) || c == '_'; };
  const std::string &id = puzzle.id, &slug = puzzle.slug, &title = puzzle.title;
  if (id.size() != 3 || id[0] != 'p' || !std::all_of(id.begin() + 1, id.end(), digit) || slug.empty() ||
      std::islower(static_cast<unsigned char>(slug[0])) == 0 ||
      !std::all_of(slug.begin(), slug.end(), of_slug))
    return Error{ErrorKind::wrong_usage, "a puzzle needs an id like p41 and a slug like scan_block",
                 "./fusebox dev new p41 scan_block \"Scan in a block\""};
  // It becomes part of a string in C++ and of a comment.
  if (title.find_first_of("\"\\\n\r") != title.npos)
    return Error{ErrorKind::wrong_usage, "a title is one line without quotes and backslashes",
                 "choose another"};
  if (find_puzzle(id) || find_puzzle(slug))
    return Error{ErrorKind::wrong_usage, fmt::format("{} or {} is taken", id, slug), "./fusebox list"};
  return std::nullopt;
}

}  // namespace

int dev_new_verb(const WorkspacePaths& paths, const Options& options) {
  const NewPuzzle names{options.puzzle, options.slug, options.title.empty() ? options.slug : options.title};
  if (auto error = check_names(names)) return fail(*error);
  Puzzle puzzle;
  puzzle.id = names.id, puzzle.slug = names.slug;
  const TextFiles texts(paths.texts(), puzzle);
  struct File {
    const char* skeleton;
    fs::path path;
    std::string text;
  };
  std::array<File, 5> files{File{"solution.cu", paths.solutions() / puzzle.file_name(), {}},
                            File{"spec.cc.in", paths.spec(puzzle.id + "_" + puzzle.slug), {}},
                            File{"lesson.md", texts.lesson, {}}, File{"hints.md", texts.hints, {}},
                            File{"mutants.md", texts.mutants, {}}};
  for (File& file : files) {
    auto text = filled_in(paths, file.skeleton, names);
    if (!text) return fail(text.error());
    file.text = std::move(*text);
  }
  const auto stripped = strip_blanks(files[0].text);
  if (!stripped) return fail(stripped.error());
  const fs::path given = paths.puzzles() / puzzle.file_name();
  std::error_code error;
  for (const File& file : files)
    if (fs::exists(file.path, error) || fs::exists(given, error))
      return fail({ErrorKind::wrong_usage,
                   fmt::format("{} is there already, or {}", shown(file.path), shown(given)),
                   "choose another id, or remove it"});
  fs::create_directories(texts.lesson.parent_path(), error);
  for (const File& file : files) {
    if (auto failure = write_atomically(file.path, file.text)) return fail(*failure);
    fmt::print("wrote {}\n", shown(file.path));
  }
  if (auto failure = write_atomically(given, *stripped)) return fail(*failure);
  fmt::print("wrote {} (the solution without its answers; `./fusebox dev skeletons` makes it anew)\n",
             shown(given));
  fmt::print("next: ./fusebox dev check {}     it lists what is left to write, and says when all is well\n",
             names.id);
  return 0;
}

}  // namespace fusebox
