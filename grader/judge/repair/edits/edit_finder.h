#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/judge/repair/edits/edit_list.h"
#include "grader/judge/repair/edits/expressions/expressions.h"
#include "grader/judge/repair/edits/text_edit.h"

namespace fusebox {

/// What each kind of edits begins with: the code, the lines in which something may be changed, and the
/// function that is being read. Places are indices of tokens.
class EditFinder {
 public:
  EditFinder(const ReadCode& read, std::span<const LineRange> lines, TextEdit::Kin kin = TextEdit::Kin::few)
      : read_(read), tokens_(read.tokens), lines_(lines), edits_(read, kin) {}

 protected:
  using Likelihood = TextEdit::Likelihood;
  bool is(std::size_t i, std::string_view sign) const { return read_.is(i, sign); }
  std::string text(std::size_t begin, std::size_t end) const { return in_one_line(read_, begin, end); }
  /// The same, cut where it is long: what is said of it.
  std::string shown(std::size_t begin, std::size_t end) const {
    std::string text = in_one_line(read_, begin, end);
    if (text.size() > kMaxShownEdit) text = text.substr(0, kMaxShownEdit - 3) + "...";
    return text;
  }
  /// A variable, and no member of that name.
  bool mentions(std::size_t begin, std::size_t end, std::string_view name) const {
    for (std::size_t t = begin; t < end; ++t)
      if (tokens_[t].text == name && !is(t - 1, ".")) return true;
    return false;
  }
  bool may_change(std::size_t i) const { return is_in(tokens_[i].line, lines_); }
  /// Behind a token, or behind what it opens.
  std::size_t behind(std::size_t i) const { return read_.opens(i) ? read_.partners[i] + 1 : i + 1; }
  /// What an edit puts in place of the tokens from `begin` to `end`.
  EditedPlace place(std::size_t begin, std::size_t end, std::string with,
                    EditedPlace::Kind kind = EditedPlace::Kind::expression) const {
    return {kind, tokens_[begin].begin, tokens_[end - 1].end, std::move(with), tokens_[begin].line};
  }

  /// What an edit puts before a token.
  EditedPlace in_front_of(std::size_t at, std::string with) const {
    EditedPlace made = place(at, at + 1, std::move(with), EditedPlace::Kind::insertion);
    made.end = made.begin;
    return made;
  }
  /// An integer that the function is given.
  bool is_size(const Variable& variable) const {
    return variable.begin == function_->open && variable.is_integer() && !variable.is_fixed &&
           variable.dimensions == 0;
  }

  /// In brackets, where it is more than a name or a call.
  std::string operand(std::size_t begin, std::size_t end) const {
    const std::size_t open = is(begin, "(") ? begin : begin + 1;
    const bool closed = end == begin + 1 || (is(open, "(") && read_.partners[open] + 1 == end) ||
                        (tokens_[begin].kind == Token::Kind::word && where_->behind_target(begin) == end);
    return closed ? text(begin, end) : "(" + text(begin, end) + ")";
  }
  /// The first such sign between two places, outside of brackets; `end`: there is none.
  std::size_t first_of(std::size_t begin, std::size_t end, std::string_view sign) const {
    while (begin < end && !is(begin, sign)) begin = behind(begin);
    return std::min(begin, end);
  }
  using Elements = std::vector<std::pair<std::size_t, std::size_t>>;
  /// From where to where each element of a list in brackets goes.
  Elements elements_of(std::size_t open) const {
    Elements elements;
    for (std::size_t t = open + 1, first = t; t <= read_.partners[open]; t = behind(t))
      if (is(t, ",") || t == read_.partners[open]) elements.emplace_back(first, t), first = t + 1;
    return elements;
  }
  /// The `<` of a condition that is one comparison of integers, and no `else` behind it; 0: it is none.
  std::size_t less_of(const Statement& condition) const {
    const std::size_t sign = first_of(condition.begin, condition.end, "<");
    const bool is_all = condition.whole > 0 && sign < condition.end &&
                        where_->left_of(sign, precedence("<")) == condition.begin &&
                        where_->right_of(sign, precedence("<")) == condition.end;
    return is_all && where_->is_integral(condition.begin, sign) ? sign : 0;
  }
  /// One edit of all these places, in whichever order they stand; none: there is nothing to change.
  void add_all(std::vector<EditedPlace> places, std::string says, Likelihood likelihood) {
    if (places.empty()) return;
    std::sort(places.begin(), places.end(),
              [](const EditedPlace& a, const EditedPlace& b) { return a.begin < b.begin; });
    TextEdit edit{places.front(), {places.begin() + 1, places.end()}, std::move(says), likelihood};
    others_.push_back(std::move(edit));
  }

  template <class Read>
  void for_each_function(Read read) {
    for (const ReadFunction& function : read_.functions) {
      function_ = &function;
      where_.emplace(read_, function);
      read(function);
    }
  }

  /// All that were found.
  std::vector<TextEdit> take() {
    std::vector<TextEdit> all = edits_.take();
    all.insert(all.end(), std::make_move_iterator(others_.begin()), std::make_move_iterator(others_.end()));
    return all;
  }

  const ReadCode& read_;
  const std::vector<Token>& tokens_;
  std::span<const LineRange> lines_;
  const ReadFunction* function_ = nullptr;
  std::optional<Expressions> where_;  ///< in function_
  EditList edits_;                    ///< of expressions, each once
  std::vector<TextEdit> others_;      ///< of statements, and of several places
};

}  // namespace fusebox
