#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace fusebox::fuzz {

// Random CUDA programs whose every result is known. Threads compute with 32-bit words; each writes its own
// slots, other threads' are read between barriers only, atomics on shared words commute and their results are
// not used. So a program is well-defined on any GPU, and evaluate() says what it leaves without a warp.

inline constexpr std::uint32_t kVariables = 5;  ///< of each function; its counters come behind them
inline constexpr std::uint32_t kSlots = 4;      ///< of each thread in global memory
inline constexpr std::uint32_t kArray = 8;      ///< elements of a function's array in local memory
/// Words that all threads change, in global and in shared memory: eight, a sector, by each of five atomics.
inline constexpr std::uint32_t kSums = 40;
inline constexpr std::uint32_t sum_kind(std::uint32_t index) { return index / 8; }

/// How much a place knows of the threads that come to it.
enum class Scope : std::uint8_t {
  apart,  ///< nothing
  lanes,  ///< they are the lanes of a known mask, in some warps
  block,  ///< they are all threads of the block
};

enum class Op : std::uint8_t {
  // clang-format off
  constant, variable, thread, lane, warp, block,  // `value`: the constant, the variable
  add, sub, mul, bit_and, bit_or, bit_xor, shift_left, shift_right, less, equal, select,
  slot, cell, element,  // of the thread's own slots, its word of shared memory, the function's array
  // clang-format on
};

struct Expression {
  Op op = Op::constant;
  std::uint32_t value = 0;
  std::vector<Expression> of;
};

enum class Do : std::uint8_t {
  set,           ///< variable = with[0]
  slot,          ///< own slot with[0] = with[1]
  cell,          ///< own word of shared memory = with[0]
  element,       ///< array element with[0] = with[1]
  choose,        ///< if (with[0]) bodies[0] else bodies[1]
  choose_lanes,  ///< the same for the lanes of mask `number`
  switch_to,     ///< body with[0]; bit b of `number`: body b falls through
  loop,          ///< with[0] times bodies[0], `number` at most; `kind` 1: at least once
  leave_loop,    ///< break
  next_round,    ///< continue
  leave,         ///< return with[0]; in the kernel: the thread ends
  end,           ///< exit: the thread ends, in a function that was called behind the last barrier
  call,   ///< variable (or none) = function(with[0], with[1]); `kind`: CallKind; `number` or with[2]: which
  count,  ///< atomic on word `number` of the global sums
  count_shared,   ///< the same in shared memory
  count_own,      ///< variable = atomic of `kind` on own slot with[0]
  exchange,       ///< barrier, variable = the word of the thread `number` further, barrier
  barrier_vote,   ///< variable = __syncthreads_count / and / or of with[0]
  shuffle,        ///< variable = with[0] of another lane
  vote,           ///< variable = what the lanes of mask `number` have for with[0]
  warp_exchange,  ///< __syncwarp, variable = the word of the mask's first lane, __syncwarp
};

enum class CallKind : std::uint32_t { direct, pointer, virtual_function };

struct Statement {
  Do what = Do::set;
  std::uint32_t variable = 0;  ///< where its result goes; of a loop its counter
  std::uint32_t kind = 0, number = 0;
  Scope scope = Scope::apart;
  std::vector<Expression> with;
  std::vector<std::vector<Statement>> bodies;
};

/// A function that is not inlined. `scope`: from where it may be called.
struct Function {
  Scope scope = Scope::apart;
  bool ends_threads = false;  ///< then it is called directly, from where threads may end
  std::uint32_t counters = 0;
  std::vector<Statement> body;
};

struct RandomProgram {
  std::uint64_t seed = 0;
  std::uint32_t blocks = 1, threads = 32;
  std::uint32_t depth = 1;    ///< of calls
  bool by_reference = false;  ///< how functions get what a thread has
  bool silent = false;        ///< functions return nothing: lanes meet where they come back
  bool side_by_side = false;  ///< nothing tells blocks in which order they run, and there are many
  std::vector<Function>
      functions;  ///< the last two are the kernel: up to where threads may leave, and behind
  std::vector<std::uint32_t> in_scope(Scope scope) const;

  std::string name() const { return "p" + std::to_string(seed); }
  std::uint32_t all_threads() const { return blocks * threads; }
  /// Words of memory: the slots, each thread's result, the sums, and each block's shared sums.
  std::uint32_t words() const { return all_threads() * (kSlots + 1) + 2 * kSums + blocks * kSums; }
};

/// The same program for the same seed, on every machine. `max_steps`: statements of all its threads, or a
/// 50th of them where blocks run side by side.
RandomProgram make_program(std::uint64_t seed, std::uint64_t max_steps);

/// As CUDA C++: a kernel of the program's name and all that it calls; it takes the address of the words.
std::string write_program(const RandomProgram& program);

/// What the words hold in the end; `memory` holds what they do at first. False: more steps than that.
bool evaluate(const RandomProgram& program, std::vector<std::uint32_t>& memory, std::uint64_t max_steps);

/// What the words hold at first.
std::vector<std::uint32_t> initial_words(const RandomProgram& program);

}  // namespace fusebox::fuzz
