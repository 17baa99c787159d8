#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "grader/judge/patterns/facts/pattern.h"
#include "grader/judge/patterns/facts/wrong_output.h"

namespace fusebox::patterns {

/// All that fits one wrong output, best first: what the numbers prove, and what nothing speaks against
/// (Pattern::proven is false) because there is too little of it. Further cases are held against both.
std::vector<Pattern> fitting_patterns(const WrongOutput& output);

/// What the numbers of one wrong output prove, best first; nothing when they prove nothing.
std::vector<Pattern> find_patterns(const WrongOutput& output);

/// What to print of proven patterns of one output: the best about the values and the best about the place.
/// Where two that are about the same thing explain as much and say as much, both: "A. Or: B."
std::vector<std::string> sentences(std::span<const Pattern> best_first);

/// What holds in every case in which one output is wrong, best first, out of fitting_patterns() of each:
/// proven in one at least, and spoken against by none. A case that is too small to prove anything cannot
/// confirm, and still refute.
std::vector<Pattern> common_patterns(std::span<const std::vector<Pattern>> cases);

/// One output that is wrong in one case.
struct WrongCase {
  std::string name;
  WrongOutput output;
};

/// What is to be said about one output.
struct Explanation {
  std::string tensor;
  std::string only_in;            ///< the case that it is true of, when nothing is true of all; else empty
  std::vector<Pattern> patterns;  ///< best first; empty when nothing is proven
  std::vector<std::string> sentences;  ///< see sentences()
  std::string corner;                  ///< of the first case, see corner.h
};

/// The way in: one explanation for each output that is wrong in any of these cases, in their order. What is
/// true of one case alone is looked for last and costs most; `is_named`, where it is given, is asked before
/// that, and says whether the cause is known by other means.
std::vector<Explanation> explain(std::span<const WrongCase> cases,
                                 const std::function<bool()>& is_named = nullptr);

}  // namespace fusebox::patterns
