#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/catalog/formula.h"
#include "grader/judge/patterns/facts/wrong_output.h"

namespace fusebox::patterns {

/// All that a learner's file wrote in one case; of a right one the right answers, which it was close to.
struct CaseOutputs {
  std::string name;
  Bindings bindings;
  std::vector<WrongOutput> outputs;
  bool wrong = false;
};

/// A mistake in the formula that makes of every case what the learner's file made of it.
struct Recomputed {
  std::vector<std::string> outputs;  ///< that are wrong, and explained
  std::vector<std::string> whens;    ///< several where the cases cannot tell which, the likeliest first
  std::int64_t telling = 0;          ///< elements that are equal and are not the right answer
  std::size_t cases = 0;             ///< wrong ones
  bool reads_elsewhere = false;      ///< values are read at other places than they should be
  bool explains_all = true;          ///< outputs that are wrong
  std::string only_where;            ///< "`N` is a multiple of 4", where right cases would else refute it

  /// "`out` is exactly what comes out when `beta` is not added."
  std::string sentence() const;
  std::string evidence() const;
};

/// Makes one mistake at a time in the formula. Absent when none makes the same numbers in all cases, or in
/// all in which a size is of one kind, over at least eight finite, written elements that tell, or when none
/// of the outputs that are wrong is explained so: where all cannot be explained by one mistake, each output
/// is looked at by itself.
std::optional<Recomputed> recompute(const Formula& formula, std::span<const CaseOutputs> cases);

}  // namespace fusebox::patterns
