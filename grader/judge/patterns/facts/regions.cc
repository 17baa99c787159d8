#include "grader/judge/patterns/facts/regions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>

#include "grader/judge/patterns/facts/names.h"
#include "grader/report/hardware.h"

namespace fusebox::patterns {
namespace {

/// The output's own axes, or one axis of all elements.
struct Axes {
  std::vector<std::string> words;
  std::vector<std::int64_t> extents;

  /// Calls visit(element, index) for all elements in their order.
  template <class Visit>
  void each(std::size_t count, Visit visit) const {
    std::vector<std::int64_t> index(extents.size(), 0);
    for (std::size_t i = 0; i < count; ++i) {
      visit(i, index);
      for (std::size_t d = extents.size(); d-- > 0;) {
        if (++index[d] < extents[d]) break;
        index[d] = 0;
      }
    }
  }
};

/// From low to one before high along one axis.
struct Span {
  std::int64_t low = 0, high = 0;
};

std::string text_of(const std::string& word, const Span& span, std::int64_t extent) {
  if (span.high - span.low == 1)
    return span.high == extent && extent > 1 ? fmt::format("the last {} ({})", word, span.low)
                                             : fmt::format("{} {}", word, span.low);
  if (span.high == extent)
    return span.low == 1 ? fmt::format("all {} but {} 0", plural(word), word)
                         : fmt::format("{} {} and on", plural(word), span.low);
  return fmt::format("{} {} to {}", plural(word), span.low, span.high - 1);
}

const char* shape_of(const Span& span, std::int64_t extent) {
  return span.high == extent ? "on" : span.low == 0 ? "up to" : "range";
}

struct Box {
  std::vector<Span> spans;
  std::int64_t volume = 0;  ///< of the elements that are looked at
  std::vector<std::size_t> restricted;
};

/// The smallest box around what is selected (or, with `others`, around what is not).
Box box_around(const Axes& axes, const Selection& selection, bool others) {
  Box box;
  for (const std::int64_t extent : axes.extents) box.spans.push_back({extent, 0});
  axes.each(selection.in.size(), [&](std::size_t i, const std::vector<std::int64_t>& index) {
    if (!selection.of[i] || selection.in[i] == others) return;
    for (std::size_t d = 0; d < index.size(); ++d) {
      box.spans[d].low = std::min(box.spans[d].low, index[d]);
      box.spans[d].high = std::max(box.spans[d].high, index[d] + 1);
    }
  });
  const auto volume_within = [&](const std::vector<Span>& spans) {
    std::int64_t volume = 0;
    axes.each(selection.in.size(), [&](std::size_t i, const std::vector<std::int64_t>& index) {
      bool within = selection.of[i];
      for (std::size_t d = 0; d < index.size(); ++d)
        within &= index[d] >= spans[d].low && index[d] < spans[d].high;
      volume += within;
    });
    return volume;
  };
  box.volume = volume_within(box.spans);
  for (std::size_t d = 0; d < box.spans.size(); ++d) {
    if (box.spans[d].low == 0 && box.spans[d].high == axes.extents[d]) continue;
    // A side that shuts nothing out but what is not looked at is none.
    auto open = box.spans;
    open[d] = {0, axes.extents[d]};
    if (volume_within(open) == box.volume)
      box.spans = std::move(open);
    else
      box.restricted.push_back(d);
  }
  return box;
}

/// Groups of which whole ones end at `k` in a length of `extent`, the likeliest first.
std::vector<std::int64_t> groups_ending_at(const Facts& facts, std::int64_t k, std::int64_t extent) {
  std::vector<std::int64_t> groups;
  for (const std::int64_t group : likely_groups(facts))
    if (k > 0 && k < extent && extent / group * group == k) groups.push_back(group);
  return groups;
}

/// What the place where a suffix begins, or a prefix ends, may be.
void explain_edge(const Facts& facts, const std::string& word, std::int64_t k, std::int64_t extent,
                  bool suffix, std::int64_t elements, Region& region) {
  const std::string words = plural(word), number = fmt::format("{}", k);
  const std::string at_number =
      suffix ? fmt::format("{} {} and on", words, k) : fmt::format("{} 0 to {}", words, k - 1);
  struct Name {
    std::string key, text, phrase;  ///< phrase: "256 is the number of threads in a block"
  };
  std::vector<Name> names;
  for (const NumberName& name : launch_names(facts, k))
    names.push_back({name.key, name.text, fmt::format("{} is {}", k, name.text)});
  const auto& grids = facts.output().launches;
  // What was written, and wrong, was reached from that block: it says nothing.
  if (suffix && k == 1 && facts.unwritten() > 0 && facts.wrong().empty() && grids.size() == 1 &&
      grids[0].grid == std::array<std::uint32_t, 3>{1, 1, 1})
    names.push_back({"grid", "the number of blocks in the grid", "1 is the number of blocks in the grid"});
  if (elements != k)
    for (const NumberName& name : launch_names(facts, elements))
      names.push_back({"elements " + name.key, "", fmt::format("{} elements are {}", elements, name.text)});
  const auto groups = suffix ? groups_ending_at(facts, k, extent) : std::vector<std::int64_t>();
  const auto say = [&](std::string key, std::string text) {
    region.readings.push_back({std::move(key), std::move(text)});
  };
  for (const Name& name : names) say(number + " " + name.key, fmt::format("{} ({})", at_number, name.phrase));
  if (suffix && k + 1 == extent) say("last", fmt::format("the last {}", word));
  for (const Name& name : names)
    if (!name.text.empty())
      say(name.key, suffix ? fmt::format("{} from {} on", words, name.text)
                           : fmt::format("{} below {}", words, name.text));
  say(number, at_number);
  for (const std::int64_t group : groups) region.readings.push_back(group_reading(word, group));
  say("", fmt::format("the {} {}", suffix ? "last" : "first", words));
  if (names.empty()) {
    if (!groups.empty()) region.aside = fmt::format("whole groups of {} end there", groups.front());
    return;
  }
  std::vector<std::string> phrases;
  for (const Name& name : names) phrases.push_back(name.phrase);
  region.aside = listed(phrases, " or ");
  const auto& launches = facts.output().launches;
  if (launches.size() == 1 && launches[0].has_loop == false) region.aside += ", and the kernel has no loop";
}

Region region_of(const Facts& facts, const Axes& axes, const Box& box) {
  Region region;
  region.volume = box.volume;
  region.weight = box.restricted.size() == 1 ? 10 : 6;
  std::vector<std::string> parts;
  for (auto d = box.restricted.rbegin(); d != box.restricted.rend(); ++d) {
    const Span& span = box.spans[*d];
    parts.push_back(text_of(axes.words[*d], span, axes.extents[*d]));
    region.key += fmt::format("{}{} {}", region.key.empty() ? "" : ", ", axes.words[*d],
                              shape_of(span, axes.extents[*d]));
  }
  const std::size_t last = box.restricted.back();
  region.singular = box.spans[last].high - box.spans[last].low == 1;
  for (std::size_t i = 0; i < parts.size(); ++i) region.text += (i == 0 ? "" : " of ") + parts[i];
  if (box.restricted.size() > 1) {
    region.readings.push_back({region.text, region.text});
    return region;
  }
  const Span& span = box.spans[last];
  const std::int64_t extent = axes.extents[last];
  // Rows before the edge, counted in elements, may be what a launch has threads for.
  const std::int64_t each = last == 0 ? facts.count() / std::max<std::int64_t>(1, extent) : 1;
  if (span.high == extent) {
    explain_edge(facts, axes.words[last], span.low, extent, true, span.low * each, region);
  } else if (span.low == 0) {
    explain_edge(facts, axes.words[last], span.high, extent, false, span.high * each, region);
  } else {
    region.readings.push_back({region.text, region.text});
    std::vector<std::string> texts;
    for (const NumberName& name : launch_names(facts, span.high - span.low)) texts.push_back(name.text);
    if (!texts.empty() && span.low % (span.high - span.low) == 0)
      region.aside = fmt::format("{} is {}", span.high - span.low, listed(texts, " or "));
  }
  return region;
}

/// A box that holds the selection, exactly or beyond chance.
std::optional<Region> box(const Facts& facts, const Axes& axes, const Selection& selection) {
  const Box around = box_around(axes, selection, false);
  if (around.restricted.empty()) return std::nullopt;
  Region region = region_of(facts, axes, around);
  region.exact = around.volume == selection.inside;
  const std::int64_t outside = selection.all - around.volume;
  const double part = static_cast<double>(around.volume) / static_cast<double>(selection.all);
  region.proven = outside >= kMinEvidence;
  if (!region.exact)
    region.proven &= selection.inside >= kMinEvidence && 2 * selection.inside >= around.volume &&
                     static_cast<double>(selection.inside) * std::log10(part) <= -6;
  if (!region.exact && !region.proven) return std::nullopt;
  return region;
}

/// All but a box is selected: tiles that are only whole, one row that is right.
std::optional<Region> all_but_box(const Facts& facts, const Axes& axes, const Selection& selection) {
  const Box around = box_around(axes, selection, true);
  const std::int64_t others = selection.all - selection.inside;
  if (around.restricted.empty() || around.volume != others || others < 4) return std::nullopt;
  Region region = region_of(facts, axes, around);
  region.exact = region.of_right = true;
  region.proven = selection.inside >= kMinEvidence && others >= kMinEvidence;
  region.key = "all but " + region.key;
  region.weight = 5;
  return region;
}

std::string residues_text(const std::string& word, std::int64_t q,
                          const std::vector<std::int64_t>& residues) {
  const std::string words = plural(word);
  if (residues.size() == 1)
    return q == 2 ? fmt::format("every second {} from {} on", word, residues[0])
                  : fmt::format("every {}{} {} from {} on", q, q == 3 ? "rd" : "th", word, residues[0]);
  if (residues.back() - residues.front() + 1 == static_cast<std::int64_t>(residues.size()))
    return fmt::format("{} whose number modulo {} is {} to {}", words, q, residues.front(), residues.back());
  std::vector<std::string> numbers;
  for (const std::int64_t r : residues) numbers.push_back(fmt::format("{}", r));
  return fmt::format("{} whose number modulo {} is {}", words, q, listed(numbers, " or "));
}

std::string residues_aside(const Facts& facts, const std::string& word, std::int64_t q,
                           const std::vector<std::int64_t>& residues) {
  const auto length = static_cast<std::int64_t>(residues.size());
  const bool range = residues.back() - residues.front() + 1 == length;
  const std::string where = fmt::format("where neighbouring threads take neighbouring {}", plural(word));
  const auto& launches = facts.output().launches;
  if (residues.front() == 1 && length == q - 1 && !launches.empty() &&
      std::all_of(launches.begin(), launches.end(), [&](const LaunchedKernel& launch) {
        return launch.block[0] == q * kWarpSize && launch.block[1] * launch.block[2] == 1;
      }))
    return fmt::format("a block has {} warps, and the {} of its first alone is not among them", q, word);
  if (q == 32 && length == 1) return fmt::format("that is lane {} of every warp {}", residues[0], where);
  if (q == 32 && range)
    return fmt::format("those are lanes {} to {} {}", residues.front(), residues.back(), where);
  bool of_block = false;
  for (const LaunchedKernel& launch : facts.output().launches) of_block |= launch.block[0] == q;
  if (of_block && range && length == 32 && residues.front() % 32 == 0)
    return fmt::format("that is warp {} of every block {}", residues.front() / 32, where);
  return "";
}

/// Every so many along one axis.
std::optional<Region> periodic(const Facts& facts, const Axes& axes, std::size_t d,
                               const Selection& selection, bool exactly) {
  std::set<std::int64_t> periods = {2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 128, 256, 512, 1024};
  for (const LaunchedKernel& launch : facts.output().launches) periods.insert(launch.block[0]);
  const std::int64_t extent = axes.extents[d];
  std::vector<std::int64_t> in(static_cast<std::size_t>(extent)), of(in.size());
  axes.each(selection.in.size(), [&](std::size_t i, const std::vector<std::int64_t>& index) {
    const auto k = static_cast<std::size_t>(index[d]);
    of[k] += selection.of[i];
    in[k] += selection.of[i] && selection.in[i];
  });
  for (const std::int64_t q : periods) {
    if (q < 2 || 2 * q > extent) continue;
    std::vector<std::int64_t> selected(static_cast<std::size_t>(q)), all(selected.size()), residues;
    for (std::int64_t k = 0; k < extent; ++k) {
      selected[static_cast<std::size_t>(k % q)] += in[static_cast<std::size_t>(k)];
      all[static_cast<std::size_t>(k % q)] += of[static_cast<std::size_t>(k)];
    }
    std::int64_t volume = 0;
    for (std::int64_t r = 0; r < q; ++r)
      if (selected[static_cast<std::size_t>(r)] > 0) {
        residues.push_back(r);
        volume += all[static_cast<std::size_t>(r)];
      }
    const bool few = residues.size() <= 6 ||
                     residues.back() - residues.front() + 1 == static_cast<std::int64_t>(residues.size());
    if (!few || volume == selection.all || (exactly && volume != selection.inside)) continue;
    Region region;
    region.exact = volume == selection.inside;
    region.volume = volume;
    const double part = static_cast<double>(volume) / static_cast<double>(selection.all);
    region.proven = selection.inside >= kMinEvidence && selection.all - volume >= kMinEvidence &&
                    2 * selection.inside >= volume &&
                    static_cast<double>(selection.inside) * std::log10(part) <= (region.exact ? -2 : -6);
    if (!region.proven) continue;
    region.key = fmt::format("{} modulo", axes.words[d]);
    region.text = residues_text(axes.words[d], q, residues);
    region.singular = residues.size() == 1;
    region.aside = residues_aside(facts, axes.words[d], q, residues);
    region.readings = {{region.text, region.text}};
    region.weight = 4;
    return region;
  }
  return std::nullopt;
}

/// What only the first warp of a block gets right: the columns that its threads have, where each takes every
/// so many-th.
std::optional<Region> other_warps(const Facts& facts, const Axes& axes, const Selection& selection) {
  constexpr std::int64_t kWarp = 32;
  const auto& launches = facts.output().launches;
  const std::size_t last = axes.extents.size() - 1;
  if (launches.empty() || axes.extents[last] <= kWarp) return std::nullopt;
  const auto threads = static_cast<std::int64_t>(launches.back().block[0]);
  if (threads <= kWarp || launches.back().block[1] > 1) return std::nullopt;
  Region region;
  bool only = true;
  axes.each(selection.in.size(), [&](std::size_t i, const std::vector<std::int64_t>& index) {
    const bool other = index[last] % threads >= kWarp;
    region.volume += selection.of[i] && other;
    only &= other || !selection.in[i];
  });
  const double part = static_cast<double>(region.volume) / static_cast<double>(selection.all);
  region.exact = region.volume == selection.inside;
  region.proven = selection.inside >= kMinEvidence && selection.all - region.volume >= kMinEvidence &&
                  static_cast<double>(selection.inside) * std::log10(part) <= -6;
  if (!only || 2 * selection.inside < region.volume || !(region.exact || region.proven)) return std::nullopt;
  const std::string& word = axes.words[last];
  region.key = fmt::format("{} of other warps", word);
  region.text = fmt::format("{} that a block's first warp does not have", plural(word));
  region.aside = "what the first warp knows has not reached the others";
  region.always_aside = true;
  region.readings = {{region.key, region.text}};
  region.weight = 9;
  return region;
}

}  // namespace

void Selection::count_up() {
  inside = all = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    all += of[i];
    inside += in[i];
  }
}

