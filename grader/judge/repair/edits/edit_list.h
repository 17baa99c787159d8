#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "grader/judge/repair/edits/expressions/expressions.h"
#include "grader/judge/repair/edits/text_edit.h"

namespace fusebox {

/// Changes of expressions, each of them once, with what is said of it. Places are indices of tokens, ends are
/// behind the last one.
class EditList {
 public:
  explicit EditList(const ReadCode& read, TextEdit::Kin kin = TextEdit::Kin::few) : read_(read), kin_(kin) {}

  /// `with` in place of what stands there; `shown_with`: as it is said, where that is another text. Null: it
  /// is known.
  TextEdit* add(const Expressions& where, std::size_t begin, std::size_t end, const std::string& with,
                TextEdit::Likelihood likelihood, const std::string& shown_with = {});
  /// With the space that stands between it and what follows.
  std::string piece(std::size_t begin, std::size_t end) const;
  /// With the space that stands between it and what is in front of it.
  std::string piece_behind(std::size_t begin, std::size_t end) const;

  std::vector<TextEdit> take() { return std::move(edits_); }

 private:
  const ReadCode& read_;
  const TextEdit::Kin kin_;
  std::set<std::tuple<std::size_t, std::size_t, std::string>> known_;
  std::vector<TextEdit> edits_;
};

}  // namespace fusebox
