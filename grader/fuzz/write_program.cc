#include <fmt/format.h>

#include "grader/fuzz/random_program.h"

namespace fusebox::fuzz {
namespace {

std::string text_of(const Expression& e) {
  const auto of = [&](std::size_t i) { return text_of(e.of[i]); };
  const auto infix = [&](const char* sign) { return fmt::format("({} {} {})", of(0), sign, of(1)); };
  switch (e.op) {
    case Op::constant:
      return fmt::format("{}u", e.value);
    case Op::variable:
      return fmt::format("v{}", e.value);
    case Op::thread:
      return "s.thread";
    case Op::lane:
      return "s.lane";
    case Op::warp:
      return "s.warp";
    case Op::block:
      return "s.block";
    case Op::add:
      return infix("+");
    case Op::sub:
      return infix("-");
    case Op::mul:
      return infix("*");
    case Op::bit_and:
      return infix("&");
    case Op::bit_or:
      return infix("|");
    case Op::bit_xor:
      return infix("^");
    case Op::shift_left:
      return fmt::format("({} << ({} & 31u))", of(0), of(1));
    case Op::shift_right:
      return fmt::format("({} >> ({} & 31u))", of(0), of(1));
    case Op::less:
      return fmt::format("unsigned({} < {})", of(0), of(1));
    case Op::equal:
      return fmt::format("unsigned({} == {})", of(0), of(1));
    case Op::select:
      return fmt::format("(({} & 1u) ? {} : {})", of(0), of(1), of(2));
    case Op::slot:
      return fmt::format("s.own[{} % {}u]", of(0), kSlots);
    case Op::cell:
      return "s.cells[s.thread]";
    case Op::element:
      return fmt::format("t[{} % {}u]", of(0), kArray);
  }
  return "";
}

const char* const kScopes[] = {"apart", "lanes", "block"};
/// The atomic on word `index` of sums: one for all, or their order would tell.
const char* sum_of(std::uint32_t index) {
  static const char* const kSumOps[] = {"Add", "Xor", "Max", "Min", "Or"};
  return kSumOps[sum_kind(index)];
}

class Writer {
 public:
  explicit Writer(const RandomProgram& program) : program_(program) {}

  std::string write() {
    const std::string thread = program_.by_reference ? "Thread& s" : "Thread s";
    line("namespace of_{} {{", program_.name());
    line("struct Shape;");
    line("struct Thread {{");
    line("  unsigned *own, *sums, *cells, *counts;");
    line("  unsigned thread, lane, warp, block, lanes, all;");
    line("  const Shape* const (*shapes)[{}];", shapes_of_a_scope());
    line("}};");
    const std::string parameters = thread + ", unsigned a, unsigned b, unsigned depth";
    const char* const result = program_.silent ? "void" : "unsigned";
    line("struct Shape {{ virtual __device__ {} go({}) const = 0; }};", result, parameters);
    line("typedef {} Go({});", result, parameters);
    const auto functions = static_cast<std::uint32_t>(program_.functions.size()) - 2;
    for (std::uint32_t f = 0; f < functions; ++f)
      line("__device__ __noinline__ {} f{}({});", result, f, parameters);
    for (std::uint32_t f = 0; f < functions; ++f)
      line(
          "struct Shape{0} : Shape {{ __device__ {2} go({1}) const override {{ return f{0}(s, a ^ {0}u, b, depth); }} }};",
          f, parameters, result);
    for (const Scope scope : {Scope::apart, Scope::lanes, Scope::block}) tables(scope);
    for (std::uint32_t f = 0; f < functions; ++f) {
      line("__device__ __noinline__ {} f{}({}) {{", result, f, parameters);
      line("  unsigned v0 = a, v1 = b, v2 = depth, v3 = a ^ s.thread, v4 = 7u, t[{}] = {{}};", kArray);
      calls_ = "depth - 1u";
      body(program_.functions[f].body, 1);
      if (!program_.silent) line("  return v0 + v1 * 3u + v2 * 5u + v3 * 7u + v4 * 9u;");
      line("}}");
    }
    line("}}");
    kernel(functions);
    return std::move(text_);
  }

 private:
  template <class... T>
  void line(fmt::format_string<T...> format, T&&... values) {
    text_ += fmt::format(format, std::forward<T>(values)...) + "\n";
  }

  std::uint32_t shapes_of_a_scope() const { return static_cast<std::uint32_t>(program_.functions.size()); }

  void tables(Scope scope) {
    const auto list = program_.in_scope(scope);
    if (list.empty()) return;
    std::string names;
    for (const std::uint32_t f : list) names += fmt::format("f{}, ", f);
    line("__device__ Go* table_{}[] = {{{}}};", kScopes[static_cast<int>(scope)], names);
  }

