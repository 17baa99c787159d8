#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/classroom/batch.h"
#include "grader/classroom/results/results.h"

/// A class as it is handed to machines that share its folders: one file says what is to be graded and how,
/// and whoever reads it can tell from the rows what is left.
namespace fusebox::classroom {

struct ManifestAnswer {
  Pick pick;
  std::string digest;  ///< of what was handed in when the manifest was made
  std::string
      before;  ///< of a row that was asked for once more: a hash of the one to be replaced; else empty
  bool queued = false;  ///< there was something to grade when the manifest was made
};

struct Manifest {
  BatchSettings settings;  ///< but for what each machine has of its own: scratch, tier, stop
  bool trusted = false;    ///< graded also where nothing but limits confines it
  std::size_t chunk = 1;   ///< answers for one task
  std::vector<ManifestAnswer> answers;
  std::string id;  ///< a hash of all of it, once it was written or read

  std::size_t queued() const;
  std::size_t tasks() const { return (queued() + chunk - 1) / chunk; }
};

/// Every answer of the class with what is handed in of it now; queued are those without a row that stands.
Manifest make_manifest(const BatchSettings& settings, const RowStore& store);
/// How many answers a task gets so that an array has at most as many tasks as Slurm takes by default.
std::size_t usual_chunk(std::size_t queued);

/// OUT/slurm/manifest.json. Readable for its owner alone: it holds the seed.
std::optional<Error> write_manifest(const std::filesystem::path& file, Manifest& manifest);
Result<Manifest> read_manifest(const std::filesystem::path& file);

enum class Standing {
  done,
  infra,     ///< the machine's fault: it is graded again
  again,     ///< has a row, and was asked for once more
  outdated,  ///< has a row, of another file or under other limits
  missing,
};
/// "INFRA_ERROR", "not graded yet", ...
const char* to_string(Standing standing);

struct Found {
  Standing standing = Standing::missing;
  std::optional<Row> row;
};
Found find_row(const Manifest& manifest, const ManifestAnswer& answer, const RowStore& store);

/// Of the task's answers those that are not done.
std::vector<Pick> left_of_task(const Manifest& manifest, std::size_t task, const RowStore& store);

struct Collected {
  Results results;  ///< rows of what was handed in when the manifest was made
  struct Left {
    std::string student, puzzle;
    Standing standing;
  };
  std::vector<Left> left;
};
Collected collect(const Manifest& manifest, const RowStore& store);

}  // namespace fusebox::classroom
