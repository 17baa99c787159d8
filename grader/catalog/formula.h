#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "grader/catalog/puzzle.h"
#include "grader/catalog/shared_vector.h"

/// What a puzzle computes, as a graph of small operations over named axes. Puzzle::make has the oracle; this
/// states it once more, in a form that can be changed: the judge makes one mistake in it at a time and asks
/// whether the learner's numbers come out. A test holds the two statements to each other in every case.
namespace fusebox {

/// A function of one number, with what people call it.
struct Curve {
  const char* noun;   ///< "the square root"
  const char* write;  ///< "sqrt({})"
  double (*of)(double);
};
extern const Curve kSquareRoot, kSquare, kCube, kTanh, kErf, kExp, kSigmoid;

struct Node {
  enum class Op {
    tensor,    ///< an argument, by its name
    part,      ///< of an argument, `source`, whatever its shape: what stands where `steps` lead
    number,    ///< a size of the case or a float of the call, by its name
    constant,  ///< written into the formula
    add,
    subtract,
    multiply,
    divide,
    power,
    larger,    ///< of the two
    apply,     ///< `function` of each value
    sum,       ///< over `axis`, each value times weight(its index, the axis's length) where there is one
    sum_some,  ///< along `axis`: at each index the sum of those that counts(theirs, its, length), or that
               ///< have its group(index, length)
    largest,   ///< over `axis`
    read,      ///< along `axis`, at place(index, length), or place(index, b) where there is a number b;
               ///< outside nothing is known, and 0 stands at kNowhere
    relabel,   ///< what lies along `axis` now lies along `other_axis`, which may be longer or shorter
    reread,    ///< a matrix, each value from the same memory at flat(row, column, rows, columns); 0 for -1
    gather,    ///< rows of `a` by the indices `b`, along `axis`; 0 where there is no such row
    scatter,   ///< what `a` has along `axis` stands at the places `b` of `other_axis`; elsewhere nothing is
               ///< known
    pool       ///< sums of `a` along `axis`, from each of the starts `b` to the next, the last to the end; or
               ///< from each to flat(which, the next, how many, the end)
  } op = Op::constant;
  std::string name;               ///< of an argument; else what people call the value; may be empty
  std::vector<std::string> axes;  ///< that its value has, in the formula's order
  int a = -1, b = -1;             ///< operands, by number
  double constant = 0;
  const Curve* function = nullptr;
  /// So many values further for each index on `axis`, or once where that is empty: `times`, times these
  /// sizes.
  struct Step {
    std::string axis;
    std::int64_t times = 1;
    std::vector<std::string> sizes;
  };
  std::string source;
  std::vector<Step> steps;
  std::string axis, other_axis;
  static constexpr std::int64_t kNowhere = std::numeric_limits<std::int64_t>::min();
  std::function<std::int64_t(std::int64_t, std::int64_t)> place;
  std::function<double(std::int64_t, std::int64_t)> weight;
  /// Of `sum` and `sum_some`: how the terms are added up where that is not as real numbers are; with the
  /// value of `b`, which has no axes.
  std::function<double(std::span<const double>, double)> fold;
  std::function<bool(std::int64_t, std::int64_t, std::int64_t)> counts;
  std::function<std::int64_t(std::int64_t, std::int64_t)> group;
  std::function<std::int64_t(std::int64_t, std::int64_t, std::int64_t, std::int64_t)> flat;
  std::string write;  ///< how `apply` and `read` are written where `function` does not say: "{} in fp16"
  std::function<double(double)> apply;
};

struct Formula {
  /// An axis, so many times the product of these sizes long, and the word for one index on it.
  struct Axis {
    std::string name;
    std::vector<std::string> sizes;
    std::int64_t times = 1;
  };
  std::vector<Axis> axes;
  std::vector<std::string> floats;                   ///< names of the call's float arguments, in order
  SharedVector<Node> nodes;                          ///< operands before what is made of them
  std::vector<std::pair<std::string, int>> outputs;  ///< tensors that are written, and their nodes

