#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <set>
#include <utility>

#include "grader/judge/repair/edits/expressions/expression_changes.h"

namespace fusebox {
namespace {

class ExpressionEdits : OperatorChanges {
 public:
  using OperatorChanges::OperatorChanges;

  std::vector<TextEdit> find() {
    for_each_function([&](const ReadFunction& function) {
      uses_magnitudes_ = false;
      for (std::size_t i = function.open + 1; i < function.close; ++i)
        uses_magnitudes_ |= is(i, "fabsf") || is(i, "fabs");
      for (std::size_t i = function.open + 1; i < function.close; ++i) {
        if (!may_change(i) || read_.fixed[i]) continue;
        if (where_->is_binary(i)) change_operator(i);
        if (tokens_[i].kind == Token::Kind::number) change_number(i);
        if (tokens_[i].kind == Token::Kind::word) change_word(i);
        if (is(i, "[")) exchange_indices(i), change_index(i);
        if (is(i, "(")) drop_brackets(i);
        if (is(i, "=") || is(i, "+=")) change_value(i);
      }
    });
    return take();
  }

 private:
  /// Whether it is how many lanes a shuffle is among, which no other number may be.
  bool is_width(std::size_t i) const {
    if (!is(i + 1, ")") || !read_.closes(i + 1)) return false;
    const std::size_t open = read_.partners[i + 1];
    if (open == 0 || !tokens_[open - 1].text.starts_with("__shfl")) return false;
    int commas = 0;
    for (std::size_t t = open + 1; t <= i; t = behind(t)) commas += is(t, ",");
    return commas == 3;
  }

  void change_number(std::size_t i) {
    if (is_width(i)) return;
    const std::string_view number = tokens_[i].text;
    const bool floating = number.find('.') != number.npos;
    if (i > 0 && (is(i - 1, "/") || is(i - 1, "*")))
      for (const std::string& name : where_->values_at(i, floating)) add(i, i + 1, name, Likelihood::seldom);
    if (floating) {
      const bool single = number.back() == 'f';
      const auto with = [&](std::string_view value) { return std::string(value) + (single ? "f" : ""); };
      for (const std::string_view value : {"0.0", "1.0", "0.5", "2.0", "-1.0"})
        if (with(value) != number)
          add(i, i + 1, value.front() == '-' ? "(" + with(value) + ")" : with(value));
      if (number.front() == '0') add(i, i + 1, "(-INFINITY)", Likelihood::likely, "-INFINITY");
      return;
    }
    const bool hexadecimal = number.starts_with("0x") || number.starts_with("0X");
    if (hexadecimal) {
      if (number.size() >= 4 && number != "0xffffffffu") add(i, i + 1, "0xffffffffu");
      return;
    }
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc()) return;
    const std::string suffix(stop, number.data() + number.size());
    std::set<std::int64_t> others = {0, 1, value + 1, value - 1, value * 2, value / 2};
    if (value >= 8) others.insert({32, 31, 16, 4, value * 4, value / 4});
    if (value < 8) others.insert({2, 3, 4});
    if (i > 0 && is(i - 1, "&")) others.insert(2 * value + 1);  // one bit more of an address or a lane
    others.erase(value);
    // What no remainder is only says that a branch is never taken, or always.
    const bool is_remainder = i > 2 && (is(i - 1, "==") || is(i - 1, "!=")) && is(i - 3, "%");
    std::int64_t divisor = 0;
    if (is_remainder) {
      const std::string_view by = tokens_[i - 2].text;
      std::from_chars(by.data(), by.data() + by.size(), divisor);
      std::erase_if(others, [&](std::int64_t other) { return divisor > 0 && other >= divisor; });
    }
    if (value == 0 && !is_remainder) add(i, i + 1, "(-1)", Likelihood::likely, "-1");
    // What is not added is left out, which is tried as that.
    if (i > 0 && (is(i - 1, "+") || is(i - 1, "-") || is(i - 1, "/") || is(i - 1, "%"))) others.erase(0);
    // A bound that is large enough for the cases is right in them, whatever it bounds.
    const Likelihood likelihood = where_->is_bound(i) ? Likelihood::seldom : Likelihood::likely;
    for (const std::int64_t other : others)
      if (other >= 0) add(i, i + 1, fmt::format("{}{}", other, suffix), likelihood);
  }

