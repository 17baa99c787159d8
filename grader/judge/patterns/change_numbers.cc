#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/judge/patterns/changes.h"

namespace fusebox::patterns {
namespace {

using Op = Node::Op;

/// Calls visit(edit, where) for the number in all its uses, and, where there are several, in each alone;
/// `made` adds what stands there now.
template <class Made>
void in_uses(const Formula& formula, int u, Made made, const std::string& says, int weight,
             std::vector<Change>& changes) {
  std::vector<std::pair<int, int>> uses;
  for (int at = 0; at < static_cast<int>(formula.nodes.size()); ++at)
    for (const int slot : {0, 1})
      if (operand_of(formula, at, slot) == u) uses.emplace_back(at, slot);
  if (uses.size() > 1) {
    Edit edit(formula);
    const int now = made(edit);
    for (const auto& [at, slot] : uses) edit.operand(at, slot, now);
    keep_change(formula, std::move(edit), says, weight + 1, changes);
  }
  for (const auto& [at, slot] : uses) {
    Edit edit(formula);
    edit.operand(at, slot, made(edit));
    keep_change(formula, std::move(edit), says + within(formula, at), weight, changes);
  }
}

int of_constant(Edit& edit, Op op, int a, double b) { return edit.add(op, a, edit.constant(b)); }

void size(const Formula& formula, int u, std::vector<Change>& changes) {
  const std::string name = formula.text(u);
  const auto stands = [&](const std::string& what) {
    return fmt::format("{} stands where {} belongs", what, name);
  };
  in_uses(
      formula, u, [&](Edit& e) { return of_constant(e, Op::subtract, u, 1); }, stands(name + " - 1"), 80,
      changes);
  in_uses(
      formula, u, [&](Edit& e) { return of_constant(e, Op::add, u, 1); }, stands(name + " + 1"), 80, changes);
  in_uses(
      formula, u, [&](Edit& e) { return of_constant(e, Op::power, u, 0.5); }, stands("the root of " + name),
      60, changes);
  // 1 / N of two integers
  const auto cut = [&](Edit& edit) {
    Node node;
    node.op = Op::apply;
    node.a = u;
    node.write = "{}";
    node.apply = [](double n) { return n > 1 ? HUGE_VAL : 1.0; };
    return edit.add(std::move(node));
  };
  in_uses(formula, u, cut, fmt::format("1 / {} is worked out in integers, which is 0", name), 64, changes);
  for (const int block : {4, 8, 16, 32, 64, 128, 256, 512, 1024}) {
    const auto rounded = [&](Edit& edit) {
      Node node;
      node.op = Op::apply;
      node.a = u;
      node.write = fmt::format("{{}} rounded up to {}", block);
      node.apply = [block](double n) { return std::ceil(n / block) * block; };
      return edit.add(std::move(node));
    };
    in_uses(formula, u, rounded, stands(fmt::format("{} rounded up to a multiple of {}", name, block)), 60,
            changes);
    const auto smaller = [&](Edit& edit) {
      Node node;
      node.op = Op::apply;
      node.a = u;
      node.write = fmt::format("the smaller of {{}} and {}", block);
      node.apply = [block](double n) { return std::min<double>(n, block); };
      return edit.add(std::move(node));
    };
    in_uses(formula, u, smaller, stands(fmt::format("at most {}", block)), 40, changes);
    in_uses(
        formula, u, [&](Edit& e) { return e.constant(block); }, stands(fmt::format("{}, a number,", block)),
        58, changes);
  }
}

/// What is typed in where an argument belongs.
const double kTyped[] = {1e-3, 1e-2, 1e-1, 0.9,  0.99,  0.95,  0.999, 0.9999, 1e-4,
                         1e-5, 1e-6, 1e-7, 1e-8, 1e-10, 1e-12, 0.5,   1,      0};

void scalar(const Formula& formula, int u, std::vector<Change>& changes) {
  const std::string name = formula.text(u);
  for (const double value : kTyped)
    in_uses(
        formula, u, [&](Edit& e) { return e.constant(value); },
        fmt::format("{} is typed in as {:g} and not taken from the argument", name, value),
        value == 0 ? 40 : 62, changes);
}

/// A constant of the formula with another digit, or from another formula.
void constant(const Formula& formula, int u, std::vector<Change>& changes) {
  const double right = formula.nodes[static_cast<std::size_t>(u)].constant;
  for (const double factor : {2.0, 0.5, 10.0, 0.1, 100.0, 0.01, -1.0, std::sqrt(2.0), std::sqrt(0.5)})
    in_uses(
        formula, u, [&](Edit& e) { return e.constant(right * factor); },
        fmt::format("the constant is {:.6g} where {:.6g} belongs", right * factor, right), 58, changes);
}

}  // namespace

void change_numbers(const Formula& formula, std::vector<Change>& changes) {
  for (int u = 0; u < static_cast<int>(formula.nodes.size()); ++u) {
    const Node& node = formula.nodes[static_cast<std::size_t>(u)];
    if (node.op == Op::constant) constant(formula, u, changes);
    if (node.op != Op::number) continue;
    const bool is_float =
        std::find(formula.floats.begin(), formula.floats.end(), node.name) != formula.floats.end();
    if (is_float)
      scalar(formula, u, changes);
    else
      size(formula, u, changes);
  }
}

}  // namespace fusebox::patterns
