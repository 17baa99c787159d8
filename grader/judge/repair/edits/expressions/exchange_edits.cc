#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/judge/repair/edits/edit_finder.h"

namespace fusebox {
namespace {

/// One name for another: an integer wherever it stands, a member of a vector, a size among a call's template
/// arguments, threads among them that are no power of two, two variables of a statement, one
/// function for another wherever it is called.
class ExchangeEdits : EditFinder {
 public:
  using EditFinder::EditFinder;

  std::vector<TextEdit> find() {
    for_each_function([&](const ReadFunction& function) {
      exchange_integers();
      exchange_calls();
      make_groups_powers_of_two();
      for (const Statement& statement : function.statements)
        if (may_change(statement.begin)) swap(statement);
      for (std::size_t i = function.open + 3; i < function.close; ++i)
        if (may_change(i)) change_member(i), change_template_argument(i), exchange_arguments(i);
    });
    return take();
  }

 private:
  using Places = std::vector<std::size_t>;  // tokens
  static constexpr TextEdit::Likelihood kSeldom = Likelihood::seldom;

  /// Where integers of the function stand in lines that may change.
  std::map<const Variable*, Places> integers() const {
    std::map<const Variable*, Places> uses;
    for (std::size_t i = function_->open + 1; i < function_->close; ++i) {
      if (!may_change(i) || read_.fixed[i] || tokens_[i].kind != Token::Kind::word) continue;
      if (is(i - 1, ".") || is(i - 1, "->") || is(i - 1, "::")) continue;
      const Variable* variable = function_->variable(tokens_[i].text, i);
      if (variable && variable->is_integer() && variable->dimensions == 0) uses[variable].push_back(i);
    }
    return uses;
  }

  void exchange_integers() {
    for (const auto& [variable, uses] : integers()) {
      const auto is_assigned = [&](std::size_t i) { return where_->is_assigned(i); };
      if (uses.size() < 2 || std::any_of(uses.begin(), uses.end(), is_assigned)) continue;
      for (const Variable& other : function_->variables) {
        const auto means_it = [&](std::size_t i) { return function_->variable(other.name, i) == &other; };
        if (other.name == variable->name || other.type != variable->type ||
            !std::all_of(uses.begin(), uses.end(), means_it))
          continue;
        // Nobody divides a number by itself.
        const auto meets_itself = [&](std::size_t i) {
          const auto divides = [&](std::size_t at) { return is(at, "/") || is(at, "%"); };
          return (divides(i - 1) && is(i - 2, other.name)) || (divides(i + 1) && is(i + 2, other.name));
        };
        if (std::any_of(uses.begin(), uses.end(), meets_itself)) continue;
        std::vector<EditedPlace> places;
        places.reserve(uses.size());
        for (const std::size_t use : uses) places.push_back(place(use, use + 1, std::string(other.name)));
        add_all(std::move(places), fmt::format("`{}` in place of `{}`", other.name, variable->name), kSeldom);
      }
    }
  }

  /// Of the variable that a token names, anywhere in the function.
  bool uses_member(std::size_t name, std::string_view member) const {
    for (std::size_t t = function_->open; t + 2 < function_->close; ++t)
      if (tokens_[t].text == tokens_[name].text && is(t + 1, ".") && is(t + 2, member)) return true;
    return false;
  }

  /// `v.y` and `v[i].y` as another member of the vector.
  void change_member(std::size_t i) {
    const std::string_view member = tokens_[i].text;
    if (member.size() != 1 || !is(i - 1, ".")) return;
    std::size_t name = i - 2;
    while (is(name, "]") && read_.closes(name)) name = read_.partners[name] - 1;
    const Variable* variable = function_->variable(tokens_[name].text, name);
    std::string_view members = variable ? members_of_vector(variable->type) : std::string_view();
    // Of a template's type it is known by the members that are used.
    if (members.empty() && variable && uses_member(name, "y") && uses_member(name, "z")) members = "xyzw";
    if (members.find(member) == members.npos) return;
    const std::string base = text(name, i);  // "v[i]."
    for (const char other : members)
      if (member.front() != other)
        add_all({place(name, i + 1, base + other)},
                fmt::format("`{0}{1}` in place of `{0}{2}`", base, other, member), kSeldom);
  }