  void kernel(std::uint32_t functions) {
    const std::uint32_t all = program_.all_threads(), results = all * kSlots, sums = results + all;
    line("extern \"C\" __global__ void {}(unsigned* words) {{", program_.name());
    line("  using namespace of_{};", program_.name());
    line("  __shared__ unsigned cells[{}], counts[{}];", program_.threads, kSums);
    line("  unsigned thread = threadIdx.x, id = blockIdx.x * {}u + thread;", program_.threads);
    line("  unsigned lanes = min(32u, {}u - thread / 32u * 32u);", program_.threads);
    for (std::uint32_t f = 0; f < functions; ++f) line("  Shape{0} shape{0};", f);
    std::string rows;
    for (const Scope scope : {Scope::apart, Scope::lanes, Scope::block}) {
      rows += "{";
      for (const std::uint32_t f : program_.in_scope(scope)) rows += fmt::format("&shape{}, ", f);
      rows += "}, ";
    }
    line("  const Shape* const shapes[3][{}] = {{{}}};", shapes_of_a_scope(), rows);
    line(
        "  Thread s = {{words + id * {}u, words + {}u, cells, counts, thread, thread % 32u, thread / 32u, blockIdx.x, lanes, 0xffffffffu >> (32u - lanes), shapes}};",
        kSlots, sums);
    line("  unsigned v0 = 1u, v1 = thread, v2 = id, v3 = s.lane, v4 = s.warp, t[{}] = {{}};", kArray);
    line("  cells[thread] = thread * 7u;");
    line("  if (thread == 0u) for (unsigned i = 0; i < {}u; ++i) counts[i] = i * 0x01010101u;", kSums);
    line("  __syncthreads();");
    calls_ = fmt::format("{}u", program_.depth);
    body(program_.functions[functions].body, 1);
    line("  words[{}u + id] = v0 + v1 * 3u + v2 * 5u + v3 * 7u + v4 * 9u + cells[thread];", results);
    line("  __syncthreads();");
    line(
        "  if (thread == 0u) for (unsigned i = 0; i < {0}u; ++i) words[{1}u + blockIdx.x * {0}u + i] = counts[i];",
        kSums, sums + 2 * kSums);
    line("  s.counts = words + {}u;", sums + kSums);
    in_tail_ = true;
    body(program_.functions[functions + 1].body, 1);
    line("}}");
  }

  void body(const std::vector<Statement>& list, int depth) {
    for (const Statement& s : list)
      statement(s, std::string(static_cast<std::size_t>(depth) * 2, ' '), depth);
  }

  void block_of(const Statement& s, std::size_t which, int depth) { body(s.bodies[which], depth + 1); }

  std::string call(const Statement& s) const {
    const std::string arguments =
        fmt::format("(s, {}, {}, {})", text_of(s.with[0]), text_of(s.with[1]), calls_);
    const std::size_t count = program_.in_scope(s.scope).size();
    const std::string which = fmt::format("[{} % {}u]", text_of(s.with[2]), count);
    switch (static_cast<CallKind>(s.kind)) {
      case CallKind::direct:
        return fmt::format("f{}{}", s.number, arguments);
      case CallKind::pointer:
        return fmt::format("table_{}{}{}", kScopes[static_cast<int>(s.scope)], which, arguments);
      case CallKind::virtual_function:
        return fmt::format("s.shapes[{}]{}->go{}", static_cast<int>(s.scope), which, arguments);
    }
    return "";
  }

  std::string count_own(const Statement& s) const {
    static const char* const kOwn[] = {"Add", "Exch", "CAS", "Max", "Xor", "Sub"};
    const std::string value = text_of(s.with[1]);
    return fmt::format("atomic{}(&s.own[{} % {}u], {}{})", kOwn[s.kind], text_of(s.with[0]), kSlots,
                       s.kind == 2 ? fmt::format("{} & 3u, ", value) : "", value);
  }

  std::string shuffle(const Statement& s) const {
    const std::string value = text_of(s.with[0]);
    switch (s.kind) {
      case 1:
        return fmt::format("__shfl_up_sync(s.all, {}, {}u)", value, s.number);
      case 2:
        return fmt::format("__shfl_xor_sync(s.all, {}, {})", value, s.number);
      case 3:
        return fmt::format("__shfl_up_sync(s.all, {}, {}u, 8)", value, s.number % 8);
      case 4:
        return fmt::format("__shfl_sync(s.all, {}, (s.lane * {}u + 1u) % s.lanes)", value, s.number);
      default:
        return fmt::format("__shfl_sync(s.all, {}, (s.lane + {}u) % s.lanes)", value, s.number);
    }
  }

