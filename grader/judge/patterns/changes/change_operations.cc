#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "grader/judge/patterns/changes/changes.h"

namespace fusebox::patterns {
namespace {

using Op = Node::Op;

const Curve kPowerOfTwo{"the power of two", "2^{}", [](double v) { return std::exp2(v); }};
const Curve kMagnitude{"the magnitude", "|{}|", [](double v) { return std::abs(v); }};

double odd(double v, double of_magnitude) { return v < 0 ? -of_magnitude : of_magnitude; }
/// 1 - (a[0] t + a[1] t^2 + ...) exp(-v^2) with t = 1 / (1 + p |v|).
template <std::size_t kTerms>
double erf_of_exponential(double v, double p, const double (&a)[kTerms]) {
  const double t = 1 / (1 + p * std::abs(v));
  double sum = 0;
  for (std::size_t i = kTerms; i-- > 0;) sum = (sum + a[i]) * t;
  return odd(v, 1 - sum * std::exp(-v * v));
}
/// 1 - 1 / (1 + a[0] |v| + a[1] |v|^2 + ...)^power.
template <std::size_t kTerms>
double erf_of_power(double v, int power, const double (&a)[kTerms]) {
  double sum = 0;
  for (std::size_t i = kTerms; i-- > 0;) sum = (sum + a[i]) * std::abs(v);
  return odd(v, 1 - std::pow(1 + sum, -power));
}

/// Approximations of erf that are copied from tables: Abramowitz and Stegun, Handbook of Mathematical
/// Functions, 7.1.25 to 7.1.28.
struct Approximation {
  Curve curve;
  const char* error;  ///< no more than this
};
const Approximation kOfErf[] = {
    {{"", "erf({})",
      [](double v) {
        return erf_of_exponential(v, 0.47047, {0.3480242, -0.0958798, 0.7478556});
      }},
     "2.5e-5"},
    {{"", "erf({})",
      [](double v) {
        return erf_of_exponential(v, 0.3275911,
                                  {0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429});
      }},
     "1.5e-7"},
    {{"", "erf({})",
      [](double v) {
        return erf_of_power(v, 4, {0.278393, 0.230389, 0.000972, 0.078108});
      }},
     "5e-4"},
    {{"", "erf({})",
      [](double v) {
        return erf_of_power(
            v, 16, {0.0705230784, 0.0422820123, 0.0092705272, 0.0001520143, 0.0002765672, 0.0000430638});
      }},
     "3e-7"}};

/// The first steps of tanh's continued fraction, which are near it around 0; with 1 and -1 from 3 on, or not.
struct Fraction {
  const char* says;
  double (*of)(double v);
};
template <double (*fraction)(double)>
double ending_at_3(double v) {
  return std::abs(v) < 3 ? fraction(v) : odd(v, 1);
}
double fraction_of_2(double v) { return v * (27 + v * v) / (27 + 9 * v * v); }
double fraction_of_4(double v) {
  const double s = v * v;
  return v * (945 + s * (105 + s)) / (945 + s * (420 + 15 * s));
}
double fraction_of_6(double v) {
  const double s = v * v;
  return v * (135135 + s * (17325 + s * (378 + s))) / (135135 + s * (62370 + s * (3150 + 28 * s)));
}
const Fraction kOfTanh[] = {{"v (27 + v^2) / (27 + 9 v^2)", fraction_of_2},
                            {"v (27 + v^2) / (27 + 9 v^2)", ending_at_3<fraction_of_2>},
                            {"v (945 + 105 v^2 + v^4) / (945 + 420 v^2 + 15 v^4)", fraction_of_4},
                            {"v (135135 + ...) / (135135 + ...)", fraction_of_6}};

/// A function that comes near to 1 and -1, taken for these where its argument is `from` or more, or less than
/// the opposite.
struct CutOff {
  double from;
  Curve curve;
};
/// `kTwiceSquared`: 2 from^2, a number that can choose a function.
template <double (*function)(double), int kTwiceSquared>
CutOff cut_off() {
  return {std::sqrt(kTwiceSquared / 2.0),
          {"", "",
           [](double v) { return std::abs(v) < std::sqrt(kTwiceSquared / 2.0) ? function(v) : odd(v, 1); }}};
}
double erf_of(double v) { return std::erf(v); }
double tanh_of(double v) { return std::tanh(v); }
// 2 and 3, and 3, 4 and 5 of GELU's v, of which erf has v / sqrt(2).
const CutOff kErfCutOffs[] = {cut_off<erf_of, 8>(), cut_off<erf_of, 9>(), cut_off<erf_of, 16>(),
                              cut_off<erf_of, 18>(), cut_off<erf_of, 25>()};
// 3, 4, 5, 6 and 8.
const CutOff kTanhCutOffs[] = {cut_off<tanh_of, 18>(), cut_off<tanh_of, 32>(), cut_off<tanh_of, 50>(),
                               cut_off<tanh_of, 72>(), cut_off<tanh_of, 128>()};

/// One place where an operation may be mistaken.
class Site {
 public:
  Site(const Formula& formula, int at, std::vector<Change>& changes)
      : formula_(formula), at_(at), node_(formula.nodes[static_cast<std::size_t>(at)]), changes_(changes) {}

