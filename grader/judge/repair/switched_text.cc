#include "grader/judge/repair/switched_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "grader/host/recorder.h"
#include "grader/judge/repair/edits/read_code.h"
#include "grader/judge/source/source_code.h"
#include "grader/judge/source/tokens.h"

namespace fusebox {
namespace {

/// A signed type that holds what an unsigned one of 32 bits does.
constexpr std::string_view kSigned = "fusebox_signed";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
/// Bits for each edit, and for none: at which places it changes something.
constexpr std::string_view kPlaces = "fusebox_places";
/// Keeps the compiler from working out what is not chosen too, and choosing behind that: all edits of a loop
/// would be carried out in each round.
constexpr std::string_view kChosen = "fusebox_chosen";
constexpr std::size_t kBits = 32;

/// All edits of one place. Places lie in each other or apart, never across.
struct Place {
  std::size_t begin = 0, end = 0;
  TextEdit::Kind kind = TextEdit::Kind::expression;
  bool is_all = false;  ///< an expression that is all of a statement, but for the semicolon
  struct Made {
    std::size_t edit = 0;
    std::string with;  ///< what it puts here
  };
  std::vector<Made> edits;
};

class Writer {
 public:
  /// `edits`: how many there are, those that are left out with them.
  Writer(std::string_view text, const std::vector<Place>& places, std::size_t edits, Side side)
      : text_(text),
        places_(places),
        edits_(edits),
        switch_(side == Side::host ? kHostEditSwitch : kEditSwitch),
        side_(side) {}

  SwitchedText write() {
    std::size_t begin = text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    const std::string_view constant = side_ == Side::host ? "" : "__constant__ ";
    // Its name is the same in a namespace.
    put(fmt::format("using {} = long long; ", kSigned));
    put(fmt::format("extern \"C\" {{ {}int {}; }}\n", constant, switch_));
    put(fmt::format("extern \"C\" {{ {}unsigned {}[][{}] = {}; }}\n", constant, kPlaces, words(),
                    bits_of_places()));
    put(fmt::format("__host__ __device__ __forceinline__ bool {}() {{ asm volatile(\"\"); return true; }}\n",
                    kChosen));
    write_range(begin, text_.size(), {});
    if (side_ == Side::device) forbid_unrolling();
    put("\n");
    return std::move(result_);
  }

 private:
  std::size_t words() const { return places_.size() / kBits + 1; }
  /// As an initializer: a row for the switch at 0, one for each edit, and one for the number behind them, at
  /// which none is made. Of each place a bit says that the edit is made there.
  std::string bits_of_places() const {
    std::vector<std::vector<std::uint32_t>> rows(edits_ + 2, std::vector<std::uint32_t>(words()));
    for (std::size_t p = 0; p < places_.size(); ++p)
      for (const Place::Made& made : places_[p].edits) rows[made.edit + 1][p / kBits] |= 1u << p % kBits;
    std::string text;
    for (const auto& row : rows)
      text += fmt::format("{}{{{}}}", text.empty() ? "" : ", ", fmt::join(row, ", "));
    return fmt::format("{{{}}}", text);
  }
  std::string is_set(std::size_t bit) const {
    return fmt::format("{}[{}][{}] & {}u && {}()", kPlaces, switch_, bit / kBits, 1u << bit % kBits, kChosen);
  }
  void put(std::string_view piece, const std::vector<std::size_t>& meant = {}) {
    for (const char c : piece)
      if (c == '\n') result_.edits_of_line.push_back(meant);
    result_.text += piece;
  }
  /// A loop that is unrolled holds all its edits as often, which takes the compiler minutes.
  void forbid_unrolling() {
    constexpr std::string_view kUnroll = "#pragma unroll";
    std::string& text = result_.text;
    for (std::size_t at = 0; (at = text.find(kUnroll, at)) != text.npos; at += kUnroll.size()) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      text.replace(at, end - at, std::string(kUnroll) + " 1");
    }
  }
  using Edits = std::vector<std::size_t>;
  /// An edit has a line for itself, so that what the compiler says of the line is said of the edit. So has
  /// what stands for it where it is not made: there the compiler says that the two are of different types.
  void put_edit(const Place::Made& made, const Edits& before) {
    put("\n", before);
    put(made.with), put("\n", {made.edit + 1});
  }