  /// `sum<kWarps>(v)` as `sum<kLanes>(v)`: a call with another size among its template arguments.
  void change_template_argument(std::size_t i) {
    if (!is(i, "<") || !read_.opens(i)) return;
    const std::size_t close = read_.partners[i];
    if (!is(close + 1, "(") || !read_.opens(close + 1)) return;
    const std::size_t end = read_.partners[close + 1] + 1;
    for (std::size_t t = i + 1; t < close; ++t) {
      const Variable* old = function_->variable(tokens_[t].text, t);
      const bool is_number = tokens_[t].kind == Token::Kind::number;
      if (!is_number && (!old || !old->is_integer())) continue;
      for (const Variable& other : function_->variables) {
        if (!other.is_fixed || !other.is_integer() || other.dimensions > 0 || !other.known_at(t) ||
            other.name == tokens_[t].text)
          continue;
        const auto call = [&](std::string_view argument, std::size_t last) {
          return fmt::format("{}{}{}", text(i - 1, t), argument, text(t + 1, last));
        };
        // Without the arguments in brackets, which are as they were.
        add_all({place(i - 1, end, call(other.name, end))},
                fmt::format("`{}` in place of `{}`", call(other.name, close + 1),
                            call(tokens_[t].text, close + 1)),
                kSeldom);
      }
    }
  }

  /// Two neighbouring arguments of a call, but of one to which their order is nothing, and but for an address
  /// and a value. Of a shuffle the value and the lane: both compile, and no other two are taken for one
  /// another.
  void exchange_arguments(std::size_t open) {
    static const std::set<std::string_view> kAnyOrder = {
        "min", "max", "fminf", "fmaxf", "if", "while", "for", "switch", "atomicAdd", "__hadd", "__hmul"};
    if (!is(open, "(") || !read_.opens(open) || tokens_[open - 1].kind != Token::Kind::word) return;
    const std::string_view name = tokens_[open - 1].text;
    const auto joins = [&](std::size_t t) { return is(t, ".") || is(t, "->") || is(t, "::"); };
    const bool is_of_another = joins(open - 2),  // `warp.shfl_xor(v, 16)`
        is_declaration = tokens_[open - 2].kind == Token::Kind::word && !is(open - 2, "return");
    if (kAnyOrder.contains(name) || is_declaration) return;
    const std::size_t begin = is_of_another ? open - 3 : open - 1;
    if (tokens_[begin].kind != Token::Kind::word || joins(begin - 1)) return;
    const std::size_t end = read_.partners[open] + 1;
    const bool is_shuffle = name.find("shfl") != name.npos, has_mask = is_shuffle && name.starts_with("__");
    // Two numbers, whose order neither a type nor a name tells.
    const bool has_two_numbers = name == "pow" || name == "powf" || name.starts_with("cudaMemset");
    const bool is_product = name == "fmaf" || name == "fma" || name == "__fmaf_rn";  // of its first two
    const auto arguments = elements_of(open);
    for (std::size_t a = is_product || has_mask ? 1 : 0; a + 1 < arguments.size(); ++a) {
      const auto [one, behind_one] = arguments[a];
      const auto [other, behind_other] = arguments[a + 1];
      if (text(one, behind_one) == text(other, behind_other) ||
          where_->names_pointer(one, behind_one) != where_->names_pointer(other, behind_other))
        continue;
      // A constant from all lanes may mend, as an origin of 0 does, and is never what was meant.
      if (is_shuffle && behind_other == other + 1 && tokens_[other].kind == Token::Kind::number) return;
      TextEdit* const edit =
          edits_.add(*where_, begin, end,
                     fmt::format("{}{}, {}{}", edits_.piece(begin, one), text(other, behind_other),
                                 text(one, behind_one), edits_.piece_behind(behind_other, end)),
                     is_shuffle || has_two_numbers ? Likelihood::likely : kSeldom);
      using Kin = TextEdit::Kin;
      if (edit) edit->kin = is_product ? Kin::few : is_shuffle ? Kin::many : Kin::most;
      if (is_shuffle) return;
    }
  }

