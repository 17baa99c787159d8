#include "grader/judge/patterns/recompute/recompute.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "grader/judge/patterns/changes/changes.h"
#include "grader/judge/patterns/facts/facts.h"
#include "grader/judge/patterns/facts/names.h"
#include "grader/judge/patterns/recompute/condition.h"
#include "grader/judge/patterns/recompute/prediction.h"

namespace fusebox::patterns {
namespace {

struct Survivor {
  const Change* change = nullptr;
  std::int64_t telling = 0;
  double error = 0;
  std::vector<const Prepared*> against;  ///< right cases that it would have made wrong
  std::string only_where;                ///< what parts the wrong cases from those, if anything does
  std::vector<std::pair<const Prepared*, Match>> doubted;  ///< it survives these if their near misses do
};

/// Was an element of a wrong case never written? A formula gives every element a value, so that no change of
/// it is the answer, and none has to be worked out.
bool leaves_out(const Prepared& prepared, const Formula& formula, const std::string& only) {
  if (!prepared.which->wrong) return false;
  for (const WrongOutput& output : prepared.which->outputs) {
    const bool asked = (only.empty() || output.tensor.name == only) &&
                       std::any_of(formula.outputs.begin(), formula.outputs.end(),
                                   [&](const auto& known) { return known.first == output.tensor.name; });
    for (std::size_t i = 0; asked && i < output.written.size(); ++i)
      if (!output.written[i] && !output.tensor.is_overlooked(static_cast<std::int64_t>(i))) return true;
  }
  return false;
}

/// Is it what came in all of the wrong ones of these cases, for all that is known without looking at what
/// floats make of near misses? Right ones that speak against it are noted.
bool survives(Survivor& survivor, std::span<const Prepared> cases, const std::string& only) {
  for (const Prepared& prepared : cases) {
    Match match = compare_case(prepared, *survivor.change, only);
    if (match.refuted && prepared.refutes) return false;
    if (match.refuted) {
      survivor.against.push_back(&prepared);
      continue;
    }
    survivor.telling += match.telling;
    survivor.error += match.error;
    if (!match.near_misses.empty()) survivor.doubted.emplace_back(&prepared, std::move(match));
  }
  return true;
}

/// And is it with that?
bool survives_doubts(Survivor& survivor) {
  for (const auto& [prepared, match] : std::exchange(survivor.doubted, {})) {
    if (stands(*prepared, *survivor.change, match)) continue;
    if (prepared->refutes) return false;
    survivor.against.push_back(prepared);
    survivor.telling -= match.telling;
    survivor.error -= match.error;
  }
  return true;
}

/// Vectors of four, a loop's second round: a mistake may be made on one of two ways. Then it shows where a
/// size leads there, and nowhere else.
std::string where_it_shows(const Survivor& survivor, const std::vector<Prepared>& cases) {
  std::vector<Numbers> shown, not_shown;
  for (const Prepared& prepared : cases)
    if (prepared.which->wrong) shown.push_back(prepared.which->bindings.numbers);
  for (const Prepared* prepared : survivor.against) not_shown.push_back(prepared->which->bindings.numbers);
  return what_parts(shown, not_shown);
}

/// Changes that are said in the same words, such as the orders in which a total may be added up; each in the
/// order in which the first of them stood.
std::vector<std::vector<const Change*>> said_alike(const std::vector<Change>& changes) {
  std::map<std::string_view, std::size_t> known;
  std::vector<std::vector<const Change*>> alike;
  for (const Change& change : changes) {
    const auto [at, is_new] = known.try_emplace(change.when, alike.size());
    if (is_new) alike.emplace_back();
    alike[at->second].push_back(&change);
  }
  return alike;
}

/// So many of the wrong cases, which come first and grow, as say which of several ways is the nearest and
/// have little of all the work. 0: there are none.
std::size_t cases_of_a_first_look(const std::vector<Prepared>& cases) {
  constexpr std::size_t kShareOfTheWork = 16;
  std::vector<std::size_t> elements;
  for (const Prepared& prepared : cases) {
    if (!prepared.which->wrong) break;
    std::size_t& mine = elements.emplace_back();
    for (const WrongOutput& output : prepared.which->outputs) mine += output.got.size();
  }
  const std::size_t all = std::accumulate(elements.begin(), elements.end(), std::size_t{0});
  std::size_t count = 0, some = 0;
  while (count < elements.size() && (some += elements[count]) * kShareOfTheWork <= all) ++count;
  return count;
}

/// Those of changes that are said in the same words. `first_look`: cases_of_a_first_look.
std::vector<Survivor> survivors_of(const std::vector<const Change*>& alike, std::size_t first_look,
                                   const std::vector<Prepared>& cases, const std::string& only) {
  std::vector<Survivor> found, left;
  const std::size_t looked_at = alike.size() > 1 ? first_look : 0;
  for (const Change* change : alike)
    if (Survivor survivor{change, 0, 0, {}, {}, {}};
        survives(survivor, std::span(cases).first(looked_at), only))
      left.push_back(std::move(survivor));
  // Of what is said in the same words the nearest is enough.
  const auto error_each = [](const Survivor& survivor) {
    return survivor.telling > 0 ? survivor.error / static_cast<double>(survivor.telling) : HUGE_VAL;
  };
  std::stable_sort(left.begin(), left.end(),
                   [&](const Survivor& a, const Survivor& b) { return error_each(a) < error_each(b); });
  for (Survivor& survivor : left) {
    if (!survives(survivor, std::span(cases).subspan(looked_at), only)) continue;
    // What cannot be told anyway is no reason to work out floats; and they may take evidence away.
    const auto can_be_told = [&] { return survivor.telling >= kMinEvidence; };
    if (!can_be_told() || !survives_doubts(survivor) || !can_be_told()) continue;
    found.push_back(std::move(survivor));
    if (found.back().against.empty() && looked_at > 0) break;
  }
  return found;
}

/// The cases, small wrong ones first: these refute most, soonest. A wrong one that is alone is parted from
/// right ones by too much: each of these refutes as well, and those that are much smaller come first.
std::vector<Prepared> prepared(const Formula& formula, std::span<const CaseOutputs> cases) {
  const bool is_alone =
      std::count_if(cases.begin(), cases.end(), [](const CaseOutputs& each) { return each.wrong; }) == 1;
  std::vector<Prepared> all;
  all.reserve(cases.size());
  for (const CaseOutputs& each : cases) {
    Prepared& made = all.emplace_back();
    made.which = &each, made.refutes = each.wrong || is_alone;
    made.base = std::make_unique<Evaluation>(formula, each.bindings);
  }
  const auto size = [&](const Prepared& p) {
    constexpr std::size_t kMuchSmaller = 16, kBehindAll = std::size_t{1} << 40;
    std::size_t count = 0;
    for (const WrongOutput& output : p.which->outputs) count += output.got.size();
    if (!p.which->wrong) return is_alone ? kMuchSmaller * count : kBehindAll + count;
    return count;
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Prepared& a, const Prepared& b) { return size(a) < size(b); });
  return all;
}

/// The cases once for each thread: what was worked out of the formula itself is kept with them.
std::vector<std::vector<Prepared>> prepared_for_threads(const Formula& formula,
                                                        std::span<const CaseOutputs> cases) {
  constexpr unsigned kMostThreads = 4;  // each has the values of all nodes of all cases
  std::vector<std::vector<Prepared>> all;
  for (unsigned t = std::clamp(std::thread::hardware_concurrency(), 1u, kMostThreads); t > 0; --t)
    all.push_back(prepared(formula, cases));
  return all;
}

std::vector<Survivor> survivors(const Formula& formula, const std::vector<Change>& changes,
                                const std::vector<std::vector<Prepared>>& cases_of_threads,
                                const std::string& only) {
  const std::vector<Prepared>& cases = cases_of_threads.front();
  if (std::any_of(cases.begin(), cases.end(),
                  [&](const Prepared& prepared) { return leaves_out(prepared, formula, only); }))
    return {};
  const std::size_t first_look = cases_of_a_first_look(cases);
  const auto groups = said_alike(changes);
  std::vector<std::vector<Survivor>> of_groups(groups.size());
  std::atomic<std::size_t> next = 0;
  const auto look = [&](const std::vector<Prepared>& own) {
    for (std::size_t g; (g = next++) < groups.size();)
      of_groups[g] = survivors_of(groups[g], first_look, own, only);
  };
  std::vector<std::thread> others;
  others.reserve(cases_of_threads.size());
  for (const auto& own : std::span(cases_of_threads).subspan(1)) others.emplace_back(look, std::cref(own));
  look(cases);
  for (std::thread& other : others) other.join();
  std::vector<Survivor> found, in_some;
  for (std::vector<Survivor>& group : of_groups)
    for (Survivor& survivor : group)
      (survivor.against.empty() ? found : in_some).push_back(std::move(survivor));
  if (found.empty()) {
    for (Survivor& survivor : in_some) survivor.only_where = where_it_shows(survivor, cases);
    std::erase_if(in_some, [](const Survivor& survivor) { return survivor.only_where.empty(); });
    found = std::move(in_some);
  }
  for (Survivor& survivor : found) survivor.error /= static_cast<double>(survivor.telling);
  double least = HUGE_VAL;
  for (const Survivor& survivor : found) least = std::min(least, survivor.error);
  // Where one is met as exactly as floats can be, another that is only within the tolerance is not it.
  std::erase_if(found, [&](const Survivor& survivor) { return survivor.error > 4 * least + 0.02; });
  std::stable_sort(found.begin(), found.end(),
                   [](const Survivor& a, const Survivor& b) { return a.change->weight > b.change->weight; });
  return found;
}

/// Do both make the same numbers in all cases, beside what the mistake makes of them? Then they are one
/// thing, said in two ways; or a small number and none at all.
bool same_numbers(const Change& a, const Change& b, const std::vector<Prepared>& cases) {
  // Narrow types often round to the same values and are not the same; but totals of one term each are terms.
  if (a.rounds && b.rounds && a.totals == b.totals) return false;
  const double kSame = a.rounds && b.rounds ? 0 : 1e-3;
  double apart = 0, wrong = 0;
  for (const Prepared& prepared : cases) {
    const Bindings& bindings = prepared.which->bindings;
    const Evaluation first(a.formula, bindings, prepared.base.get(), a.changed),
        second(b.formula, bindings, prepared.base.get(), b.changed);
    for (std::size_t output = 0; output < a.formula.outputs.size(); ++output) {
      const auto &v = first[a.formula.outputs[output].second], &w = second[b.formula.outputs[output].second];
      for (const WrongOutput& right : prepared.which->outputs) {
        if (right.tensor.name != a.formula.outputs[output].first) continue;
        for (std::size_t i = 0; i < v.size() && i < right.tensor.expected.size(); ++i) {
          if (!std::isfinite(v[i]) || !std::isfinite(w[i]) ||
              right.tensor.is_overlooked(static_cast<std::int64_t>(i)))
            continue;
          apart += (v[i] - w[i]) * (v[i] - w[i]);
          wrong += (v[i] - right.tensor.expected[i]) * (v[i] - right.tensor.expected[i]);
        }
      }
    }
  }
  return apart <= kSame * kSame * wrong;
}

/// Does a changed formula read values at other places than the original?
bool reads_elsewhere(const Formula& changed, const Formula& original) {
  using Op = Node::Op;
  for (std::size_t i = 0; i < changed.nodes.size(); ++i) {
    const Node& node = changed.nodes[i];
    const bool is_new = i >= original.nodes.size();
    if (is_new && (node.op == Op::read || node.op == Op::reread || node.op == Op::relabel)) return true;
    if (node.op != Op::part) continue;
    const auto same = [](const Node::Step& a, const Node::Step& b) {
      return a.axis == b.axis && a.times == b.times && a.sizes == b.sizes;
    };
    const auto& steps = original.nodes[is_new ? 0 : i].steps;
    if (is_new || !std::equal(node.steps.begin(), node.steps.end(), steps.begin(), steps.end(), same))
      return true;
  }
  return false;
}

bool is_wrong(const WrongOutput& output) {
  const Facts facts(output);
  return facts.bad() > 0;
}

std::vector<std::string> wrong_outputs(std::span<const CaseOutputs> cases) {
  std::vector<std::string> names;
  for (const CaseOutputs& each : cases)
    for (const WrongOutput& output : each.outputs)
      if (each.wrong && std::find(names.begin(), names.end(), output.tensor.name) == names.end() &&
          is_wrong(output))
        names.push_back(output.tensor.name);
  return names;
}

/// Has this output two answers only? Then each wrong element is the other one, whatever the mistake is, and
/// by itself it proves none.
bool one_of_two(std::span<const CaseOutputs> cases, const std::string& name) {
  std::set<double> answers;
  for (const CaseOutputs& each : cases)
    for (const WrongOutput& output : each.outputs)
      if (output.tensor.name == name)
        for (const double v : output.tensor.expected)
          if (answers.insert(v).second && answers.size() > 2) return false;
  return true;
}

/// Wrong elements that are numbers; of bf16 all numbers, since what is within the tolerance may tell there.
std::int64_t wrong_numbers(std::span<const CaseOutputs> cases) {
  std::int64_t count = 0;
  for (const CaseOutputs& each : cases)
    for (const WrongOutput& output : each.outputs)
      for (std::size_t i = 0; each.wrong && i < output.got.size() && i < output.tensor.expected.size(); ++i) {
        const double right = output.tensor.expected[i];
        const double allowed =
            output.tensor.tolerance.absolute + output.tensor.tolerance.relative * std::abs(right);
        count += std::isfinite(output.got[i]) &&
                 (output.tensor.dtype == DType::bf16 || !(std::abs(output.got[i] - right) <= allowed));
      }
  return count;
}

constexpr std::size_t kMaxSaid = 3;

}  // namespace

