#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/judge/repair/edits/edit_finder.h"

namespace fusebox {
namespace {

/// How a `for` loop goes on: the place that it moves, and by how much.
class StepEdits : EditFinder {
 public:
  using EditFinder::EditFinder;

  std::vector<TextEdit> find() {
    for_each_function([&](const ReadFunction& function) {
      for (const Statement& loop : function.statements)
        if (loop.kind == Statement::Kind::loop && is(loop.begin, "for") && may_change(loop.begin))
          change_steps(loop);
    });
    return take();
  }

 private:
  /// One of what the commas of a loop's last part divide.
  struct Step {
    std::size_t begin = 0, end = 0;
    std::size_t name = 0;             ///< the variable that it moves
    std::size_t sign = 0, value = 0;  ///< of `name sign value`; 0: it counts
  };

  void change_steps(const Statement& loop) {
    const std::size_t open = loop.begin + 1, close = read_.partners[open];
    const std::size_t first = first_of(open + 1, close, ";");
    const std::size_t second = first < close ? first_of(first + 1, close, ";") : close;
    if (second >= close) return;
    std::vector<Step> steps;
    for (std::size_t t = second + 1; t < close;) {
      const std::size_t end = first_of(t, close, ",");
      if (const Step step = step_at(t, end); step.end > 0) steps.push_back(step);
      t = end + 1;
    }
    const std::size_t sign = first_of(open + 1, first, "=");
    const std::string_view counted = sign < first ? tokens_[sign - 1].text : std::string_view();
    const auto moves_it = [&](const Step& step) { return tokens_[step.name].text == counted; };
    const bool moves = std::any_of(steps.begin(), steps.end(), moves_it);
    if (steps.size() == 1) stop_below_0(first + 1, second, steps.front());
    for (const Step& step : steps) {
      if (!counted.empty() && !moves && function_->variable(counted, step.begin))
        edits_.add(*where_, step.name, step.name + 1, std::string(counted), Likelihood::likely);
      if (is(step.sign, "=")) add_to(step);
      if (step.sign == 0 || is(step.sign, "+=")) change_length(step);
    }
  }

  /// `c >= 0` of what counts down and has no sign.
  void stop_below_0(std::size_t begin, std::size_t end, const Step& step) {
    const Variable* variable = function_->variable(tokens_[begin].text, step.begin);
    const bool counts_down = is(step.begin, "--") || is(step.begin + 1, "--") || is(step.sign, "-=");
    if (!counts_down || end != begin + 3 || !is(begin + 1, ">=") || !is(begin + 2, "0") || !variable ||
        !(variable->type.starts_with("unsigned") || variable->type.ends_with("size_t")))
      return;
    const std::string signed_type = variable->type == "unsigned" ? "int" : "long";
    if (TextEdit* edit = edits_.add(*where_, begin, end,
                                    fmt::format("static_cast<{}>({}) >= 0", signed_type, variable->name),
                                    Likelihood::likely))
      edit->says = fmt::format("`{0} {1}`, which may be less than 0, in place of `{2} {1}`, which never is,",
                               signed_type, variable->name, variable->type);
  }

  Step step_at(std::size_t begin, std::size_t end) const {
    if (end == begin + 2 && (is(begin, "++") || is(begin, "--"))) return {begin, end, begin + 1};
    if (end == begin + 2 && (is(begin + 1, "++") || is(begin + 1, "--"))) return {begin, end, begin};
    if (end > begin + 2 && tokens_[begin].kind == Token::Kind::word && is_assignment(tokens_[begin + 1].text))
      return {begin, end, begin, begin + 1, begin + 2};
    return {};
  }

  /// `c = step` as `c += step`.
  void add_to(const Step& step) {
    if (mentions(step.value, step.end, tokens_[step.name].text)) return;
    edits_.add(*where_, step.begin, step.end,
               fmt::format("{} += {}", tokens_[step.name].text, text(step.value, step.end)),
               Likelihood::likely);
  }

  /// All threads, or all blocks, in place of one; and another length that the loop does not change.
  void change_length(const Step& step) {
    if (step.sign == 0 && !is(step.begin, "++") && !is(step.begin + 1, "++")) return;
    const std::string now = step.sign == 0 ? "1" : text(step.value, step.end);
    const std::string_view name = tokens_[step.name].text;
    const bool by_one = now == "1";
    std::set<std::string> lengths;
    if (!read_.is_of_host) lengths = {"blockDim.x", "gridDim.x", "gridDim.x * blockDim.x"};
    if (!read_.is_of_host && by_one) {
      lengths.insert({"32", "64", "128", "256"});
    } else if (!read_.is_of_host) {
      const std::string factor = operand(step.value, step.end);
      for (const char* all : {"gridDim.x", "gridDim.y", "blockDim.x"})
        if (now.find(all) == now.npos) lengths.insert(fmt::format("{} * {}", all, factor));
    }
    for (const Variable& variable : function_->variables)
      if (variable.is_integer() && variable.dimensions == 0 && variable.name != name &&
          function_->variable(variable.name, step.begin) == &variable &&
          where_->is_steady(variable, step.begin))
        lengths.emplace(variable.name);
    for (const std::string& length : lengths)
      if (length != now)
        edits_.add(*where_, step.begin, step.end, fmt::format("{} += {}", name, length),
                   by_one ? Likelihood::likely : Likelihood::seldom);
  }
};

}  // namespace

std::vector<TextEdit> step_edits(const ReadCode& read, std::span<const LineRange> lines) {
  return StepEdits(read, lines, TextEdit::Kin::many).find();
}

}  // namespace fusebox
