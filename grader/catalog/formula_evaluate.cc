#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "grader/catalog/formula.h"

namespace fusebox {
namespace {

using Op = Node::Op;
using Names = std::vector<std::string>;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

constexpr double kFloatUnit = 0x1p-24;

/// A bit that looks like chance.
bool mixed(std::uint64_t seed, std::uint64_t node, std::uint64_t i) {
  std::uint64_t h = (seed * 0x9e3779b97f4a7c15u) ^ (node * 0xbf58476d1ce4e5b9u) ^ (i * 0x94d049bb133111ebu);
  h ^= h >> 31, h *= 0xd6e8feb86659fd93u, h ^= h >> 29;
  return (h & 1) != 0;
}

/// What an operation makes of two numbers: chosen once for all elements.
template <class F>
void with_operation(Op op, F use) {
  switch (op) {
    case Op::add:
      return use([](double a, double b) { return a + b; });
    case Op::subtract:
      return use([](double a, double b) { return a - b; });
    case Op::multiply:
      return use([](double a, double b) { return a * b; });
    case Op::divide:
      return use([](double a, double b) { return a / b; });
    case Op::larger:
      return use(
          [](double a, double b) { return std::isnan(a) || std::isnan(b) ? kUnknown : std::max(a, b); });
    default:
      return use([](double a, double b) { return std::pow(a, b); });
  }
}

/// How far apart neighbours on each of `axes` lie in a value over `own`; 0 where it does not have the axis.
std::vector<std::int64_t> strides(const Names& axes, const Names& own, const Bindings& bindings) {
  std::vector<std::int64_t> result(axes.size(), 0);
  std::int64_t stride = 1;
  for (std::size_t k = own.size(); k-- > 0;) {
    const auto at = std::find(axes.begin(), axes.end(), own[k]);
    if (at != axes.end()) result[static_cast<std::size_t>(at - axes.begin())] = stride;
    stride *= bindings.lengths.at(own[k]);
  }
  return result;
}

/// Elements of a value along its last axis, and where the operands of the first stand.
struct Run {
  std::size_t first, a, b;
  std::size_t count;
  std::size_t a_step, b_step;  ///< from one element to the next
};

/// Calls visit(run) for every run of a value over `axes`, in order.
template <class F>
void each_run(const Names& axes, const Names& first, const Names& second, const Bindings& bindings, F visit) {
  const auto by_a = strides(axes, first, bindings), by_b = strides(axes, second, bindings);
  std::vector<std::int64_t> length(axes.size()), index(axes.size(), 0);
  std::int64_t count = 1, a = 0, b = 0;
  for (std::size_t k = 0; k < axes.size(); ++k) count *= length[k] = bindings.lengths.at(axes[k]);
  const std::size_t last = axes.size() - 1;
  const std::int64_t run = axes.empty() ? 1 : length[last], a_step = axes.empty() ? 0 : by_a[last],
                     b_step = axes.empty() ? 0 : by_b[last];
  for (std::int64_t i = 0; i < count; i += run) {
    visit(Run{static_cast<std::size_t>(i), static_cast<std::size_t>(a), static_cast<std::size_t>(b),
              static_cast<std::size_t>(run), static_cast<std::size_t>(a_step),
              static_cast<std::size_t>(b_step)});
    for (std::size_t k = axes.empty() ? 0 : last; k-- > 0;) {
      a += by_a[k], b += by_b[k];
      if (++index[k] < length[k]) break;
      a -= by_a[k] * length[k], b -= by_b[k] * length[k];
      index[k] = 0;
    }
  }
}

/// Calls visit(i, a, b) for every element i of a value over `axes`, with where its operands stand.
template <class F>
void each_element(const Names& axes, const Names& first, const Names& second, const Bindings& bindings,
                  F visit) {
  each_run(axes, first, second, bindings, [&](const Run& run) {
    for (std::size_t k = 0; k < run.count; ++k)
      visit(run.first + k, run.a + k * run.a_step, run.b + k * run.b_step);
  });
}

/// Numbers of an operand: the first, and how far apart the others lie.
struct Line {
  const double* first;
  std::size_t apart;
  double operator[](std::size_t k) const { return first[k * apart]; }
};

/// Adds to each of `count` totals the products of `length` factors and the rows that these numbers begin,
/// four rows at a time, so that totals are not read and written for each.
void add_rows(double* totals, std::size_t count, const Line& factors, const Line& rows, std::size_t length) {
  std::size_t k = 0;
  for (; k + 4 <= length; k += 4) {
    const double f0 = factors[k], f1 = factors[k + 1], f2 = factors[k + 2], f3 = factors[k + 3];
    const double *r0 = rows.first + k * rows.apart, *r1 = r0 + rows.apart, *r2 = r1 + rows.apart,
                 *r3 = r2 + rows.apart;
    for (std::size_t j = 0; j < count; ++j)
      totals[j] += (f0 * r0[j] + f1 * r1[j]) + (f2 * r2[j] + f3 * r3[j]);
  }
  for (; k < length; ++k)
    for (std::size_t j = 0; j < count; ++j) totals[j] += factors[k] * rows.first[k * rows.apart + j];
}

/// Adds to each element of a run the products of so many numbers of both operands. Most of what is worked out
/// for changed formulas is such sums: where elements are neighbours in an operand, as columns of a matrix
/// are, each of its rows is gone through once, and not once for each element.
void add_products(double* totals, const Run& run, Line a, Line b, std::size_t length) {
  if (run.a_step == 0 && run.b_step == 1) return add_rows(totals, run.count, a, b, length);
  if (run.a_step == 1 && run.b_step == 0) return add_rows(totals, run.count, b, a, length);
  for (std::size_t j = 0; j < run.count; ++j, a.first += run.a_step, b.first += run.b_step)
    for (std::size_t k = 0; k < length; ++k) totals[j] += a[k] * b[k];
}

/// A value over `axes`, seen along one of them: [outer][length][inner].
struct Along {
  std::int64_t outer = 1, length = 1, inner = 1;
  Along(const Names& axes, const std::string& axis, const Bindings& bindings) {
    bool behind = false;
    for (const std::string& each : axes) {
      if (each == axis)
        length = bindings.lengths.at(each), behind = true;
      else
        (behind ? inner : outer) *= bindings.lengths.at(each);
    }
  }
  std::size_t at(std::int64_t o, std::int64_t k, std::int64_t i) const {
    return static_cast<std::size_t>((o * length + k) * inner + i);
  }
};

/// The sum of each group, at each of its indices.
std::vector<double> sums_of_groups(const Node& node, const Along& along, const std::vector<double>& a) {
  std::map<std::int64_t, std::vector<std::int64_t>> groups;
  for (std::int64_t k = 0; k < along.length; ++k) groups[node.group(k, along.length)].push_back(k);
  std::vector<double> values(a.size()), terms;
  for (const auto& [name, indices] : groups)
    for (std::int64_t o = 0; o < along.outer; ++o)
      for (std::int64_t i = 0; i < along.inner; ++i) {
        terms.clear();
        for (const std::int64_t k : indices) terms.push_back(a[along.at(o, k, i)]);
        const double sum = node.fold ? node.fold(terms, 1) : std::accumulate(terms.begin(), terms.end(), 0.0);
        for (const std::int64_t k : indices) values[along.at(o, k, i)] = sum;
      }
  return values;
}

/// Asked once for each place on the axis, and not for each of the sums.
std::vector<double> weights_of(const Node& sum, std::int64_t length) {
  std::vector<double> weights;
  if (!sum.weight) return weights;
  weights.reserve(static_cast<std::size_t>(length));
  for (std::int64_t k = 0; k < length; ++k) weights.push_back(sum.weight(k, length));
  return weights;
}

/// Which terms count is asked once for each place, and not for each of the sums that stand there.
std::vector<double> sums_of_some(const Node& node, const Along& along, const std::vector<double>& a) {
  if (node.group) return sums_of_groups(node, along, a);
  std::vector<double> values(a.size());
  std::vector<std::int64_t> counted;
  std::vector<double> terms;
  terms.reserve(static_cast<std::size_t>(along.length));
  for (std::int64_t to = 0; to < along.length; ++to) {
    counted.clear();
    for (std::int64_t k = 0; k < along.length; ++k)
      if (node.counts(k, to, along.length)) counted.push_back(k);
    for (std::int64_t o = 0; o < along.outer; ++o)
      for (std::int64_t i = 0; i < along.inner; ++i) {
        terms.clear();
        for (const std::int64_t k : counted) terms.push_back(a[along.at(o, k, i)]);
        values[along.at(o, to, i)] =
            node.fold ? node.fold(terms, 1) : std::accumulate(terms.begin(), terms.end(), 0.0);
      }
  }
  return values;
}

/// Values of a node that are compared with those it had: products of long rows are too many.
constexpr std::int64_t kMostCompared = 1 << 16;

/// But for the order in which sums are added up.
bool are_same(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double kRounding = 1e-13;
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](double one, double other) {
           return (std::isfinite(one) && std::abs(one - other) <= kRounding * std::abs(one)) ||
                  one == other || (std::isnan(one) && std::isnan(other));
         });
}

}  // namespace

