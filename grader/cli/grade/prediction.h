#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/catalog/puzzle.h"
#include "grader/report/report.h"
#include "grader/report/result.h"

namespace fusebox {

/// What a learner expects of a puzzle's last entry before the first grade. Typed as
/// "1 x=1 weight=4 out=1": launches, then passes over tensors that no cache saves, as far
/// as one likes.
struct Prediction {
  std::optional<std::uint64_t> launches;
  std::vector<std::pair<std::string, double>> passes;
  bool operator==(const Prediction&) const = default;
};

/// Tensors that the host function of a puzzle is given, by their names.
std::vector<std::string> tensors_of(const Puzzle& puzzle);

/// An error says in a sentence what was expected; nothing typed is an empty prediction.
Result<Prediction> parse_prediction(const std::string& text, const std::vector<std::string>& tensors);

/// The question, with an example of its answer.
std::string prediction_question(const Puzzle& puzzle);

/// One sentence: what was predicted and what was counted of the last entry, the learner's own kernels where
/// they ran, else the reference's. Empty while nothing was counted.
std::string score(const Prediction& prediction, const Report& report);

}  // namespace fusebox