  void change_word(std::size_t i) {
    if (is(i - 1, ".")) change_rank(i);
    if (is(i - 1, "::") && is(i - 2, "std") && is(i + 1, "(")) exchange_function(i, i - 2);
    if (is(i - 1, ".") || is(i - 1, "->") || is(i - 1, "::") || is(i + 1, "::")) return;
    static const std::set<std::string_view> kStatements = {"if", "for", "while", "switch", "return"};
    if (kStatements.contains(tokens_[i].text)) return;
    measure_type(i);
    if (is(i + 1, "(")) return change_call(i);
    static const std::set<std::string_view> kBuiltins = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    if (kBuiltins.contains(tokens_[i].text) && is(i + 1, ".")) return change_builtin(i);
    const Variable* variable = function_->variable(tokens_[i].text, i);
    if (!variable) return;
    const bool assigned = where_->is_assigned(i);
    measure_target(i, *variable);
    exchange_variable(i, *variable);
    if (assigned || variable->dimensions > 0 || is(i + 1, ".")) return change_assignment(i);
    if (variable->is_float() && (is(i - 1, "*") || is(i + 1, "*"))) {
      add(i, i + 1, fmt::format("({0} * {0})", variable->name), Likelihood::seldom);
      add(i, i + 1, fmt::format("(1.0f - {})", variable->name), Likelihood::seldom);  // the other one's share
      if (uses_magnitudes_) add(i, i + 1, fmt::format("(-fabsf({}))", variable->name), Likelihood::seldom);
    }
    if (!variable->is_integer()) return;
    const auto moved_by_number = [&](std::size_t sign, std::size_t number) {
      return (is(sign, "+") || is(sign, "-")) && tokens_[number].kind == Token::Kind::number;
    };
    if (moved_by_number(i + 1, i + 2) || (i >= 2 && moved_by_number(i - 1, i - 2))) return;
    add(i, i + 1, fmt::format("({} + 1)", variable->name)),
        add(i, i + 1, fmt::format("({} - 1)", variable->name));
    const std::vector<std::string> builtins = where_->builtins();
    for (const std::string& builtin : builtins)
      add(i, i + 1, fmt::format("static_cast<{}>({})", variable->type, builtin), Likelihood::seldom, builtin);
    // The warps that a block has, for those that the text says it has.
    if (variable->is_fixed && !builtins.empty() && is(i - 1, "<"))
      add(i, i + 1, "static_cast<int>(blockDim.x / 32)", Likelihood::seldom, "blockDim.x / 32");
  }

  /// `sizeof(float4*)` as `sizeof(float4)`.
  void measure_type(std::size_t i) {
    if (!is(i, "sizeof") || !is(i + 1, "(") || !is(i + 3, "*") || !is(i + 4, ")")) return;
    if (TextEdit* edit = add(i, i + 5, fmt::format("sizeof({})", tokens_[i + 2].text), Likelihood::likely))
      edit->is_typical = true;
  }

  /// `sizeof(p)` as what p points to: the size of a pointer is hardly ever meant.
  void measure_target(std::size_t i, const Variable& variable) {
    if (!variable.is_pointer() || !is(i - 1, "(") || !is(i - 2, "sizeof") || !is(i + 1, ")")) return;
    if (TextEdit* edit = add(i - 2, i + 2, fmt::format("sizeof(*{})", variable.name), Likelihood::likely))
      edit->is_typical = true;
  }

  /// Variables of the same type that are known here.
  template <class Use>
  void for_each_like(std::size_t i, const Variable& variable, Use use) {
    for (const Variable& other : function_->variables) {
      if (function_->variable(other.name, i) != &other || other.name == variable.name) continue;
      // Where it may be chosen the compiler reads it in any case, also before anybody wrote it.
      if (other.is_shared && other.dimensions == 0) continue;
      if (other.type == variable.type && !other.type.empty()) use(other);
    }
  }

  void exchange_variable(std::size_t i, const Variable& variable) {
    const bool indexed = is(i + 1, "[") && read_.opens(i + 1);
    if (is(i + 1, "%") && variable.is_integer()) exchange_length(i, variable);
    const bool stored_to = where_->is_stored_to(i) || where_->is_referred_to(i);
    if (!stored_to) exchange_flag(i, variable), exchange_index(i, variable);
    for_each_like(i, variable, [&](const Variable& other) {
      if (stored_to && (other.is_constant || other.is_fixed)) return;
      // What somebody may store through must not become what nobody may.
      if (variable.is_pointer() && !indexed && other.is_constant && !variable.is_constant) return;
      // What is compared with itself, or a constant with another, is a condition taken away.
      if (is_compared_with(i, other.name)) return;
      if (other.is_fixed && where_->is_alone_in_comparison(i, Expressions::Others::constant)) return;
      // Nor is anything worked out of two constants.
      if (other.is_fixed && !variable.is_fixed && is_beside_a_constant(i)) return;
      // So is one that every thread, or every round of a loop, finds to be the same: who wrote it meant that
      // they differ.
      const bool decides_once =
          where_->is_steady(other, i) && !where_->is_steady(variable, i) && where_->is_alone_in_comparison(i);
      if (TextEdit* edit = edits_.add(*where_, i, i + 1, std::string(other.name),
                                      decides_once ? Likelihood::by_accident : Likelihood::likely))
        edit->kin = TextEdit::Kin::most;
    });
  }

