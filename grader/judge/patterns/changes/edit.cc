#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "grader/judge/patterns/changes/changes.h"

namespace fusebox::patterns {
namespace {

enum class Settled : char { not_yet, under_way, as_before, otherwise };

/// Axes of a node and of all below it, worked out anew behind what is not `original`'s. False where something
/// goes round in a circle, or sums along an axis that is not there.
bool settle_node(const Formula& original, Formula& formula, int at, std::vector<Settled>& seen) {
  if (at < 0) return true;
  const auto i = static_cast<std::size_t>(at);
  if (seen[i] != Settled::not_yet) return seen[i] != Settled::under_way;
  seen[i] = Settled::under_way;
  const auto& nodes = formula.nodes;
  const int operands[] = {nodes[i].a, nodes[i].b};
  bool as_before = nodes.shares(original.nodes, i);
  for (const int operand : operands) {
    if (!settle_node(original, formula, operand, seen)) return false;
    as_before &= operand < 0 || seen[static_cast<std::size_t>(operand)] == Settled::as_before;
  }
  if (!as_before) {
    if (operands[0] >= 0 && !nodes[i].axis.empty()) {
      const auto& axes = nodes[static_cast<std::size_t>(operands[0])].axes;
      if (std::find(axes.begin(), axes.end(), nodes[i].axis) == axes.end()) return false;
    }
    if (auto axes = formula.axes_of(nodes[i]); axes != nodes[i].axes)
      formula.nodes.own(i).axes = std::move(axes);
    as_before = i < original.nodes.size() && nodes[i].axes == original.nodes[i].axes;
  }
  seen[i] = as_before ? Settled::as_before : Settled::otherwise;
  return true;
}

}  // namespace

Edit::Edit(const Formula& formula) {
  // There are thousands of edits: what they add is not to move all nodes once more.
  constexpr std::size_t kRoom = 8;
  formula_.nodes.reserve(formula.nodes.size() + kRoom);
  formula_ = formula;
}

int Edit::add(Node::Op op, int a, int b) {
  Node node;
  node.op = op;
  node.a = a;
  node.b = b;
  return formula_.add(std::move(node));
}

int Edit::constant(double value) {
  Node node;
  node.constant = value;
  return formula_.add(std::move(node));
}

int Edit::copy(int at) {
  Node node = std::as_const(*this).node(at);
  if (node.a >= 0) node.name.clear();
  return formula_.add(std::move(node));
}

void Edit::become(int at, int other) {
  Node now = std::as_const(*this).node(other);
  // A leaf is what it is called; anything else keeps the name of what it is in place of.
  if (now.a >= 0) now.name = node(at).name;
  node(at) = std::move(now);
  changed_.push_back(at);
}

void Edit::operand(int at, int slot, int now) {
  (slot == 0 ? node(at).a : node(at).b) = now;
  changed_.push_back(at);
}

void Edit::everywhere(int from, int to) {
  for (int at = 0; at < static_cast<int>(formula_.nodes.size()); ++at)
    for (const int slot : {0, 1})
      if (at != to && operand_of(formula_, at, slot) == from) operand(at, slot, to);
  for (auto& [tensor, node] : formula_.outputs)
    if (node == from) node = to;
}

bool Edit::settle(const Formula& original) {
  std::vector<Settled> seen(formula_.nodes.size(), Settled::not_yet);
  for (std::size_t i = 0; i < formula_.outputs.size(); ++i) {
    if (!settle_node(original, formula_, formula_.outputs[i].second, seen)) return false;
    const auto axes = [](const Formula& formula, std::size_t output) {
      return formula.nodes[static_cast<std::size_t>(formula.outputs[output].second)].axes;
    };
    if (axes(formula_, i) != axes(original, i)) return false;
  }
  return true;
}

Change Edit::change(std::string when, int weight) && {
  return {std::move(formula_), std::move(changed_), std::move(when), weight, false};
}

void keep_change(const Formula& original, Edit edit, const std::string& when, int weight,
                 std::vector<Change>& changes) {
  if (edit.settle(original)) changes.push_back(std::move(edit).change(when, weight));
}

int operand_of(const Formula& formula, int at, int slot) {
  const Node& node = formula.nodes[static_cast<std::size_t>(at)];
  return slot == 0 ? node.a : node.b;
}

std::string owner_of(const Formula& formula, int node) {
  const Node& of = formula.nodes[static_cast<std::size_t>(node)];
  if (!of.name.empty() && of.a >= 0) return formula.text(node);
  for (int at = 0; at < static_cast<int>(formula.nodes.size()); ++at)
    if (operand_of(formula, at, 0) == node || operand_of(formula, at, 1) == node)
      return owner_of(formula, at);
  return "";
}

std::string within(const Formula& formula, int node) {
  const std::string owner = owner_of(formula, node);
  return owner.empty() ? "" : " in " + owner;
}

std::string sum_text(const Formula& formula, int at) {
  const bool named = !formula.nodes[static_cast<std::size_t>(at)].name.empty();
  return named ? formula.text(at) : fmt::format("the {}{}", formula.text(at), within(formula, at));
}

bool is_total(const Formula& formula, int node) {
  const Node& of = formula.nodes[static_cast<std::size_t>(node)];
  return of.op == Node::Op::sum || (of.op == Node::Op::divide && is_total(formula, of.a));
}

int length_of(Edit& edit, const Formula& formula, const std::string& axis) {
  int length = -1;
  for (const Formula::Axis& each : formula.axes)
    for (const std::string& size : each.sizes) {
      if (each.name != axis) continue;
      Node number;
      number.op = Node::Op::number;
      number.name = size;
      const int factor = edit.add(std::move(number));
      length = length < 0 ? factor : edit.add(Node::Op::multiply, length, factor);
    }
  for (const Formula::Axis& each : formula.axes)
    if (each.name == axis && each.times != 1)
      length = edit.add(Node::Op::multiply, length, edit.constant(static_cast<double>(each.times)));
  return length;
}

std::string length_text(const Formula& formula, const std::string& axis) {
  std::string text;
  for (const Formula::Axis& each : formula.axes)
    if (each.name == axis && each.times != 1) text = std::to_string(each.times);
  for (const Formula::Axis& each : formula.axes)
    for (const std::string& size : each.sizes)
      if (each.name == axis) text += fmt::format("{}`{}`", text.empty() ? "" : " * ", size);
  return text;
}

std::vector<Scope> scopes_of(const Formula& formula, int value) {
  std::vector<Scope> scopes;
  std::vector<std::pair<int, int>> all;
  std::map<std::string, std::vector<std::pair<int, int>>> by_owner;
  for (int at = 0; at < static_cast<int>(formula.nodes.size()); ++at)
    for (const int slot : {0, 1})
      if (operand_of(formula, at, slot) == value) {
        all.emplace_back(at, slot);
        by_owner[within(formula, at)].emplace_back(at, slot);
      }
  scopes.push_back({all, all.size() == 1 ? within(formula, all[0].first) : "", true});
  if (all.size() == 1) return scopes;
  for (const auto& [where, uses] : by_owner)
    if (by_owner.size() > 1) scopes.push_back({uses, where, false});
  for (const auto& use : all)
    if (by_owner[within(formula, use.first)].size() > 1)
      scopes.push_back({{use}, within(formula, use.first), false});
  return scopes;
}

void use_instead(Edit& edit, const Scope& scope, int value, int now) {
  if (!scope.everywhere) {
    for (const auto& [at, slot] : scope.uses) edit.operand(at, slot, now);
    return;
  }
  // What is made of it may well use it.
  const Node made = std::as_const(edit).node(now);
  edit.everywhere(value, now);
  if (made.a == value) edit.operand(now, 0, value);
  if (made.b == value) edit.operand(now, 1, value);
}

std::vector<Change> changes_of(const Formula& formula) {
  std::vector<Change> changes;
  for (const auto& family : {change_operations, change_order, change_operands, change_numbers, change_indices,
                             change_sums, change_tiles, change_layout, change_addresses, change_totals,
                             change_moments, change_running, change_precision})
    family(formula, changes);
  return changes;
}

}  // namespace fusebox::patterns
