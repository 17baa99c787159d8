#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/judge/repair/edits/edit_list.h"
#include "grader/judge/repair/edits/expressions.h"
#include "grader/judge/repair/edits/text_edit.h"

namespace fusebox {

/// What each kind of edits begins with: the code, the lines in which something may be changed, and the
/// function that is being read. Places are indices of tokens.
class EditFinder {
 public:
  EditFinder(const ReadCode& read, std::span<const LineRange> lines, TextEdit::Kin kin = TextEdit::Kin::few)
      : read_(read), tokens_(read.tokens), lines_(lines), edits_(read, kin) {}

 protected:
  bool is(std::size_t i, std::string_view sign) const { return read_.is(i, sign); }
  std::string text(std::size_t begin, std::size_t end) const { return in_one_line(read_, begin, end); }
  bool may_change(std::size_t i) const { return is_in(tokens_[i].line, lines_); }
  /// Behind a token, or behind what it opens.
  std::size_t behind(std::size_t i) const { return read_.opens(i) ? read_.partners[i] + 1 : i + 1; }
  /// What an edit puts in place of the tokens from `begin` to `end`.
  EditedPlace place(std::size_t begin, std::size_t end, std::string with,
                    EditedPlace::Kind kind = EditedPlace::Kind::expression) const {
    return {kind, tokens_[begin].begin, tokens_[end - 1].end, std::move(with), tokens_[begin].line};
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
