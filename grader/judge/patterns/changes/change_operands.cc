#include <fmt/format.h>

#include <cmath>

#include "grader/judge/patterns/changes/changes.h"

namespace fusebox::patterns {
namespace {

using Op = Node::Op;

const Node& at_of(const Formula& formula, int node) { return formula.nodes[static_cast<std::size_t>(node)]; }

bool has_name(const Formula& formula, int node) { return !at_of(formula, node).name.empty(); }

bool is_size(const Formula& formula, int node) {
  for (const std::string& name : formula.floats)
    if (name == at_of(formula, node).name) return false;
  return at_of(formula, node).op == Op::number;
}

/// Does one fit where the other belongs, so that mixing them up is a likely slip?
bool are_alike(const Formula& formula, int a, int b) {
  return a != b && has_name(formula, a) && has_name(formula, b) &&
         at_of(formula, a).axes == at_of(formula, b).axes && is_size(formula, a) == is_size(formula, b);
}

void replaced(const Formula& formula, int u, std::vector<Change>& changes) {
  for (int w = 0; w < static_cast<int>(formula.nodes.size()); ++w) {
    if (!are_alike(formula, u, w)) continue;
    const std::string says = fmt::format("{} stands where {} belongs", formula.text(w), formula.text(u));
    for (const Scope& scope : scopes_of(formula, u)) {
      Edit edit(formula);
      for (const auto& [at, slot] : scope.uses) edit.operand(at, slot, w);
      keep_change(formula, std::move(edit), says + scope.where, 74 + scope.everywhere, changes);
    }
    for (std::size_t i = 0; i < formula.outputs.size(); ++i)
      if (formula.outputs[i].second == u) {
        Edit edit(formula);
        edit.let_output(i, w);
        keep_change(formula, std::move(edit),
                    fmt::format("{} is stored to `{}`, where {} belongs", formula.text(w),
                                formula.outputs[i].first, formula.text(u)),
                    74, changes);
      }
  }
}

void exchanged(const Formula& formula, int u, int w, std::vector<Change>& changes) {
  if (formula.depends(u, w) || formula.depends(w, u)) return;
  Edit edit(formula);
  for (int at = 0; at < static_cast<int>(formula.nodes.size()); ++at)
    for (const int slot : {0, 1}) {
      const int operand = operand_of(formula, at, slot);
      if (operand == u || operand == w) edit.operand(at, slot, operand == u ? w : u);
    }
  const std::string says = fmt::format("{} and {} are exchanged", formula.text(u), formula.text(w));
  keep_change(formula, edit, says, 88, changes);
  // What is read and written in place changes places with what is made of it.
  int first = -1, second = -1;
  for (std::size_t i = 0; i < formula.outputs.size(); ++i) {
    if (formula.outputs[i].first == at_of(formula, u).name) first = static_cast<int>(i);
    if (formula.outputs[i].first == at_of(formula, w).name) second = static_cast<int>(i);
  }
  if (first < 0 || second < 0) return;
  const auto node_of = [&](int i) { return formula.outputs[static_cast<std::size_t>(i)].second; };
  edit.let_output(static_cast<std::size_t>(first), node_of(second));
  edit.let_output(static_cast<std::size_t>(second), node_of(first));
  keep_change(formula, std::move(edit), says + ", as arguments are", 89, changes);
}

struct ValueForm {
  const char* write;
  Op op;
  bool before;  ///< the constant stands before the value
  double constant;
  bool as_often = false;  ///< what a total may have come to by its terms, see change_sums
};
const ValueForm kValueForms[] = {
    {"1 + {}", Op::add, true, 1},         {"1 - {}", Op::subtract, true, 1},
    {"-{}", Op::subtract, true, 0},       {"twice {}", Op::multiply, true, 2, true},
    {"half of {}", Op::divide, false, 2}, {"the square of {}", Op::power, false, 2},
    {"1 / {}", Op::divide, true, 1},      {"the root of {}", Op::power, false, 0.5},
    {"{} + 1", Op::add, false, 1},        {"{} - 1", Op::subtract, false, 1}};

/// 1 + it, its square and the like where it belongs itself, in one use or in all.
void in_another_form(const Formula& formula, int u, std::vector<Change>& changes) {
  if (is_size(formula, u)) return;  // see change_numbers
  for (const ValueForm& form : kValueForms) {
    const auto made = [&](Edit& edit) {
      const int constant = edit.constant(form.constant);
      return edit.add(form.op, form.before ? constant : u, form.before ? u : constant);
    };
    const std::string says =
        fmt::format("{} stands where {} belongs", fmt::format(fmt::runtime(form.write), formula.text(u)),
                    formula.text(u));
    for (const Scope& scope : scopes_of(formula, u)) {
      Edit edit(formula);
      use_instead(edit, scope, u, made(edit));
      const int weight = form.as_often && is_total(formula, u) ? 44 : 62;
      keep_change(formula, std::move(edit), says + scope.where, weight + scope.everywhere, changes);
    }
  }
  if (at_of(formula, u).axes.empty()) return;
  for (const Scope& scope : scopes_of(formula, u)) {
    Edit edit(formula);
    Node magnitude;
    magnitude.op = Op::apply;
    magnitude.a = u;
    magnitude.write = "|{}|";
    magnitude.apply = [](double v) { return std::abs(v); };
    use_instead(edit, scope, u, edit.add(std::move(magnitude)));
    keep_change(formula, std::move(edit),
                fmt::format("the magnitude |{0}| stands where {0} belongs{1}", formula.text(u), scope.where),
                64, changes);
  }
}

/// Is a node 0 wherever `u` is 0?
bool is_nothing_without(const Formula& formula, int node, int u) {
  if (node == u) return true;
  const Node& of = formula.nodes[static_cast<std::size_t>(node)];
  switch (of.op) {
    case Op::multiply:
      return is_nothing_without(formula, of.a, u) || is_nothing_without(formula, of.b, u);
    case Op::divide:
    case Op::sum:
    case Op::read:
    case Op::relabel:
    case Op::gather:
    case Op::pool:
      return is_nothing_without(formula, of.a, u);
    default:
      return false;
  }
}

/// It is taken to be 0 everywhere, or 1: never read, or read where nothing stands. Zeros that may come of
/// anything say nothing of the one tensor that all is made of.
void never_used(const Formula& formula, int u, std::vector<Change>& changes) {
  const bool is_all = std::all_of(formula.outputs.begin(), formula.outputs.end(), [&](const auto& output) {
    return is_nothing_without(formula, output.second, u);
  });
  for (const double value : {0.0, 1.0}) {
    if (value == 0 && is_all) continue;
    Edit edit(formula);
    Node zero = edit.node(u);
    zero.op = Op::apply;
    zero.name.clear();
    zero.a = u;
    zero.b = -1;
    zero.write = "{}";
    zero.apply = value == 0 ? [](double) { return 0.0; } : [](double) { return 1.0; };
    const int now = edit.add(std::move(zero));
    edit.everywhere(u, now);
    edit.operand(now, 0, u);
    keep_change(formula, std::move(edit), fmt::format("{} is {} everywhere", formula.text(u), value), 50,
                changes);
  }
}

}  // namespace

void change_operands(const Formula& formula, std::vector<Change>& changes) {
  const int count = static_cast<int>(formula.nodes.size());
  for (int u = 0; u < count; ++u) {
    if (!has_name(formula, u)) continue;
    replaced(formula, u, changes);
    for (int w = u + 1; w < count; ++w)
      if (are_alike(formula, u, w)) exchanged(formula, u, w, changes);
    in_another_form(formula, u, changes);
    if (!is_size(formula, u)) never_used(formula, u, changes);
  }
}

}  // namespace fusebox::patterns
