#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "grader/judge/repair/edits/edit_finder.h"

namespace fusebox {
namespace {

/// What threads that work together have in common, or should have: one origin for the distances that they add
/// up, each other's half of two sums, and the number by which they are told apart.
class CommonEdits : EditFinder {
 public:
  using EditFinder::EditFinder;

  std::vector<TextEdit> find() {
    for_each_function([&](const ReadFunction& function) {
      for (const Variable& variable : function.variables) {
        if (variable.dimensions > 0 || variable.begin <= function.open || !is(variable.begin + 1, "="))
          continue;
        if (variable.is_float() && may_change(variable.begin))
          share_origin(variable), hand_other_half(variable);
        if (variable.is_integer() && !variable.is_fixed) number_threads(variable);
      }
    });
    return take();
  }

 private:
  static std::size_t value_of(const Variable& variable) { return variable.begin + 2; }

  bool is_taken_off(const Variable& variable) const {
    for (std::size_t t = variable.initialised; t < variable.end; ++t)
      if (tokens_[t].text == variable.name && !is(t - 1, ".") &&
          (is(t - 1, "-") || is(t - 1, ",") || is(t - 1, "(")))
        return true;
    return false;
  }

  /// `origin = __shfl_sync(m, mine, 0)`, or an element that each thread has of its own, from which distances
  /// are taken: what a row begins with, which is the same for all.
  void share_origin(const Variable& origin) {
    const std::size_t from = value_of(origin), end = origin.initialised;
    const Variable* const element = where_->variable_at(from);
    const bool is_handed = tokens_[from].text.starts_with("__shfl"),
               is_kept = element && element->dimensions > 0 && !element->is_shared;
    if (end <= from + 1 || !(is_handed || is_kept) || !is_taken_off(origin)) return;
    // A row is known behind the tensor that it is a part of.
    for (auto at = function_->variables.rbegin(); at != function_->variables.rend(); ++at) {
      const Variable& row = *at;
      if (!row.is_pointer() || !row.known_at(from) || !row.is_constant) continue;
      const std::string first = row.type == "float*"
                                    ? fmt::format("{}[0]", row.name)
                                    : fmt::format("*reinterpret_cast<const float*>({})", row.name);
      edits_.add(*where_, from, end, first, Likelihood::likely);
    }
  }

  /// `mine = upper ? b : a; mine += __shfl_xor_sync(m, mine, 16);`: the other lane goes on with the other
  /// one.
  void hand_other_half(const Variable& mine) {
    const std::size_t from = value_of(mine), end = mine.initialised;
    const std::size_t question = first_of(from, end, "?"), colon = first_of(question, end, ":");
    if (question >= end || colon >= end) return;
    for (std::size_t i = mine.initialised; i < mine.end; ++i) {
      if (!tokens_[i].text.starts_with("__shfl_xor") || !read_.opens(i + 1)) continue;
      const Elements arguments = elements_of(i + 1);
      if (arguments.size() < 3 || text(arguments[1].first, arguments[1].second) != mine.name) return;
      if (may_change(i))
        edits_.add(*where_, arguments[1].first, arguments[1].second,
                   fmt::format("{} ? {} : {}", text(from, question), text(colon + 1, end),
                               text(question + 1, colon)),
                   Likelihood::likely);
      return;
    }
  }

  /// `lane = threadIdx.x % 32`, where threadIdx.x stands in several places of what follows: that number in
  /// all of them.
  void number_threads(const Variable& number) {
    const std::size_t from = value_of(number), end = number.initialised;
    if (end < from + 5 || !(is(from + 3, "%") || is(from + 3, "/")) || end != from + 5) return;
    const std::string all = text(from, from + 3);
    if (all != "threadIdx.x" && all != "threadIdx.y") return;
    std::vector<EditedPlace> places;
    for (std::size_t t = end; t + 2 < number.end; ++t) {
      const bool divides = is(t + 3, "%") || is(t + 3, "/");
      if (text(t, t + 3) == all && may_change(t) && !divides && !read_.fixed[t])
        places.push_back(place(t, t + 3, fmt::format("static_cast<unsigned>({})", number.name)));
    }
    if (places.size() > 1)
      add_all(std::move(places), fmt::format("`{}` in place of each `{}`", number.name, all),
              Likelihood::likely);
  }
};

}  // namespace

std::vector<TextEdit> common_edits(const ReadCode& read, std::span<const LineRange> lines) {
  return CommonEdits(read, lines).find();
}

}  // namespace fusebox