std::vector<std::int64_t> likely_groups(const Facts& facts) {
  std::vector<std::int64_t> groups;
  for (std::int64_t group = 1024; group >= 4; group /= 2) groups.push_back(group);
  // What a block has of which each thread takes several.
  for (const LaunchedKernel& launch : facts.output().launches)
    for (const std::int64_t each : {16, 8, 4, 2}) {
      const std::int64_t group = each * launch.block[0] * launch.block[1] * launch.block[2];
      if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
    }
  std::stable_partition(groups.begin(), groups.end(), [&](std::int64_t group) {
    const auto& launches = facts.output().launches;
    return std::any_of(launches.begin(), launches.end(), [&](const LaunchedKernel& launch) {
      return static_cast<std::int64_t>(launch.block[0]) * launch.block[1] * launch.block[2] == group;
    });
  });
  return groups;
}

Reading group_reading(const std::string& word, std::int64_t group) {
  return {fmt::format("groups of {}", group),
          fmt::format("{} behind the last whole group of {}", plural(word), group)};
}

Reading piece_reading(const std::string& word, std::int64_t group) {
  return {fmt::format("pieces behind {}", group),
          fmt::format("the whole pieces of 4 {} behind the last whole group of {}", plural(word), group)};
}

Region pieces_of_rest(const std::string& word) {
  Region region;
  region.key = word + " pieces";
  region.exact = true;
  region.weight = 9;
  return region;
}

