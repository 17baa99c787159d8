#include "grader/judge/repair/edits/read_code.h"

#include <algorithm>
#include <array>
#include <utility>

namespace fusebox {
namespace {

constexpr std::size_t npos = std::string_view::npos;
/// Longer lists of template arguments are not looked for.
constexpr std::size_t kMaxTemplateTokens = 40;

template <std::size_t N>
bool is_among(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 12> kTypeWords = {"unsigned", "signed", "int",   "long",
                                                         "short",    "char",   "float", "double",
                                                         "size_t",   "bool",   "auto",  "void"};
constexpr std::array<std::string_view, 9> kQualifiers = {
    "const", "static", "constexpr", "volatile", "extern", "__shared__", "register", "inline", "typename"};
constexpr std::array<std::string_view, 4> kJumps = {"return", "break", "continue", "goto"};
constexpr std::array<std::string_view, 9> kNoTypes = {"return", "else", "do",     "case", "goto",
                                                      "delete", "new",  "sizeof", "using"};

bool is_type_word(std::string_view word) { return is_among(word, kTypeWords); }

class Reader {
 public:
  explicit Reader(ReadCode& code) : code_(code), tokens_(code.tokens) {}

  void read() {
    mark_templates();
    read_constants();
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (tokens_[i].is("__global__") || tokens_[i].is("__device__")) i = read_function(i);
  }

  void read_host() {
    mark_templates();
    read_constants();
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const bool of_template = i > 0 && (is(i - 1, "<") || is(i - 1, ","));
      if (!of_template && (is(i, "__global__") || is(i, "__device__") || is(i, "struct") || is(i, "class") ||
                           is(i, "union") || is(i, "enum")))
        i = end_of_declaration(i);
      else if (i > 0 && is(i, "(") && code_.opens(i) && is_word(i - 1) && is(behind(i), "{"))
        i = read_function(i - 1);
    }
  }

 private:
  bool is(std::size_t i, std::string_view sign) const { return code_.is(i, sign); }
  bool is_word(std::size_t i) const { return i < tokens_.size() && tokens_[i].kind == Token::Kind::word; }
  std::size_t behind(std::size_t open) const {
    return code_.partners[open] == npos ? tokens_.size() : code_.partners[open] + 1;
  }

  /// `name<...>` where only names, numbers and their like stand between, and something follows that cannot
  /// follow a comparison.
  void mark_templates() {
    for (std::size_t i = 1; i < tokens_.size(); ++i) {
      if (!is(i, "<") || tokens_[i - 1].kind != Token::Kind::word) continue;
      std::size_t end = i + 1;
      const std::size_t last = std::min(tokens_.size(), i + kMaxTemplateTokens);
      while (end < last && (tokens_[end].kind != Token::Kind::sign || is(end, "::") || is(end, ",") ||
                            is(end, "*") || is(end, "/") || is(end, "&")))
        ++end;
      if (end >= last || !is(end, ">")) continue;
      const bool follows = is(end + 1, "(") || is(end + 1, "::") || is(end + 1, "{") || is(end + 1, ")") ||
                           is(end + 1, ";") || is(end + 1, ":") || is(end + 1, ",") || is(end + 1, "&") ||
                           is(end + 1, "*") || is_word(end + 1);
      if (!follows) continue;
      code_.partners[i] = end, code_.partners[end] = i;
      fix(i, end + 1);
    }
  }

  /// constexpr int kName = ..., and names that a template has: wherever they are known, nothing assigns to
  /// them.
  void read_constants() {
    std::vector<std::size_t> named;  // namespaces around: where they end
    for (std::size_t i = 0; i + 3 < tokens_.size(); ++i) {
      while (!named.empty() && i > named.back()) named.pop_back();
      if (is(i, "{") && code_.opens(i) && !(i > 1 && (is(i - 1, "namespace") || is(i - 2, "namespace")))) {
        i = code_.partners[i];
        continue;
      }
      if (i > 1 && is(i, "{") && code_.opens(i) && is(i - 2, "namespace")) named.push_back(code_.partners[i]);
      const bool integer =
          is(i + 1, "int") || is(i + 1, "unsigned") || is(i + 1, "long") || is(i + 1, "size_t");
      const bool constant =
          is(i, "constexpr") && (i == 0 || !is(i - 1, ">")) && integer && is_word(i + 2) && is(i + 3, "=");
      const bool parameter = (is(i, "<") || is(i, ",")) && integer && is_word(i + 2) &&
                             (is(i + 3, ",") || is(i + 3, ">")) && is_of_template(i);
      if (!constant && !parameter) continue;
      std::size_t end = named.empty() ? tokens_.size() : named.back();
      if (parameter) {
        // As far as the body of what follows.
        std::size_t open = i;
        while (open < tokens_.size() && !is(open, "{")) ++open;
        end = open < tokens_.size() && code_.opens(open) ? code_.partners[open] : open;
      }
      add_constant(i + 2, i + 1, end);
      // `= 8, kNext = 32`
      for (std::size_t t = i + 4; constant && t + 2 < end && !is(t, ";");
           t = code_.opens(t) ? behind(t) : t + 1)
        if (is(t, ",") && is_word(t + 1) && is(t + 2, "=")) add_constant(t + 1, i + 1, end);
    }
  }

  /// Whether a comma stands in the brackets of a template and not among a function's parameters.
  bool is_of_template(std::size_t i) const {
    while (i > 0 && !is(i, "<") && !is(i, "(") && !is(i, ";") && !is(i, "}"))
      i = code_.closes(i) ? code_.partners[i] - 1 : i - 1;
    return is(i, "<");
  }

  void add_constant(std::size_t name, std::size_t type, std::size_t end) {
    Variable variable;
    variable.name = tokens_[name].text;
    variable.type = tokens_[type].text;
    variable.is_constant = variable.is_fixed = true;
    variable.begin = name, variable.end = end;
    constants_.push_back(std::move(variable));
  }

  void fix(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < std::min(end, tokens_.size()); ++i) code_.fixed[i] = true;
  }

