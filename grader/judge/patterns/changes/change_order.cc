#include <fmt/format.h>

#include <algorithm>

#include "grader/judge/patterns/changes/changes.h"
#include "grader/judge/patterns/facts/names.h"

namespace fusebox::patterns {
namespace {

using Op = Node::Op;

/// What is moved: an operation with its second operand, or a function.
struct Moved {
  int at = -1;     ///< the node where it is done
  int rest = -1;   ///< the operand that stays there
  int other = -1;  ///< the one that is moved; -1: a function
  Node how;        ///< `at` as it was

  /// Does it to `operand` in `edit`.
  int done_to(Edit& edit, int operand) const {
    Node node = how;
    node.name.clear();
    node.a = operand;
    node.b = other;
    return edit.add(std::move(node));
  }
};

/// "`eps` is added to `gelu`, and not to `x`": what is done, and to what it should be; `how` stands between.
std::string doing(const Formula& formula, const Moved& moved, const std::string& to, const std::string& from,
                  const std::string& how) {
  if (moved.other < 0)
    return fmt::format("{} is taken of {}{}, and not of {}", moved.how.function->noun, to, how, from);
  const std::string other = formula.text(moved.other);
  switch (moved.how.op) {
    case Op::add:
      return fmt::format("{} is added to {}{}, and not to {}", other, to, how, from);
    case Op::subtract:
      return fmt::format("{} is subtracted from {}{}, and not from {}", other, to, how, from);
    case Op::multiply:
      return fmt::format("{} is multiplied by {}{}, and not {}", to, other, how, from);
    default:
      return fmt::format("{} is divided by {}{}, and not {}", to, other, how, from);
  }
}

/// The functions, or sums, on the way from `low` up to `high`; `high` is among them.
std::string crossed(const Formula& formula, int low, int high) {
  if (low == high) return "";
  const Node& node = formula.nodes[static_cast<std::size_t>(high)];
  const int next = node.a >= 0 && formula.depends(node.a, low) ? node.a : node.b;
  if (node.op == Op::apply) return node.function->noun;
  if (node.op == Op::sum) return "the sum";
  return crossed(formula, low, next);
}

std::string nameless_text(const Formula& formula, int node) {
  Formula nameless = formula;
  nameless.nodes.own(static_cast<std::size_t>(node)).name.clear();
  return nameless.text(node);
}

void move_up(const Formula& formula, const Moved& moved, std::vector<Change>& changes) {
  for (int high = 0; high < static_cast<int>(formula.nodes.size()); ++high) {
    if (high == moved.at || !formula.depends(high, moved.at)) continue;
    Edit edit(formula);
    if (edit.node(high).a < 0) continue;
    edit.become(moved.at, moved.rest);
    const int before = edit.copy(high);
    edit.become(high, moved.done_to(edit, before));
    Formula shown = formula;
    shown.nodes.own(static_cast<std::size_t>(moved.at)) = formula.nodes[static_cast<std::size_t>(moved.rest)];
    const bool named = !formula.nodes[static_cast<std::size_t>(high)].name.empty();
    const std::string to = named ? formula.text(high) : nameless_text(shown, high),
                      from = formula.text(moved.rest);
    const std::string over = crossed(formula, moved.at, high);
    const std::string how = over.empty() ? "" : fmt::format(", outside {} and after it", over);
    keep_change(formula, std::move(edit), doing(formula, moved, to, from, how) + " before that is worked out",
                80, changes);
  }
}

/// To add a scalar to each term of a sum, or to an argument, is no likely slip.
int low_weight(const Formula& formula, const Moved& moved, int low) {
  const Node& node = formula.nodes[static_cast<std::size_t>(low)];
  const bool scalar = moved.other >= 0 && formula.nodes[static_cast<std::size_t>(moved.other)].axes.empty();
  return scalar && !node.axes.empty() && crossed(formula, low, moved.rest) == "the sum" ? 50 : 78;
}

/// The formula with what is moved done to `low` and not where it was; with its square in place of it if
/// `squared`.
Edit moved_down(const Formula& formula, Moved moved, int low, bool squared) {
  Edit edit(formula);
  if (squared) moved.other = edit.add(Op::multiply, moved.other, moved.other);
  const int done = moved.done_to(edit, low);
  edit.everywhere(low, done);
  edit.operand(done, 0, low);
  edit.become(moved.at, moved.rest);
  return edit;
}

/// What is added to a root, or taken from it, stands inside the root as its square: as if the two were the
/// same.
void squared_inside_root(const Formula& formula, const Moved& moved, int low, std::vector<Change>& changes) {
  const Node& root = formula.nodes[static_cast<std::size_t>(moved.rest)];
  const bool is_sum = moved.how.op == Op::add || moved.how.op == Op::subtract;
  if (!is_sum || moved.other < 0 || root.op != Op::apply || root.a != low ||
      std::string_view(root.function->noun) != kSquareRoot.noun)
    return;
  const std::string other = formula.text(moved.other);
  const bool added = moved.how.op == Op::add;
  keep_change(formula, moved_down(formula, moved, low, true),
              fmt::format("the square of {0} is {1} {2}, inside the square root, and not {0} {3} {4} itself",
                          other, added ? "added to" : "taken from", formula.text(low), added ? "to" : "from",
                          formula.text(moved.rest)),
              70, changes);
}

void move_down(const Formula& formula, const Moved& moved, std::vector<Change>& changes) {
  for (int low = 0; low < static_cast<int>(formula.nodes.size()); ++low) {
    if (low == moved.rest || !formula.depends(moved.rest, low) ||
        (moved.other >= 0 && formula.depends(moved.other, low)))
      continue;
    const Node& node = formula.nodes[static_cast<std::size_t>(low)];
    if (node.op == Op::constant) continue;
    const std::string over = crossed(formula, low, moved.rest);
    const std::string to = formula.text(low), from = formula.text(moved.rest);
    const std::string how = over.empty() ? " already" : fmt::format(", inside {} and before it", over);
    keep_change(formula, moved_down(formula, moved, low, false),
                doing(formula, moved, to, from, how) + " after that", low_weight(formula, moved, low),
                changes);
    squared_inside_root(formula, moved, low, changes);
  }
}

/// A named value made of another along the same axes, made once more of itself: GELU of GELU.
void repeat(const Formula& formula, int whole, int inner, std::vector<Change>& changes) {
  Edit edit(formula);
  // All that `whole` is made of from `inner` up, once more.
  std::vector<int> again(formula.nodes.size(), -1);
  again[static_cast<std::size_t>(inner)] = whole;
  const int last = static_cast<int>(formula.nodes.size());
  const int first_copy = last;
  for (int at = 0; at <= whole; ++at) {
    if (at == inner || !formula.depends(whole, at) || !formula.depends(at, inner)) continue;
    again[static_cast<std::size_t>(at)] = edit.copy(at);
  }
  const int end = again[static_cast<std::size_t>(whole)];
  for (int at = first_copy; at <= end; ++at)
    for (const int slot : {0, 1}) {
      const int operand = slot == 0 ? edit.node(at).a : edit.node(at).b;
      if (operand >= 0 && operand < last && again[static_cast<std::size_t>(operand)] >= 0)
        edit.operand(at, slot, again[static_cast<std::size_t>(operand)]);
    }
  // Those that used it use the second one; the second one's operands stay.
  Edit result = edit;
  for (int at = 0; at < first_copy; ++at)
    for (const int slot : {0, 1})
      if (operand_of(formula, at, slot) == whole) result.operand(at, slot, end);
  for (std::size_t i = 0; i < formula.outputs.size(); ++i)
    if (formula.outputs[i].second == whole) result.let_output(i, end);
  keep_change(formula, std::move(result),
              fmt::format("{} is applied twice, the second time to what the first made", formula.text(whole)),
              66, changes);
}

/// An argument that the call changes, where other outputs rest on what it becomes.
struct Updated {
  int before = -1, after = -1;
};

std::vector<Updated> updated_of(const Formula& formula) {
  std::vector<Updated> found;
  for (const auto& [name, after] : formula.outputs) {
    const auto rests = [&, mine = after](const auto& output) {
      return output.second != mine && formula.depends(output.second, mine);
    };
    if (std::none_of(formula.outputs.begin(), formula.outputs.end(), rests)) continue;
    for (int before = 0; before < after; ++before) {
      const Node& node = formula.nodes[static_cast<std::size_t>(before)];
      if (node.op == Op::tensor && node.name == name) found.push_back({before, after});
    }
  }
  return found;
}

/// They are used as they were before.
void before_the_call(const Formula& formula, const std::vector<Updated>& updated,
                     std::vector<Change>& changes) {
  Edit edit(formula);
  std::vector<std::string> names;
  for (const Updated& each : updated) {
    edit.everywhere(each.after, each.before);
    for (std::size_t i = 0; i < formula.outputs.size(); ++i)
      if (formula.outputs[i].second == each.after) edit.let_output(i, each.after);
    names.push_back(formula.text(each.before));
  }
  keep_change(formula, std::move(edit),
              fmt::format("{} {} used as {} before the call, and not as the call leaves {}",
                          listed(names, " and "), names.size() == 1 ? "is" : "are",
                          names.size() == 1 ? "it was" : "they were", names.size() == 1 ? "it" : "them"),
              72, changes);
}

}  // namespace

void change_order(const Formula& formula, std::vector<Change>& changes) {
  const int count = static_cast<int>(formula.nodes.size());
  for (int at = 0; at < count; ++at) {
    const Node& node = formula.nodes[static_cast<std::size_t>(at)];
    std::vector<Moved> all;
    if (node.op == Op::add || node.op == Op::subtract || node.op == Op::multiply || node.op == Op::divide)
      all.push_back({at, node.a, node.b, node});
    if (node.op == Op::add || node.op == Op::multiply) all.push_back({at, node.b, node.a, node});
    if (node.op == Op::apply && node.function) all.push_back({at, node.a, -1, node});
    for (const Moved& moved : all) {
      move_up(formula, moved, changes);
      move_down(formula, moved, changes);
    }
    if (node.name.empty() || node.a < 0) continue;
    for (int inner = 0; inner < at; ++inner) {
      const Node& other = formula.nodes[static_cast<std::size_t>(inner)];
      if (!other.name.empty() && other.axes == node.axes && !node.axes.empty() && formula.depends(at, inner))
        repeat(formula, at, inner, changes);
    }
  }
  const std::vector<Updated> updated = updated_of(formula);
  for (const Updated& each : updated) before_the_call(formula, {each}, changes);
  if (updated.size() > 1) before_the_call(formula, updated, changes);
}

}  // namespace fusebox::patterns