  void all() {
    if (node_.op == Op::add) sums(true);
    if (node_.op == Op::subtract) sums(false), differences();
    if (node_.op == Op::multiply) products();
    if (node_.op == Op::divide) quotients();
    if (node_.op == Op::power) powers();
    if (node_.op == Op::larger) comparisons();
    if (node_.op == Op::apply) functions();
  }

 private:
  std::string a() const { return formula_.text(node_.a); }
  std::string b() const { return formula_.text(node_.b); }
  std::string whole() const {
    Formula nameless = formula_;
    nameless.nodes.own(static_cast<std::size_t>(at_)).name.clear();
    return nameless.text(at_);
  }

  void keep(Edit edit, const std::string& when, int weight) {
    keep_change(formula_, std::move(edit), when + within(formula_, at_), weight, changes_);
  }
  /// Only one operand is left.
  void only(int operand, const std::string& when, int weight) {
    Edit edit(formula_);
    edit.become(at_, operand);
    keep(std::move(edit), when, weight);
  }
  /// Another operation of the same operands, or of them exchanged.
  void instead(Op op, bool exchanged, const std::string& when, int weight) {
    Edit edit(formula_);
    edit.become(at_, edit.add(op, exchanged ? node_.b : node_.a, exchanged ? node_.a : node_.b));
    keep(std::move(edit), when, weight);
  }
  /// The same operation once more. A total is more likely to have all its terms twice: threads made it.
  void again(int operand, const std::string& when) {
    Edit edit(formula_);
    const int once = edit.copy(at_);
    edit.become(at_, edit.add(node_.op, once, operand));
    keep(std::move(edit), when, is_total(formula_, operand) ? 45 : 79);
  }

