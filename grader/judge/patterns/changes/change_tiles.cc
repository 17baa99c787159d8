#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "grader/judge/patterns/changes/changes.h"
#include "grader/judge/patterns/facts/names.h"

namespace fusebox::patterns {
namespace {

using Op = Node::Op;

constexpr std::int64_t kTiles[] = {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};

const Node& node_of(const Formula& formula, int at) { return formula.nodes[static_cast<std::size_t>(at)]; }

/// Each index keeps what its own lane has added up.
void leave_partial(Edit& edit, int at, std::int64_t lanes) {
  const int partial = edit.copy(at);
  edit.node(partial).op = Op::sum_some;
  edit.node(partial).group = [lanes](auto k, auto) { return k % lanes; };
  edit.become(at, partial);
}

void not_added_up(const Formula& formula, const std::vector<int>& sums, std::vector<Change>& changes) {
  const std::string& axis = node_of(formula, sums[0]).axis;
  for (const std::int64_t lanes : kTiles) {
    const std::string says =
        fmt::format("not added up over {0} lanes or threads: each takes its own part, that of one {1} % {0}",
                    lanes, axis);
    Edit all(formula);
    std::vector<std::string> names;
    for (const int at : sums) {
      Edit edit(formula);
      leave_partial(edit, at, lanes);
      if (!edit.settle(formula)) continue;
      leave_partial(all, at, lanes);
      names.push_back(sum_text(formula, at));
      keep_change(formula, std::move(edit), fmt::format("{} is {}", names.back(), says), 68, changes);
    }
    if (names.size() > 1)
      keep_change(formula, std::move(all), fmt::format("{} are {}", listed(names), says), 68, changes);
  }
}

/// What a thread adds up for one index after another, `stride` apart, without beginning anew; with `tile`,
/// anew for each so many.
void not_begun(const Formula& formula, int at, const std::string& axis, std::int64_t stride,
               std::int64_t tile, std::vector<Change>& changes) {
  Edit edit(formula);
  Node carried;
  carried.op = Op::sum_some;
  carried.axis = axis;
  carried.a = edit.copy(at);
  carried.counts = [stride, tile](auto k, auto to, auto) {
    return k <= to && k % stride == to % stride && (tile == 0 || k / tile == to / tile);
  };
  edit.become(at, edit.add(std::move(carried)));
  const std::string each =
      stride == 1 ? fmt::format("{}", axis) : fmt::format("tile of {} {}s", stride, axis);
  keep_change(
      formula, std::move(edit),
      fmt::format("{} is not set to 0 anew for each {}: what was added up for the one before is still in it",
                  sum_text(formula, at), each),
      tile == 0 ? 66 : 60, changes);
}

/// What a thread has added up for one piece of a row and divided is where it begins with its next piece. A
/// piece is a float, or a float4 where the row has whole ones.
void goes_on_divided(const Formula& formula, int at, std::vector<Change>& changes) {
  const int total = operand_of(formula, at, 0), divisor = operand_of(formula, at, 1);
  const Op op = node_of(formula, total).op;
  if (op != Op::sum && op != Op::pool) return;
  for (const std::string& axis : node_of(formula, total).axes) {
    const auto& of_divisor = node_of(formula, divisor).axes;
    if (std::find(of_divisor.begin(), of_divisor.end(), axis) != of_divisor.end()) continue;
    for (const std::int64_t threads : {32, 64, 128, 256, 512, 1024})
      for (const std::int64_t most : {1, 4}) {
        const auto stride = [threads, most](std::int64_t n) {
          return n % most == 0 ? threads * most : threads;
        };
        Edit edit(formula);
        // The sum of piece i is divided once more for each piece behind it: (sum of s d^i) / d^j / d.
        Node one;
        one.op = Op::apply;
        one.write = "{}";
        one.a = total;
        one.apply = [](double) { return 1.0; };
        Node counted;
        counted.op = Op::sum_some;
        counted.axis = axis;
        counted.a = edit.add(std::move(one));
        counted.counts = [stride](auto k, auto to, auto n) {
          return k < to && k % stride(n) == to % stride(n);
        };
        const int power = edit.add(Op::power, divisor, edit.add(std::move(counted)));
        Node carried;
        carried.op = Op::sum_some;
        carried.axis = axis;
        carried.a = edit.add(Op::multiply, total, power);
        carried.counts = [stride](auto k, auto to, auto n) {
          return k <= to && k % stride(n) == to % stride(n);
        };
        edit.operand(at, 0, edit.add(Op::divide, edit.add(std::move(carried)), power));
        keep_change(
            formula, std::move(edit),
            fmt::format(
                "{} is not set to 0 anew for each piece of a row: what a thread has divided for the piece before is still in it",
                sum_text(formula, total)),
            62, changes);
      }
  }
}

/// What belongs to a sum once is added to it for each tile, or by each lane.
void added_often(const Formula& formula, int at, int slot, std::vector<Change>& changes) {
  const Node& sum = node_of(formula, operand_of(formula, at, slot));
  const int other = operand_of(formula, at, 1 - slot);
  if (sum.op != Op::sum || other < 0) return;
  const auto keep = [&](const std::string& says, auto times, int weight) {
    Edit edit(formula);
    Node count;
    count.op = Op::apply;
    count.write = "{}";
    count.a = length_of(edit, formula, sum.axis);
    count.apply = times;
    const int number = edit.add(std::move(count));
    edit.operand(at, 1 - slot, edit.add(Op::multiply, other, number));
    keep_change(formula, std::move(edit),
                fmt::format("{} is added {}{}", formula.text(other), says, within(formula, at)), weight,
                changes);
  };
  keep(
      fmt::format("for each {} again and not once", sum.axis), [](double n) { return n; }, 68);
  for (const std::int64_t tile : kTiles) {
    keep(
        fmt::format("again for each tile of {} {}s and not once", tile, sum.axis),
        [tile](double n) { return std::ceil(n / static_cast<double>(tile)); }, 66);
    if (tile > 2)
      keep(
          fmt::format("{} times and not once", tile), [tile](double) { return static_cast<double>(tile); },
          64);
  }
}

/// `at` where every tensor is 0 that lies along `axis`; -1 where that is no small formula.
int zeroed(Edit& edit, const Formula& formula, int at, const std::string& axis) {
  const Node& node = node_of(formula, at);
  if (std::find(node.axes.begin(), node.axes.end(), axis) == node.axes.end()) return at;
  if (node.op == Op::tensor || node.op == Op::part) return edit.constant(0);
  if (node.op == Op::gather || node.op == Op::scatter || node.op == Op::pool || node.op == Op::read ||
      node.op == Op::relabel || node.op == Op::reread)
    return -1;
  const int a = zeroed(edit, formula, node.a, axis);
  const int b = node.b < 0 ? -1 : zeroed(edit, formula, node.b, axis);
  if (a < 0 || (node.b >= 0 && b < 0)) return -1;
  Node copy = node;
  copy.name.clear();
  copy.a = a, copy.b = b;
  return edit.add(std::move(copy));
}

/// The sum counts zeros beyond the end of its axis, `zeros` many at a length of n.
void counts_zeros(const Formula& formula, int at, std::function<double(double n)> zeros,
                  const std::string& up_to, std::vector<Change>& changes) {
  const Node& sum = node_of(formula, at);
  Edit edit(formula);
  const int zero = zeroed(edit, formula, sum.a, sum.axis);
  if (zero < 0) return;
  Node padding;
  padding.op = Op::apply;
  padding.write = "{}";
  padding.a = length_of(edit, formula, sum.axis);
  padding.apply = std::move(zeros);
  const int times = edit.add(std::move(padding)), more = edit.add(Op::multiply, zero, times);
  edit.become(at, edit.add(Op::add, edit.copy(at), more));
  keep_change(
      formula, std::move(edit),
      fmt::format("{} counts zeros beyond the last {} too, {}", sum_text(formula, at), sum.axis, up_to), 66,
      changes);
}

/// A row is padded to whole tiles with zeros; or each thread takes several values, and zeros for those that
/// are missing.
void counts_padding(const Formula& formula, int at, std::vector<Change>& changes) {
  for (const std::int64_t tile : kTiles)
    counts_zeros(
        formula, at, [each = static_cast<double>(tile)](double n) { return std::ceil(n / each) * each - n; },
        fmt::format("up to a multiple of {}", tile), changes);
  for (const std::int64_t threads : {32, 64, 128, 256, 512, 1024})
    for (const std::int64_t each : {2, 4, 8})
      counts_zeros(
          formula, at,
          [all = static_cast<double>(threads), own = static_cast<double>(each)](double n) {
            const double rest = std::fmod(n, all * own);
            return std::min(rest, all) * own - rest;
          },
          fmt::format("since each of {} threads takes {} values, or zeros for them", threads, each), changes);
}

/// Runs of so many rows, as if there were nothing before each that it could look back at.
void looks_back_at_nothing(const Formula& formula, std::vector<Change>& changes) {
  // Of a matrix with one column a place is a row.
  constexpr std::int64_t kRow = 9, kRows = 16;
  const auto looks_back = [](const Node& node) {
    if (node.op != Op::reread || node.axes.size() != 2) return false;
    const std::int64_t from = node.flat(kRow, 0, kRows, 1);
    return from >= 0 && from < kRow;
  };
  for (const std::int64_t run : kTiles) {
    Edit edit(formula);
    std::string axis;
    for (int at = 0; at < static_cast<int>(formula.nodes.size()); ++at) {
      const Node& node = node_of(formula, at);
      if (!looks_back(node)) continue;
      axis = node.axes[0];
      edit.node(at).flat = [run, was = node.flat](auto row, auto column, auto rows, auto columns) {
        const std::int64_t place = was(row, column, rows, columns);
        return place < row / run * run * columns ? -1 : place;
      };
      edit.changes(at);
    }
    if (axis.empty()) return;
    keep_change(formula, std::move(edit),
                fmt::format("each run of {0} {1}s looks back at zeros: nothing of the {1}s before it is read",
                            run, axis),
                70, changes);
  }
}

}  // namespace

void change_tiles(const Formula& formula, std::vector<Change>& changes) {
  std::map<std::string, std::vector<int>> sums;  // by their axes
  for (int at = 0; at < static_cast<int>(formula.nodes.size()); ++at) {
    const Node& node = node_of(formula, at);
    if (node.op == Op::add)
      for (const int slot : {0, 1}) added_often(formula, at, slot, changes);
    if (node.op == Op::divide) goes_on_divided(formula, at, changes);
    if (node.op != Op::sum) continue;
    sums[node.axis].push_back(at);
    counts_padding(formula, at, changes);
    for (const std::string& axis : node.axes)
      for (const std::int64_t stride : {1, 2, 4, 8, 16, 32, 64, 128, 256})
        for (const std::int64_t tile : {0, 2, 4, 8, 16, 32, 64, 128})
          if (tile == 0 || tile > stride) not_begun(formula, at, axis, stride, tile, changes);
  }
  looks_back_at_nothing(formula, changes);
  for (const auto& [axis, of_axis] : sums) not_added_up(formula, of_axis, changes);
}

}  // namespace fusebox::patterns
