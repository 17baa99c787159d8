#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grader/catalog/formula.h"

/// Mistakes that one can make in a formula, whatever it computes: a term left out, added elsewhere, taken
/// from another place, rounded, a sum of a part. Each is the formula with the one mistake made in it.
namespace fusebox::patterns {

struct Change {
  Formula formula;
  std::vector<int> changed;  ///< nodes of the original that are otherwise now
  std::string when;          ///< completes "exactly what comes out when": "`beta` is not added"
  int weight = 0;            ///< how likely it is: decides between two that make the same numbers
  bool rounds = false;       ///< values that lie between two narrow ones may come out as either
  bool totals = false;       ///< and do so at each of many steps
  bool not_finite = false;   ///< it is told by where there are no numbers
};

/// Terms and factors left out, of the other sign, upside down, functions left out or taken twice.
void change_operations(const Formula& formula, std::vector<Change>& changes);
/// The same operation made earlier or later: eps behind the root, a bias after the activation.
void change_order(const Formula& formula, std::vector<Change>& changes);
/// One tensor, scalar or named value where another belongs, two exchanged, and 1 + it, or its square.
void change_operands(const Formula& formula, std::vector<Change>& changes);
/// Sizes that are off by one or rounded up; scalars that are typed in.
void change_numbers(const Formula& formula, std::vector<Change>& changes);
/// Tensors and values of a row read at another index, along another axis, or transposed.
void change_indices(const Formula& formula, std::vector<Change>& changes);
/// Sums of a part of an axis, or of something twice.
void change_sums(const Formula& formula, std::vector<Change>& changes);
/// Sums that are made tile by tile or lane by lane: what they are not begun with, not added up over, or given
/// once for each tile; zeros of a tile's padding.
void change_tiles(const Formula& formula, std::vector<Change>& changes);
/// Matrices whose rows are taken to lie otherwise in memory than they do.
void change_layout(const Formula& formula, std::vector<Change>& changes);
/// Parts of an argument that are taken to lie elsewhere in it, or read at another index.
void change_addresses(const Formula& formula, std::vector<Change>& changes);
/// Totals that are kept in a narrow type, or scaled while they are still added up.
void change_totals(const Formula& formula, std::vector<Change>& changes);
/// Squares around a mean that threads make value by value and merge part by part (Welford), with a wrong term
/// for a value, or between two means; means of parts that count alike.
void change_moments(const Formula& formula, std::vector<Change>& changes);
/// Sums of an online softmax: parts that are not scaled when a larger value comes, or where threads meet.
void change_running(const Formula& formula, std::vector<Change>& changes);
/// The nearest bf16, or the nearest that is not larger; the nearest fp16.
double to_bf16(double value);
double cut_to_bf16(double value);
double to_fp16(double value);
/// Values rounded to a narrower type.
void change_precision(const Formula& formula, std::vector<Change>& changes);

std::vector<Change> changes_of(const Formula& formula);

/// A formula that is being changed, and helpers that all kinds of change use.
class Edit {
 public:
  explicit Edit(const Formula& formula);
  Node& node(int at) { return formula_.nodes.own(static_cast<std::size_t>(at)); }
  const Node& node(int at) const { return formula_.nodes[static_cast<std::size_t>(at)]; }
  int add(Node made) { return formula_.add(std::move(made)); }
  int add(Node::Op op, int a, int b = -1);
  int constant(double value);
  /// A copy of `node` behind all others; its name is left behind.
  int copy(int node);
  /// Gives `at` the definition of another node; it keeps its name.
  void become(int at, int other);
  /// Lets operand `slot` (0: a, 1: b) of `at` be `now`.
  void operand(int at, int slot, int now);
  /// Lets all of the original's nodes and outputs that use `from` use `to`.
  void everywhere(int from, int to);
  /// Lets an output be another node.
  void let_output(std::size_t index, int node) { formula_.outputs[index].second = node; }
  /// Says that a node's own definition was changed.
  void changes(int at) { changed_.push_back(at); }
  /// Works axes out anew behind changes; false when the result is no formula of the same outputs.
  bool settle(const Formula& original);
  Change change(std::string when, int weight) &&;

 private:
  Formula formula_;
  std::vector<int> changed_;
};

/// Keeps an edit that still is a formula.
void keep_change(const Formula& original, Edit edit, const std::string& when, int weight,
                 std::vector<Change>& changes);

/// Uses of a value that are mistaken together: one of them, those in one named value, or all, outputs too.
struct Scope {
  std::vector<std::pair<int, int>> uses;  ///< the node and which operand (0: a, 1: b)
  std::string where;                      ///< " in `variance`"; empty: everywhere
  bool everywhere = false;
};
std::vector<Scope> scopes_of(const Formula& formula, int value);
/// Lets the uses of a scope use `now`.
void use_instead(Edit& edit, const Scope& scope, int value, int now);

/// Whose value a node is part of: "`rstd`", of the nearest that has a name, or of an output.
std::string owner_of(const Formula& formula, int node);
/// The length of an axis, as a node of `edit`.
int length_of(Edit& edit, const Formula& formula, const std::string& axis);
/// "`B` * `S`"
std::string length_text(const Formula& formula, const std::string& axis);
/// " in `rstd`"
std::string within(const Formula& formula, int node);
/// "the sum of `x` in `mean`", or "`product`" where the sum has that name.
std::string sum_text(const Formula& formula, int at);
/// A sum along an axis, or a mean.
bool is_total(const Formula& formula, int node);
/// What operand `slot` of `at` is.
int operand_of(const Formula& formula, int at, int slot);

}  // namespace fusebox::patterns