Evaluation::Evaluation(const Formula& formula, const Bindings& bindings, const Evaluation* base,
                       std::vector<int> changed)
    : formula_(formula),
      bindings_(bindings),
      base_(base),
      changed_(std::move(changed)),
      reached_(formula.nodes.size(), -1),
      values_(formula.nodes.size()) {}

bool Evaluation::is_changed(int node) const {
  if (node < 0) return false;
  auto& known = reached_[static_cast<std::size_t>(node)];
  if (known >= 0) return known != 0;
  const Node& of = formula_.nodes[static_cast<std::size_t>(node)];
  const bool is_new = !base_ || static_cast<std::size_t>(node) >= base_->values_.size();
  const bool itself = is_new || std::find(changed_.begin(), changed_.end(), node) != changed_.end();
  known = itself || is_changed(of.a) || is_changed(of.b);
  // A sum that is made tile by tile, of rows of one tile: what is made of it need not be worked out.
  if (itself && !is_new && jitter_ == 0 && count(of.axes) <= kMostCompared &&
      of.axes == base_->formula_.nodes[static_cast<std::size_t>(node)].axes)
    known = !are_same(value_of(node), (*base_)[node]);
  return known != 0;
}

const std::vector<double>& Evaluation::operator[](int node) const {
  return is_changed(node) ? value_of(node) : (*base_)[node];
}

