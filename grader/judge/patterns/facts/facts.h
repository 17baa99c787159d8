#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/judge/patterns/facts/pattern.h"
#include "grader/judge/patterns/facts/wrong_output.h"

namespace fusebox::patterns {

enum class State : std::uint8_t { right, wrong, not_finite, unwritten };

/// What every family asks of a wrong output, worked out once. The output is seen as a matrix: its last axis
/// are the columns, all others together the rows; a vector is one row.
class Facts {
 public:
  explicit Facts(const WrongOutput& output);

  const WrongOutput& output() const { return output_; }
  const std::string& name() const { return output_.tensor.name; }
  std::int64_t count() const { return static_cast<std::int64_t>(states_.size()); }
  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  double expected(std::int64_t i) const { return output_.tensor.expected[static_cast<std::size_t>(i)]; }
  double got(std::int64_t i) const { return output_.got[static_cast<std::size_t>(i)]; }
  State state(std::int64_t i) const { return states_[static_cast<std::size_t>(i)]; }

  /// Elements that are wrong, were written and are finite: all that a claim about values may rest on.
  const std::vector<std::int64_t>& wrong() const { return wrong_; }
  std::int64_t right() const { return right_; }
  std::int64_t unwritten() const { return unwritten_; }
  std::int64_t not_finite() const { return not_finite_; }
  std::int64_t bad() const { return count() - right_; }

  /// What an element may be off by when it should be `value`: its tolerance and the rounding of its type.
  double allowed(std::int64_t i, double value) const;

  /// The word for an axis and for what the matrix's rows and columns are: "column"; many: "columns".
  const std::string& axis(std::size_t d) const { return axes_[d]; }
  const std::string& row_word() const { return row_word_; }
  const std::string& column_word() const { return axes_.back(); }

 private:
  const WrongOutput& output_;
  std::int64_t rows_ = 1, columns_ = 1, right_ = 0, unwritten_ = 0, not_finite_ = 0;
  std::vector<State> states_;
  std::vector<std::int64_t> wrong_;
  std::vector<std::string> axes_;
  std::string row_word_ = "row";
};

/// A value for every element; NaN where nothing is claimed.
struct Claim {
  std::vector<double> predicted;
  std::vector<double> scale;      ///< of the tolerance, one for each element; empty: 1
  std::int64_t fitted = 0;        ///< numbers that were taken from the wrong answer
  bool against_expected = false;  ///< how likely by chance: asked of the right values, not of those that came
};

struct Support {
  std::int64_t held = 0;     ///< wrong elements that are as claimed
  std::int64_t telling = 0;  ///< of those, where the claim is clearly not the right answer
  bool everywhere = false;   ///< no right element speaks against it
  bool proven = false;       ///< see Pattern::proven
  bool fits = false;         ///< proven, or nearly all wrong elements are as claimed
};

/// At least so many elements must have been able to refute a claim.
inline constexpr std::int64_t kMinEvidence = 8;

Support support_of(const Facts& facts, const Claim& claim);

/// Would chance, which makes one element right with this probability, so rarely have got `held` of `of` right
/// that it cannot have?
bool beyond_chance(std::int64_t held, std::int64_t of, double chance);

/// "everywhere", "in all 12 wrong elements", "in 60 of 100 wrong elements".
std::string scope(const Facts& facts, const Support& support);

/// A pattern about values with everything filled in but its readings.
Pattern pattern_of(const Facts& facts, const Support& support, Kind kind, std::string key,
                   const std::string& statement, std::int64_t fitted, int weight);

/// One way to lay another tensor over the output: element by element, a value for each column or each row.
struct Overlay {
  std::string tensor;  ///< "beta"
  std::string text;    ///< "`beta`[column]"
  enum class Along { elements, columns, rows } along = Along::elements;
  std::vector<double> values;  ///< one for each element of the output
};
std::vector<Overlay> overlays(const Facts& facts);

double median(std::vector<double> values);

}  // namespace fusebox::patterns
