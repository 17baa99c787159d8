#include "grader/catalog/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fusebox {
namespace {

using Op = Node::Op;

/// Sums and differences bind least, names most.
int binding(const Node& node) {
  if (!node.name.empty()) return 4;
  switch (node.op) {
    case Op::add:
    case Op::subtract:
      return 1;
    case Op::multiply:
    case Op::divide:
      return 2;
    case Op::power:
      return 3;
    default:
      return 4;
  }
}

const char* sign(Op op) {
  switch (op) {
    case Op::add:
      return " + ";
    case Op::subtract:
      return " - ";
    case Op::multiply:
      return " * ";
    case Op::divide:
      return " / ";
    default:
      return "^";
  }
}

Term made(Op op, Term a, Term b) {
  Node node;
  node.op = op;
  node.a = a.node;
  node.b = b.node;
  return {a.formula, a.formula->add(std::move(node))};
}

/// Along an axis of `a`, by `b` where there is one.
Term along(Op op, Term a, Term b, std::string axis, std::string other_axis = {}) {
  Node node;
  node.op = op;
  node.a = a.node;
  node.b = b.node;
  node.axis = std::move(axis);
  node.other_axis = std::move(other_axis);
  return {a.formula, a.formula->add(std::move(node))};
}

Term constant(Formula& formula, double value) {
  Node node;
  node.constant = value;
  return {&formula, formula.add(std::move(node))};
}

Term leaf(Formula& formula, Op op, std::string name, std::vector<std::string> axes) {
  Node node;
  node.op = op;
  node.name = std::move(name);
  node.axes = std::move(axes);
  return {&formula, formula.add(std::move(node))};
}

}  // namespace

const Curve kSquareRoot{"the square root", "sqrt({})", [](double v) { return std::sqrt(v); }};
const Curve kSquare{"the square", "{}^2", [](double v) { return v * v; }};
const Curve kCube{"the cube", "{}^3", [](double v) { return v * v * v; }};
const Curve kTanh{"tanh", "tanh({})", [](double v) { return std::tanh(v); }};
const Curve kErf{"erf", "erf({})", [](double v) { return std::erf(v); }};
const Curve kExp{"the exponential", "exp({})", [](double v) { return std::exp(v); }};
const Curve kSigmoid{"sigmoid", "sigmoid({})", [](double v) { return 1 / (1 + std::exp(-v)); }};

std::vector<std::string> Formula::axes_of(const Node& node) const {
  if (node.a < 0) return node.axes;
  const auto& first = nodes[static_cast<std::size_t>(node.a)].axes;
  std::vector<std::string> has = first;
  const bool scatters = node.op == Op::scatter;
  if (node.op == Op::sum || node.op == Op::largest || node.op == Op::relabel || node.op == Op::gather ||
      node.op == Op::pool || scatters)
    std::erase(has, node.axis);
  // What is made of one value alone lies as that does: only a second operand brings the formula's order.
  if (node.b < 0 && node.op != Op::relabel) return has;
  if (node.op == Op::relabel || scatters) has.push_back(node.other_axis);
  if (node.b >= 0 && !scatters)
    for (const auto& axis : nodes[static_cast<std::size_t>(node.b)].axes) has.push_back(axis);
  std::vector<std::string> ordered;
  for (const Axis& axis : axes)
    if (std::find(has.begin(), has.end(), axis.name) != has.end()) ordered.push_back(axis.name);
  return ordered;
}

int Formula::add(Node node) {
  node.axes = axes_of(node);
  nodes.push_back(std::move(node));
  return static_cast<int>(nodes.size()) - 1;
}

bool Formula::depends(int node, int other) const {
  // What many use is looked at once: the ways through a long formula are too many.
  std::vector<bool> seen(nodes.size(), false);
  std::vector<int> open = {node};
  while (!open.empty()) {
    const int at = open.back();
    open.pop_back();
    if (at == other && at >= 0) return true;
    if (at < 0 || seen[static_cast<std::size_t>(at)]) continue;
    seen[static_cast<std::size_t>(at)] = true;
    open.push_back(nodes[static_cast<std::size_t>(at)].a);
    open.push_back(nodes[static_cast<std::size_t>(at)].b);
  }
  return false;
}