  /// Behind its body, or its semicolon.
  std::size_t end_of_declaration(std::size_t i) const {
    while (i < tokens_.size() && !is(i, ";") && !is(i, "{")) i = code_.opens(i) ? behind(i) : i + 1;
    return is(i, "{") ? behind(i) - 1 : i;
  }

  /// Reads the function whose declaration begins here, if it has a body; returns its last token.
  std::size_t read_function(std::size_t begin) {
    std::size_t parameters = npos, i = begin;
    for (; i < tokens_.size() && !is(i, "{"); ++i) {
      if (is(i, ";") || is(i, "=") || is(i, "}")) return i;
      if (!code_.opens(i)) continue;
      if (is(i, "(") && !is(i - 1, "__launch_bounds__")) parameters = i;
      i = code_.partners[i];
    }
    if (i == tokens_.size() || parameters == npos || parameters == 0 || code_.partners[i] == npos) return i;
    ReadFunction function;
    function.name = tokens_[parameters - 1].text;
    function.open = i, function.close = code_.partners[i];
    function_ = &function;
    for (const Variable& constant : constants_)
      if (constant.begin < function.open && function.close <= constant.end)
        function.variables.push_back(constant);
    read_members(begin);
    read_parameters(parameters, function.open);
    read_block(function.open);
    code_.functions.push_back(std::move(function));
    return code_.partners[i];
  }

  /// Of the class that the function at `place` is declared in.
  void read_members(std::size_t place) {
    std::size_t open = place;
    while (open > 0 && !(is(open, "{") && code_.opens(open) && code_.partners[open] > place)) --open;
    if (open < 2 || !is_word(open - 1) || !(is(open - 2, "struct") || is(open - 2, "class"))) return;
    const std::size_t known = function_->variables.size(), close = code_.partners[open];
    for (std::size_t i = open + 1; i < close;) {
      std::size_t stop = i;
      while (stop < close && !is(stop, ";") && !is(stop, "(") && !(is(stop, ":") && stop == i + 1)) ++stop;
      if (is(stop, ";")) read_declaration(i, stop, function_->close);
      if (is(stop, "(")) {  // a function: behind its body
        while (stop < close && !is(stop, "{") && !is(stop, ";"))
          stop = code_.opens(stop) ? behind(stop) : stop + 1;
        if (is(stop, "{") && code_.opens(stop)) stop = code_.partners[stop];
      }
      i = stop + 1;
    }
    for (std::size_t v = known; v < function_->variables.size(); ++v)
      function_->variables[v].begin = function_->open, function_->variables[v].initialised = 0;
  }

