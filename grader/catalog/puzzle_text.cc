#include "grader/catalog/puzzle_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>

#include "grader/report/text/markdown.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

Error malformed(const std::string& file, int line, std::string_view what, std::string_view remedy) {
  return {ErrorKind::missing_part, fmt::format("{}:{}: {}", file, line, what), std::string(remedy)};
}

std::string_view trimmed(std::string_view s) {
  const auto first = s.find_first_not_of(" \t\r");
  if (first == s.npos) return {};
  return s.substr(first, s.find_last_not_of(" \t\r") - first + 1);
}

using Line = MarkdownLine;
using Kind = MarkdownLine::Kind;

/// The second-level heading that a line is.
std::optional<std::string> section_of(const Line& line) {
  if (line.kind != Kind::heading || !line.text.starts_with("## ")) return std::nullopt;
  return std::string(trimmed(line.text.substr(3)));
}

constexpr std::string_view kArrow = " → ";

/// "`from` → `to`"; both may hold anything but a backtick.
std::optional<Edit> edit_of(std::string_view text) {
  text = trimmed(text);
  const auto take = [&]() -> std::optional<std::string> {
    if (!text.starts_with('`')) return std::nullopt;
    const std::size_t end = text.find('`', 1);
    if (end == text.npos) return std::nullopt;
    std::string quoted(text.substr(1, end - 1));
    text.remove_prefix(end + 1);
    return quoted;
  };
  auto from = take();
  if (!from || from->empty() || !text.starts_with(kArrow)) return std::nullopt;
  text.remove_prefix(kArrow.size());
  auto to = take();
  if (!to || !text.empty()) return std::nullopt;
  return Edit{std::move(*from), std::move(*to)};
}

/// Lines that start with '-', '+' or ' ' as one edit of whole lines.
std::optional<Edit> edit_of_diff(const std::vector<std::string_view>& lines) {
  Edit edit;
  for (const std::string_view line : lines) {
    const char kind = line.empty() ? ' ' : line[0];
    const std::string rest = std::string(line.substr(line.empty() ? 0 : 1)) + "\n";
    if (kind != '+') edit.from += rest;
    if (kind != '-') edit.to += rest;
    if (kind != '+' && kind != '-' && kind != ' ') return std::nullopt;
  }
  if (edit.from.empty()) return std::nullopt;
  return edit;
}

/// "wrong answer", "fault (race-shared)", "over budget (launches)"
bool read_reason(std::string_view text, Mutant& mutant) {
  const std::size_t open = text.find(" (");
  const std::string_view kind = text.substr(0, open);
  if (open != text.npos) {
    if (!text.ends_with(')')) return false;
    mutant.detail = text.substr(open + 2, text.size() - open - 3);
  }
  if (kind == "wrong answer") {
    mutant.reason = Reason::wrong_answer;
    return mutant.detail.empty();
  }
  mutant.reason = kind == "fault" ? Reason::fault : Reason::over_budget;
  return (kind == "fault" || kind == "over budget") && !mutant.detail.empty();
}

/// Reads mutants.md line by line; the first error ends it.
class MutantReader {
 public:
  explicit MutantReader(std::string file) : file_(std::move(file)) {}

  std::optional<Error> take(const Line& line) {
    if (auto name = section_of(line)) return open(std::move(*name), line);
    if (line.kind == Kind::fence) return fence(line);
    if (line.kind == Kind::fenced) return block_.push_back(line.text), std::nullopt;
    if (mutants_.empty() || line.kind == Kind::blank) return std::nullopt;
    if (line.text.starts_with("- ")) return item(line);
    return malformed(
        file_, line.number, fmt::format("`{}` belongs to nothing", trimmed(line.text)),
        "under `## name` stand `- says:`, `- entry:`, `- blank:`, `- fails:`, then `- edit:` lines or one block of code");
  }

  Result<std::vector<Mutant>> finish(int lines) {
    if (fence_line_ > 0)
      return malformed(file_, fence_line_, "this block of code is never closed", "add ```");
    if (auto error = close()) return *error;
    if (mutants_.empty())
      return malformed(file_, lines, "no known mistake is listed", "start each with `## name`");
    return std::move(mutants_);
  }

