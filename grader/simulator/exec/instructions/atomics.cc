#include "grader/simulator/exec/instructions/atomics.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>

#include "grader/simulator/exec/instructions/cluster_ops.h"
#include "grader/simulator/exec/instructions/lanes/half.h"
#include "grader/simulator/exec/memory/access.h"
#include "grader/simulator/exec/program/program.h"

// atom and red: lane after lane, in lane order, so that a run repeats. Where blocks run on several threads,
// reductions are the only atomics of global memory, and nobody asks for the old value (ties_of_blocks()).

namespace fusebox::sim {
namespace {

/// The bytes that a lane changes, or null with its fault raised; `place` is theirs.
[[gnu::always_inline]] inline std::uint8_t* atomic_bytes(Warp& w, const DecodedInstruction& s, int lane,
                                                         std::uint32_t bytes, Place& place) {
  std::uint64_t address = lane_address(w, s.a, s.address_width, s.immediate, lane);
  const Space space = s.generic ? space_of_generic(address) : s.space;
  place = cluster_place(w, space, address);
  return use_bytes(w, s, lane, place, {AccessKind::atomic, bytes, bytes}).data;
}

struct Add {
  template <class T>
  T operator()(T a, T b, T) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) +
                            static_cast<std::make_unsigned_t<T>>(b));
    else
      return a + b;
  }
};
/// f32 in global memory: the L2 adds, and it knows no subnormals.
struct AddFlushed {
  static float flush(float v) {
    std::uint32_t bits = std::bit_cast<std::uint32_t>(v);
    return (bits & 0x7f800000u) == 0 ? std::bit_cast<float>(bits & 0x80000000u) : v;
  }
  float operator()(float a, float b, float) const { return flush(flush(a) + flush(b)); }
};
struct Min {
  template <class T>
  T operator()(T a, T b, T) const {
    return std::min(a, b);
  }
};
struct Max {
  template <class T>
  T operator()(T a, T b, T) const {
    return std::max(a, b);
  }
};
struct And {
  template <class T>
  T operator()(T a, T b, T) const {
    return a & b;
  }
};
struct Or {
  template <class T>
  T operator()(T a, T b, T) const {
    return a | b;
  }
};
struct Xor {
  template <class T>
  T operator()(T a, T b, T) const {
    return a ^ b;
  }
};
struct Exchange {
  template <class T>
  T operator()(T, T b, T) const {
    return b;
  }
};
struct CompareAndSwap {
  template <class T>
  T operator()(T a, T b, T c) const {
    return a == b ? c : a;
  }
};
struct Increment {
  template <class T>
  T operator()(T a, T b, T) const {
    return a >= b ? T{0} : static_cast<T>(a + 1);
  }
};
struct Decrement {
  template <class T>
  T operator()(T a, T b, T) const {
    return a == 0 || a > b ? b : static_cast<T>(a - 1);
  }
};
template <bool kBfloat, int kParts>
struct AddHalf {
  template <class T>
  T operator()(T a, T b, T) const {
    std::uint32_t result = 0;
    for (int part = 0; part < kParts; ++part) {
      auto x = static_cast<std::uint16_t>(a >> (16 * part)), y = static_cast<std::uint16_t>(b >> (16 * part));
      std::uint16_t sum = kBfloat ? double_to_bf16(add_to_odd(bf16_to_float(x), bf16_to_float(y)))
                                  : double_to_half(add_to_odd(half_to_float(x), half_to_float(y)));
      result |= std::uint32_t{sum} << (16 * part);
    }
    return static_cast<T>(result);
  }
};

/// What `Op` makes of the bytes, in one step for all threads that run blocks.
template <class T, class Op>
void change_at_once(std::uint8_t* data, T b, T c) {
  const std::atomic_ref<T> word(*reinterpret_cast<T*>(data));
  T old = word.load(std::memory_order_relaxed);
  while (!word.compare_exchange_weak(old, Op{}(old, b, c), std::memory_order_relaxed)) {
  }
}

/// `Shared`: what the same instruction does in shared memory.
template <class T, class Op, class Shared = Op>
void atomic(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  std::uint64_t address[kWarpSize];
  LaneMask done[2] = {0, 0}, remote = 0;  // global, shared
  Block* block[kWarpSize];
  const T* b = w.lanes_of<T>(s.b);
  const T* c = s.c == kNoOperand ? b : w.lanes_of<T>(s.c);
  const bool in_parallel = w.block->launch->in_parallel();
  for (const int l : lanes_in(mask)) {
    Place place;
    std::uint8_t* data = atomic_bytes(w, s, l, sizeof(T), place);
    if (data == nullptr) continue;
    address[l] = place.address;
    const bool shared = place.space == Space::shared;
    block[l] = place.block;
    (shared && place.block != w.block ? remote : done[shared]) |= LaneMask{1} << l;
    if constexpr (std::is_integral_v<T> && sizeof(T) >= 4) {
      if (in_parallel && !shared) {
        change_at_once<T, Op>(data, b[l], c[l]);
        continue;
      }
    }
    T old;
    std::memcpy(&old, data, sizeof(T));
    T next = shared ? Shared{}(old, b[l], c[l]) : Op{}(old, b[l], c[l]);
    if constexpr (std::is_same_v<T, float>)
      if (next != next) next = std::bit_cast<float>(0x7fffffffu);
    std::memcpy(data, &next, sizeof(T));
    if (s.d != kNoOperand) w.lanes_of<T>(s.d)[l] = old;
  }
  notify_access(w, s, {Space::global, AccessKind::atomic, sizeof(T), done[0], address});
  notify_access(w, s, {Space::shared, AccessKind::atomic, sizeof(T), done[1], address});
  if (remote != 0)
    notify_remote_access(w, s, {Space::shared, AccessKind::atomic, sizeof(T), remote, address}, block);
}