const std::vector<double>& Evaluation::value_of(int node) const {
  auto& value = values_[static_cast<std::size_t>(node)];
  if (!value) {
    const Node& of = formula_.nodes[static_cast<std::size_t>(node)];
    value = worked_out(of);
    if (jitter_ != 0 && of.a >= 0) {
      // A sum of n terms rounds n times, in either direction.
      const double roundings = of.op == Op::sum || of.op == Op::sum_some || of.op == Op::pool
                                   ? std::sqrt(static_cast<double>(length(of.axis))) / 2
                                   : 0;
      for (std::size_t i = 0; i < value->size(); ++i)
        (*value)[i] *= 1 + kFloatUnit * std::max(1.0, roundings) *
                               (mixed(jitter_, static_cast<std::uint64_t>(node), i) ? 1 : -1);
    }
  }
  return *value;
}

std::int64_t Evaluation::count(const Names& axes) const {
  std::int64_t all = 1;
  for (const std::string& axis : axes) all *= length(axis);
  return all;
}

std::vector<double> Evaluation::worked_out(const Node& node) const {
  switch (node.op) {
    case Op::tensor: {
      const auto found = bindings_.tensors.find(node.name);
      const auto size = static_cast<std::size_t>(count(node.axes));
      if (found != bindings_.tensors.end() && found->second.size() == size) return found->second;
      return std::vector<double>(size, kUnknown);
    }
    case Op::number: {
      const auto found = bindings_.numbers.find(node.name);
      return {found == bindings_.numbers.end() ? kUnknown : found->second};
    }
    case Op::constant:
      return {node.constant};
    case Op::part:
      return part_of(node);
    case Op::apply: {
      std::vector<double> values = (*this)[node.a];
      for (double& v : values) v = node.function ? node.function->of(v) : node.apply(v);
      return values;
    }
    case Op::sum:
    case Op::sum_some:
    case Op::largest:
    case Op::read:
    case Op::relabel:
    case Op::reread:
      return along_axis(node);
    default:
      return combined(node);
  }
}