 private:
  std::optional<Error> open(std::string name, const Line& line) {
    if (auto error = close()) return error;
    const bool good = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
    if (!good)
      return malformed(file_, line.number, fmt::format("`{}` is no name of a mistake", name),
                       "lower-case letters, digits and underscores");
    if (!names_.insert(name).second)
      return malformed(file_, line.number, fmt::format("a second mistake is called `{}`", name),
                       "names are unique in a file");
    mutants_.emplace_back();
    mutants_.back().name = std::move(name);
    mutants_.back().line = line.number;
    failing_ = false;
    return std::nullopt;
  }

  std::optional<Error> item(const Line& line) {
    Mutant& mutant = mutants_.back();
    const std::size_t colon = line.text.find(':');
    const std::string_view key = trimmed(line.text.substr(2, colon == line.text.npos ? 0 : colon - 2));
    const std::string_view value = colon == line.text.npos ? "" : trimmed(line.text.substr(colon + 1));
    if (key == "edit") {
      auto edit = edit_of(value);
      if (!edit)
        return malformed(file_, line.number, "this edit cannot be read",
                         "- edit: `what stands there` → `what instead`");
      mutant.edits.push_back(std::move(*edit));
      return std::nullopt;
    }
    std::string* field = key == "says"    ? &mutant.says
                         : key == "entry" ? &mutant.entry
                         : key == "blank" ? &mutant.blank
                                          : nullptr;
    if (key == "fails" && !failing_) {
      failing_ = true;
      if (read_reason(value, mutant)) return std::nullopt;
      return malformed(file_, line.number, fmt::format("`{}` is no way to fail", value),
                       "one of: wrong answer, fault (its kind), over budget (its metric)");
    }
    if (!field || value.empty() || !field->empty())
      return malformed(
          file_, line.number,
          fmt::format("`{}` is not one of says, entry, blank, fails, edit, once and with a value", key),
          "see another puzzle's mutants.md");
    *field = value;
    return std::nullopt;
  }

  std::optional<Error> fence(const Line& line) {
    if (mutants_.empty())
      return malformed(file_, line.number, "a block of code before the first mistake",
                       "start with `## name`");
    if (fence_line_ == 0) {
      fence_line_ = line.number;
      language_ = trimmed(line.text.substr(3));
      block_.clear();
      if (language_ == "cuda" || language_ == "diff") return std::nullopt;
      return malformed(file_, line.number, "a block of code is ```cuda (the blank's whole body) or ```diff",
                       "name its language");
    }
    const int opened = std::exchange(fence_line_, 0);
    Mutant& mutant = mutants_.back();
    if (language_ == "diff") {
      auto edit = edit_of_diff(block_);
      if (!edit)
        return malformed(file_, opened,
                         "lines of a diff start with '-', '+' or ' ', and some do not start with '+'",
                         "write the changed lines as the solution has them, with their indentation");
      mutant.edits.push_back(std::move(*edit));
      return std::nullopt;
    }
    if (!mutant.fragment.empty())
      return malformed(file_, opened, "a second whole body", "a mistake has one ```cuda block");
    for (const std::string_view text : block_) mutant.fragment += std::string(text) + "\n";
    return std::nullopt;
  }

  /// The mistake that has been read last is complete.
  std::optional<Error> close() {
    if (mutants_.empty()) return std::nullopt;
    const Mutant& mutant = mutants_.back();
    std::string lacks;
    const auto need = [&](bool there, const char* what) {
      if (!there) lacks += fmt::format("{}{}", lacks.empty() ? "" : ", ", what);
    };
    need(!mutant.says.empty(), "says"), need(!mutant.entry.empty(), "entry");
    need(!mutant.blank.empty(), "blank"), need(failing_, "fails");
    need(!mutant.edits.empty() || !mutant.fragment.empty(), "an edit or a block of code");
    if (!lacks.empty())
      return malformed(file_, mutant.line, fmt::format("`{}` lacks {}", mutant.name, lacks),
                       "add it below its heading");
    if (!mutant.edits.empty() && !mutant.fragment.empty())
      return malformed(file_, mutant.line, fmt::format("`{}` has edits and a whole body", mutant.name),
                       "one of the two");
    return std::nullopt;
  }

