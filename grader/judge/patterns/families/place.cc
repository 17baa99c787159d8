#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "grader/judge/patterns/facts/regions.h"
#include "grader/judge/patterns/families/families.h"
#include "grader/report/text/format.h"

namespace fusebox::patterns {
namespace {

/// Elements that are wrong where they were written, or that were never written.
Selection selected(const Facts& facts, bool unwritten) {
  Selection selection;
  for (std::int64_t i = 0; i < facts.count(); ++i) {
    const State state = facts.state(i);
    selection.in.push_back(unwritten ? state == State::unwritten
                                     : state == State::wrong || state == State::not_finite);
    selection.of.push_back(unwritten || state != State::unwritten);
  }
  selection.count_up();
  return selection;
}

struct Words {
  std::string key, is, are, others_is, others_are;
};

Pattern place(const Facts& facts, const Selection& selection, const Words& words, const Region& region,
              const std::vector<Reading>& readings) {
  Pattern pattern;
  pattern.kind = words.key == "unwritten" ? Kind::unwritten : Kind::place;
  pattern.key = words.key + " " + region.key;
  pattern.explained = selection.inside;
  pattern.wrong = facts.bad();
  pattern.proven = region.proven;
  pattern.weight = (pattern.kind == Kind::unwritten ? 96 : 75) + region.weight;
  pattern.evidence = fmt::format("{} of {} wrong elements", selection.inside, facts.bad());
  const std::string name = fmt::format("`{}`", facts.name());
  const auto sentence = [&](const std::string& where, bool one) {
    if (region.of_right)
      return fmt::format("Only {} of {} {}.", where, name, one ? words.others_is : words.others_are);
    return fmt::format("{} of {} {}{}.", capitalised(where), name, one ? words.is : words.are,
                       region.exact ? ", nothing else" : "");
  };
  pattern.sentence = sentence(region.text, region.singular);
  if (!region.exact && !region.of_right)
    pattern.sentence = fmt::format("All {} elements of {} that {} lie among the {} of {}.", selection.inside,
                                   name, words.are, region.volume, region.text);
  const auto with_aside = [&](std::string said) {
    said.back() = ';';
    return fmt::format("{} {}.", said, region.aside);
  };
  if (!region.aside.empty()) pattern.sentence = with_aside(std::move(pattern.sentence));
  for (const Reading& reading : readings) {
    const bool one = reading.key == "last" || (region.singular && reading.sentence == region.text);
    std::string said = sentence(reading.sentence, one);
    pattern.readings.push_back(
        {reading.key, region.always_aside ? with_aside(std::move(said)) : std::move(said)});
  }
  return pattern;
}

void none_written(const Facts& facts, const Selection& selection, const Words& words,
                  std::vector<Pattern>& found) {
  Region whole;
  whole.key = "all";
  whole.exact = whole.proven = true;
  Pattern pattern = place(facts, selection, words, whole, {});
  pattern.sentence = fmt::format("`{}` was never written: nobody stored to any element of it.", facts.name());
  pattern.readings = {{"", pattern.sentence}};
  found.push_back(std::move(pattern));
}

/// All of an axis is behind its last whole group when it is shorter than one: nothing that is proven, and the
/// same as in cases that are longer.
void shorter_than_a_group(const Facts& facts, const Selection& selection, const Words& words,
                          std::vector<Pattern>& found) {
  const auto& shape = facts.output().tensor.shape;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    Region region;
    region.key = facts.axis(d) + " on";
    region.exact = true;
    region.weight = 10;
    if (shape[d] == 1) region.readings.push_back({"last", fmt::format("the last {}", facts.axis(d))});
    for (const std::int64_t group : likely_groups(facts))
      if (group > shape[d]) region.readings.push_back(group_reading(facts.axis(d), group));
    found.push_back(place(facts, selection, words, region, region.readings));
  }
  if (shape.size() == 1 && shape[0] % 4 == 0) {
    Region region = pieces_of_rest(facts.axis(0));
    for (const std::int64_t group : likely_groups(facts))
      if (group > shape[0]) region.readings.push_back(piece_reading(facts.axis(0), group));
    found.push_back(place(facts, selection, words, region, region.readings));
  }
  // One row of one column is on the diagonal.
  if (Region region = diagonal(); shape.size() > 1 && shape.back() == 1 && shape[shape.size() - 2] == 1)
    found.push_back(place(facts, selection, words, region, region.readings));
}

void look(const Facts& facts, bool unwritten, std::vector<Pattern>& found) {
  const Selection selection = selected(facts, unwritten);
  if (selection.inside == 0) return;
  const Words words =
      unwritten ? Words{"unwritten", "was never written", "were never written", "was written", "were written"}
                : Words{"wrong", "is wrong", "are wrong", "is right", "are right"};
  if (selection.inside == selection.all) {
    if (unwritten) none_written(facts, selection, words, found);
    shorter_than_a_group(facts, selection, words, found);
    return;
  }
  for (const Region& region : regions_of(facts, selection))
    found.push_back(place(facts, selection, words, region, region.readings));
}

}  // namespace

std::vector<Pattern> places(const Facts& facts) {
  std::vector<Pattern> found;
  look(facts, true, found);
  look(facts, false, found);
  return found;
}

}  // namespace fusebox::patterns