  /// All that a remainder, product or quotient is of, but for the token there.
  bool is_beside_a_constant(std::size_t i) const {
    const auto is_constant = [&](std::size_t at) {
      const Variable* const other = where_->variable_at(at);
      return tokens_[at].kind == Token::Kind::number || (other && other->is_fixed);
    };
    const auto is_factor = [&](std::size_t sign) { return is(sign, "%") || is(sign, "/"); };
    const bool begins = !where_->is_binary(i - 1) || precedence(tokens_[i - 1].text) < precedence("*");
    return begins && is_factor(i + 1) && is_constant(i + 2) &&
           where_->right_of(i + 1, precedence("*")) == i + 3;
  }

  /// What a condition asks for by itself, `if (!other)`, also of one of another type.
  void exchange_flag(std::size_t i, const Variable& variable) {
    const bool alone = (is(i - 1, "(") || is(i - 1, "!") || is(i - 1, "&&") || is(i - 1, "||")) &&
                       (is(i + 1, ")") || is(i + 1, "&&") || is(i + 1, "||") || is(i + 1, "?"));
    if (!alone || (is(i - 1, "(") && !is(i - 2, "if") && !is(i + 1, "?"))) return;
    for (const Variable& other : function_->variables)
      if (other.type == "bool" && other.type != variable.type && function_->variable(other.name, i) == &other)
        add(i, i + 1, std::string(other.name));
  }

  /// All of an index, `row[other]`, also of one of another type.
  void exchange_index(std::size_t i, const Variable& variable) {
    if (!is(i - 1, "[") || !is(i + 1, "]") || !variable.is_integer()) return;
    for (const Variable& other : function_->variables)
      if (other.is_integer() && other.dimensions == 0 && other.type != variable.type && !other.is_fixed &&
          function_->variable(other.name, i) == &other)
        add(i, i + 1, std::string(other.name), Likelihood::seldom);
  }

  /// What is left over of another length, `n % 4`, also of one of another type.
  void exchange_length(std::size_t i, const Variable& variable) {
    for (const Variable& other : function_->variables)
      if (function_->variable(other.name, i) == &other && other.is_integer() && other.dimensions == 0 &&
          other.type != variable.type && !other.is_fixed && other.name != variable.name)
        add(i, i + 1, std::string(other.name));
  }

  /// The integer that a variable becomes, or that it or a pointer is moved on by.
  void change_value(std::size_t sign) {
    if (sign == 0 || tokens_[sign - 1].kind != Token::Kind::word) return;
    const std::size_t begin = sign + 1, end = where_->right_of(sign, kAssignment - 1);
    const Variable* variable = nullptr;
    for (const Variable& each : function_->variables)
      if (each.name == tokens_[sign - 1].text && each.begin <= sign && sign < each.end) variable = &each;
    if (!variable || variable->is_fixed || end <= begin || !where_->is_integral(begin, end)) return;
    if (!variable->is_integer() && !(variable->is_pointer() && is(sign, "+="))) return;
    change_place(begin, end);
    // Threads, where warps are counted.
    if (std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(begin),
                    tokens_.begin() + static_cast<std::ptrdiff_t>(end),
                    [](const Token& token) { return token.is("blockDim"); }))
      add(begin, end,
          fmt::format("{} / 32", end == begin + 3 ? text(begin, end) : "(" + text(begin, end) + ")"));
    if (!is(sign, "+=")) return;
    for (const std::string& name : where_->integers_at(begin, Expressions::Integers::sizes))
      add(begin, end,
          fmt::format("{} * {}", name, end == begin + 1 ? text(begin, end) : "(" + text(begin, end) + ")"),
          Likelihood::seldom);
  }

