#include <algorithm>
#include <bit>

#include "grader/fuzz/random_program.h"

// A program's statements carried out for all threads of a block, one statement after the other: no warps, no
// instructions, no order. Nothing here is shared with the simulator.

namespace fusebox::fuzz {
namespace {

using Threads = std::vector<std::uint32_t>;
using Word = std::uint32_t;

enum class Flow : std::uint8_t { goes_on, left_loop, next_round, left, ended };

struct Frame {
  std::uint32_t slots = 0;  ///< variables of a thread
  std::vector<Word> variables, elements, results;
  std::vector<Flow> flow;
  std::vector<Word> depth;
  Word& variable(Word thread, Word index) { return variables[thread * slots + index]; }
};

class Evaluation {
 public:
  Evaluation(const RandomProgram& program, std::vector<Word>& memory, std::uint64_t max_steps)
      : program_(program),
        memory_(memory),
        left_(max_steps * (program.side_by_side ? 50 : 1)),
        cells_(program.threads),
        counts_(kSums) {
    for (const Scope scope : {Scope::apart, Scope::lanes, Scope::block})
      groups_.push_back(program.in_scope(scope));
  }

  bool run_block(Word block) {
    block_ = block;
    const Word n = program_.threads, all = program_.all_threads();
    const auto kernel = static_cast<Word>(program_.functions.size()) - 2;
    Threads everyone(n);
    Frame frame =
        make_frame(std::max(program_.functions[kernel].counters, program_.functions[kernel + 1].counters));
    for (Word t = 0; t < n; ++t) {
      everyone[t] = t;
      const Word start[] = {1, t, block * n + t, t % 32, t / 32};
      for (Word v = 0; v < kVariables; ++v) frame.variable(t, v) = start[v];
      cells_[t] = t * 7;
      frame.depth[t] = program_.depth + 1;  // the kernel's calls get one less
    }
    for (Word i = 0; i < kSums; ++i) counts_[i] = i * 0x01010101u;
    counts_now_ = counts_.data();
    run(program_.functions[kernel].body, everyone, frame);
    for (const Word t : everyone) memory_[all * kSlots + block * n + t] = outcome(frame, t) + cells_[t];
    std::copy(counts_.begin(), counts_.end(),
              memory_.begin() + static_cast<std::ptrdiff_t>(all * (kSlots + 1) + (2 + block) * kSums));
    counts_now_ = sums() + kSums;
    run(program_.functions[kernel + 1].body, everyone, frame);
    return left_ != 0;
  }

 private:
  Frame make_frame(Word counters) {
    Frame frame;
    const Word n = program_.threads;
    frame.slots = kVariables + counters;
    frame.variables.resize(n * frame.slots);
    frame.elements.resize(n * kArray);
    frame.results.resize(n);
    frame.flow.resize(n);
    frame.depth.resize(n);
    return frame;
  }
  Word* sums() { return memory_.data() + program_.all_threads() * (kSlots + 1); }
  Word* own(Word t) { return memory_.data() + (block_ * program_.threads + t) * kSlots; }
  static Word outcome(Frame& f, Word t) {
    return f.variable(t, 0) + f.variable(t, 1) * 3 + f.variable(t, 2) * 5 + f.variable(t, 3) * 7 +
           f.variable(t, 4) * 9;
  }

  Word value(const Expression& e, Frame& f, Word t) {
    const auto of = [&](std::size_t i) { return value(e.of[i], f, t); };
    switch (e.op) {
      case Op::constant:
        return e.value;
      case Op::variable:
        return f.variable(t, e.value);
      case Op::thread:
        return t;
      case Op::lane:
        return t % 32;
      case Op::warp:
        return t / 32;
      case Op::block:
        return block_;
      case Op::add:
        return of(0) + of(1);
      case Op::sub:
        return of(0) - of(1);
      case Op::mul:
        return of(0) * of(1);
      case Op::bit_and:
        return of(0) & of(1);
      case Op::bit_or:
        return of(0) | of(1);
      case Op::bit_xor:
        return of(0) ^ of(1);
      case Op::shift_left:
        return of(0) << (of(1) & 31);
      case Op::shift_right:
        return of(0) >> (of(1) & 31);
      case Op::less:
        return of(0) < of(1) ? 1 : 0;
      case Op::equal:
        return of(0) == of(1) ? 1 : 0;
      case Op::select:
        return (of(0) & 1) != 0 ? of(1) : of(2);
      case Op::slot:
        return own(t)[of(0) % kSlots];
      case Op::cell:
        return cells_[t];
      case Op::element:
        return f.elements[t * kArray + of(0) % kArray];
    }
    return 0;
  }