  /// What stands in these brackets is known in the body that `open` opens.
  void read_parameters(std::size_t brackets, std::size_t open) {
    const std::size_t end = code_.partners[brackets];
    for (std::size_t i = brackets + 1; i < end;) {
      std::size_t stop = i;
      while (stop < end && !is(stop, ",")) stop = code_.opens(stop) ? behind(stop) : stop + 1;
      while (i < stop && is(i, "[") && code_.opens(i)) i = behind(i);  // [[maybe_unused]]
      Variable variable;
      std::size_t name = npos;
      for (std::size_t t = i; t < stop && !is(t, "=") && !is(t, "["); ++t)
        if (is_word(t) && !is_among(tokens_[t].text, kQualifiers) && !is(t, "__restrict__")) name = t;
      if (name != npos && name > i) {
        variable.type = type_between(i, name);
        for (std::size_t t = i; t < name; ++t)
          variable.is_constant |= is(t, "const") && variable.is_pointer();
        variable.name = tokens_[name].text;
        variable.begin = open, variable.end = code_.partners[open];
        function_->variables.push_back(std::move(variable));
      }
      i = stop + 1;
    }
  }

  std::string type_of_dimension(std::size_t open) const {
    std::string size;
    for (std::size_t t = open; t < behind(open); ++t) size += tokens_[t].text;
    return size;
  }

  std::string type_between(std::size_t begin, std::size_t end) const {
    std::string type;
    std::size_t stars = 0;
    for (std::size_t t = begin; t < end; ++t) {
      stars += is(t, "*");
      if (!is_word(t) || is_among(tokens_[t].text, kQualifiers) || is(t, "__restrict__") || is(t, "auto"))
        continue;
      if (!type.empty()) type += ' ';
      type += tokens_[t].text;
    }
    return type + std::string(stars, '*');
  }

  void read_block(std::size_t open) {
    const std::size_t end = code_.partners[open];
    blocks_.push_back(end);
    for (std::size_t i = open + 1; i < end;) i = read_statement(i, end, true);
    blocks_.pop_back();
  }

  void add(Statement::Kind kind, std::size_t begin, std::size_t end, bool in_block, std::size_t body = 0) {
    function_->statements.push_back({kind, begin, end, in_block, body, 0});
  }

  /// Behind the semicolon that ends what begins here.
  std::size_t behind_semicolon(std::size_t i, std::size_t end) const {
    while (i < end && !is(i, ";")) i = code_.opens(i) ? behind(i) : i + 1;
    return std::min(i + 1, end);
  }

  /// Returns the place behind the statement.
  std::size_t read_statement(std::size_t i, std::size_t end, bool in_block) {
    if (i >= end) return end;
    if (is(i, "{") && code_.partners[i] != npos) {
      read_block(i);
      return behind(i);
    }
    if (is(i, "if")) {
      std::size_t at = i + 1;
      const bool constant = is(at, "constexpr");
      at += constant;
      if (!is(at, "(") || code_.partners[at] == npos) return end;
      if (constant) fix(at, behind(at));
      // `if (int i = f(); i < n)`: what is declared there is known.
      const std::size_t init = behind_semicolon(at + 1, code_.partners[at]);
      const bool declares = init < code_.partners[at];
      if (declares) read_declaration(at + 1, init, blocks_.back());
      const bool is_read = !constant;
      const std::size_t known = function_->statements.size();
      if (is_read) {
        add(Statement::Kind::condition, declares ? init : at + 1, code_.partners[at], false);
        function_->statements.back().opened = at;
      }
      at = read_statement(behind(at), end, false);
      if (is(at, "else") && at < end) return read_statement(at + 1, end, false);
      if (is_read) function_->statements[known].whole = at;
      return at;
    }
    if (is(i, "for") || is(i, "while") || is(i, "switch")) return read_loop(i, end, in_block);
    if (is(i, "do")) {
      const std::size_t at = read_statement(i + 1, end, false);
      add(Statement::Kind::loop, i, at, false, is(i + 1, "{") ? i + 1 : 0);
      return behind_semicolon(at, end);
    }
    if (is(i, "case") || is(i, "default")) {
      while (i < end && !is(i, ":")) code_.fixed[i++] = true;
      return i + 1;
    }
    const std::size_t stop = behind_semicolon(i, end);
    read_lambdas(i, stop);
    if (is_word(i) && is_among(tokens_[i].text, kJumps)) {
      add(Statement::Kind::jump, i, stop, false);
    } else if (is(i, "asm") || is(i, "static_assert") || is(i, "using") || is(i, "typedef")) {
      fix(i, stop);
    } else if (read_declaration(i, stop, blocks_.back())) {
      add(Statement::Kind::declaration, i, stop, in_block);
    } else if (stop > i + 1) {
      add(Statement::Kind::expression, i, stop, in_block);
    }
    return stop;
  }