  /// `a * b + c` as the index of what lies in another layout.
  void change_index(std::size_t open) {
    if (!read_.opens(open) || open == 0 ||
        (tokens_[open - 1].kind != Token::Kind::word && !is(open - 1, "]")))
      return;
    const std::size_t begin = open + 1, end = read_.partners[open];
    if (begin >= end || !where_->is_integral(begin, end)) return;
    change_place(begin, end);
    // Of what is the same for all.
    if (end > begin + 1 || tokens_[begin].kind != Token::Kind::number)
      add(begin, end, "0", Likelihood::seldom);
  }

  /// Whether what a variable leads to is known to be a number.
  bool is_number(std::size_t i, std::size_t behind) const {
    const Variable* variable = where_->variable_at(i);
    if (!variable || is(behind - 2, ".")) return variable && !members_of_vector(variable->type).empty();
    Variable element = *variable;
    element.type.resize(std::min(element.type.find_first_of("*["), element.type.size()));
    return element.is_integer() || element.is_float();
  }

  /// `+=` for `=` and the other way round, where the assignment is a statement of its own.
  void change_assignment(std::size_t i) {
    const std::size_t sign = where_->behind_target(i);
    if (sign >= function_->close || !is_assignment(tokens_[sign].text) || !is_number(i, sign)) return;
    if (i > 0 && !is(i - 1, ";") && !is(i - 1, "{") && !is(i - 1, "}") && !is(i - 1, ")")) return;
    const std::size_t end = where_->right_of(sign, kAssignment - 1);
    const std::string target = text(i, sign), value = text(sign + 1, end);
    for (const std::string_view other : {"=", "+=", "-=", "*="})
      if (other != tokens_[sign].text) add(i, end, fmt::format("{} {} {}", target, other, value));
  }

  void change_builtin(std::size_t i) {
    const std::string was = text(i, i + 3);
    std::set<std::string> others = where_->builtins_of_file();
    others.insert({"threadIdx.x", "blockIdx.x", "threadIdx.y", "blockIdx.y"});
    for (const std::string& other : others)
      if (other != was) add(i, i + 3, other);
    divide_blocks(i);
    const bool counts = is(i, "blockDim") || is(i, "gridDim");  // a size, as a constant is
    for (const Variable& variable : function_->variables)
      if (variable.is_integer() && (counts || !variable.is_fixed) && variable.dimensions == 0 &&
          variable.known_at(i))
        add(i, i + 3, fmt::format("static_cast<unsigned>({})", variable.name), Likelihood::seldom,
            std::string(variable.name));
  }

  /// `gridDim.x` or `blockIdx.x` as rows of so many blocks, by what the function divides blocks elsewhere.
  void divide_blocks(std::size_t i) {
    if (!(is(i, "gridDim") || is(i, "blockIdx")) || is(i + 3, "/") || is(i + 3, "%")) return;
    std::set<std::string_view> known;
    for (std::size_t t = function_->open + 1; t + 4 < function_->close; ++t) {
      if (!is(t, "blockIdx") || tokens_[t + 2].text != tokens_[i + 2].text ||
          !(is(t + 3, "/") || is(t + 3, "%")))
        continue;
      const Variable* const each = where_->variable_at(t + 4);
      if (each && each->is_integer() && each->dimensions == 0 && each->known_at(i) &&
          known.insert(each->name).second)
        add(i, i + 3, fmt::format("{} / {}", text(i, i + 3), each->name));
    }
  }

  /// `group.thread_rank()` as another number of its group.
  void change_rank(std::size_t i) {
    constexpr std::array<std::string_view, 4> kRanks = {"thread_rank", "meta_group_rank", "size",
                                                        "meta_group_size"};
    if (std::find(kRanks.begin(), kRanks.end(), tokens_[i].text) == kRanks.end()) return;
    if (!is(i + 1, "(") || !is(i + 2, ")") || tokens_[i - 2].kind != Token::Kind::word) return;
    for (const std::string_view other : kRanks)
      if (other != tokens_[i].text)
        add(i - 2, i + 3, fmt::format("{}.{}()", tokens_[i - 2].text, other), Likelihood::seldom);
  }

  /// `fmaxf(a, b + c)` as `fmaxf(a, b) + c`.
  void take_out_of_extreme(std::size_t i, const std::vector<std::size_t>& commas, std::size_t close) {
    const std::string_view name = tokens_[i].text;
    if (commas.size() != 1 || (name != "fmaxf" && name != "fminf" && name != "max" && name != "min")) return;
    for (const auto& [begin, end] : elements_of(i + 1))
      for (std::size_t t = begin + 1; t < end; t = behind(t))
        if (is(t, "+") && where_->is_binary(t))
          add(i, close + 1,
              fmt::format("{}{}{} + {}", edits_.piece(i, begin), text(begin, t),
                          edits_.piece_behind(end, close + 1), text(t + 1, end)),
              Likelihood::seldom);
  }

