#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "grader/report/result.h"

namespace fusebox {

/// What a learner has done with one puzzle.
struct PuzzleProgress {
  bool tried = false, solved = false;
  int hints = 0;           ///< how many levels were shown
  bool asked = false;      ///< for a prediction, answered or not
  std::string prediction;  ///< as it was typed (cli/grade/prediction.h); empty: none
  bool scored = false;     ///< it was compared with what was counted
  bool operator==(const PuzzleProgress&) const = default;
};

/// build/progress.json: remembered between runs, and no grade depends on it.
class Progress {
 public:
  /// A missing or damaged file is an empty record: it is a convenience and worth no error.
  static Progress load(const std::filesystem::path& path);

  PuzzleProgress of(const std::string& id) const;
  void set(const std::string& id, PuzzleProgress progress) { puzzles_[id] = progress; }
  std::optional<Error> save() const;

 private:
  std::filesystem::path path_;
  std::map<std::string, PuzzleProgress> puzzles_;
};

}  // namespace fusebox