  std::string vote(const Statement& s) const {
    static const char* const kVotes[] = {"__ballot_sync", "__any_sync", "__all_sync", "__reduce_add_sync",
                                         "__match_any_sync"};
    return fmt::format("{}(s.all & {}u, {}{})", kVotes[s.kind], s.number, text_of(s.with[0]),
                       s.kind < 3    ? " & 1u"
                       : s.kind == 4 ? " & 3u"
                                     : "");
  }

  void loop(const Statement& s, const std::string& in, int depth) {
    const std::string times = fmt::format("{} % {}u", text_of(s.with[0]), s.number + 1);
    if (s.kind == 0)
      line("{0}for (unsigned v{1} = 0, n{1} = {2}; v{1} != n{1}; ++v{1}) {{", in, s.variable, times);
    else
      line("{0}{{ unsigned v{1} = 0, n{1} = {2}; do {{", in, s.variable, times);
    block_of(s, 0, depth);
    if (s.kind == 0)
      line("{}}}", in);
    else
      line("{0}}} while (++v{1} < n{1}); }}", in, s.variable);
  }

  void choice(const Statement& s, const std::string& condition, const std::string& in, int depth) {
    line("{}if ({}) {{", in, condition);
    block_of(s, 0, depth);
    if (!s.bodies[1].empty()) {
      line("{}}} else {{", in);
      block_of(s, 1, depth);
    }
    line("{}}}", in);
  }

  void statement(const Statement& s, const std::string& in, int depth) {
    const auto with = [&](std::size_t i) { return text_of(s.with[i]); };
    static const char* const kBarriers[] = {"count", "and", "or"};
    switch (s.what) {
      case Do::set:
        return line("{}v{} = {};", in, s.variable, with(0));
      case Do::slot:
        return line("{}s.own[{} % {}u] = {};", in, with(0), kSlots, with(1));
      case Do::cell:
        return line("{}s.cells[s.thread] = {};", in, with(0));
      case Do::element:
        return line("{}t[{} % {}u] = {};", in, with(0), kArray, with(1));
      case Do::choose:
        return choice(s, with(0) + " & 1u", in, depth);
      case Do::choose_lanes:
        return choice(s, fmt::format("({}u >> s.lane) & 1u", s.number), in, depth);
      case Do::switch_to:
        line("{}switch ({} % {}u) {{", in, with(0), s.bodies.size());
        for (std::size_t b = 0; b < s.bodies.size(); ++b) {
          if (b + 1 < s.bodies.size())
            line("{}case {}u: {{", in, b);
          else
            line("{}default: {{", in);
          block_of(s, b, depth);
          line("{}}}{}", in, (s.number >> b & 1) != 0 ? "" : " break;");
        }
        return line("{}}}", in);
      case Do::loop:
        return loop(s, in, depth);
      case Do::leave_loop:
        return line("{}break;", in);
      case Do::next_round:
        return line("{}continue;", in);
      case Do::end:
        return line("{}asm volatile(\"exit;\" ::: \"memory\");", in);
      case Do::leave:
        return in_tail_ || program_.silent ? line("{}return;", in) : line("{}return {};", in, with(0));
      case Do::call:
        return line("{}{}{}{};", in, calls_ == "depth - 1u" ? "if (depth != 0u) " : "",
                    program_.silent ? "" : fmt::format("v{} = ", s.variable), call(s));
      case Do::count:
        return line("{}atomic{}(&s.sums[{}], {});", in, sum_of(s.number), s.number, with(0));
      case Do::count_shared:
        return line("{}atomic{}(&s.counts[{}], {});", in, sum_of(s.number), s.number, with(0));
      case Do::count_own:
        if (program_.side_by_side) return line("{}{};", in, count_own(s));
        return line("{}v{} = {};", in, s.variable, count_own(s));
      case Do::exchange:
        return line("{}__syncthreads(); v{} = s.cells[(s.thread + {}u) % {}u]; __syncthreads();", in,
                    s.variable, s.number, program_.threads);
      case Do::barrier_vote:
        return line("{}v{} = __syncthreads_{}({} & 1u);", in, s.variable, kBarriers[s.kind % 3], with(0));
      case Do::shuffle:
        return line("{}v{} = {};", in, s.variable, shuffle(s));
      case Do::vote:
        return line("{}v{} = {};", in, s.variable, vote(s));
      case Do::warp_exchange:
        return line(
            "{0}__syncwarp(s.all & {1}u); v{2} = s.cells[s.thread - s.lane + __ffs(s.all & {1}u) - 1]; __syncwarp(s.all & {1}u);",
            in, s.number, s.variable);
    }
  }

  const RandomProgram& program_;
  std::string text_;
  std::string calls_;  ///< the depth that is passed on
  bool in_tail_ = false;
};

}  // namespace

std::string write_program(const RandomProgram& program) { return Writer(program).write(); }

}  // namespace fusebox::fuzz