  /// A call as one of another function; it begins at `begin`, with its namespace.
  void exchange_function(std::size_t i, std::size_t begin) {
    if (!read_.opens(i + 1)) return;
    const std::size_t end = read_.partners[i + 1] + 1;
    constexpr std::array<std::pair<std::string_view, std::string_view>, 17> kOthers = {
        {{"fmaxf", "fminf"},
         {"fminf", "fmaxf"},
         {"max", "min"},
         {"min", "max"},
         {"sqrtf", "rsqrtf"},
         {"rsqrtf", "sqrtf"},
         {"exp2f", "expf"},
         {"expf", "exp2f"},
         {"log2f", "logf"},
         {"logf", "log2f"},
         {"__shfl_down_sync", "__shfl_xor_sync"},
         {"__shfl_down_sync", "__shfl_up_sync"},
         {"__shfl_up_sync", "__shfl_down_sync"},
         {"__shfl_xor_sync", "__shfl_down_sync"},
         {"__shfl_sync", "__shfl_xor_sync"},
         {"__syncwarp", "__syncthreads"},
         {"__syncthreads", "__syncwarp"}}};
    for (const auto& [name, other] : kOthers)
      if (tokens_[i].is(name))
        add(begin, end, fmt::format("{}{}{}", begin < i ? "std::" : "", other, text(i + 1, end)));
  }

  void change_call(std::size_t i) {
    if (!read_.opens(i + 1)) return;
    const std::size_t close = read_.partners[i + 1];
    exchange_function(i, i);
    // Of two halves of a word the other one, or without the other one.
    if (is(i, "__uint_as_float") || is(i, "__int_as_float"))
      for (const char* half : {"& 0xffff0000u", "<< 16"})
        add(i, close + 1, fmt::format("{}(({}) {})", tokens_[i].text, text(i + 2, close), half));
    std::vector<std::size_t> commas;
    for (std::size_t t = i + 2; t < close; t = behind(t))
      if (is(t, ",")) commas.push_back(t);
    if (!tokens_[i].text.starts_with("__"))
      for (std::size_t c = 0, begin = i + 2; c <= commas.size(); ++c) {
        const std::size_t end = c < commas.size() ? commas[c] : close;
        add_terms(begin, end);
        begin = end + 1;
      }
    take_out_of_extreme(i, commas, close);
    // A shuffle among all 32 lanes, or among fewer.
    if (tokens_[i].text.starts_with("__shfl") && commas.size() == 3)
      add(i, close + 1, fmt::format("{}{})", tokens_[i].text, text(i + 1, commas[2])));
    if (tokens_[i].text.starts_with("__shfl") && commas.size() == 2)
      for (const int width : {2, 4, 8, 16})
        add(i, close + 1, fmt::format("{}{}, {})", tokens_[i].text, text(i + 1, close), width));
    // Two arguments in the other order.
    if (commas.size() != 1 || commas[0] != i + 3 || close != commas[0] + 2) return;
    const Variable* one = function_->variable(tokens_[i + 2].text, i + 2);
    const Variable* two = function_->variable(tokens_[close - 1].text, close - 1);
    if (one && two && one->type == two->type)
      add(i, close + 1, fmt::format("{}({}, {})", tokens_[i].text, two->name, one->name));
  }

  /// t[i][j] as t[j][i].
  void exchange_indices(std::size_t i) {
    if (i == 0 || tokens_[i - 1].kind != Token::Kind::word || !read_.opens(i)) return;
    const std::size_t second = read_.partners[i] + 1;
    if (!is(second, "[") || !read_.opens(second)) return;
    const std::size_t end = read_.partners[second] + 1;
    const Variable* variable = function_->variable(tokens_[i - 1].text, i);
    if (!variable || read_.fixed[i - 1]) return;
    add(i - 1, end, fmt::format("{}{}{}", tokens_[i - 1].text, text(second, end), text(i, second)));
  }

  bool uses_magnitudes_ = false;  ///< without their signs
};

}  // namespace

std::vector<TextEdit> expression_edits(const ReadCode& read, std::span<const LineRange> lines) {
  return ExpressionEdits(read, lines, TextEdit::Kin::many).find();
}

}  // namespace fusebox
