#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "grader/catalog/random.h"
#include "grader/catalog/signature.h"

namespace fusebox {

enum class DType { f32, bf16, i32, i64 };
std::uint64_t size_of(DType dtype);
const char* to_string(DType dtype);

enum class Role { in, out, inout };

/// A value passes if |got - expected| <= absolute + relative * |expected|; NaN therefore fails.
struct Tolerance {
  double absolute = 0, relative = 0;
  std::string reason;  ///< the operation's error model, about 4 times a good kernel's error
};

/// One tensor argument with its values for one case. Row-major.
struct Tensor {
  std::string name;
  DType dtype = DType::f32;
  std::vector<std::int64_t> shape;
  Role role = Role::in;
  std::vector<double> values;    ///< in, inout: what the kernel is given, exactly representable in dtype
  std::vector<double> expected;  ///< out, inout: the fp64 oracle's answer
  Tolerance tolerance;           ///< out, inout
  /// in, inout: how many elements the answers of this case depend on; absent: all.
  std::optional<std::int64_t> used = std::nullopt;
  bool on_host = false;  ///< in: an array in the host function's own memory, which no kernel can read
  /// out: elements that are not compared, whatever they hold; empty: none. `expected` is 0 there.
  std::vector<bool> overlooked = {};

  std::int64_t count() const;
  bool is_overlooked(std::int64_t i) const {
    return !overlooked.empty() && overlooked[static_cast<std::size_t>(i)];
  }
  std::uint64_t bytes() const { return static_cast<std::uint64_t>(count()) * size_of(dtype); }
};

/// Arguments of a host function in the order of its signature.
using Argument = std::variant<Tensor, std::int32_t, std::int64_t, float>;

/// Inputs, oracle answers and scalars of one case, for one seed.
struct Problem {
  std::vector<Argument> arguments;
};

using Sizes = std::map<std::string, std::int64_t>;

/// Sizes from `min` to `max`.
struct SizeRange {
  std::int64_t min = 0, max = 0;
};

/// A named input that tells right from wrong.
struct Case {
  std::string name;     ///< letters, digits, '_': part of a test's name
  std::string purpose;  ///< what a wrong kernel gets wrong here, one clause
  Sizes sizes;
  std::string values = "normal";  ///< which kind of values Puzzle::make draws; the spec's own words
  bool counted = false;  ///< exactly one case of a puzzle: budgets, ledger and tables are of this one
  /// Sizes that each seed draws anew, so that none of them can be known when a kernel is written; `sizes` has
  /// others of the same names, for who has no seed.
  std::map<std::string, SizeRange> drawn = {};
};

/// The case with the sizes that `random` draws.
Case with_drawn_sizes(const Case& which, Random& random);

/// A limit on one metric of the counted case.
struct Budget {
  std::string metric;  ///< tag, see judge/budgets/metrics.h: "launches", "bytes.requested",
                       ///< "bytes.compulsory", "requests", "sectors_over_ideal", "intermediate_bytes",
                       ///< "registers", "shared_bytes", "bank_conflicts", "local_requests", "atomics",
                       ///< "waits", "flops", "matrix_flops", "spill_bytes"
  double limit =
      0;  ///< passes when value <= limit; computed from the counted case's sizes, never typed by hand
  /// Of a "time.NAME", the modelled time at the judged shape NAME (Puzzle::judged_at): `limit` is how many
  /// times as long it may take as the fastest of these entries of the same file.
  std::vector<std::string> fastest_of = {};
};

/// A host function that the learner completes.
struct Entry {
  std::string name;  ///< "fused"; "kernel" where a puzzle has only one
  Signature signature;
  std::vector<std::string> blanks;         ///< that this entry needs
  std::vector<std::string> intermediates;  ///< names for what the host function allocates itself, in order
  std::vector<Budget> budgets;
  /// Of "bytes.dram" (modelled) and "bytes.requested" at full size: shown, and no part of the verdict.
  std::vector<Budget> full_size_budgets = {};
};

/// out = x weight^T + bias, by the names of a puzzle's tensors: a library is timed doing the same.
struct LinearBaseline {
  std::string x, weight, bias, out;
};

/// Rows normalised by a library in fp32: LayerNorm, or RMSNorm where there is no bias. Names of tensors;
/// those that are empty the puzzle does not have.
struct NormBaseline {
  std::string x, scale, bias, out, mean, rstd;
  float eps = 0;
};

/// Sizes at which a puzzle is timed on a GPU: large enough that memory decides, and not launches.
struct TimedCase {
  Case which;
  std::uint64_t min_bytes = 0;  ///< what every kernel must read and write there
  std::optional<LinearBaseline> linear = std::nullopt;
  std::optional<NormBaseline> norm = std::nullopt;
};

/// The size at which the numbers say what a kernel is worth: tensors larger than a GPU's L2, wherever the
/// operation is bound by memory. It is simulated after the verdict, and its answers are not compared.
struct FullSizeCase {
  Case which;
  std::uint64_t min_bytes = 0;  ///< what every kernel must read and write there
  /// The host function's arguments. Tensors without values hold whatever repeats and is no NaN; nothing is
  /// expected of outputs.
  std::function<Problem(const Case&)> arguments;
  bool whole = false;  ///< blocks differ, by values or by where they lie: all of them are run
};

struct Formula;

/// One puzzle: everything about it that is neither its .cu file nor text (catalog/puzzle_text.h).
struct Puzzle {
  std::string id;    ///< "p20"
  std::string slug;  ///< "layernorm_linear"
  std::string title;
  std::string chapter;
  std::vector<Entry> entries;
  std::vector<Case> cases;
  std::vector<TimedCase> timed;
  std::optional<FullSizeCase> full_size;
  /// Further full sizes, at which the modelled time is part of the verdict; which.name is the NAME in the
  /// budget "time.NAME". They may be drawn anew for each seed.
  std::vector<FullSizeCase> judged_at;
  /// Draws inputs and computes the oracle's answers in double.
  std::function<Problem(const Case&, Random&)> make;
  /// States the same as the oracle, in a form that the judge can make mistakes in (catalog/formula.h). May be
  /// absent.
  std::function<Formula()> formula;

  std::string file_name() const { return id + "_" + slug + ".cu"; }
  const Entry* find_entry(const std::string& name) const;
  const Case& counted_case() const;
};

/// All puzzles, in the order of their ids.
const std::vector<Puzzle>& puzzles();

/// "p20", "20", "layernorm_linear" or "p20_layernorm_linear"; null when there is none.
const Puzzle* find_puzzle(const std::string& name);

/// Ids and slugs nearest to a name that does not exist, best first.
std::vector<std::string> nearest_puzzles(const std::string& name);

}  // namespace fusebox
