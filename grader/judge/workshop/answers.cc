#include "grader/judge/workshop/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "grader/judge/source/source_file.h"
#include "grader/toolchain/blanks.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

/// Without backticks, on one line: how the expressions want it.
std::string flattened(const std::string& text) {
  std::string flat;
  for (const char c : text) {
    if (c == '`') continue;
    const bool space = c == '\n' || c == ' ' || c == '\t';
    if (space && flat.ends_with(' ')) continue;
    flat += space ? ' ' : c;
  }
  return flat;
}

bool matches(const std::string& text, const std::string& expression) {
  return std::regex_search(text, std::regex(expression, std::regex::ECMAScript | std::regex::icase));
}

bool is_expression(const std::string& text) {
  try {
    const std::regex tried(text);
    return true;
  } catch (const std::regex_error&) {
    return false;
  }
}

/// Takes one `// WORD: ...` line; false when it is none of an answer's.
bool take_line(const std::string& line, Answer& answer) {
  const std::size_t colon = line.find(": ");
  if (!line.starts_with("// ") || colon == line.npos) return false;
  const std::string word = line.substr(3, colon - 3), value = line.substr(colon + 2);
  if (word == "ENTRY")
    answer.entry = value;
  else if (word == "CLASS")
    answer.kind = value;
  else if (word == "CAUSE" || word == "STYLE")
    answer.cause = value;
  else if (word == "HELD")
    answer.held = value == "yes";
  else if (word == "SAYS")
    answer.says.push_back(value);
  else if (word == "NEVER")
    answer.never.push_back(value);
  else
    return false;
  return true;
}

}  // namespace

Result<Answer> read_answer(const fs::path& file) {
  const auto source = read_source(file);
  if (!source) return source.error();
  Answer answer;
  answer.file = file;
  answer.text = source->text;
  answer.right = file.parent_path().filename() == "right";
  answer.puzzle = file.parent_path().parent_path().filename();
  const auto bad = [&](int line, const std::string& what) {
    return Error{ErrorKind::missing_part, fmt::format("{}:{}: {}", file.string(), line, what),
                 "grader/testdata/answers/README.md says what stands there"};
  };
  int line = 1;
  while (take_line(source->line(line), answer)) ++line;
  for (const auto* list : {&answer.says, &answer.never})
    for (const std::string& expression : *list)
      if (!is_expression(expression))
        return bad(line, fmt::format("`{}` is no regular expression", expression));
  if (!answer.right && (answer.entry.empty() || answer.kind.empty() || answer.says.empty()))
    return bad(line, "a wrong answer has ENTRY, CLASS and SAYS");
  return answer;
}

Result<std::vector<Answer>> read_answers(const fs::path& folder, const std::string& puzzle) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".cu" &&
        (puzzle.empty() || it->path().parent_path().parent_path().filename() == puzzle))
      files.push_back(it->path());
  if (error || files.empty())
    return Error{ErrorKind::missing_part, fmt::format("there are no answers in {}", folder.string()),
                 "git checkout -- grader/testdata/answers"};
  std::sort(files.begin(), files.end());
  std::vector<Answer> answers;
  for (const fs::path& file : files) {
    auto answer = read_answer(file);
    if (!answer) return answer.error();
    answers.push_back(std::move(*answer));
  }
  return answers;
}

Result<std::string> file_of(const Answer& answer, const std::string& solution) {
  if (answer.text.find("#include <cuda_runtime.h>") != std::string::npos) return answer.text;
  const auto blanks = find_blanks(answer.text);
  if (!blanks) return blanks.error();
  std::string text = solution;
  for (const Blank& blank : *blanks) {
    auto next = graft_blank(text, blank.name, blank.body);
    if (!next) return next.error();
    text = std::move(*next);
  }
  return text;
}

const char* to_string(Fared fared) {
  switch (fared) {
    case Fared::named:
      return "named";
    case Fared::symptom:
      return "symptom";
    case Fared::misleading:
      return "misleading";
    case Fared::untrue:
      return "false";
    case Fared::passed:
      return "passed";
    case Fared::right:
      return "right";
    case Fared::rejected:
      return "rejected";
  }
  return "?";
}

std::string first_sentence(const Report& report) {
  for (const EntryReport& entry : report.entries)
    if (entry.cause) return entry.cause->sentence;
  return report.verdict_text;
}

Fared fared(const Answer& answer, const Report& report, const std::string& printed) {
  const bool passed = report.verdict == Outcome::passed;
  if (answer.right) return passed ? Fared::right : Fared::rejected;
  if (passed) return Fared::passed;
  const std::string first = flattened(first_sentence(report)), all = flattened(printed);
  const auto in = [](const std::string& text) {
    return [&text](const std::string& expression) { return matches(text, expression); };
  };
  if (std::any_of(answer.never.begin(), answer.never.end(), in(first))) return Fared::untrue;
  if (std::any_of(answer.never.begin(), answer.never.end(), in(all))) return Fared::misleading;
  return std::all_of(answer.says.begin(), answer.says.end(), in(first)) ? Fared::named : Fared::symptom;
}

}  // namespace fusebox