  static Threads going_on(const Threads& threads, const Frame& f) {
    Threads list;
    for (const Word t : threads)
      if (f.flow[t] == Flow::goes_on) list.push_back(t);
    return list;
  }

  void run(const std::vector<Statement>& body, const Threads& threads, Frame& f) {
    for (const Statement& s : body) {
      const Threads here = going_on(threads, f);
      if (here.empty() || left_ == 0) return;
      left_ -= std::min<std::uint64_t>(left_, here.size());
      step(s, here, f);
    }
  }

  void step(const Statement& s, const Threads& threads, Frame& f) {
    switch (s.what) {
      case Do::choose:
      case Do::choose_lanes: {
        Threads yes, no;
        for (const Word t : threads)
          (((s.what == Do::choose ? value(s.with[0], f, t) : s.number >> t % 32) & 1) != 0 ? yes : no)
              .push_back(t);
        run(s.bodies[0], yes, f);
        return run(s.bodies[1], no, f);
      }
      case Do::switch_to:
        return switch_to(s, threads, f);
      case Do::loop:
        return loop(s, threads, f);
      case Do::call:
        return call(s, threads, f);
      case Do::exchange:
      case Do::barrier_vote:
      case Do::shuffle:
      case Do::vote:
      case Do::warp_exchange:
        return together(s, threads, f);
      default:
        for (const Word t : threads) alone(s, f, t);
    }
  }

  void switch_to(const Statement& s, const Threads& threads, Frame& f) {
    const auto cases = static_cast<Word>(s.bodies.size());
    std::vector<Threads> here(cases);
    for (const Word t : threads) here[value(s.with[0], f, t) % cases].push_back(t);
    for (Word b = 0; b < cases; ++b) {
      run(s.bodies[b], here[b], f);
      if ((s.number >> b & 1) == 0 || b + 1 == cases) continue;
      const Threads falls = going_on(here[b], f);
      here[b + 1].insert(here[b + 1].end(), falls.begin(), falls.end());
      std::sort(here[b + 1].begin(), here[b + 1].end());
    }
  }

  void loop(const Statement& s, const Threads& threads, Frame& f) {
    std::vector<Word> times(program_.threads);
    for (const Word t : threads) times[t] = value(s.with[0], f, t) % (s.number + 1);
    Threads here = threads;
    for (Word round = 0; left_ != 0; ++round) {
      std::erase_if(here, [&](Word t) { return round >= times[t] && (s.kind == 0 || round > 0); });
      if (here.empty()) break;
      for (const Word t : here) f.variable(t, s.variable) = round;
      run(s.bodies[0], here, f);
      for (const Word t : here)
        if (f.flow[t] == Flow::next_round) f.flow[t] = Flow::goes_on;
      here = going_on(here, f);
    }
    for (const Word t : threads)
      if (f.flow[t] == Flow::left_loop) f.flow[t] = Flow::goes_on;
  }

  void call(const Statement& s, const Threads& threads, Frame& f) {
    const auto& group = groups_[static_cast<std::size_t>(s.scope)];
    std::vector<Threads> callers(program_.functions.size());
    for (const Word t : threads) {
      if (f.depth[t] == 0) continue;
      const bool direct = static_cast<CallKind>(s.kind) == CallKind::direct;
      callers[direct ? s.number : group[value(s.with[2], f, t) % group.size()]].push_back(t);
    }
    for (Word function = 0; function < callers.size(); ++function) {
      if (callers[function].empty() || left_ == 0) continue;
      Frame callee = make_frame(program_.functions[function].counters);
      for (const Word t : callers[function]) {
        Word a = value(s.with[0], f, t);
        if (static_cast<CallKind>(s.kind) == CallKind::virtual_function) a ^= function;
        const Word b = value(s.with[1], f, t), depth = f.depth[t] - 1;
        const Word start[] = {a, b, depth, a ^ t, 7};
        for (Word v = 0; v < kVariables; ++v) callee.variable(t, v) = start[v];
        callee.depth[t] = depth;
      }
      run(program_.functions[function].body, callers[function], callee);
      for (const Word t : callers[function])
        if (callee.flow[t] == Flow::ended) f.flow[t] = Flow::ended;
      if (program_.silent) continue;
      for (const Word t : callers[function])
        f.variable(t, s.variable) = callee.flow[t] == Flow::left ? callee.results[t] : outcome(callee, t);
    }
  }

  static void count(Word& at, Word index, Word value) {
    switch (sum_kind(index)) {
      case 0:
        at += value;
        break;
      case 1:
        at ^= value;
        break;
      case 2:
        at = std::max(at, value);
        break;
      case 3:
        at = std::min(at, value);
        break;
      default:
        at |= value;
    }
  }