  /// Parameters and bodies of `[...](...) {...}` in a statement: what is known there, and what is done.
  void read_lambdas(std::size_t i, std::size_t stop) {
    for (; i < stop; ++i) {
      const bool is_index = i > 0 && (is_word(i - 1) || is(i - 1, "]") || is(i - 1, ")"));
      if (!is(i, "[") || !code_.opens(i) || is(i + 1, "[") || is_index) continue;
      const std::size_t parameters = behind(i);
      std::size_t body = parameters;
      while (body < stop && !is(body, "{") && !is(body, ";"))
        body = code_.opens(body) ? behind(body) : body + 1;
      if (!is(body, "{") || !code_.opens(body)) continue;
      fix(i, parameters);
      hide_from_lambda(i, body);
      if (is(parameters, "(")) read_parameters(parameters, body);
      read_block(body);
      i = code_.partners[body];
    }
  }

  /// What `[a, b]` does not name is not known in the lambda's body, unless it is a constant of the program.
  void hide_from_lambda(std::size_t captures, std::size_t body) {
    const std::size_t close = code_.partners[captures];
    const auto is_captured = [&](std::string_view name) {
      for (std::size_t t = captures + 1; t < close; ++t)
        if (tokens_[t].text == name || ((is(t, "&") || is(t, "=")) && (is(t + 1, ",") || is(t + 1, "]"))))
          return true;
      return false;
    };
    for (Variable& variable : function_->variables)
      if (variable.begin >= function_->open && variable.end > body && !variable.is_fixed &&
          !is_captured(variable.name))
        variable.hidden.emplace_back(body, code_.partners[body]);
  }

  std::size_t read_loop(std::size_t i, std::size_t end, bool in_block) {
    const std::size_t brackets = i + 1;
    if (!is(brackets, "(") || code_.partners[brackets] == npos) return end;
    const std::size_t first = function_->variables.size();
    read_declaration(brackets + 1, code_.partners[brackets], blocks_.back());
    const std::size_t known = function_->variables.size();
    const std::size_t body = behind(brackets);
    const std::size_t stop = read_statement(body, end, false);
    for (std::size_t v = first; v < known; ++v) function_->variables[v].end = stop;
    if (!is(i, "switch"))
      add(Statement::Kind::loop, i, stop, in_block, is(body, "{") && code_.partners[body] != npos ? body : 0);
    return stop;
  }

  /// Whether a declaration begins here; its variables are known until `scope`.
  bool read_declaration(std::size_t i, std::size_t stop, std::size_t scope) {
    const std::size_t begin = i;
    bool constant = false, fixed = false, shared = false;
    for (;; ++i) {
      if (is(i, "[") && is(i + 1, "[") && code_.partners[i] != npos)
        i = code_.partners[i];
      else if ((is(i, "alignas") || is(i, "__align__")) && code_.opens(i + 1))
        i = code_.partners[i + 1];
      else if (is_word(i) && is_among(tokens_[i].text, kQualifiers)) {
        constant |= is(i, "const") || is(i, "constexpr");
        fixed |= is(i, "constexpr") || is(i, "static");
        shared |= is(i, "__shared__");
      } else {
        break;
      }
      if (i >= stop) return false;
    }
    if (!is_word(i) || is_among(tokens_[i].text, kNoTypes)) return false;
    const std::size_t type = i;
    if (is_type_word(tokens_[i].text)) {
      while (is_word(i) && is_type_word(tokens_[i].text)) ++i;
    } else {
      ++i;
      while (is(i, "::") || (code_.is(i, "<") && code_.opens(i))) i = is(i, "::") ? i + 2 : behind(i);
    }
    const std::size_t type_end = i;
    while (is(i, "*") || is(i, "&") || is(i, "const") || is(i, "__restrict__")) ++i;
    if (is(i, "(") && is(i + 1, "*") && is_word(i + 2) && is(i + 3, ")") && is(i + 4, "["))
      return read_pointer_to_rows(begin, type_between(type, type_end), i + 2, stop, scope);
    if (!is_word(i) || i >= stop) return false;
    const auto ends_name = [&](std::size_t at) {
      return at == stop || is(at, "=") || is(at, ";") || is(at, ",") || is(at, "[") || is(at, "(") ||
             is(at, "{") || is(at, ":");
    };
    if (!ends_name(i + 1)) return false;
    fix(begin, i + 1);
    const std::size_t words_end =
        is(i - 1, "*") || is(i - 1, "__restrict__") || is(i - 1, "const") ? i : type_end;
    const std::string base = type_between(type, words_end);
    if (fixed || shared) fix(begin, stop);
    while (i < stop) {
      Variable variable;
      variable.name = tokens_[i].text;
      variable.type = base;
      variable.is_constant = constant;
      variable.is_shared = shared;
      variable.is_fixed = fixed || is(type, "auto");
      variable.begin = i, variable.end = scope;
      for (++i; is(i, "[") && code_.partners[i] != npos; i = behind(i)) {
        variable.type += variable.dimensions == 0 ? "[]" : type_of_dimension(i);
        ++variable.dimensions;
        fix(i, behind(i));
      }
      while (i < stop && !is(i, ",") && !is(i, ";")) i = code_.opens(i) ? behind(i) : i + 1;
      variable.initialised = i;
      function_->variables.push_back(variable);
      for (++i; is(i, "*") || is(i, "&"); ++i) {
      }
      if (!is_word(i)) break;
      if (i < stop) code_.fixed[i] = true;
    }
    return true;
  }