std::vector<double> Evaluation::part_of(const Node& node) const {
  std::vector<std::int64_t> by(node.axes.size(), 0), lengths, index(node.axes.size(), 0);
  std::int64_t at = 0;
  for (const Node::Step& step : node.steps) {
    auto far = static_cast<double>(step.times);
    for (const std::string& size : step.sizes) far *= bindings_.numbers.at(size);
    const auto axis = std::find(node.axes.begin(), node.axes.end(), step.axis);
    (axis == node.axes.end() ? at : by[static_cast<std::size_t>(axis - node.axes.begin())]) +=
        static_cast<std::int64_t>(far);
  }
  for (const std::string& axis : node.axes) lengths.push_back(length(axis));
  const auto found = bindings_.tensors.find(node.source);
  const std::int64_t all =
      found == bindings_.tensors.end() ? 0 : static_cast<std::int64_t>(found->second.size());
  std::vector<double> values(static_cast<std::size_t>(count(node.axes)), kUnknown);
  for (double& value : values) {
    if (at >= 0 && at < all) value = found->second[static_cast<std::size_t>(at)];
    for (std::size_t k = index.size(); k-- > 0;) {
      at += by[k];
      if (++index[k] < lengths[k]) break;
      at -= by[k] * lengths[k], index[k] = 0;
    }
  }
  return values;
}

/// `weights`: of the terms, where the sum has such.
double Evaluation::total_of(const Node& sum, std::span<const double> terms,
                            std::span<const double> weights) const {
  if (sum.fold) return sum.fold(terms, sum.b < 0 ? 1 : (*this)[sum.b][0]);
  if (weights.empty()) return std::accumulate(terms.begin(), terms.end(), 0.0);
  double total = 0;
  for (std::size_t k = 0; k < terms.size(); ++k)
    if (weights[k] != 0) total += weights[k] * terms[k];
  return total;
}

/// The product that `sum` adds up, unless it is laid out already: of long rows it would be many times as
/// large as all else.
const Node* Evaluation::product_within(const Node& sum) const {
  const Node& product = formula_.nodes[static_cast<std::size_t>(sum.a)];
  if (sum.op != Op::sum || product.op != Op::multiply || jitter_ != 0) return nullptr;
  const auto& held = is_changed(sum.a) ? values_ : base_->values_;
  return held[static_cast<std::size_t>(sum.a)] ? nullptr : &product;
}

std::vector<double> Evaluation::sum_of_products(const Node& sum, const Node& product) const {
  const auto &a = (*this)[product.a], &b = (*this)[product.b];
  const Names &first = formula_.nodes[static_cast<std::size_t>(product.a)].axes,
              &second = formula_.nodes[static_cast<std::size_t>(product.b)].axes;
  const auto by_a = static_cast<std::size_t>(strides({sum.axis}, first, bindings_)[0]),
             by_b = static_cast<std::size_t>(strides({sum.axis}, second, bindings_)[0]);
  const auto all_terms = static_cast<std::size_t>(length(sum.axis));
  const std::vector<double> weights = weights_of(sum, length(sum.axis));
  std::vector<double> values(static_cast<std::size_t>(count(sum.axes)));
  if (!sum.fold && weights.empty()) {
    each_run(sum.axes, first, second, bindings_, [&](const Run& run) {
      add_products(&values[run.first], run, {&a[run.a], by_a}, {&b[run.b], by_b}, all_terms);
    });
    return values;
  }
  std::vector<double> terms(all_terms);
  each_element(sum.axes, first, second, bindings_, [&](auto i, auto at, auto other) {
    for (double& term : terms) term = a[at] * b[other], at += by_a, other += by_b;
    values[i] = total_of(sum, terms, weights);
  });
  return values;
}