// Vectors in global memory, each element atomic for itself: matrix_ops[extra] holds the registers of the
// destination (d) and the operand (b).
template <class T, class Op>
void atomic_vector(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  const MatrixOp& registers = w.frame->program->matrix_ops[s.extra];
  std::uint64_t address[kWarpSize];
  LaneMask done = 0;
  for (const int l : lanes_in(mask)) {
    const std::uint32_t bytes = static_cast<std::uint32_t>(sizeof(T) * registers.b.size());
    Place place;
    std::uint8_t* data = atomic_bytes(w, s, l, bytes, place);
    if (data == nullptr) continue;
    address[l] = place.address;
    done |= LaneMask{1} << l;
    for (std::size_t k = 0; k < registers.b.size(); ++k) {
      T old, b = w.lanes_of<T>(registers.b[k])[l];
      std::memcpy(&old, data + k * sizeof(T), sizeof(T));
      T next = Op{}(old, b, b);
      std::memcpy(data + k * sizeof(T), &next, sizeof(T));
      if (!registers.d.empty()) w.lanes_of<T>(registers.d[k])[l] = old;
    }
  }
  notify_access(w, s,
                {Space::global, AccessKind::atomic,
                 static_cast<std::uint32_t>(sizeof(T) * registers.b.size()), done, address});
}

template <class T>
Handler bitwise(const ptx::Instruction& i) {
  if (i.has("and")) return atomic<T, And>;
  if (i.has("or")) return atomic<T, Or>;
  if (i.has("xor")) return atomic<T, Xor>;
  if (i.has("exch")) return atomic<T, Exchange>;
  return i.has("cas") ? atomic<T, CompareAndSwap> : nullptr;
}

template <class T>
Handler arithmetic(const ptx::Instruction& i) {
  if (i.has("add")) return atomic<T, Add>;
  if (i.has("min")) return atomic<T, Min>;
  if (i.has("max")) return atomic<T, Max>;
  if constexpr (std::is_same_v<T, std::uint32_t>) {
    if (i.has("inc")) return atomic<T, Increment>;
    if (i.has("dec")) return atomic<T, Decrement>;
  }
  return bitwise<T>(i);
}

/// min and max of halves, for vectors only.
template <bool kBfloat, int kParts, bool kMax>
struct ExtremeHalf {
  template <class T>
  T operator()(T a, T b, T) const {
    std::uint32_t result = 0;
    for (int part = 0; part < kParts; ++part) {
      auto x = static_cast<std::uint16_t>(a >> (16 * part)), y = static_cast<std::uint16_t>(b >> (16 * part));
      float fx = kBfloat ? bf16_to_float(x) : half_to_float(x),
            fy = kBfloat ? bf16_to_float(y) : half_to_float(y);
      bool take_y = fx != fx || (fy == fy && (kMax ? fy > fx : fy < fx));
      result |= std::uint32_t{take_y ? y : x} << (16 * part);
    }
    return static_cast<T>(result);
  }
};
template <bool kBfloat, int kParts, class Word>
Handler vector_of_halves(const ptx::Instruction& i) {
  if (i.has("add")) return atomic_vector<Word, AddHalf<kBfloat, kParts>>;
  if (i.has("min")) return atomic_vector<Word, ExtremeHalf<kBfloat, kParts, false>>;
  return i.has("max") ? atomic_vector<Word, ExtremeHalf<kBfloat, kParts, true>> : nullptr;
}

}  // namespace

Handler atomic_vector_handler(const ptx::Instruction& i, Type type) {
  switch (type) {
    case Type::f32:
      return i.has("add") ? atomic_vector<float, AddFlushed> : nullptr;
    case Type::f16:
      return vector_of_halves<false, 1, std::uint16_t>(i);
    case Type::bf16:
      return vector_of_halves<true, 1, std::uint16_t>(i);
    case Type::f16x2:
      return vector_of_halves<false, 2, std::uint32_t>(i);
    case Type::bf16x2:
      return vector_of_halves<true, 2, std::uint32_t>(i);
    default:
      return nullptr;
  }
}

Handler atomic_handler(const ptx::Instruction& i, Type type) {
  switch (type) {
    case Type::u32:
      return arithmetic<std::uint32_t>(i);
    case Type::s32:
      return arithmetic<std::int32_t>(i);
    case Type::u64:
      return arithmetic<std::uint64_t>(i);
    case Type::s64:
      return arithmetic<std::int64_t>(i);
    case Type::b16:
      return bitwise<std::uint16_t>(i);
    case Type::b32:
      return bitwise<std::uint32_t>(i);
    case Type::b64:
      return bitwise<std::uint64_t>(i);
    case Type::f32:
      return i.has("add")    ? atomic<float, AddFlushed, Add>
             : i.has("exch") ? atomic<std::uint32_t, Exchange>
                             : nullptr;
    case Type::f64:
      return i.has("add") ? atomic<double, Add> : nullptr;
    case Type::f16:
      return i.has("add") ? atomic<std::uint16_t, AddHalf<false, 1>> : nullptr;
    case Type::bf16:
      return i.has("add") ? atomic<std::uint16_t, AddHalf<true, 1>> : nullptr;
    case Type::f16x2:
      return i.has("add") ? atomic<std::uint32_t, AddHalf<false, 2>> : nullptr;
    case Type::bf16x2:
      return i.has("add") ? atomic<std::uint32_t, AddHalf<true, 2>> : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace fusebox::sim