  std::string file_, language_;
  std::vector<Mutant> mutants_;
  std::set<std::string> names_;
  std::vector<std::string_view> block_;
  int fence_line_ = 0;  ///< of the block that is open
  bool failing_ = false;
};

Result<std::string> load(const fs::path& path) {
  std::error_code error;
  std::ifstream file(path, std::ios::binary);
  if (!fs::is_regular_file(path, error) || !file)
    return Error{ErrorKind::missing_part, fmt::format("cannot read {}", path.string()),
                 "a puzzle's texts belong to the checkout: git checkout -- assets"};
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.find_first_not_of(" \t\r\n") == text.npos)
    return malformed(path.string(), 1, "the file is empty", "git checkout -- assets");
  return text;
}

template <class T>
Result<T> load_and(const fs::path& path, Result<T> (*parse)(const std::string&, const std::string&)) {
  const auto text = load(path);
  if (!text) return text.error();
  return parse(*text, path.string());
}

}  // namespace

Result<std::vector<Hint>> parse_hints(const std::string& text, const std::string& file) {
  std::vector<Hint> hints;
  std::vector<int> at;
  for (const Line& line : markdown_lines(text)) {
    if (auto title = section_of(line)) {
      hints.push_back({std::move(*title), {}});
      at.push_back(line.number);
    } else if (!hints.empty()) {
      hints.back().body += std::string(line.text) + "\n";
    }
  }
  if (hints.empty()) return malformed(file, 1, "there is no hint", "start each with `## title`");
  for (std::size_t i = 0; i < hints.size(); ++i) {
    std::string& body = hints[i].body;
    body.erase(0, body.find_first_not_of('\n'));
    while (body.ends_with('\n')) body.pop_back();
    if (trimmed(body).empty())
      return malformed(file, at[i], fmt::format("the hint `{}` says nothing", hints[i].title),
                       "write it below its heading");
  }
  return hints;
}

Result<std::vector<Mutant>> parse_mutants(const std::string& text, const std::string& file) {
  MutantReader reader(file);
  const auto lines = markdown_lines(text);
  for (const Line& line : lines)
    if (auto error = reader.take(line)) return *error;
  return reader.finish(static_cast<int>(lines.size()));
}

Result<std::string> mutated(const Mutant& mutant, const std::string& body) {
  if (mutant.edits.empty()) return mutant.fragment;
  std::string text = body;
  for (const Edit& edit : mutant.edits) {
    const std::size_t at = text.find(edit.from);
    const bool once = at != text.npos && text.find(edit.from, at + 1) == text.npos;
    if (!once)
      return Error{ErrorKind::missing_part,
                   fmt::format("`{}` edits `{}`, which is in blank `{}` {}", mutant.name,
                               trimmed(edit.from.substr(0, edit.from.find('\n'))), mutant.blank,
                               at == text.npos ? "nowhere" : "more than once"),
                   "write as much of the solution's text as is there exactly once"};
    text.replace(at, edit.from.size(), edit.to);
  }
  return text;
}

TextFiles::TextFiles(const fs::path& texts, const Puzzle& puzzle) {
  const fs::path folder = texts / (puzzle.id + "_" + puzzle.slug);
  lesson = folder / "lesson.md";
  hints = folder / "hints.md";
  mutants = folder / "mutants.md";
}

Result<std::string> load_lesson(const TextFiles& files) { return load(files.lesson); }
Result<std::vector<Hint>> load_hints(const TextFiles& files) { return load_and(files.hints, parse_hints); }
Result<std::vector<Mutant>> load_mutants(const TextFiles& files) {
  return load_and(files.mutants, parse_mutants);
}

}  // namespace fusebox