  /// `around`: the edits that a message about a line of it may mean; none: it lies in no place.
  void write_range(std::size_t begin, std::size_t end, const Edits& around) {
    const auto next_line = [&] {
      if (!around.empty()) put("\n", around);
    };
    std::size_t at = begin;
    while (next_ < places_.size() && places_[next_].begin < end) {
      const Place& place = places_[next_++];
      put(text_.substr(at, place.begin - at), around);
      next_line();
      write_place(place);
      at = place.end;
    }
    put(text_.substr(at, end - at), around);
    next_line();
  }

  void write_place(const Place& place) {
    const std::string here = is_set(static_cast<std::size_t>(&place - places_.data()));
    if (place.is_all)
      write_all(place, here);
    else if (place.kind == TextEdit::Kind::expression)
      write_expression(place, here);
    else if (place.kind == TextEdit::Kind::insertion)
      write_choice(place, here);
    else
      write_statement(place, here);
  }

  std::string_view text_of(const Place& place) const {
    return text_.substr(place.begin, place.end - place.begin);
  }

  /// It may return nothing, and of three calls that do the compiler chooses none. A semicolon follows, and
  /// perhaps an `else`.
  void write_all(const Place& place, std::string_view here) {
    put(fmt::format("do {{ if (!({})) {{ ", here));
    write_range(place.begin, place.end, {});
    put("; } ");
    for (const Place::Made& made : place.edits)
      put(fmt::format("else if ({} == {}) {{", switch_, made.edit + 1)), put_edit(made, edits_of(place)),
          put("; } ");
    put("} while (false)");
  }

  static Edits edits_of(const Place& place) {
    Edits edits;
    for (const Place::Made& made : place.edits) edits.push_back(made.edit + 1);
    return edits;
  }

  void write_expression(const Place& place, std::string_view here) {
    Edits before = edits_of(place);  // of the first edit all: there is none before it
    put(fmt::format("(!({}) ? ", here));
    write_range(place.begin, place.end, before);
    put(": ");
    for (const Place::Made& made : place.edits) {
      put(fmt::format("{} == {} ?", switch_, made.edit + 1)), put_edit(made, before), put(": ");
      before = {made.edit + 1};
    }
    put(text_of(place), before), put("\n", before), put(")");
  }

  void write_choice(const Place& place, std::string_view here) {
    put(fmt::format("if ({}) {{ ", here));
    for (const Place::Made& made : place.edits)
      put(fmt::format("if ({} == {}) {{", switch_, made.edit + 1)), put_edit(made, edits_of(place)),
          put("} ");
    put("} ");
  }

  void write_statement(const Place& place, std::string_view here) {
    put("{ ");
    write_choice(place, here);
    put("else { ");
    write_range(place.begin, place.end, {});
    put(" } }");
  }

  std::string_view text_;
  const std::vector<Place>& places_;
  const std::size_t edits_;
  const std::string_view switch_;
  const Side side_;
  std::size_t next_ = 0;
  SwitchedText result_;
};

/// Unsigned integers of a text's functions.
class UnsignedNames {
 public:
  explicit UnsignedNames(const ReadCode& read) {
    for (const ReadFunction& function : read.functions)
      for (const Variable& variable : function.variables)
        if (variable.is_integer() && variable.dimensions == 0) {
          integers_.emplace(variable.name);
          if (variable.type.find("unsigned") != variable.type.npos || variable.type.ends_with("size_t"))
            names_.emplace(variable.name);
        }
  }
  /// What an edit puts in place of `was`, with those that it brings as signed ones: among others, whose
  /// common type an expression has, one of them would make an unsigned number of a signed one that nobody
  /// changes, and `v >= 0` true of -1. One name for another is of the same type.
  std::string as_signed(const TextEdit& edit, std::string_view was) const {
    if (edit.kind != TextEdit::Kind::expression || edit.kin == TextEdit::Kin::most) return edit.with;
    std::set<std::string_view> there;
    for (const Token& token : tokens_of(was)) there.insert(token.text);
    std::string with;
    std::size_t at = 0;
    for (const Token& token : tokens_of(edit.with)) {
      if (!names_.contains(token.text) || there.contains(token.text)) continue;
      with += fmt::format("{}{}({})", edit.with.substr(at, token.begin - at), kSigned, token.text);
      at = token.end;
    }
    if (at == 0) return edit.with;
    with += edit.with.substr(at);
    // Of the type that stands there: a wider one would fit no `min(int, int)`.
    return is_integral(was) ? fmt::format("static_cast<decltype(+({}))>({})", was, with) : with;
  }