namespace {

constexpr std::int64_t kSquares[] = {4, 8, 16, 32, 64, 128};  // that blocks and threads work on

/// Squares of `side` on the diagonal; of a triangle, what is not above it.
Reading squares_reading(std::int64_t side, bool triangle) {
  return {fmt::format("{} squares of {}", triangle ? "half" : "whole", side),
          fmt::format("the {1}squares of {0} x {0} on the diagonal", side,
                      triangle ? "lower halves of the " : "")};
}

}  // namespace

Region diagonal() {
  Region region;
  region.key = "diagonal";
  region.text = "the elements on the diagonal";
  region.readings = {{"", region.text}};
  region.exact = true;
  region.weight = 10;
  for (const std::int64_t side : kSquares)
    for (const bool triangle : {false, true}) region.readings.push_back(squares_reading(side, triangle));
  return region;
}

namespace {

/// Just those whose last two indices are the same are selected, in squares; or in the same square of several.
std::optional<Region> on_diagonal(const Axes& axes, const Selection& selection) {
  const std::size_t rank = axes.extents.size();
  if (rank < 2 || axes.extents[rank - 1] != axes.extents[rank - 2] || axes.extents[rank - 1] < 2)
    return std::nullopt;
  // Selected are just those that `in` says; the others among which they are, are `of`.
  const auto fits = [&](auto in, auto of, std::int64_t& others) {
    bool just = true;
    others = 0;
    axes.each(selection.in.size(), [&](std::size_t i, const std::vector<std::int64_t>& index) {
      if (!selection.of[i]) return;
      const std::int64_t row = index[rank - 2], column = index[rank - 1];
      just &= selection.in[i] == in(row, column);
      others += of(row, column) && !in(row, column);
    });
    return just;
  };
  Region region = diagonal();
  region.readings.clear();
  region.volume = selection.inside;
  std::int64_t others = 0, max_others = 0;
  const auto add = [&](Reading reading) {
    if (region.readings.empty()) region.text = reading.sentence;
    region.readings.push_back(std::move(reading));
    max_others = std::max(max_others, others);
  };
  if (fits([](auto r, auto c) { return r == c; }, [](auto, auto) { return true; }, others))
    add(diagonal().readings.front());
  for (const std::int64_t side : kSquares) {
    const auto same = [side](auto r, auto c) { return r / side == c / side; };
    if (fits(
            same, [](auto, auto) { return true; }, others))
      add(squares_reading(side, false));
    const auto half = [same](auto r, auto c) { return same(r, c) && c <= r; };
    if (fits(
            half, [](auto r, auto c) { return c <= r; }, others))
      add(squares_reading(side, true));
    // The last row of a square has its group as a whole.
    const auto cut = [half, side](auto r, auto c) { return half(r, c) && r % side + 1 < side; };
    if (fits(
            cut, [](auto r, auto c) { return c <= r; }, others))
      add({fmt::format("cut groups of {}", side),
           fmt::format("the elements on and left of the diagonal in groups of {} {} that it cuts in two,",
                       side, plural(axes.words.back()))});
  }
  if (region.readings.empty()) return std::nullopt;
  region.proven = selection.inside >= kMinEvidence && max_others >= kMinEvidence;
  return region;
}

/// Of one axis the pieces of four behind the last whole group of several: what a block has that is not full,
/// but for elements that make no piece.
std::optional<Region> pieces_of_the_rest(const Facts& facts, const Selection& selection) {
  constexpr std::int64_t kPiece = 4;
  if (facts.output().tensor.shape.size() != 1) return std::nullopt;
  const std::int64_t n = facts.count(), end = n / kPiece * kPiece;
  Region region = pieces_of_rest(facts.axis(0));
  for (const std::int64_t group : likely_groups(facts)) {
    const std::int64_t begin = n / group * group;
    if (group <= kPiece || selection.inside != end - begin) continue;
    bool just = true;
    for (std::int64_t i = begin; i < end; ++i) just &= selection.in[static_cast<std::size_t>(i)];
    if (just) region.readings.push_back(piece_reading(facts.axis(0), group));
  }
  if (region.readings.empty()) return std::nullopt;
  region.text = region.readings.front().sentence;
  region.volume = selection.inside;
  region.proven = selection.inside >= kMinEvidence && n - selection.inside >= kMinEvidence;
  return region;
}

}  // namespace

