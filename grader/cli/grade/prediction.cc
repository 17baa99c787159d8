#include "grader/cli/grade/prediction.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "grader/judge/budgets/ledger.h"
#include "grader/judge/budgets/metrics.h"

namespace fusebox {
namespace {

constexpr double kMax = 1e6;

std::optional<double> number(const std::string& word) {
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (word.empty() || *end != '\0' || !(value >= 0) || value > kMax) return std::nullopt;
  return value;
}

/// Halves are told apart; a pass over all but the tail of a tensor is one.
double rounded(double passes) { return std::round(passes * 2) / 2; }

std::string times(double passes) { return fmt::format("{:g}x", rounded(passes)); }

}  // namespace

std::vector<std::string> tensors_of(const Puzzle& puzzle) {
  Case smallest = puzzle.cases.front();
  const auto elements = [](const Case& c) {
    double all = 1;
    for (const auto& [name, size] : c.sizes) all *= static_cast<double>(size);
    return all;
  };
  for (const Case& c : puzzle.cases)
    if (elements(c) < elements(smallest)) smallest = c;
  Random random(1);
  std::vector<std::string> names;
  for (const Argument& argument : puzzle.make(smallest, random).arguments)
    if (const auto* tensor = std::get_if<Tensor>(&argument); tensor && !tensor->on_host)
      names.push_back(tensor->name);
  return names;
}

Result<Prediction> parse_prediction(const std::string& text, const std::vector<std::string>& tensors) {
  Prediction prediction;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string name = equals == std::string::npos ? "" : word.substr(0, equals);
    const auto value = number(equals == std::string::npos ? word : word.substr(equals + 1));
    const bool known = std::find(tensors.begin(), tensors.end(), name) != tensors.end();
    if (!value ||
        (equals == std::string::npos ? prediction.launches || *value != std::floor(*value) : !known))
      return Error{ErrorKind::wrong_usage, fmt::format("`{}` is not understood", word),
                   fmt::format("launches, then tensor=passes; the tensors are {}", fmt::join(tensors, ", "))};
    if (equals == std::string::npos)
      prediction.launches = static_cast<std::uint64_t>(*value);
    else
      prediction.passes.emplace_back(name, *value);
  }
  return prediction;
}

std::string prediction_question(const Puzzle& puzzle) {
  const std::vector<std::string> tensors = tensors_of(puzzle);
  const std::string entry =
      puzzle.entries.size() > 1 ? fmt::format(" of `{}`", puzzle.entries.back().name) : "";
  return fmt::format(
      "Before the first grade, a guess: how many launches{}, and how many passes over each tensor that no cache saves?\nTensors: {}. For instance: 2 {}=3 {}=1\nEnter alone skips. This is asked once.\n",
      entry, fmt::join(tensors, ", "), tensors.front(), tensors.back());
}

std::string score(const Prediction& prediction, const Report& report) {
  if (report.entries.empty()) return {};
  const EntryReport& entry = report.entries.back();
  const std::optional<SideRun>& side = entry.student ? entry.student : entry.reference;
  if (!side) return {};
  std::size_t all = 0;
  std::vector<std::string> wrong;
  const auto judge = [&](const std::string& what, const std::string& guessed, const std::string& counted) {
    ++all;
    if (guessed != counted) wrong.push_back(fmt::format("{} {}, you guessed {}", what, counted, guessed));
  };
  const Metric* launches = find_metric(side->metrics, "launches");
  if (prediction.launches && launches && launches->value)
    judge("launches", fmt::format("{}", *prediction.launches), fmt::format("{:g}", *launches->value));
  const std::vector<TensorTraffic> ledger = ledger_of(side->launches);
  for (const auto& [tensor, guessed] : prediction.passes) {
    double counted = 0;  // what was never accessed is in no ledger
    for (const TensorTraffic& row : ledger)
      if (row.tensor == tensor && row.buffer_bytes > 0)
        counted = static_cast<double>(row.compulsory_read + row.compulsory_write) /
                  static_cast<double>(row.buffer_bytes);
    judge(fmt::format("`{}`", tensor), times(guessed), times(counted));
  }
  if (all == 0) return {};
  return fmt::format("Your guess{}: {} of {} right{}{}.", entry.student ? "" : ", held against the reference",
                     all - wrong.size(), all, wrong.empty() ? "" : "; ", fmt::join(wrong, "; "));
}

}  // namespace fusebox