 private:
  bool is_integral(std::string_view text) const {
    static const std::set<std::string_view> kOthers = {"static_cast", "int",       "unsigned", "long",
                                                       "size_t",      "threadIdx", "blockIdx", "blockDim",
                                                       "gridDim",     "x",         "y",        "z"};
    const std::vector<Token> tokens = tokens_of(text);
    return std::all_of(tokens.begin(), tokens.end(), [&](const Token& token) {
      return token.kind == Token::Kind::word ? integers_.contains(token.text) || kOthers.contains(token.text)
             : token.kind == Token::Kind::number ? token.text.find('.') == token.text.npos
                                                 : !token.is("=") && !token.is("?");
    });
  }

  std::set<std::string, std::less<>> names_, integers_;
};

/// Characters of the expressions that are all of a statement.
std::set<std::pair<std::size_t, std::size_t>> expression_statements(const ReadCode& read) {
  std::set<std::pair<std::size_t, std::size_t>> found;
  for (const ReadFunction& function : read.functions)
    for (const Statement& statement : function.statements)
      if (statement.kind == Statement::Kind::expression && statement.begin + 1 < statement.end)
        found.insert({read.tokens[statement.begin].begin, read.tokens[statement.end - 2].end});
  return found;
}

/// Where edits are made, outer places first.
using Places = std::map<std::tuple<std::size_t, std::size_t, int>, Place>;

Places places_of(std::span<const TextEdit> edits, const std::vector<bool>& keep) {
  Places places;
  for (std::size_t e = 0; e < edits.size(); ++e) {
    if (!keep.empty() && !keep[e]) continue;
    const auto put_at = [&](const EditedPlace& edited) {
      // A statement lies around the expression that is all of it.
      Place& place =
          places[{edited.begin, ~edited.end, edited.kind == EditedPlace::Kind::expression ? 1 : 0}];
      place.begin = edited.begin, place.end = edited.end, place.kind = edited.kind;
      place.edits.push_back({e, edited.with});
    };
    put_at(edits[e]);
    std::for_each(edits[e].also.begin(), edits[e].also.end(), put_at);
  }
  return places;
}

/// Calls `use` with each place, and whether it lies across one before it.
template <class Use>
void for_each_place(Places& places, Use use) {
  std::vector<std::size_t> open;
  for (auto& [key, place] : places) {
    while (!open.empty() && open.back() <= place.begin) open.pop_back();
    const bool across = !open.empty() && place.end > open.back();
    if (!across && place.end > place.begin) open.push_back(place.end);
    use(place, across);
  }
}

}  // namespace

std::vector<bool> lie_across(std::span<const TextEdit> edits) {
  std::vector<bool> found(edits.size(), false);
  Places places = places_of(edits, {});
  for_each_place(places, [&](const Place& place, bool across) {
    if (across)
      for (const Place::Made& made : place.edits) found[made.edit] = true;
  });
  return found;
}

SwitchedText with_switches(std::string_view text, std::span<const TextEdit> edits,
                           const std::vector<bool>& keep, Side side) {
  const std::string code = code_of(text);
  const ReadCode read = side == Side::host ? read_host_code(code) : read_device_code(code);
  const UnsignedNames names(read);
  const auto statements = expression_statements(read);
  std::vector<TextEdit> beside(edits.begin(), edits.end());
  for (TextEdit& edit : beside)
    edit.with = names.as_signed(edit, text.substr(edit.begin, edit.end - edit.begin));
  Places places = places_of(beside, keep);
  std::vector<Place> apart;
  for_each_place(places, [&](Place& place, bool across) {
    if (across) return;
    place.is_all = place.kind == TextEdit::Kind::expression && statements.contains({place.begin, place.end});
    apart.push_back(std::move(place));
  });
  return Writer(text, apart, edits.size(), side).write();
}

}  // namespace fusebox
