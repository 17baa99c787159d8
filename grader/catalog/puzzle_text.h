#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/catalog/puzzle.h"
#include "grader/report/result.h"

/// What of a puzzle is text: assets/puzzles/pNN_slug/{lesson,hints,mutants}.md. Read when it is needed, so
/// that an edit needs no build, and a malformed file is a sentence with its line that concerns no other
/// puzzle.
namespace fusebox {

/// One section of hints.md: `## title`, then Markdown.
struct Hint {
  std::string title, body;
};

/// Why a mutant must fail.
enum class Reason { wrong_answer, fault, over_budget };

/// A place in a blank, and what stands there instead.
struct Edit {
  std::string from, to;
};

/// The reference with one blank replaced by a known mistake: edits of the solution's own text, or a whole
/// fragment.
struct Mutant {
  std::string name;   ///< "no_beta"
  std::string says;   ///< completes "this is ...": "LayerNorm without beta"
  std::string entry;  ///< the entry that must fail
  std::string blank;  ///< which blank it changes
  Reason reason = Reason::wrong_answer;
  std::string detail;       ///< fault: the Fault's kind; over_budget: the metric's tag; wrong_answer: empty
  std::vector<Edit> edits;  ///< one after the other
  std::string fragment;     ///< where there are no edits: the blank's whole body
  int line = 0;             ///< of its heading in mutants.md
};

/// `file` is what errors call the text. Errors say file, line and what was expected there.
Result<std::vector<Hint>> parse_hints(const std::string& text, const std::string& file);
Result<std::vector<Mutant>> parse_mutants(const std::string& text, const std::string& file);

/// The blank's body with the mistake made. An edit whose `from` does not occur exactly once is an error.
Result<std::string> mutated(const Mutant& mutant, const std::string& body);

/// Where the texts of a puzzle lie: `texts`/pNN_slug/. `texts` is assets/puzzles.
struct TextFiles {
  TextFiles(const std::filesystem::path& texts, const Puzzle& puzzle);
  std::filesystem::path lesson, hints, mutants;
};

/// The whole file; one that is missing or empty is an error that names it.
Result<std::string> load_lesson(const TextFiles& files);
Result<std::vector<Hint>> load_hints(const TextFiles& files);
Result<std::vector<Mutant>> load_mutants(const TextFiles& files);

}  // namespace fusebox
