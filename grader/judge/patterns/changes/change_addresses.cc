#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "grader/judge/patterns/changes/changes.h"
#include "grader/judge/patterns/facts/names.h"

namespace fusebox::patterns {
namespace {

using Op = Node::Op;
using Step = Node::Step;

/// How far a step goes, whatever it goes along.
struct Far {
  std::int64_t times = 1;
  std::vector<std::string> sizes;  ///< sorted
  bool operator==(const Far&) const = default;
};

Far far_of(const Step& step) {
  Far far{step.times, step.sizes};
  std::sort(far.sizes.begin(), far.sizes.end());
  return far;
}

/// "3 * `NH` * `HS`", in the order in which the formula's axes name sizes.
std::string text_of(const Far& far, const std::vector<std::string>& order) {
  std::vector<std::string> factors;
  if (far.times != 1 || far.sizes.empty()) factors.push_back(std::to_string(far.times));
  for (const std::string& size : order)
    if (std::find(far.sizes.begin(), far.sizes.end(), size) != far.sizes.end())
      factors.push_back(fmt::format("`{}`", size));
  return fmt::format("{}", fmt::join(factors, " * "));
}

/// Parts of one argument, and what their steps may be made of.
struct Parts {
  const Formula& formula;
  std::string source;
  std::vector<int> nodes;
  std::vector<std::string> sizes;
  std::vector<Far> fars;  ///< all that one could write for a step