  static Word count_own(Word& at, Word kind, Word value) {
    const Word before = at;
    const Word after[] = {before + value,          value,          before == (value & 3) ? value : before,
                          std::max(before, value), before ^ value, before - value};
    at = after[kind];
    return before;
  }

  void alone(const Statement& s, Frame& f, Word t) {
    const auto with = [&](std::size_t i) { return value(s.with[i], f, t); };
    switch (s.what) {
      case Do::set:
        f.variable(t, s.variable) = with(0);
        break;
      case Do::slot:
        own(t)[with(0) % kSlots] = with(1);
        break;
      case Do::cell:
        cells_[t] = with(0);
        break;
      case Do::element:
        f.elements[t * kArray + with(0) % kArray] = with(1);
        break;
      case Do::count:
        count(sums()[s.number], s.number, with(0));
        break;
      case Do::count_shared:
        count(counts_now_[s.number], s.number, with(0));
        break;
      case Do::count_own: {
        const Word before = count_own(own(t)[with(0) % kSlots], s.kind, with(1));
        if (!program_.side_by_side) f.variable(t, s.variable) = before;
        break;
      }
      case Do::leave_loop:
        f.flow[t] = Flow::left_loop;
        break;
      case Do::next_round:
        f.flow[t] = Flow::next_round;
        break;
      case Do::end:
        f.flow[t] = Flow::ended;
        break;
      case Do::leave:
        f.results[t] = with(0);
        f.flow[t] = Flow::left;
        break;
      default:
        break;
    }
  }

  void together(const Statement& s, const Threads& threads, Frame& f) {
    std::vector<Word> values(program_.threads), results(program_.threads);
    for (const Word t : threads) values[t] = value(s.with[0], f, t);
    for (const Word t : threads) results[t] = of_others(s, threads, values, t);
    for (const Word t : threads) f.variable(t, s.variable) = results[t];
  }

  Word of_others(const Statement& s, const Threads& threads, const std::vector<Word>& values, Word t) const {
    const Word lane = t % 32, first = t - lane, lanes = std::min(32u, program_.threads - first);
    if (s.what == Do::exchange) return cells_[(t + s.number) % program_.threads];
    if (s.what == Do::barrier_vote) {
      const auto yes = static_cast<Word>(std::count_if(threads.begin(), threads.end(),
                                                       [&](Word other) { return (values[other] & 1) != 0; }));
      return s.kind % 3 == 0 ? yes : s.kind % 3 == 1 ? yes == threads.size() : yes != 0;
    }
    if (s.what == Do::shuffle) {
      const Word back = s.kind == 3 ? s.number % 8 : s.number, within = s.kind == 3 ? lane % 8 : lane;
      const Word from = s.kind == 2      ? lane ^ s.number
                        : s.kind == 4    ? (lane * s.number + 1) % lanes
                        : s.kind == 0    ? (lane + s.number) % lanes
                        : within >= back ? lane - back
                                         : lane;
      return values[first + from];
    }
    const Word mask = s.number & (~Word{0} >> (32 - lanes));
    if (s.what == Do::warp_exchange) return cells_[first + static_cast<Word>(std::countr_zero(mask))];
    Word ballot = 0, sum = 0, same = 0;
    for (Word l = 0; l < lanes; ++l) {
      if ((mask >> l & 1) == 0) continue;
      ballot |= (values[first + l] & 1) << l;
      sum += values[first + l];
      same |= (values[first + l] & 3) == (values[t] & 3) ? Word{1} << l : 0;
    }
    const Word answers[] = {ballot, ballot != 0, ballot == mask, sum, same};
    return answers[s.kind];
  }

  const RandomProgram& program_;
  std::vector<Word>& memory_;
  std::uint64_t left_;
  Word block_ = 0;
  std::vector<Word> cells_, counts_;
  Word* counts_now_ = nullptr;
  std::vector<std::vector<Word>> groups_;
};

}  // namespace

bool evaluate(const RandomProgram& program, std::vector<std::uint32_t>& memory, std::uint64_t max_steps) {
  Evaluation evaluation(program, memory, max_steps);
  for (Word block = 0; block < program.blocks; ++block)
    if (!evaluation.run_block(block)) return false;
  return true;
}

std::vector<std::uint32_t> initial_words(const RandomProgram& program) {
  std::vector<std::uint32_t> words(program.words());
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<std::uint32_t>(i * 2654435761u);
  return words;
}

}  // namespace fusebox::fuzz