std::vector<double> Evaluation::combined(const Node& node) const {
  const auto &a = (*this)[node.a], &b = (*this)[node.b];
  const Names &first = formula_.nodes[static_cast<std::size_t>(node.a)].axes,
              &second = formula_.nodes[static_cast<std::size_t>(node.b)].axes;
  std::vector<double> values(static_cast<std::size_t>(count(node.axes)));
  if (node.op == Op::scatter) {
    const Along from(first, node.axis, bindings_), to(node.axes, node.other_axis, bindings_);
    std::fill(values.begin(), values.end(), kUnknown);
    // Both axes stand at one place among the others: the formula names them next to each other.
    for (std::int64_t o = 0; o < from.outer; ++o)
      for (std::int64_t k = 0; k < from.length; ++k) {
        const double place = b[static_cast<std::size_t>(k)];
        if (!(place >= 0 && place < static_cast<double>(to.length))) continue;
        for (std::int64_t i = 0; i < from.inner; ++i)
          values[to.at(o, static_cast<std::int64_t>(place), i)] = a[from.at(o, k, i)];
      }
    return values;
  }
  if (node.op == Op::pool) {
    const Along terms(first, node.axis, bindings_);
    each_element(node.axes, first, second, bindings_, [&](auto i, auto at, auto start) {
      const auto end = static_cast<double>(terms.length);
      const double from = b[start];
      double to = start + 1 < b.size() ? b[start + 1] : end;
      if (node.flat)
        to = static_cast<double>(node.flat(static_cast<std::int64_t>(start), static_cast<std::int64_t>(to),
                                           static_cast<std::int64_t>(b.size()),
                                           static_cast<std::int64_t>(terms.length)));
      const bool inside = from >= 0 && from <= end && to <= end;  // NaN is nowhere
      double total = 0;
      // `at` stands at the first term, since the result has no such axis.
      for (auto k = static_cast<std::size_t>(inside ? from : 0); inside && static_cast<double>(k) < to; ++k)
        total += a[at + k * static_cast<std::size_t>(terms.inner)];
      values[i] = inside ? total : kUnknown;
    });
    return values;
  }
  if (node.op != Op::gather) {
    with_operation(node.op, [&](auto combine) {
      each_element(node.axes, first, second, bindings_,
                   [&](auto i, auto at, auto other) { values[i] = combine(a[at], b[other]); });
    });
    return values;
  }
  const Along table(first, node.axis, bindings_);
  each_element(node.axes, first, second, bindings_, [&](auto i, auto at, auto other) {
    const double row = b[other];
    // `at` stands in row 0 of the table, since the result has no such axis.
    values[i] = std::isnan(row) ? kUnknown
                : row >= 0 && row < static_cast<double>(table.length)
                    ? a[at + static_cast<std::size_t>(row) * static_cast<std::size_t>(table.inner)]
                    : 0;
  });
  return values;
}

std::vector<double> Evaluation::along_axis(const Node& node) const {
  if (const Node* product = product_within(node)) return sum_of_products(node, *product);
  const auto& a = (*this)[node.a];
  const Names& own = formula_.nodes[static_cast<std::size_t>(node.a)].axes;
  std::vector<double> values(static_cast<std::size_t>(count(node.axes)), kUnknown);
  if (node.op == Op::reread) {
    const std::int64_t rows = length(own[0]), columns = length(own[1]);
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c) {
        const std::int64_t from = node.flat(r, c, rows, columns);
        if (from < rows * columns)
          values[static_cast<std::size_t>(r * columns + c)] =
              from < 0 ? 0 : a[static_cast<std::size_t>(from)];
      }
    return values;
  }
  const Along along(own, node.axis, bindings_);
  if (node.op == Op::relabel) {
    // Only vectors lie along another axis than their own.
    for (std::size_t k = 0; k < values.size() && k < a.size(); ++k) values[k] = a[k];
    return values;
  }
  if (node.op == Op::sum_some) return sums_of_some(node, along, a);
  if (node.op == Op::read) {
    const double bound = node.b < 0 ? static_cast<double>(along.length) : (*this)[node.b][0];
    for (std::int64_t k = 0; k < along.length && bound >= 1; ++k) {
      const std::int64_t from = node.place(k, static_cast<std::int64_t>(bound));
      const bool known = from >= 0 && from < along.length;
      for (std::int64_t o = 0; (known || from == Node::kNowhere) && o < along.outer; ++o)
        for (std::int64_t i = 0; i < along.inner; ++i)
          values[along.at(o, k, i)] = known ? a[along.at(o, from, i)] : 0;
    }
    return values;
  }
  std::vector<double> terms(static_cast<std::size_t>(along.length));
  const std::vector<double> weights = weights_of(node, along.length);
  for (std::int64_t o = 0; o < along.outer; ++o)
    for (std::int64_t i = 0; i < along.inner; ++i) {
      for (std::int64_t k = 0; k < along.length; ++k)
        terms[static_cast<std::size_t>(k)] = a[along.at(o, k, i)];
      values[static_cast<std::size_t>(o * along.inner + i)] =
          node.op == Op::sum ? total_of(node, terms, weights)
                             : std::accumulate(terms.begin(), terms.end(), -HUGE_VAL,
                                               [](double x, double y) { return std::max(x, y); });
    }
  return values;
}

}  // namespace fusebox