std::string Formula::text(int node) const {
  const Node& of = nodes[static_cast<std::size_t>(node)];
  // "the new m" is no name that stands in a file.
  if (!of.name.empty()) return of.name.find(' ') == of.name.npos ? fmt::format("`{}`", of.name) : of.name;
  const auto part = [&](int operand, int min) {
    const std::string inner = text(operand);
    return binding(nodes[static_cast<std::size_t>(operand)]) < min ? "(" + inner + ")" : inner;
  };
  switch (of.op) {
    case Op::constant:
      return fmt::format("{:.6g}", of.constant);
    case Op::apply: {
      const std::string write = of.function ? of.function->write : of.write;
      const bool whole = write.starts_with("{}");
      return fmt::format(fmt::runtime(write), whole ? part(of.a, 4) : text(of.a));
    }
    case Op::sum:
    case Op::sum_some:
      return fmt::format("sum of {}", part(of.a, 3));
    case Op::largest:
      return fmt::format("the largest {}", part(of.a, 3));
    case Op::read:
    case Op::relabel:
    case Op::reread:
      return text(of.a);
    case Op::gather:
      return fmt::format("{}[{}]", text(of.a), text(of.b));
    case Op::scatter:
      return fmt::format("{} put to {}", part(of.a, 3), text(of.b));
    case Op::larger:
      return fmt::format("the larger of {} and {}", text(of.a), text(of.b));
    case Op::pool:
      return fmt::format("sum of {} from each of {} to the next", part(of.a, 3), text(of.b));
    default: {
      const int min = of.op == Op::power ? 4 : binding(of);
      const bool left_to_right = of.op == Op::subtract || of.op == Op::divide;
      return part(of.a, min) + sign(of.op) + part(of.b, left_to_right ? min + 1 : min);
    }
  }
}

Term Term::named(std::string name) const {
  formula->nodes.own(static_cast<std::size_t>(node)).name = std::move(name);
  return *this;
}

Term tensor(Formula& formula, std::string name, std::vector<std::string> axes) {
  // What is said of a tensor holds wherever it is used.
  for (std::size_t at = 0; at < formula.nodes.size(); ++at) {
    const Node& known = formula.nodes[at];
    if (known.op == Op::tensor && known.name == name && known.axes == axes)
      return {&formula, static_cast<int>(at)};
  }
  return leaf(formula, Op::tensor, std::move(name), std::move(axes));
}
Term part(Formula& formula, std::string name, std::string source, std::vector<Node::Step> steps) {
  Node node;
  node.op = Op::part;
  node.name = std::move(name);
  node.source = std::move(source);
  for (const Node::Step& step : steps)
    if (!step.axis.empty()) node.axes.push_back(step.axis);
  node.steps = std::move(steps);
  return {&formula, formula.add(std::move(node))};
}

Term number(Formula& formula, std::string name) { return leaf(formula, Op::number, std::move(name), {}); }

Term operator+(Term a, Term b) { return made(Op::add, a, b); }
Term operator-(Term a, Term b) { return made(Op::subtract, a, b); }
Term operator*(Term a, Term b) { return made(Op::multiply, a, b); }
Term operator/(Term a, Term b) { return made(Op::divide, a, b); }
Term operator+(double a, Term b) { return constant(*b.formula, a) + b; }
Term operator-(double a, Term b) { return constant(*b.formula, a) - b; }
Term operator*(double a, Term b) { return constant(*b.formula, a) * b; }
Term operator/(double a, Term b) { return constant(*b.formula, a) / b; }
Term power(Term a, Term b) { return made(Op::power, a, b); }
Term larger(Term a, Term b) { return made(Op::larger, a, b); }

Term apply(const Curve& function, Term a) {
  Node node;
  node.op = Op::apply;
  node.a = a.node;
  node.function = &function;
  return {a.formula, a.formula->add(std::move(node))};
}

Term sum(Term a, std::string axis) { return along(Op::sum, a, {}, std::move(axis)); }
Term largest(Term a, std::string axis) { return along(Op::largest, a, {}, std::move(axis)); }

Term gather(Term table, Term indices, std::string axis) {
  return along(Op::gather, table, indices, std::move(axis));
}

Term scatter(Term values, Term places, std::string axis, std::string to) {
  return along(Op::scatter, values, places, std::move(axis), std::move(to));
}

Term pool(Term values, Term starts, std::string axis) {
  return along(Op::pool, values, starts, std::move(axis));
}

void output(Term value, std::string tensor) {
  value.formula->outputs.emplace_back(std::move(tensor), value.node);
}

Bindings bindings_of(const Formula& formula, const Problem& problem, const Sizes& sizes) {
  Bindings bindings;
  for (const auto& [name, size] : sizes) bindings.numbers[name] = static_cast<double>(size);
  std::size_t next = 0;
  for (const Argument& argument : problem.arguments) {
    if (const auto* tensor = std::get_if<Tensor>(&argument); tensor && tensor->role != Role::out)
      bindings.tensors[tensor->name] = tensor->values;
    if (const auto* value = std::get_if<float>(&argument); value && next < formula.floats.size())
      bindings.numbers[formula.floats[next++]] = *value;
  }
  for (const Formula::Axis& axis : formula.axes) {
    std::int64_t length = 1;
    for (const std::string& size : axis.sizes) length *= sizes.at(size);
    length *= axis.times;
    bindings.lengths[axis.name] = length;
  }
  return bindings;
}

}  // namespace fusebox