  /// `float (*tile)[kTile + 1] = tiles[stage];`
  bool read_pointer_to_rows(std::size_t begin, const std::string& type, std::size_t name, std::size_t stop,
                            std::size_t scope) {
    Variable variable;
    variable.name = tokens_[name].text;
    variable.type = type + "[]";
    variable.dimensions = 1;
    variable.is_constant = is(begin, "const");
    variable.begin = name, variable.end = scope, variable.initialised = stop - 1;
    std::size_t at = name + 2;
    for (; is(at, "[") && code_.partners[at] != npos; at = behind(at), ++variable.dimensions)
      variable.type += type_of_dimension(at);
    fix(begin, at);
    function_->variables.push_back(variable);
    return true;
  }

  ReadCode& code_;
  const std::vector<Token>& tokens_;
  ReadFunction* function_ = nullptr;
  std::vector<Variable> constants_;
  std::vector<std::size_t> blocks_;  ///< where those end that one is in
};

}  // namespace

bool Variable::is_integer() const {
  constexpr std::array<std::string_view, 9> kIntegers = {"int",    "unsigned",   "unsigned int",
                                                         "long",   "long long",  "unsigned long long",
                                                         "size_t", "std size_t", "int64_t"};
  return is_among(type, kIntegers);
}

const Variable* ReadFunction::variable(std::string_view name, std::size_t place) const {
  const Variable* found = nullptr;
  for (const Variable& each : variables)
    if (each.name == name && each.known_at(place)) found = &each;
  return found;
}

bool Variable::is_float() const { return type == "float" || type == "double"; }

void keep_reachable(ReadCode& code, const std::set<std::string>& kernels) {
  const auto is_launched = [&](const ReadFunction& function) {
    // As it stands in a mangled name.
    const std::string part = std::to_string(function.name.size()) + std::string(function.name);
    return std::any_of(kernels.begin(), kernels.end(),
                       [&](const std::string& kernel) { return kernel.find(part) != kernel.npos; });
  };
  std::set<std::string_view> reached;
  for (const ReadFunction& function : code.functions)
    if (is_launched(function)) reached.insert(function.name);
  for (std::size_t before = 0; before != reached.size();) {
    before = reached.size();
    for (const ReadFunction& function : code.functions)
      if (reached.contains(function.name))
        for (std::size_t t = function.open; t < function.close; ++t)
          for (const ReadFunction& called : code.functions)
            if (code.tokens[t].text == called.name) reached.insert(called.name);
  }
  std::erase_if(code.functions,
                [&](const ReadFunction& function) { return !reached.contains(function.name); });
}

namespace {

ReadCode code_with(std::string_view code, void (Reader::*read_functions)()) {
  ReadCode read;
  read.tokens = tokens_of(code);
  read.partners = partners_of(read.tokens);
  read.fixed.resize(read.tokens.size());
  (Reader(read).*read_functions)();
  return read;
}

}  // namespace

ReadCode read_device_code(std::string_view code) { return code_with(code, &Reader::read); }
ReadCode read_host_code(std::string_view code) {
  ReadCode read = code_with(code, &Reader::read_host);
  read.is_of_host = true;
  return read;
}

}  // namespace fusebox
