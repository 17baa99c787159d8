#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/report/result.h"

namespace fusebox {

/// A folder of its own below the cache, removed with everything in it when this goes away.
class Workspace {
 public:
  explicit Workspace(std::filesystem::path folder) : folder_(std::move(folder)) {}
  Workspace(Workspace&& other) noexcept : folder_(std::exchange(other.folder_, {})) {}
  Workspace& operator=(Workspace&&) = delete;
  ~Workspace();
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

/// One compiled file as it lies in the cache.
struct CacheEntry {
  std::filesystem::path library;
  std::vector<std::byte> library_bytes;  ///< of the library, already checked against its hash
  std::string facts;                     ///< JSON text as it was stored
};

/// Compiled files by key. An entry is a folder that appears by one rename and carries hashes of its contents:
/// a killed run or a full disk leaves no entry, and a damaged one counts as none.
class Cache {
 public:
  struct Limits {
    std::uint64_t bytes = 512u << 20;
    std::size_t entries = 4000;
    double grace_s = 600;        ///< an entry used so recently stays: some process may be loading it
    double pruned_every_s = 60;  ///< so long there may be more; 0: after each store there is not
  };
  explicit Cache(std::filesystem::path folder) : Cache(std::move(folder), Limits{}) {}
  Cache(std::filesystem::path folder, Limits limits) : folder_(std::move(folder)), limits_(limits) {}

  /// A fresh folder for temporary files. An unwritable or full disk is an error that says so.
  Result<Workspace> make_workspace();
  std::optional<CacheEntry> find(const std::string& key);
  /// Moves `library` (a file in a workspace) in under `key` with its facts, then drops what is too old or too
  /// much, once in a while.
  Result<CacheEntry> store(const std::string& key, const Workspace& workspace,
                           const std::filesystem::path& library, const std::string& facts);

  /// The error for a folder that cannot be written, with the reason and what to do.
  static Error cannot_write(const std::filesystem::path& folder, const std::string& reason);

 private:
  void prune();
  /// Makes an entry one that was just used; false: there is none.
  bool touch(const std::filesystem::path& entry);
  void remove(const std::filesystem::path& entry);

  std::filesystem::path folder_;
  Limits limits_;
};

/// The whole file; an error of kind not_passed when it is missing, a folder, or not readable.
Result<std::string> read_file(const std::filesystem::path& file);

/// True when every byte arrived; else errno says why.
bool write_file(const std::filesystem::path& file, const std::string& text);

/// Whether `folder` has no room for a few megabytes, found out by writing them.
bool is_full(const std::filesystem::path& folder);

}  // namespace fusebox
