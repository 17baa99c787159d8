#include "grader/host/wire.h"

#include <algorithm>

namespace fusebox::wire {

void Writer::raw(const void* data, std::size_t size) {
  if (fits() && size <= target_.size() - size_) std::memcpy(target_.data() + size_, data, size);
  size_ += size;
}

void Writer::bytes(std::span<const std::byte> value) {
  number<std::uint64_t>(value.size());
  if (!value.empty()) raw(value.data(), value.size());
}

void Reader::raw(void* data, std::size_t size) {
  if (size > source_.size()) ok_ = false;
  if (!ok_) return;
  std::memcpy(data, source_.data(), size);
  source_ = source_.subspan(size);
}

std::size_t Reader::count(std::size_t min_bytes) {
  const auto value = number<std::uint64_t>();
  if (value > source_.size() / std::max<std::size_t>(min_bytes, 1)) ok_ = false;
  return ok_ ? static_cast<std::size_t>(value) : 0;
}

std::vector<std::byte> Reader::bytes() {
  std::vector<std::byte> value(count(1));
  if (!value.empty()) raw(value.data(), value.size());
  return value;
}

std::string Reader::text() {
  std::string value(count(1), '\0');
  if (!value.empty()) raw(value.data(), value.size());
  return value;
}

}  // namespace fusebox::wire
