#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "grader/judge/patterns/changes/changes.h"
#include "grader/judge/patterns/facts/names.h"

namespace fusebox::patterns {
namespace {

using Op = Node::Op;
using Place = std::function<std::int64_t(std::int64_t, std::int64_t)>;

struct Slip {
  std::string says;  ///< completes "`gamma` is taken": "from the next column"
  Place place;
  int weight;
};

/// Members of a float4 mixed up: one that stands in another's place, or two exchanged. What is behind the
/// last whole four is taken by itself.
std::vector<Slip> slips_of_members(const std::string& axis) {
  constexpr std::int64_t kFour = 4;
  constexpr char kMembers[] = "xyzw";
  const auto in_fours = [](auto place) -> Place {
    return [place](std::int64_t k, std::int64_t n) {
      return k < n / kFour * kFour ? k - k % kFour + place(k % kFour) : k;
    };
  };
  std::vector<Slip> all;
  for (std::int64_t member = 0; member < kFour; ++member)
    for (std::int64_t other = 0; other < kFour; ++other) {
      if (other == member) continue;
      all.push_back(
          {fmt::format(
               "of each four {}s from number {} where number {} belongs, a float4's {} in place of its {}",
               axis, other, member, kMembers[other], kMembers[member]),
           in_fours([=](std::int64_t m) { return m == member ? other : m; }), 62});
      if (other < member) continue;
      all.push_back({fmt::format("of each four {}s with numbers {} and {} exchanged, {} and {} of a float4",
                                 axis, member, other, kMembers[member], kMembers[other]),
                     in_fours([=](std::int64_t m) { return m == member  ? other
                                                           : m == other ? member
                                                                        : m; }),
                     62});
    }
  return all;
}

/// A thread has several indices, so many apart, and one register for what belongs to each of them.
std::vector<Slip> slips_of_registers(const std::string& axis) {
  std::vector<Slip> all;
  for (const std::int64_t apart : {1, 32, 64, 128, 256, 512, 1024})
    for (const std::int64_t each : {2, 4, 8}) {
      const auto first = [=](std::int64_t k) { return k / (apart * each) * apart * each + k % apart; };
      const auto says = [&](const char* which) {
        return fmt::format(
            "from the {} of {} {}s, {} apart, for all of them: as one register does that a thread has for so many",
            which, each, axis, apart);
      };
      all.push_back({says("last"),
                     [=](std::int64_t k, std::int64_t n) {
                       return first(k) + std::min(each - 1, (n - 1 - first(k)) / apart) * apart;
                     },
                     58});
      if (apart > 1)
        all.push_back({says("first"), [=](std::int64_t k, std::int64_t) { return first(k); }, 58});
    }
  return all;
}

std::int64_t or_zero(std::int64_t from, std::int64_t length) { return from < length ? from : Node::kNowhere; }

/// A thread has several indices, which stand side by side in one place and `apart` in the other. What hangs
/// over the end of a tile is filled with zeros.
std::vector<Slip> slips_of_turns(const std::string& axis) {
  std::vector<Slip> all;
  for (const std::int64_t apart : {4, 8, 16, 32, 64})
    for (const std::int64_t each : {2, 4, 8}) {
      const std::int64_t tile = apart * each;
      const auto says = [&](const char* belong, const char* stand) {
        return fmt::format("so that of each {} {}s the {} of a thread, which belong {}, stand {}", tile, axis,
                           each, belong, stand);
      };
      const std::string so_far = fmt::format("{} apart", apart);
      all.push_back({says(so_far.c_str(), "side by side"),
                     [=](std::int64_t k, std::int64_t n) {
                       return or_zero(k / tile * tile + k % tile / each + k % each * apart, n);
                     },
                     60});
      all.push_back({says("side by side", so_far.c_str()),
                     [=](std::int64_t k, std::int64_t n) {
                       return or_zero(k / tile * tile + k % apart * each + k % tile / apart, n);
                     },
                     60});
    }
  return all;
}

std::vector<Slip> slips(const std::string& axis) {
  const auto says = [&](const char* text) { return fmt::format(fmt::runtime(text), axis); };
  std::vector<Slip> all = {
      {says("from the next {0}, {0} + 1"), [](auto k, auto) { return k + 1; }, 80},
      {says("from the {0} before, {0} - 1"), [](auto k, auto) { return k - 1; }, 80},
      {says("from the next {0}, and at the last from the first"), [](auto k, auto n) { return (k + 1) % n; },
       60},
      {says("from the {0} before, and at the first from the last"),
       [](auto k, auto n) { return (k + n - 1) % n; }, 60},
      {says("from the {0} before, and at the first from itself"),
       [](auto k, auto) { return k > 0 ? k - 1 : 0; }, 60},
      {says("from the next {0}, and at the last from itself"),
       [](auto k, auto n) { return k + 1 < n ? k + 1 : k; }, 60},
      {says("from {0} 0 for every {0}"), [](auto, auto) { return 0; }, 80},
      {says("from {0} 1 for every {0}"), [](auto, auto) { return 1; }, 60},
      {says("from the last {0} for every {0}"), [](auto, auto n) { return n - 1; }, 70},
      {says("from the other end, last {0} first"), [](auto k, auto n) { return n - 1 - k; }, 70},
      {says("with each two neighbours exchanged, {0} 0 and 1, 2 and 3 and so on"),
       [](auto k, auto) { return k ^ 1; }, 64},
      {says("with each four neighbours in the opposite order"), [](auto k, auto) { return k ^ 3; }, 62}};
  for (const std::int64_t b : {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}) {
    all.push_back(
        {fmt::format("from {0} % {1} for every {0}, as an index within a block of {1} would be", axis, b),
         [b](auto k, auto) { return k % b; }, 66});
    all.push_back(
        {fmt::format("from {0} / {1} for every {0}", axis, b), [b](auto k, auto) { return k / b; }, 64});
    all.push_back({fmt::format("from the first {0} of each {1} side by side", axis, b),
                   [b](auto k, auto) { return k - k % b; }, 62});
    all.push_back(
        {fmt::format("from {0} * {1} for every {0}", axis, b), [b](auto k, auto) { return k * b; }, 50});
    all.push_back(
        {fmt::format("from {0} + {1} for every {0}", axis, b), [b](auto k, auto) { return k + b; }, 40});
  }
  for (Slip& slip : slips_of_members(axis)) all.push_back(std::move(slip));
  for (Slip& slip : slips_of_registers(axis)) all.push_back(std::move(slip));
  for (Slip& slip : slips_of_turns(axis)) all.push_back(std::move(slip));
  return all;
}

/// A node that reads `u` in another way.
void read_so(const Formula& formula, int u, const Node& how, const std::string& says, int weight,
             std::vector<Change>& changes) {
  for (const Scope& scope : scopes_of(formula, u)) {
    Edit edit(formula);
    use_instead(edit, scope, u, edit.add(how));
    keep_change(formula, std::move(edit), says + (scope.everywhere ? "" : scope.where),
                weight + scope.everywhere, changes);
  }
}

/// Several values that lie along one axis alone, all read in the same wrong way where `owner` is worked out
/// (empty: an output): the mean and the rstd of another row, two parameters of a wrong index.
void read_together(const Formula& formula, const std::vector<int>& group, const std::string& owner, Node how,
                   const std::string& says, int weight, std::vector<Change>& changes) {
  Edit edit(formula);
  std::vector<std::string> names;
  for (const int u : group) {
    how.a = u;
    int now = -1;
    for (int at = 0; at < static_cast<int>(formula.nodes.size()); ++at)
      for (const int slot : {0, 1})
        if (operand_of(formula, at, slot) == u && owner_of(formula, at) == owner) {
          if (now < 0) now = edit.add(how);
          edit.operand(at, slot, now);
        }
    if (now >= 0) names.push_back(formula.text(u));
  }
  if (names.size() > 1)
    keep_change(formula, std::move(edit), fmt::format("{} are {}", listed(names), says), weight, changes);
}

/// In which values a group is used, outputs ("") among them.
std::set<std::string> owners_of_uses(const Formula& formula, const std::vector<int>& group) {
  std::set<std::string> owners;
  for (int at = 0; at < static_cast<int>(formula.nodes.size()); ++at)
    for (const int slot : {0, 1})
      if (std::find(group.begin(), group.end(), operand_of(formula, at, slot)) != group.end())
        owners.insert(owner_of(formula, at));
  return owners;
}

void together(const Formula& formula, const std::string& axis, bool derived, std::vector<Change>& changes) {
  std::vector<int> group;
  for (int u = 0; u < static_cast<int>(formula.nodes.size()); ++u) {
    const Node& node = formula.nodes[static_cast<std::size_t>(u)];
    if (!node.name.empty() && node.axes == std::vector{axis} && (node.a >= 0) == derived) group.push_back(u);
  }
  if (group.size() < 2) return;
  const auto owners = owners_of_uses(formula, group);
  const auto read_so_together = [&](const Node& how, const std::string& says, int weight) {
    for (const std::string& owner : owners) read_together(formula, group, owner, how, says, weight, changes);
  };
  Node how;
  how.axis = axis;
  for (Slip& slip : slips(axis)) {
    how.op = Op::read;
    how.place = std::move(slip.place);
    read_so_together(how, "taken " + slip.says, slip.weight);
  }
  for (const Formula::Axis& other : formula.axes) {
    if (other.name == axis) continue;
    how.op = Op::relabel;
    how.other_axis = other.name;
    read_so_together(how, fmt::format("indexed by the {} and not by the {}", other.name, axis), 72);
  }
}

/// An index within the block where one within the tensor belongs, whatever the block's size is in a case.
void within_the_block(const Formula& formula, int u, const std::string& axis, std::vector<Change>& changes) {
  const std::string name = formula.text(u);
  const auto read = [&](const Place& place, const std::string& says, int weight) {
    for (const Scope& scope : scopes_of(formula, u)) {
      Edit edit(formula);
      Node threads, how;
      threads.op = Op::number;
      threads.name = kThreadsOfABlock;
      how.op = Op::read;
      how.axis = axis;
      how.a = u;
      how.b = edit.add(std::move(threads));
      how.place = place;
      use_instead(edit, scope, u, edit.add(std::move(how)));
      keep_change(formula, std::move(edit), says + (scope.everywhere ? "" : scope.where),
                  weight + scope.everywhere, changes);
    }
  };
  read([](auto k, auto threads) { return k % threads; },
       fmt::format("{} is taken by the thread's number in its block, from {} modulo the number of threads",
                   name, axis),
       70);
  read([](auto k, auto threads) { return k / threads; },
       fmt::format(
           "{} is taken by the round or the block, from {} divided by the number of threads in a block", name,
           axis),
       64);
}

/// Indices that are judged wrongly before rows are fetched by them.
void change_gather(const Formula& formula, int at, std::vector<Change>& changes) {
  const std::string ids = formula.text(operand_of(formula, at, 1));
  const auto judged = [&](double (*of)(double), const std::string& says) {
    Edit edit(formula);
    Node now;
    now.op = Op::apply;
    now.a = operand_of(formula, at, 1);
    now.write = "{}";
    now.apply = of;
    edit.operand(at, 1, edit.add(std::move(now)));
    keep_change(formula, std::move(edit), says, 66, changes);
  };
  judged([](double id) { return id > 0 ? id : -1; },
         fmt::format("0 in {} counts as no row: row 0 is never read", ids));
  judged([](double id) { return std::max(id, 0.0); },
         fmt::format("negative numbers in {} are taken for row 0", ids));
  judged([](double id) { return std::abs(id); }, fmt::format("negative numbers in {} lose their sign", ids));
}

/// Who walks over neighbours and fetches a row where the index is another one than before has to begin with
/// an index that there is none of.
void change_walk(const Formula& formula, int at, std::vector<Change>& changes) {
  const int indices = operand_of(formula, at, 1);
  const Node& node = formula.nodes[static_cast<std::size_t>(indices)];
  if (node.axes.size() != 1) return;
  for (const std::int64_t run : {8, 16, 32, 64, 128}) {
    Edit edit(formula);
    Node found;
    found.op = Op::sum_some;
    found.a = indices;
    found.axis = node.axes[0];
    found.counts = [run](auto k, auto to, auto) { return k / run == to / run && k <= to; };
    found.fold = [](auto so_far, double) {
      return std::all_of(so_far.begin(), so_far.end(), [](double id) { return id == 0; }) ? -1
                                                                                          : so_far.back();
    };
    edit.operand(at, 1, edit.add(std::move(found)));
    // The cases can rarely tell how long a run is, so that nothing is said of it.
    keep_change(
        formula, std::move(edit),
        fmt::format("no row is read where a run of {} begins with 0, as if the number before it were 0 too",
                    formula.text(indices)),
        64, changes);
  }
}

}  // namespace

void change_indices(const Formula& formula, std::vector<Change>& changes) {
  for (int u = 0; u < static_cast<int>(formula.nodes.size()); ++u) {
    const Node& node = formula.nodes[static_cast<std::size_t>(u)];
    if (node.op == Op::gather) change_gather(formula, u, changes), change_walk(formula, u, changes);
    if (node.name.empty() || node.axes.empty()) continue;
    const std::string name = formula.text(u);
    for (const std::string& axis : node.axes) within_the_block(formula, u, axis, changes);
    Node how;
    how.a = u;
    for (const std::string& axis : node.axes)
      for (Slip& slip : slips(axis)) {
        how.op = Op::read;
        how.axis = axis;
        how.place = std::move(slip.place);
        read_so(formula, u, how, fmt::format("{} is taken {}", name, slip.says), slip.weight, changes);
      }
    if (node.axes.size() == 1)
      for (const Formula::Axis& other : formula.axes) {
        if (other.name == node.axes[0]) continue;
        how = {};
        how.a = u;
        how.op = Op::relabel;
        how.axis = node.axes[0];
        how.other_axis = other.name;
        read_so(formula, u, how,
                fmt::format("{} is indexed by the {} and not by the {}", name, other.name, node.axes[0]), 72,
                changes);
      }
    if (node.axes.size() == 2 && node.op == Op::tensor) {
      how = {};
      how.a = u;
      how.op = Op::reread;
      how.flat = [](auto r, auto c, auto rows, auto) { return c * rows + r; };
      read_so(formula, u, how, fmt::format("{} is read as if it were transposed", name), 72, changes);
    }
  }
  for (const Formula::Axis& axis : formula.axes)
    for (const bool derived : {true, false}) together(formula, axis.name, derived, changes);
}

}  // namespace fusebox::patterns