  const Node& node(int at) const { return formula.nodes[static_cast<std::size_t>(at)]; }
  std::string say(const Far& far) const { return text_of(far, sizes); }
};

std::string values_of(const Parts& parts, const Far& far) {
  return parts.say(far) + (far == Far{} ? " value" : " values");
}

Parts parts_of(const Formula& formula, const std::string& source) {
  Parts parts{formula, source, {}, {}, {}};
  std::set<std::int64_t> times = {1, 2};
  for (int at = 0; at < static_cast<int>(formula.nodes.size()); ++at) {
    const Node& node = formula.nodes[static_cast<std::size_t>(at)];
    if (node.op != Op::part || node.source != source) continue;
    parts.nodes.push_back(at);
    for (const Step& step : node.steps) times.insert(step.times);
  }
  for (const Formula::Axis& axis : formula.axes)
    for (const std::string& size : axis.sizes)
      if (std::find(parts.sizes.begin(), parts.sizes.end(), size) == parts.sizes.end())
        parts.sizes.push_back(size);
  for (const std::int64_t each : times)
    for (std::size_t chosen = 0; chosen < std::size_t{1} << parts.sizes.size(); ++chosen) {
      Far far{each, {}};
      for (std::size_t k = 0; k < parts.sizes.size(); ++k)
        if ((chosen >> k & 1) != 0) far.sizes.push_back(parts.sizes[k]);
      std::sort(far.sizes.begin(), far.sizes.end());
      parts.fars.push_back(std::move(far));
    }
  return parts;
}

/// Each part by itself, and all together.
std::vector<std::vector<int>> groups_of(const Parts& parts) {
  std::vector<std::vector<int>> groups;
  for (const int at : parts.nodes) groups.push_back({at});
  if (parts.nodes.size() > 1) groups.push_back(parts.nodes);
  return groups;
}

std::string names_of(const Parts& parts, const std::vector<int>& group) {
  std::vector<std::string> names;
  names.reserve(group.size());
  for (const int at : group) names.push_back(parts.formula.text(at));
  return listed(names);
}

/// `far` in which `whole` is a factor, with `now` in its place; as it is where it is none.
std::optional<Far> with_factor(const Far& far, const Far& whole, const Far& now) {
  if (far.times % whole.times != 0) return std::nullopt;
  Far made{far.times / whole.times * now.times, now.sizes};
  std::vector<std::string> rest = far.sizes;
  for (const std::string& size : whole.sizes) {
    const auto found = std::find(rest.begin(), rest.end(), size);
    if (found == rest.end()) return std::nullopt;
    rest.erase(found);
  }
  made.sizes.insert(made.sizes.end(), rest.begin(), rest.end());
  return made;
}

/// One size of step in all of a group; with `pitch`, also in steps that are a multiple of it, as those from
/// one sequence to the next are a multiple of those from one position to the next.
void another_length(const Parts& parts, const std::vector<int>& group, const Far& length, bool pitch,
                    std::vector<Change>& changes) {
  std::vector<std::string> along;  // "each `q` of one head"
  bool multiples = false;
  for (const int at : group)
    for (const Step& step : parts.node(at).steps) {
      if (step.axis.empty()) continue;
      if (far_of(step) == length) {
        if (std::find(along.begin(), along.end(), step.axis) == along.end()) along.push_back(step.axis);
      } else {
        multiples |= with_factor(far_of(step), length, length).has_value();
      }
    }
  if (along.empty() || (pitch && !multiples)) return;
  std::vector<Far> candidates = parts.fars;
  if (!pitch) candidates.push_back({0, {}});
  for (const Far& now : candidates) {
    if (now == length) continue;
    Edit edit(parts.formula);
    for (const int at : group)
      for (Step& step : edit.node(at).steps) {
        if (step.axis.empty()) continue;
        const Far far = far_of(step);
        const auto made = far == length ? now : pitch ? with_factor(far, length, now) : std::nullopt;
        if (made) step.times = made->times, step.sizes = made->sizes;
      }
    for (const int at : group) edit.changes(at);
    const std::string names = names_of(parts, group), axes = fmt::format("{}", fmt::join(along, " and "));
    const char* are = group.size() > 1 ? "are" : "is";
    const std::string says =
        now.times == 0
            ? fmt::format("{} {} read at {} 0 for every {}", names, are, axes, axes)
            : fmt::format("{} {} read as if each {} lay {} behind the one before in `{}` and not {}{}", names,
                          are, axes, values_of(parts, now), parts.source, parts.say(length),
                          pitch ? ", here and in steps that are a multiple of it" : "");
    keep_change(parts.formula, std::move(edit), says, pitch ? 71 : 72, changes);
  }
}

/// A part that begins elsewhere.
void another_beginning(const Parts& parts, int at, std::vector<Change>& changes) {
  const auto& steps = parts.node(at).steps;
  const auto found =
      std::find_if(steps.begin(), steps.end(), [](const Step& step) { return step.axis.empty(); });
  const Far begins = found == steps.end() ? Far{0, {}} : far_of(*found);
  std::vector<Far> candidates = parts.fars;
  candidates.push_back({0, {}});
  for (const Far& now : candidates) {
    if (now == begins) continue;
    Edit edit(parts.formula);
    auto& changed = edit.node(at).steps;
    std::erase_if(changed, [](const Step& step) { return step.axis.empty(); });
    changed.push_back({"", now.times, now.sizes});
    edit.changes(at);
    keep_change(parts.formula, std::move(edit),
                fmt::format("{} begins {} behind the beginning of `{}` and not {}", parts.formula.text(at),
                            values_of(parts, now), parts.source, parts.say(begins)),
                73, changes);
  }
}

/// One index where another belongs, in one step; or two exchanged.
void another_index(const Parts& parts, const std::vector<int>& group, std::vector<Change>& changes) {
  const std::string names = names_of(parts, group);
  const char* are = group.size() > 1 ? "are" : "is";
  const auto keep = [&](const std::string& from, const std::string& to, bool both, const std::string& says) {
    Edit edit(parts.formula);
    bool first = false, second = false;
    for (const int at : group) {
      Node& node = edit.node(at);
      for (Step& step : node.steps) {
        const bool is_from = step.axis == from;
        if (!is_from && !(both && step.axis == to)) continue;
        step.axis = is_from ? to : from;
        (is_from ? first : second) = true;
        if (std::find(node.axes.begin(), node.axes.end(), step.axis) == node.axes.end())
          node.axes.push_back(step.axis);
      }
      edit.changes(at);
    }
    if (first && (second || !both))
      keep_change(parts.formula, std::move(edit), says, both ? 75 : 74, changes);
  };
  for (const Formula::Axis& from : parts.formula.axes)
    for (const Formula::Axis& to : parts.formula.axes) {
      if (from.name == to.name) continue;
      keep(from.name, to.name, false,
           fmt::format("{} {} taken at the {} and not at the {}", names, are, to.name, from.name));
      if (from.name < to.name)
        keep(from.name, to.name, true,
             fmt::format("{} and {} are exchanged where {} {} read", from.name, to.name, names, are));
    }
}

}  // namespace

void change_addresses(const Formula& formula, std::vector<Change>& changes) {
  std::set<std::string> sources;
  for (const Node& node : formula.nodes)
    if (node.op == Op::part) sources.insert(node.source);
  for (const std::string& source : sources) {
    const Parts parts = parts_of(formula, source);
    for (const auto& group : groups_of(parts)) {
      std::vector<Far> lengths;
      for (const int at : group)
        for (const Step& step : parts.node(at).steps)
          if (const Far far = far_of(step);
              !step.axis.empty() && std::find(lengths.begin(), lengths.end(), far) == lengths.end())
            lengths.push_back(far);
      for (const Far& length : lengths)
        for (const bool pitch : {false, true}) another_length(parts, group, length, pitch, changes);
      another_index(parts, group, changes);
    }
    for (const int at : parts.nodes) another_beginning(parts, at, changes);
  }
}

}  // namespace fusebox::patterns
