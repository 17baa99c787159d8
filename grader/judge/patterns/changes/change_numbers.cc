#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/judge/patterns/changes/changes.h"
#include "grader/judge/patterns/facts/names.h"
#include "grader/report/hardware.h"

namespace fusebox::patterns {
namespace {

using Op = Node::Op;

/// The named values that all uses of a scope divide; empty where it has another use.
std::vector<std::string> divided_by(const Formula& formula, const Scope& scope) {
  std::vector<std::string> owners;
  for (const auto& [at, slot] : scope.uses) {
    const std::string owner = owner_of(formula, at);
    if (formula.nodes[static_cast<std::size_t>(at)].op != Op::divide || slot != 1 || owner.empty()) return {};
    if (std::find(owners.begin(), owners.end(), owner) == owners.end()) owners.push_back(owner);
  }
  return owners;
}

/// `made` adds what stands there now. Where it divides, and `what` is given, the sentence says so.
template <class Made>
void in_uses(const Formula& formula, int u, Made made, const std::string& what, const std::string& says,
             int weight, std::vector<Change>& changes) {
  for (const Scope& scope : scopes_of(formula, u)) {
    Edit edit(formula);
    use_instead(edit, scope, u, made(edit));
    std::string when = says;
    const auto owners = divided_by(formula, scope);
    if (owners.size() > 1 && !what.empty())
      when = fmt::format("{} are divided by {} instead of by {}", listed(owners), what, formula.text(u));
    if (scope.uses.size() == 1 && !what.empty()) {
      const Node& user = formula.nodes[static_cast<std::size_t>(scope.uses[0].first)];
      if (user.op == Op::divide && scope.uses[0].second == 1)
        when = fmt::format("the {} is divided by {} instead of by {}", formula.text(user.a), what,
                           formula.text(u));
    }
    keep_change(formula, std::move(edit), when + scope.where, weight + scope.everywhere, changes);
  }
}

/// Something else where a size belongs, by what it makes of it.
struct InPlace {
  std::string what;  ///< "`N` - 1"
  std::function<double(double)> of;
  int weight;
};

std::vector<InPlace> in_place_of(const std::string& name) {
  std::vector<InPlace> all = {
      {name + " - 1", [](double n) { return n - 1; }, 80},
      {name + " + 1", [](double n) { return n + 1; }, 80},
      {"the root of " + name, [](double n) { return std::sqrt(n); }, 60},
      {"twice " + name, [](double n) { return 2 * n; }, 56},
      {"a quarter of " + name, [](double n) { return n / 4; }, 66},
      {"half of " + name, [](double n) { return n / 2; }, 56},
      {"the square of " + name, [](double n) { return n * n; }, 56},
  };
  for (const int block : {4, 8, 16, 32, 64, 128, 256, 512, 1024}) {
    all.push_back({fmt::format("{} rounded up to a multiple of {}", name, block),
                   [block](double n) { return std::ceil(n / block) * block; }, 60});
    all.push_back({fmt::format("{} rounded down to a multiple of {}", name, block),
                   [block](double n) { return std::floor(n / block) * block; }, 50});
    all.push_back({fmt::format("{} but at most {}", name, block),
                   [block](double n) { return std::min<double>(n, block); }, 40});
    all.push_back({fmt::format("{}, whatever {} is,", block, name), [block](double) { return block; }, 58});
  }
  return all;
}

void size(const Formula& formula, int u, std::vector<Change>& changes) {
  const std::string name = formula.text(u);
  const auto applied = [u](Edit& edit, const std::function<double(double)>& of) {
    Node node;
    node.op = Op::apply;
    node.a = u;
    node.write = "{}";
    node.apply = of;
    return edit.add(std::move(node));
  };
  for (const InPlace& other : in_place_of(name))
    in_uses(
        formula, u, [&](Edit& edit) { return applied(edit, other.of); }, other.what,
        fmt::format("{} stands where {} belongs", other.what, name), other.weight, changes);
  for (const Formula::Axis& axis : formula.axes)
    for (const std::string& other : axis.sizes) {
      if (other == formula.nodes[static_cast<std::size_t>(u)].name) continue;
      const auto named = [&](Edit& edit) {
        Node node;
        node.op = Op::number;
        node.name = other;
        return edit.add(std::move(node));
      };
      in_uses(formula, u, named, fmt::format("`{}`", other),
              fmt::format("`{}` stands where {} belongs", other, name), 76, changes);
    }
  // 1 / N of two integers
  in_uses(
      formula, u, [&](Edit& edit) { return applied(edit, [](double n) { return n > 1 ? HUGE_VAL : 1.0; }); },
      "", fmt::format("1 / {} is worked out in integers, which is 0", name), 64, changes);
}

/// What is typed in where an argument belongs.
const double kTyped[] = {1e-3, 1e-2, 1e-1, 0.9,  0.99,  0.95,  0.999, 0.9999, 1e-4,
                         1e-5, 1e-6, 1e-7, 1e-8, 1e-10, 1e-12, 0.5,   1,      0};

void scalar(const Formula& formula, int u, std::vector<Change>& changes) {
  const std::string name = formula.text(u);
  for (const double value : kTyped)
    in_uses(
        formula, u, [&](Edit& e) { return e.constant(value); }, "",
        fmt::format("{} is typed in as {:g} and not taken from the argument", name, value),
        value == 0 ? 40 : 62, changes);
}

/// Each thread of a block adds it to what the block adds up, before that is divided or after.
void by_each_thread(const Formula& formula, int at, int slot, std::vector<Change>& changes) {
  const int scalar = operand_of(formula, at, slot), other = operand_of(formula, at, 1 - slot);
  const Node& beside = formula.nodes[static_cast<std::size_t>(other)];
  const bool is_mean =
      beside.op == Op::divide && formula.nodes[static_cast<std::size_t>(beside.a)].op == Op::sum;
  for (const bool divided : {false, true}) {
    if (divided && !is_mean) continue;
    for (const bool block : {true, false}) {
      Edit edit(formula);
      int threads = -1;
      if (block) {
        Node number;
        number.op = Op::number;
        number.name = kThreadsOfABlock;
        threads = edit.add(std::move(number));
      } else {
        threads = edit.constant(kWarpSize);
      }
      const int total = edit.add(Op::multiply, scalar, threads);
      edit.operand(at, slot, divided ? edit.add(Op::divide, total, beside.b) : total);
      keep_change(formula, std::move(edit),
                  fmt::format("{} is added by each {}{}", formula.text(scalar),
                              block ? "thread of a block, and so as often as it has threads"
                                    : "lane of a warp, and so 32 times",
                              divided ? ", to what is then divided by " + formula.text(beside.b) : ""),
                  66, changes);
    }
  }
}

/// A constant of the formula with another digit, or from another formula.
void constant(const Formula& formula, int u, std::vector<Change>& changes) {
  const double right = formula.nodes[static_cast<std::size_t>(u)].constant;
  for (const double factor : {2.0, 0.5, 10.0, 0.1, 100.0, 0.01, -1.0, std::sqrt(2.0), std::sqrt(0.5)}) {
    // Of 8 m n half is 4 m n, and hardly half of m. A factor of 1 is one that was left out.
    const bool counted = (factor == 2 || factor == 0.5) && right * factor != 1;
    in_uses(
        formula, u, [&](Edit& e) { return e.constant(right * factor); }, "",
        fmt::format("the constant is {:.6g} where {:.6g} belongs", right * factor, right), counted ? 66 : 58,
        changes);
  }
}

/// A reciprocal of two integers, where what is divided by is worked out.
void integer_reciprocal(const Formula& formula, int at, std::vector<Change>& changes) {
  const Node& node = formula.nodes[static_cast<std::size_t>(at)];
  const Node& divisor = formula.nodes[static_cast<std::size_t>(node.b)];
  if (divisor.op == Op::number || divisor.op == Op::constant) return;
  Edit edit(formula);
  Node cut;
  cut.op = Op::apply;
  cut.a = node.b;
  cut.write = "{}";
  cut.apply = [](double n) { return n > 1 && n == std::floor(n) ? HUGE_VAL : n; };
  edit.operand(at, 1, edit.add(std::move(cut)));
  keep_change(formula, std::move(edit),
              fmt::format("1 / {} is worked out in integers, which is 0 for all but 1", formula.text(node.b)),
              64, changes);
}

/// How many powers something is the exponent of, where it is nothing else.
int powers_of(const Formula& formula, int u) {
  int powers = 0;
  for (int at = 0; at < static_cast<int>(formula.nodes.size()); ++at) {
    const Node& node = formula.nodes[static_cast<std::size_t>(at)];
    if (node.a != u && node.b != u) continue;
    if (node.op != Op::power || node.a == u) return 0;
    ++powers;
  }
  return powers;
}

/// An exponent has none of a size's mistakes. That of one power is a switch, by which a factor or a divisor
/// counts or does not: what is made of it is among the changes of operations. That of several is taken for 1,
/// as in the first call of a program that keeps its powers from call to call.
void exponent(const Formula& formula, int u, int powers, std::vector<Change>& changes) {
  if (powers < 2) return;
  Edit edit(formula);
  edit.everywhere(u, edit.constant(1));
  keep_change(
      formula, std::move(edit),
      fmt::format(
          "1 stands where {} belongs: nothing is raised to that power, or it is left to earlier calls to do so",
          formula.text(u)),
      90, changes);
}

}  // namespace

void change_numbers(const Formula& formula, std::vector<Change>& changes) {
  const auto is_float = [&](int u) {
    const Node& node = formula.nodes[static_cast<std::size_t>(u)];
    return node.op == Op::number &&
           std::find(formula.floats.begin(), formula.floats.end(), node.name) != formula.floats.end();
  };
  for (int u = 0; u < static_cast<int>(formula.nodes.size()); ++u) {
    const Node& node = formula.nodes[static_cast<std::size_t>(u)];
    if (node.op == Op::constant) constant(formula, u, changes);
    if (node.op == Op::divide) integer_reciprocal(formula, u, changes);
    if (node.op == Op::add)
      for (const int slot : {0, 1})
        if (is_float(operand_of(formula, u, slot))) by_each_thread(formula, u, slot, changes);
    if (node.op != Op::number) continue;
    if (is_float(u))
      scalar(formula, u, changes);
    else if (const int powers = powers_of(formula, u); powers > 0)
      exponent(formula, u, powers, changes);
    else
      size(formula, u, changes);
  }
}

}  // namespace fusebox::patterns