  void sums(bool plus) {
    const char* done = plus ? "added" : "subtracted";
    only(node_.a, fmt::format("{} is not {}", b(), done), 100);
    instead(plus ? Op::subtract : Op::add, false,
            fmt::format("{} is {} instead of {}", b(), plus ? "subtracted" : "added", done), 95);
    again(node_.b, fmt::format("{} is {} twice", b(), done));
    instead(Op::multiply, false,
            plus ? fmt::format("{} and {} are multiplied and not added", a(), b())
                 : fmt::format("{} is multiplied by {} where that is to be subtracted", a(), b()),
            60);
    if (!plus) return;
    only(node_.b, fmt::format("{} is not added", a()), 100);
    if (formula_.nodes[static_cast<std::size_t>(node_.b)].op == Op::number)
      instead(Op::larger, false,
              fmt::format("{} is only taken where {} is less than that, and not added", b(), a()), 75);
    instead(Op::subtract, true, fmt::format("{} is subtracted instead of added", a()), 95);
    again(node_.a, fmt::format("{} is added twice", a()));
  }
  void differences() {
    only(node_.b, fmt::format("{} stands where {} belongs", b(), whole()), 90);
    instead(Op::subtract, true,
            fmt::format("{} - {} stands where {} belongs: the sign is turned round", b(), a(), whole()), 90);
    Edit edit(formula_);
    edit.become(at_, edit.add(Op::subtract, edit.constant(0), node_.b));
    keep(std::move(edit), fmt::format("{} is left out of {}", a(), whole()), 80);
  }
  void products() {
    for (const int kept : {node_.a, node_.b}) {
      const std::string other = formula_.text(kept == node_.a ? node_.b : node_.a);
      only(kept, fmt::format("the factor {} is left out", other), 100);
    }
    again(node_.b, fmt::format("the factor {} is there twice", b()));
    again(node_.a, fmt::format("the factor {} is there twice", a()));
    instead(Op::divide, false, fmt::format("{} is divided by {} instead of multiplied", a(), b()), 90);
    instead(Op::divide, true, fmt::format("{} is divided by {} instead of multiplied", b(), a()), 80);
    instead(Op::add, false, fmt::format("{} and {} are added and not multiplied", a(), b()), 60);
  }
  void quotients() {
    only(node_.a, fmt::format("{} is not divided by {}", a(), b()), 100);
    only(node_.b, fmt::format("{} stands where {} belongs", b(), whole()), 95);
    instead(Op::multiply, false, fmt::format("{} is multiplied by {} instead of divided", a(), b()), 90);
    instead(Op::divide, true, fmt::format("{} / {} stands where {} belongs: upside down", b(), a(), whole()),
            85);
    again(node_.b, fmt::format("{} is divided by {} twice", a(), b()));
  }
  void powers() {
    only(node_.a, fmt::format("{} is not raised to the power of {}", a(), b()), 100);
    instead(Op::multiply, false,
            fmt::format("{} is multiplied by {} instead of raised to that power", a(), b()), 80);
  }
  void comparisons() {
    only(node_.a, fmt::format("{} stands where {} belongs", a(), whole()), 100);
    only(node_.b, fmt::format("{} stands where {} belongs", b(), whole()), 100);
    instead(Op::add, false, fmt::format("{} and {} are added where only the larger of them counts", a(), b()),
            95);
    // The smaller one is what is left of both.
    Edit edit(formula_);
    const int both = edit.add(Op::add, node_.a, node_.b);
    edit.become(at_, edit.add(Op::subtract, both, edit.copy(at_)));
    keep(std::move(edit), fmt::format("the smaller of {} and {} stands where the larger belongs", a(), b()),
         95);
  }
  void functions() {
    const char* noun = node_.function->noun;
    only(node_.a, fmt::format("{} of {} is left out", noun, a()), 100);
    Edit twice(formula_);
    const int once = twice.copy(at_);
    twice.operand(at_, 0, once);
    keep(std::move(twice), fmt::format("{} is taken twice, of {}", noun, a()), 85);
    const auto take = [&](const Curve& other) {
      Edit edit(formula_);
      const int same = edit.copy(at_);
      edit.node(same).function = &other;
      edit.become(at_, same);
      return edit;
    };
    if (node_.function == &kErf)
      for (const Approximation& near : kOfErf)
        keep(take(near.curve),
             fmt::format("{} is worked out by an approximation that is off by as much as {}", noun,
                         near.error),
             72);
    if (node_.function == &kTanh)
      for (const Fraction& near : kOfTanh) {
        Edit edit(formula_);
        Node as_fraction;
        as_fraction.op = Op::apply;
        as_fraction.a = node_.a;
        as_fraction.write = "a fraction near tanh({})";
        as_fraction.apply = near.of;
        edit.become(at_, edit.add(std::move(as_fraction)));
        keep(std::move(edit),
             fmt::format("{} is worked out as {}, which is near it around 0 alone", noun, near.says), 72);
      }
    const auto cut = [&](std::span<const CutOff> all) {
      for (const CutOff& each : all)
        keep(
            take(each.curve),
            fmt::format("{} of {} is taken for 1 where that is {:.3g} or more, and for -1 below its opposite",
                        noun, a(), each.from),
            71);
    };
    if (node_.function == &kErf) cut(kErfCutOffs);
    if (node_.function == &kTanh) cut(kTanhCutOffs);
    for (const Curve* other :
         {&kSquareRoot, &kSquare, &kCube, &kTanh, &kErf, &kSigmoid, &kMagnitude, &kExp, &kPowerOfTwo}) {
      if (other == node_.function) continue;
      keep(take(*other), fmt::format("{} of {} stands where {} belongs", other->noun, a(), noun), 70);
    }
  }