  bool empty() const { return outputs.empty(); }
  /// The axes that `node` has, worked out from its operands.
  std::vector<std::string> axes_of(const Node& node) const;
  int add(Node node);
  /// Does `node`'s value depend on `other`'s? A node depends on itself.
  bool depends(int node, int other) const;
  /// "sqrt(`variance` + `eps`)"; with its name alone where it has one.
  std::string text(int node) const;
};

/// A value while a formula is written down: `mean = (sum(x, "column") / n).named("mean")`.
struct Term {
  Formula* formula = nullptr;
  int node = -1;
  Term named(std::string name) const;
};
/// The one of this name and these axes, where the formula has it already.
Term tensor(Formula& formula, std::string name, std::vector<std::string> axes);
Term number(Formula& formula, std::string name);
/// What people call `name` and is a part of `source`; its axes are those of `steps`.
Term part(Formula& formula, std::string name, std::string source, std::vector<Node::Step> steps);
Term operator+(Term a, Term b);
Term operator-(Term a, Term b);
Term operator*(Term a, Term b);
Term operator/(Term a, Term b);
Term operator+(double a, Term b);
Term operator-(double a, Term b);
Term operator*(double a, Term b);
Term operator/(double a, Term b);
Term power(Term a, Term b);
Term larger(Term a, Term b);
Term apply(const Curve& function, Term a);
Term sum(Term a, std::string axis);
Term largest(Term a, std::string axis);
Term gather(Term table, Term indices, std::string axis);
Term scatter(Term values, Term places, std::string axis, std::string to);
Term pool(Term values, Term starts, std::string axis);
void output(Term value, std::string tensor);

/// A number that is known where all launches of a case have blocks of the same size.
inline constexpr char kThreadsOfABlock[] = "the number of threads in a block";

/// The numbers of one case that a formula is about.
struct Bindings {
  std::map<std::string, std::vector<double>> tensors;
  std::map<std::string, double> numbers;
  std::map<std::string, std::int64_t> lengths;  ///< of axes
};
Bindings bindings_of(const Formula& formula, const Problem& problem, const Sizes& sizes);

/// Values of a formula's nodes in one case, worked out when they are asked for. `base`, of a formula whose
/// first nodes are the same but for those in `changed`, lends what no change reaches, and what is made of a
/// node whose change makes no difference here.
class Evaluation {
 public:
  Evaluation(const Formula& formula, const Bindings& bindings, const Evaluation* base = nullptr,
             std::vector<int> changed = {});
  /// Rounds every value of every node at random, by one part in 2^24: how far two of these are apart says how
  /// well floats can do.
  void jitter(std::uint64_t seed) { jitter_ = seed; }
  /// Row-major over the node's axes; NaN where nothing is known.
  const std::vector<double>& operator[](int node) const;

 private:
  bool is_changed(int node) const;
  const std::vector<double>& value_of(int node) const;
  std::vector<double> worked_out(const Node& node) const;
  std::vector<double> combined(const Node& node) const;
  std::vector<double> part_of(const Node& node) const;
  double total_of(const Node& sum, std::span<const double> terms, std::span<const double> weights) const;
  const Node* product_within(const Node& sum) const;
  std::vector<double> sum_of_products(const Node& sum, const Node& product) const;
  std::vector<double> along_axis(const Node& node) const;
  std::int64_t length(const std::string& axis) const { return bindings_.lengths.at(axis); }
  std::int64_t count(const std::vector<std::string>& axes) const;

  const Formula& formula_;
  const Bindings& bindings_;
  const Evaluation* base_;
  std::vector<int> changed_;
  std::uint64_t jitter_ = 0;
  mutable std::vector<signed char> reached_;  ///< -1 not known yet
  mutable std::vector<std::optional<std::vector<double>>> values_;
};

}  // namespace fusebox
