#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/report/report.h"
#include "grader/report/result.h"

/// Learners' answers that the judge is measured with: grader/testdata/answers, whose README says how they are
/// written.
namespace fusebox {

struct Answer {
  std::filesystem::path file;
  std::string puzzle;              ///< "p20"
  bool right = false;              ///< must pass
  bool held = false;               ///< held out: not used for tuning
  std::string entry;               ///< of a wrong one
  std::string kind;                ///< of a wrong one, a word: "scaling"
  std::string cause;               ///< the true one, for people
  std::vector<std::string> says;   ///< regular expressions that the first sentence must match, all of them
  std::vector<std::string> never;  ///< regular expressions that nothing printed may match
  std::string text;
};

/// Reads one file. A line that cannot be understood is an error with its number.
Result<Answer> read_answer(const std::filesystem::path& file);
/// All below `folder`, or those of one puzzle, in the order of their names.
Result<std::vector<Answer>> read_answers(const std::filesystem::path& folder, const std::string& puzzle);

/// The puzzle file that an answer stands for: itself, or its blanks put into the solution.
Result<std::string> file_of(const Answer& answer, const std::string& solution);

/// How the judge fared with an answer.
enum class Fared {
  named,       ///< wrong, and the first sentence names the true cause
  symptom,     ///< wrong, and the first sentence says something true that is not the cause
  misleading,  ///< something false is printed behind the first sentence
  untrue,      ///< the first sentence is false
  passed,      ///< wrong, and it passed
  right,       ///< right, and it passed
  rejected,    ///< right, and it failed
};
const char* to_string(Fared fared);

/// `printed`: all that a learner reads.
Fared fared(const Answer& answer, const Report& report, const std::string& printed);

/// The sentence that is judged: the cause's, else the verdict's.
std::string first_sentence(const Report& report);

}  // namespace fusebox
