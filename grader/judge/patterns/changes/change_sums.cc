#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "grader/judge/patterns/changes/changes.h"

namespace fusebox::patterns {
namespace {

using Op = Node::Op;

struct Part {
  std::string says;  ///< completes "the sum of `x` counts"
  std::function<double(std::int64_t, std::int64_t)> weight;
  int likely;
};

std::vector<Part> parts(const std::string& axis) {
  std::vector<Part> all;
  const auto add = [&](std::string says, auto counts, int likely) {
    all.push_back({std::move(says),
                   [counts](std::int64_t k, std::int64_t n) { return static_cast<double>(counts(k, n)); },
                   likely});
  };
  add(
      fmt::format("{} 0 alone", axis), [](auto k, auto) { return k == 0; }, 60);
  add(
      fmt::format("all but the last {}", axis), [](auto k, auto n) { return k + 1 < n; }, 80);
  add(
      fmt::format("all but {} 0", axis), [](auto k, auto) { return k > 0; }, 80);
  add(
      "only the first half", [](auto k, auto n) { return k < n / 2; }, 70);
  add(
      "only the first half, rounded up", [](auto k, auto n) { return k < (n + 1) / 2; }, 66);
  add(
      "everything twice, as when threads add up again what others have added up",
      [](auto, auto) { return 2; }, 58);
  add(
      "everything four times, as when each of two sums over lanes has a step too many",
      [](auto, auto) { return 4; }, 50);
  add(
      fmt::format("{} 0 twice", axis), [](auto k, auto) { return k == 0 ? 2 : 1; }, 60);
  add(
      fmt::format("the last {} twice", axis), [](auto k, auto n) { return k + 1 == n ? 2 : 1; }, 60);
  for (const std::int64_t b : {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}) {
    add(
        fmt::format("only the first {} {}s of each row", b, axis), [b](auto k, auto) { return k < b; }, 68);
    add(
        fmt::format("whole groups of {} {}s only, without the tail behind them", b, axis),
        [b](auto k, auto n) { return k < n / b * b; }, 70);
    add(
        fmt::format("only every {}{} {}: 0, {}, {} and so on", b, b % 10 == 2 && b % 100 != 12 ? "nd" : "th",
                    axis, b, 2 * b),
        [b](auto k, auto) { return k % b == 0; }, 69);
    add(
        fmt::format("half of the lanes or partial sums only: of each {} {}s the first {}", 2 * b, axis, b),
        [b](auto k, auto) { return (k & b) == 0; }, 67);
    add(
        fmt::format("half of the lanes or partial sums only: of each {} {}s the last {}", 2 * b, axis, b),
        [b](auto k, auto) { return (k & b) != 0; }, 40);
    add(
        fmt::format(
            "each {0} once for each of {1} threads that begins before it: they step by 1 and not by {1}",
            axis, b),
        [b](auto k, auto) { return std::min(k + 1, b); }, 66);
    if (b > 32) {
      add(
          fmt::format("only what the first warp of a block of {} adds up", b),
          [b](auto k, auto) { return k % b < 32; }, 66);
      add(
          fmt::format("all but what the first warp of a block of {} adds up", b),
          [b](auto k, auto) { return k % b >= 32; }, 50);
      add(
          fmt::format("all but what the last warp of a block of {} adds up", b),
          [b](auto k, auto) { return k % b < b - 32; }, 50);
    }
    if (b > 2) {
      add(
          fmt::format("all but the last of each {} {}s", b, axis),
          [b](auto k, auto) { return k % b != b - 1; }, 50);
      add(
          fmt::format("all but the first of each {} {}s", b, axis), [b](auto k, auto) { return k % b != 0; },
          50);
    }
    if (b >= 32)
      add(
          fmt::format("all but the first {} of the tail behind whole groups of {}", axis, b),
          [b](auto k, auto n) { return k != n / b * b; }, 64);
    add(
        fmt::format("all but the first {} {}s of each row", b, axis), [b](auto k, auto) { return k >= b; },
        60);
  }
  return all;
}

/// What the first of these has when they are halved as if they were a power of two.
double halved(std::vector<double> parts) {
  for (std::size_t half = parts.size() / 2; half > 0; half /= 2)
    for (std::size_t l = 0; l < half; ++l) parts[l] += parts[l + half];
  return parts[0];
}

/// Threads, or warps of 32, whose number is no power of two.
void odd_ones_lost(const Formula& formula, int at, std::size_t lanes, const std::string& what,
                   std::vector<Change>& changes) {
  Edit edit(formula);
  Node threads;
  threads.op = Op::number;
  threads.name = kThreadsOfABlock;
  edit.node(at).b = edit.add(std::move(threads));
  edit.node(at).fold = [lanes](std::span<const double> terms, double block) {
    if (!(block >= static_cast<double>(lanes))) return std::nan("");
    std::vector<double> parts(static_cast<std::size_t>(block) / lanes, 0);
    for (std::size_t k = 0; k < terms.size(); ++k) parts[k / lanes % parts.size()] += terms[k];
    return halved(std::move(parts));
  };
  edit.changes(at);
  keep_change(
      formula, std::move(edit),
      fmt::format(
          "{} leaves out what some {} of a block have: their number is no power of two, and halving it loses the odd ones",
          sum_text(formula, at), what),
      66, changes);
}

/// Sums whose threads or tiles do not fit the axis: what a thread's groups leave out, or a tile's end counts
/// again.
std::vector<Part> parts_of_threads(const std::string& axis) {
  std::vector<Part> all;
  for (const std::int64_t b : {2, 4, 8, 16, 32})
    all.push_back({fmt::format("all but the last {} {}s", b, axis),
                   [b](std::int64_t k, std::int64_t n) { return k + b < n ? 1.0 : 0.0; }, 66});
  for (const std::int64_t threads : {32, 64, 128, 256, 512, 1024})
    for (const std::int64_t each : {2, 4, 8})
      all.push_back(
          {fmt::format(
               "only {0}s of which a thread has {1}, {2} apart: where fewer are left for it, it leaves them out",
               axis, each, threads),
           [=](std::int64_t k, std::int64_t n) {
             const std::int64_t first = k / (threads * each) * threads * each + k % threads;
             return first + (each - 1) * threads < n ? 1.0 : 0.0;
           },
           66});
  // What registers keep, of pieces that are float4s where rows are whole ones.
  for (const std::int64_t b : {32, 64, 128, 192, 256, 512, 1024, 2048, 4096})
    all.push_back(
        {fmt::format(
             "only the first {} pieces of each row, which are float4s where its length is a multiple of 4, and else single {}s",
             b, axis),
         [b](std::int64_t k, std::int64_t n) { return k < (n % 4 == 0 ? 4 * b : b) ? 1.0 : 0.0; }, 64});
  for (const std::int64_t group : {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048})
    all.push_back(
        {fmt::format(
             "the last {} again for each place beyond it, up to a multiple of {}, as an index does that is kept within the row",
             axis, group),
         [group](std::int64_t k, std::int64_t n) {
           return k + 1 < n ? 1.0 : static_cast<double>(1 + (group - n % group) % group);
         },
         66});
  for (const std::int64_t tile : {4, 8, 16, 32, 64, 128})
    all.push_back(
        {fmt::format(
             "a part of the tile before again: the last tile of {0} {1}s hangs over the end, and there the tile still holds what it held",
             tile, axis),
         [tile](std::int64_t k, std::int64_t n) {
           const std::int64_t rest = n % tile;
           return rest > 0 && k / tile + 1 == n / tile && k % tile >= rest ? 2.0 : 1.0;
         },
         66});
  return all;
}

/// Where a run of a pool ends, taken for another place; in one of these sums or in all of them.
struct RunEnd {
  const char* says;  ///< of one run: "bag"; and of one term: "id"
  std::int64_t (*end)(std::int64_t which, std::int64_t next, std::int64_t count, std::int64_t all);
};
const RunEnd kRunEnds[] = {
    {"the last {} ends one {} early",
     [](auto which, auto next, auto count, auto) { return which + 1 == count ? next - 1 : next; }},
    {"each {} ends one {} early", [](auto, auto next, auto, auto) { return next - 1; }},
    {"each {} but the last goes on for one {} more",
     [](auto, auto next, auto, auto all) { return std::min(next + 1, all); }},
    {"the last {} has no {}s",
     [](auto which, auto next, auto count, auto) { return which + 1 == count ? 0 : next; }}};

void change_pools(const Formula& formula, const std::vector<int>& pools, std::vector<Change>& changes) {
  for (const RunEnd& ends : kRunEnds) {
    const auto end_there = [&](Edit& edit, int at) {
      edit.node(at).flat = ends.end;
      edit.changes(at);
    };
    const auto& starts = formula.nodes[static_cast<std::size_t>(operand_of(formula, pools[0], 1))].axes;
    if (starts.empty()) return;
    const std::string says = fmt::format(fmt::runtime(ends.says), starts.back(),
                                         formula.nodes[static_cast<std::size_t>(pools[0])].axis);
    Edit all(formula);
    for (const int at : pools) {
      end_there(all, at);
      if (pools.size() == 1) continue;
      Edit edit(formula);
      end_there(edit, at);
      keep_change(formula, std::move(edit), fmt::format("{} in {}", says, formula.text(at)), 66, changes);
    }
    keep_change(formula, std::move(all), says, 70, changes);
  }
}

/// A mean whose terms were all moved by the first of them, against rounding, and that is not moved back.
void stays_moved(const Formula& formula, int at, std::vector<Change>& changes) {
  const Node& mean = formula.nodes[static_cast<std::size_t>(at)];
  if (mean.op != Op::divide || formula.nodes[static_cast<std::size_t>(mean.a)].op != Op::sum) return;
  const auto moved = [&](Edit& edit) {
    const int first = edit.copy(mean.a);
    edit.node(first).weight = [](std::int64_t k, std::int64_t) { return k == 0 ? 1.0 : 0.0; };
    return edit.add(Op::subtract, at, first);
  };
  const auto says = [&](const std::string& where) {
    const Node& sum = formula.nodes[static_cast<std::size_t>(mean.a)];
    return fmt::format("{} of the first {} is taken off {} and not added again{}", formula.text(sum.a),
                       sum.axis, formula.text(at), where);
  };
  for (const Scope& scope : scopes_of(formula, at)) {
    Edit edit(formula);
    use_instead(edit, scope, at, moved(edit));
    keep_change(formula, std::move(edit), says(scope.where), 66, changes);
  }
  // What is stored of it alone.
  for (std::size_t i = 0; i < formula.outputs.size(); ++i) {
    if (formula.outputs[i].second != at) continue;
    Edit edit(formula);
    edit.let_output(i, moved(edit));
    keep_change(formula, std::move(edit), says(""), 66, changes);
  }
}

}  // namespace

void change_sums(const Formula& formula, std::vector<Change>& changes) {
  std::map<std::string, std::vector<int>> sums, pools;  // by their axes
  for (int at = 0; at < static_cast<int>(formula.nodes.size()); ++at) {
    const Node& node = formula.nodes[static_cast<std::size_t>(at)];
    if (node.op == Op::sum) sums[node.axis].push_back(at);
    stays_moved(formula, at, changes);
    if (node.op == Op::pool) pools[node.axis].push_back(at);
  }
  for (const auto& [axis, nodes] : pools) change_pools(formula, nodes, changes);
  const auto with = [&](Edit& edit, int at, const Part& part) {
    const int partial = edit.copy(at);
    edit.node(partial).weight = part.weight;
    edit.become(at, partial);
  };
  for (const auto& [axis, nodes] : sums) {
    std::vector<Part> tried = parts(axis);
    for (Part& part : parts_of_threads(axis)) tried.push_back(std::move(part));
    for (const Part& part : tried) {
      for (const int at : nodes) {
        Edit edit(formula);
        with(edit, at, part);
        keep_change(formula, std::move(edit), fmt::format("{} counts {}", sum_text(formula, at), part.says),
                    part.likely, changes);
      }
      // One function adds up for all of them.
      if (nodes.size() < 2) continue;
      Edit edit(formula);
      for (const int at : nodes) with(edit, at, part);
      keep_change(formula, std::move(edit), fmt::format("each sum along the {}s counts {}", axis, part.says),
                  part.likely, changes);
    }
  }
  for (const auto& [axis, nodes] : sums)
    for (const int at : nodes) {
      odd_ones_lost(formula, at, 32, "warps", changes);
      odd_ones_lost(formula, at, 1, "threads", changes);
      Edit edit(formula);
      const int largest = edit.copy(at);
      edit.node(largest).op = Op::largest;
      edit.become(at, largest);
      keep_change(
          formula, std::move(edit),
          fmt::format("the largest stands where the {} belongs{}", formula.text(at), within(formula, at)), 60,
          changes);
    }
}

}  // namespace fusebox::patterns