std::vector<Region> regions_of(const Facts& facts, const Selection& selection) {
  Axes own, flat{{"element"}, {facts.count()}};
  const auto& shape = facts.output().tensor.shape;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    own.words.push_back(facts.axis(d));
    own.extents.push_back(shape[d]);
  }
  std::vector<Region> fits;
  const auto add = [&](std::optional<Region> region) {
    if (region) fits.push_back(std::move(*region));
  };
  if (!own.extents.empty()) {
    add(box(facts, own, selection));
    add(on_diagonal(own, selection));
    add(all_but_box(facts, own, selection));
    for (const bool exactly : {true, false})
      for (std::size_t d = own.extents.size(); d-- > 0;) add(periodic(facts, own, d, selection, exactly));
  }
  if (own.extents.size() > 1) {
    add(box(facts, flat, selection));
    for (const bool exactly : {true, false}) add(periodic(facts, flat, 0, selection, exactly));
  }
  // One is enough: the simplest of those that are exact, else the simplest.
  const auto exact = std::find_if(fits.begin(), fits.end(), [](const Region& r) { return r.exact; });
  if (exact != fits.end())
    fits = {*exact};
  else if (!fits.empty())
    fits.resize(1);
  // Of a short row it is one more way to say it, and the only one that is true of long rows too.
  if (!own.extents.empty()) add(other_warps(facts, own, selection));
  add(pieces_of_the_rest(facts, selection));
  return fits;
}

}  // namespace fusebox::patterns
