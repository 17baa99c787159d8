#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace fusebox {

struct Fault;

/// What Fault::kind may say. Reports hold the word, which is the same for ever; code names the key, so that a
/// word that does not exist cannot be compared with.
enum class FaultKey : std::uint8_t {
  // An access, by where it goes.
  out_of_bounds,
  uninitialised_read,
  misaligned,
  null_pointer,
  use_after_free,
  host_address,
  illegal_address,  ///< a GPU says no more than that
  bad_texture,
  bad_free,
  bad_copy,
  // What threads do to each other.
  race,
  race_same_value,
  race_shared,
  race_global,
  race_streams,
  barrier_divergence,
  bad_mask,
  missing_lanes,
  bad_mbarrier,
  bad_tensor_map,
  bad_wgmma,
  // What one thread does.
  trap,
  assert_failed,
  invalid_call,
  unset_variable,
  stack_overflow,
  not_a_number,
  // What does not end, or takes too much.
  endless_loop,
  output_limit,
  work_limit,
  time_limit,
  memory_limit,
  // What never ran, or ended for no known reason.
  bad_launch,
  crash,
  garbled,
  unknown,
};
inline constexpr std::size_t kFaultKeys = static_cast<std::size_t>(FaultKey::unknown) + 1;

/// "out-of-bounds"
std::string_view word_of(FaultKey key);

/// Whether a fault's kind is among them.
bool is_one_of(const Fault& fault, std::initializer_list<FaultKey> keys);

}  // namespace fusebox
