#pragma once

#include <filesystem>
#include <utility>

namespace fusebox::classroom {

/// An empty folder, which goes away with this object.
class Desk {
 public:
  explicit Desk(std::filesystem::path path) : path_(std::move(path)) {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
    std::filesystem::create_directories(path_, ignored);
  }
  ~Desk() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace fusebox::classroom
