#include "grader/judge/repair/edits/edit_list.h"

#include <fmt/format.h>

namespace fusebox {

TextEdit* EditList::add(const Expressions& where, std::size_t begin, std::size_t end, const std::string& with,
                        TextEdit::Likelihood likelihood, const std::string& shown_with) {
  if (begin >= end || !known_.insert({begin, end, with}).second) return nullptr;
  const auto& tokens = read_.tokens;
  TextEdit edit;
  edit.begin = tokens[begin].begin, edit.end = tokens[end - 1].end;
  edit.with = with;
  edit.line = tokens[begin].line;
  const auto [first, last] = where.shown_around(begin, end);
  edit.says =
      fmt::format("`{}{}{}` in place of `{}`", piece(first, begin), shown_with.empty() ? with : shown_with,
                  piece_behind(end, last), in_one_line(read_, first, last));
  edit.likelihood = likelihood;
  edit.kin = kin_;
  return &edits_.emplace_back(std::move(edit));
}

std::string EditList::piece(std::size_t begin, std::size_t end) const {
  if (begin == end) return {};
  std::string piece = in_one_line(read_, begin, end);
  if (read_.tokens[end - 1].end < read_.tokens[end].begin) piece += ' ';
  return piece;
}

std::string EditList::piece_behind(std::size_t begin, std::size_t end) const {
  if (begin >= end) return {};
  return (read_.tokens[begin - 1].end < read_.tokens[begin].begin ? " " : "") +
         in_one_line(read_, begin, end);
}

}  // namespace fusebox
