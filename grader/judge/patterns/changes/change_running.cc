#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "grader/judge/patterns/changes/changes.h"

// A sum of e^(x - largest) that is made in one pass, beside the largest value so far: an online softmax. The
// terms of such a sum are at most 1, and the largest of some of them says how far what a thread had seen then
// was from the largest of all: e^(x - so far) is a term over the largest term so far.

namespace fusebox::patterns {
namespace {

using Op = Node::Op;

/// Who has seen what: `lanes` threads take `each` neighbours in turn, `ahead` of these turns at a time.
struct Pass {
  std::size_t lanes = 1, each = 1, ahead = 1;

  std::size_t lane_of(std::size_t term) const { return term / each % lanes; }
  std::size_t step() const { return lanes * each * ahead; }
};

/// Each thread's sum is one of terms that are relative to the largest when they came. Where threads meet,
/// each sum is scaled to the largest of all, or is not.
double never_rescaled(std::span<const double> terms, Pass pass, bool meets_scaled) {
  std::vector<double> largest(pass.lanes, 0), total(pass.lanes, 0);
  for (std::size_t first = 0; first < terms.size(); first += pass.step()) {
    const std::size_t end = std::min(first + pass.step(), terms.size());
    for (std::size_t k = first; k < end; ++k) {
      double& so_far = largest[pass.lane_of(k)];
      so_far = std::max(so_far, terms[k]);
    }
    for (std::size_t k = first; k < end; ++k)
      if (const double so_far = largest[pass.lane_of(k)]; so_far > 0)
        total[pass.lane_of(k)] += terms[k] / so_far;
  }
  double all = 0;
  for (std::size_t lane = 0; lane < pass.lanes; ++lane)
    all += total[lane] * (meets_scaled ? largest[lane] : 1);
  return all;
}

/// What threads have added up is right by itself, and is not scaled where they meet.
double met_unscaled(std::span<const double> terms, Pass pass) {
  std::vector<double> largest(pass.lanes, 0), total(pass.lanes, 0);
  for (std::size_t k = 0; k < terms.size(); ++k) {
    largest[pass.lane_of(k)] = std::max(largest[pass.lane_of(k)], terms[k]);
    total[pass.lane_of(k)] += terms[k];
  }
  double all = 0;
  for (std::size_t lane = 0; lane < pass.lanes; ++lane)
    if (largest[lane] > 0) all += total[lane] / largest[lane];
  return all;
}

double relative_to_own(std::span<const double> terms) {
  double largest = 0, total = 0;
  for (const double term : terms) largest = std::max(largest, term), total += term;
  return largest > 0 ? total / largest : 0;
}

/// Is a node e to the power of how far something is below its largest along `axis`?
bool is_relative_power(const Formula& formula, int at, const std::string& axis) {
  const auto node = [&](int i) -> const Node& { return formula.nodes[static_cast<std::size_t>(i)]; };
  if (node(at).op != Op::apply || node(at).function != &kExp) return false;
  const Node& below = node(node(at).a);
  return below.op == Op::subtract && node(below.b).op == Op::largest && node(below.b).axis == axis;
}

void fold_so(const Formula& formula, int at, decltype(Node::fold) fold, const std::string& says, int weight,
             std::vector<Change>& changes) {
  Edit edit(formula);
  edit.node(at).fold = std::move(fold);
  edit.changes(at);
  keep_change(formula, std::move(edit), says, weight, changes);
}

void passes_of(const Formula& formula, int at, std::vector<Change>& changes) {
  const std::string sum = sum_text(formula, at);
  for (const std::size_t lanes : {1, 32, 64, 128, 256, 512, 1024})
    for (const std::size_t each : {1, 4}) {
      for (const std::size_t ahead : {1, 2, 4, 8}) {
        const Pass pass{lanes, each, ahead};
        fold_so(
            formula, at, [pass](auto terms, double) { return never_rescaled(terms, pass, true); },
            fmt::format("{} so far is not scaled to the new largest when a larger value comes", sum), 72,
            changes);
        fold_so(
            formula, at, [pass](auto terms, double) { return never_rescaled(terms, pass, false); },
            fmt::format(
                "{} so far is scaled to the largest neither when a larger value comes nor where the sums of threads meet",
                sum),
            66, changes);
      }
      if (lanes > 1)
        fold_so(
            formula, at,
            [pass = Pass{lanes, each, 1}](auto terms, double) { return met_unscaled(terms, pass); },
            fmt::format("the threads' parts of {} are added up without scaling each to the largest of all",
                        sum),
            70, changes);
    }
}

/// A thread goes on with the sum that it has made by itself, relative to the largest that it has seen.
void own_sums(const Formula& formula, int at, std::vector<Change>& changes) {
  for (const std::int64_t lanes : {32, 64, 128, 256, 512, 1024})
    for (const std::int64_t each : {1, 4}) {
      Edit edit(formula);
      const int own = edit.copy(at);
      edit.node(own).op = Op::sum_some;
      edit.node(own).group = [=](auto k, auto) { return k / each % lanes; };
      edit.node(own).fold = [](auto terms, double) { return relative_to_own(terms); };
      edit.become(at, own);
      keep_change(
          formula, std::move(edit),
          fmt::format(
              "each of {} threads takes its own part of {}, as it was before the threads' sums were added up",
              lanes, sum_text(formula, at)),
          68, changes);
    }
}

/// What is added up beside the sum, each value times its power: relative to the largest when it came, and not
/// scaled when a larger one came. `each` scores are looked at together.
void values_not_rescaled(const Formula& formula, int at, std::vector<Change>& changes) {
  const Node& sum = formula.nodes[static_cast<std::size_t>(at)];
  const Node& product = formula.nodes[static_cast<std::size_t>(sum.a)];
  if (product.op != Op::multiply) return;
  for (const int slot : {0, 1}) {
    const int power = operand_of(formula, sum.a, slot);
    if (!is_relative_power(formula, power, sum.axis)) continue;
    const int below = formula.nodes[static_cast<std::size_t>(power)].a;
    for (const std::int64_t each : {1, 2, 4, 8, 16, 32, 64}) {
      Edit edit(formula);
      Node so_far;
      so_far.op = Op::sum_some;
      so_far.axis = sum.axis;
      so_far.a = operand_of(formula, below, 0);
      so_far.counts = [each](auto k, auto to, auto) { return k / each <= to / each; };
      so_far.fold = [](std::span<const double> terms, double) {
        return *std::max_element(terms.begin(), terms.end());
      };
      const int difference = edit.copy(below);
      edit.operand(difference, 1, edit.add(std::move(so_far)));
      const int relative = edit.copy(power);
      edit.operand(relative, 0, difference);
      edit.operand(sum.a, slot, relative);
      keep_change(
          formula, std::move(edit),
          fmt::format(
              "what is added up of {} so far is not scaled to the new largest when a larger value comes",
              formula.text(operand_of(formula, sum.a, 1 - slot))),
          72, changes);
    }
  }
}

/// Where all is far below 0 nothing is left of any power. No number tells it then, but where there are none.
void largest_from_zero(const Formula& formula, int at, std::vector<Change>& changes) {
  Edit edit(formula);
  edit.become(at, edit.add(Op::larger, edit.copy(at), edit.constant(0)));
  keep_change(
      formula, edit,
      fmt::format("{} begins at 0, or magnitudes are compared: it is never below 0", formula.text(at)), 70,
      changes);
  const std::size_t kept = changes.size();
  keep_change(
      formula, std::move(edit),
      fmt::format("{} begins at 0, or magnitudes are compared: rows that are far below it have a sum of 0",
                  formula.text(at)),
      70, changes);
  for (std::size_t i = kept; i < changes.size(); ++i) changes[i].not_finite = true;
}

}  // namespace

void change_running(const Formula& formula, std::vector<Change>& changes) {
  for (int at = 0; at < static_cast<int>(formula.nodes.size()); ++at) {
    const Node& node = formula.nodes[static_cast<std::size_t>(at)];
    if (node.op == Op::largest) largest_from_zero(formula, at, changes);
    if (node.op == Op::sum) values_not_rescaled(formula, at, changes);
    if (node.op != Op::sum || !is_relative_power(formula, node.a, node.axis)) continue;
    passes_of(formula, at, changes);
    own_sums(formula, at, changes);
  }
}

}  // namespace fusebox::patterns
