#include "grader/judge/budgets/unread_inputs.h"

#include <fmt/format.h>

#include "grader/report/text/format.h"

namespace fusebox {

std::string unread_input(std::span<const Tensor* const> tensors, std::span<const LaunchRecord> launches) {
  for (const Tensor* tensor : tensors) {
    if (tensor->role == Role::out) continue;
    // Launches may have read a part each: only what is missing from all of them together is certain.
    std::uint64_t read = 0;
    for (const LaunchRecord& launch : launches)
      for (const TensorTraffic& traffic : launch.tensors)
        if (traffic.tensor == tensor->name) read += traffic.compulsory_read;
    const std::uint64_t needed =
        static_cast<std::uint64_t>(tensor->used.value_or(tensor->count())) * size_of(tensor->dtype);
    if (read >= needed) continue;
    const auto bytes = [](std::uint64_t count) { return format_bytes(static_cast<double>(count)); };
    return read == 0 ? fmt::format("`{}` is never read, so it cannot have been used", tensor->name)
                     : fmt::format("of `{}` only {} of {} are ever read: the rest cannot have been used",
                                   tensor->name, bytes(read), bytes(needed));
  }
  return {};
}

}  // namespace fusebox