std::string Recomputed::sentence() const {
  std::vector<std::string> names;
  for (const std::string& name : outputs) names.push_back(fmt::format("`{}`", name));
  return fmt::format(
      "{} {} exactly what comes out when {}{}{}.", listed(names), names.size() > 1 ? "are" : "is",
      fmt::join(whens, ", or when "), whens.size() > 1 ? ": the cases cannot tell which" : "",
      only_where.empty() ? "" : fmt::format(", in the cases where {}, and in no others", only_where));
}

std::string Recomputed::evidence() const {
  return fmt::format("equal in {0} of {0} wrong cases, in {1} elements that are not the right answer", cases,
                     telling);
}

std::optional<Recomputed> recompute(const Formula& formula, std::span<const CaseOutputs> cases) {
  const auto wrong_cases = static_cast<std::size_t>(
      std::count_if(cases.begin(), cases.end(), [](const CaseOutputs& each) { return each.wrong; }));
  if (formula.empty() || wrong_cases == 0) return std::nullopt;
  const std::vector<std::vector<Prepared>> of_threads = prepared_for_threads(formula, cases);
  std::vector<Change> changes = changes_of(formula);
  // Where nothing but NaN is wrong, a change that makes numbers is told by none.
  if (wrong_numbers(cases) < kMinEvidence)
    std::erase_if(changes, [](const Change& change) { return !change.not_finite; });
  const std::vector<std::string> wrong = wrong_outputs(cases);
  std::vector<std::string> asked = {""};
  if (wrong.size() > 1 || formula.outputs.size() > 1)
    std::copy_if(wrong.begin(), wrong.end(), std::back_inserter(asked),
                 [&](const std::string& name) { return wrong.size() == 1 || !one_of_two(cases, name); });
  for (const std::string& only : asked) {
    const auto found = survivors(formula, changes, of_threads, only);
    if (found.empty()) continue;
    Recomputed result;
    result.outputs = only.empty() ? wrong : std::vector{only};
    result.explains_all = result.outputs.size() == wrong.size();
    result.telling = found.front().telling;
    result.cases = wrong_cases;
    result.only_where = found.front().only_where;
    result.reads_elsewhere = reads_elsewhere(found.front().change->formula, formula);
    std::vector<const Change*> said;
    for (const Survivor& survivor : found) {
      const bool known = std::any_of(said.begin(), said.end(), [&](const Change* other) {
        return other->when == survivor.change->when ||
               same_numbers(*other, *survivor.change, of_threads.front());
      });
      if (known || said.size() == kMaxSaid || survivor.only_where != result.only_where) continue;
      said.push_back(survivor.change);
      result.whens.push_back(survivor.change->when);
    }
    return result;
  }
  return std::nullopt;
}

}  // namespace fusebox::patterns