  const Formula& formula_;
  int at_;
  const Node& node_;
  std::vector<Change>& changes_;
};

/// What `at` is made of beside constants, where that is one value and more than one operation lies between,
/// as in GELU: a function that the formula writes out. Else -1.
int value_of_function(const Formula& formula, int at) {
  std::vector<int> open = {at};
  std::vector<bool> seen(formula.nodes.size(), false);
  // The latest value that all the rest is made of: everything left is below it.
  while (open.size() > 1 || open[0] == at) {
    const auto latest = std::max_element(open.begin(), open.end());
    const int last = *latest;
    open.erase(latest);
    const Node& node = formula.nodes[static_cast<std::size_t>(last)];
    const bool each_by_itself = (node.op >= Op::add && node.op <= Op::apply) && node.a >= 0;
    if (!each_by_itself || node.axes != formula.nodes[static_cast<std::size_t>(at)].axes) return -1;
    for (const int operand : {node.a, node.b}) {
      if (operand < 0 || seen[static_cast<std::size_t>(operand)]) continue;
      seen[static_cast<std::size_t>(operand)] = true;
      if (formula.nodes[static_cast<std::size_t>(operand)].op != Op::constant) open.push_back(operand);
    }
    if (open.empty()) return -1;
  }
  return open[0];
}

/// The function that leads from `value` to `at`, of `other`: its node.
int function_of(Edit& edit, const Formula& formula, int at, int value, int other) {
  if (at == value) return other;
  Node node = formula.nodes[static_cast<std::size_t>(at)];
  if (node.op == Op::constant) return at;
  node.name.clear();
  node.a = function_of(edit, formula, node.a, value, other);
  if (node.b >= 0) node.b = function_of(edit, formula, node.b, value, other);
  return edit.add(std::move(node));
}

/// A function that the formula writes out, taken of another value too.
void taken_of_another(const Formula& formula, int at, std::vector<Change>& changes) {
  const Node& function = formula.nodes[static_cast<std::size_t>(at)];
  if (function.name.empty()) return;
  const int value = value_of_function(formula, at);
  if (value < 0) return;
  for (int other = 0; other < static_cast<int>(formula.nodes.size()); ++other) {
    const Node& node = formula.nodes[static_cast<std::size_t>(other)];
    const bool is_inside = other != at && formula.depends(at, other) && formula.depends(other, value);
    if (node.name.empty() || node.axes.empty() || is_inside) continue;
    Edit edit(formula);
    const int plain = edit.copy(other);
    edit.become(other, function_of(edit, formula, at, value, plain));
    keep_change(formula, std::move(edit),
                fmt::format("{} is taken of {} too", formula.text(at), formula.text(other)), 72, changes);
  }
}

}  // namespace

void change_operations(const Formula& formula, std::vector<Change>& changes) {
  for (int at = 0; at < static_cast<int>(formula.nodes.size()); ++at) {
    Site(formula, at, changes).all();
    taken_of_another(formula, at, changes);
  }
}

}  // namespace fusebox::patterns