  /// `launch<float, 192>` as `launch<float, 256>`, wherever a function has that number: what a group of six
  /// warps adds up by halves lacks a part of it.
  void make_groups_powers_of_two() {
    constexpr unsigned kWarp = 32, kLargest = 1024;
    std::map<unsigned, std::vector<std::pair<std::size_t, std::size_t>>> groups;  // the `<` and the number
    for (std::size_t i = function_->open + 1; i < function_->close; ++i) {
      if (!is(i, "<") || !read_.opens(i) || !may_change(i)) continue;
      for (std::size_t t = i + 1; t < read_.partners[i]; ++t) {
        unsigned threads = 0;
        const std::string_view number = tokens_[t].text;
        std::from_chars(number.data(), number.data() + number.size(), threads);
        if (threads > 0 && threads % kWarp == 0 && threads < kLargest && !std::has_single_bit(threads))
          groups[threads].emplace_back(i, t);
      }
    }
    for (const auto& [threads, uses] : groups)
      for (const unsigned other : {std::bit_ceil(threads), std::bit_floor(threads)}) {
        std::vector<EditedPlace> places;
        std::vector<std::string> now, was;
        for (const auto& [open, number] : uses) {
          const std::size_t begin = open - 1, end = read_.partners[open] + 1;
          const std::string with =
              fmt::format("{}{}{}", edits_.piece(begin, number), other, edits_.piece_behind(number + 1, end));
          places.push_back(place(begin, end, with));
          now.push_back(fmt::format("`{}`", with)), was.push_back(fmt::format("`{}`", text(begin, end)));
        }
        add_all(std::move(places),
                fmt::format("{} in place of {}", fmt::join(now, " and "), fmt::join(was, " and ")),
                Likelihood::likely);
        others_.back().is_typical = true;
      }
  }

  /// Two variables of one type, each once in a statement or a condition, in each other's place: `a = q` and
  /// `b = k` in one declaration as `a = k` and `b = q`.
  void swap(const Statement& statement) {
    using Kind = Statement::Kind;
    if (statement.kind == Kind::jump || statement.kind == Kind::loop) return;
    std::map<const Variable*, Places> uses;
    for (std::size_t t = statement.begin; t < statement.end; ++t) {
      if (tokens_[t].kind != Token::Kind::word || read_.fixed[t] || is(t - 1, ".")) continue;
      const Variable* variable = function_->variable(tokens_[t].text, t);
      if (variable && !variable->is_fixed && !variable->type.empty()) uses[variable].push_back(t);
    }
    for (const auto& [one, at] : uses)
      for (const auto& [other, there] : uses) {
        if (one->type != other->type || at.size() != 1 || there.size() != 1 || at[0] >= there[0]) continue;
        const std::size_t left = at[0], right = there[0];
        const auto changes = [&](std::size_t i) {
          return where_->is_stored_to(i) || where_->is_referred_to(i);
        };
        if ((changes(left) && other->is_constant) || (changes(right) && one->is_constant)) continue;
        if (one->is_shared != other->is_shared && one->dimensions == 0) continue;
        // What somebody may store through must not become what nobody may.
        if (one->is_pointer() && one->is_constant != other->is_constant) continue;
        add_all({place(left, left + 1, std::string(tokens_[right].text)),
                 place(right, right + 1, std::string(tokens_[left].text))},
                fmt::format("`{}` and `{}` exchanged", tokens_[left].text, tokens_[right].text), kSeldom);
      }
  }

  /// All calls of one function as those of another: shuffles downwards as exchanges, after which each lane
  /// has the sum and not the first alone, and powers of another base. Of a single one the expressions' edits
  /// say it.
  void exchange_calls() {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kOthers = {
        {{"__shfl_down_sync", "__shfl_xor_sync"},
         {"expf", "exp2f"},
         {"exp2f", "expf"},
         {"logf", "log2f"},
         {"log2f", "logf"}}};
    for (const auto& [name, other] : kOthers) {
      std::vector<EditedPlace> calls;
      for (std::size_t i = function_->open + 1; i < function_->close; ++i) {
        if (!is(i, name) || !may_change(i) || !read_.opens(i + 1)) continue;
        const std::size_t end = read_.partners[i + 1] + 1;
        calls.push_back(place(i, end, std::string(other) + text(i + 1, end)));
        i = end - 1;
      }
      if (calls.size() > 1)
        add_all(std::move(calls), fmt::format("`{}` in place of each `{}`", other, name), Likelihood::likely);
    }
  }
};

}  // namespace

std::vector<TextEdit> exchange_edits(const ReadCode& read, std::span<const LineRange> lines) {
  return ExchangeEdits(read, lines).find();
}

}  // namespace fusebox
