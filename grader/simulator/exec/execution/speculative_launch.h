#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "grader/simulator/exec/decode/loaded_module.h"
#include "grader/simulator/exec/execution/execute.h"

namespace fusebox::sim {

// Blocks of one launch on several threads. It is a guess that no data passes between blocks; the caller
// checks afterwards that no thread touched what another one wrote, but for words that both only reduced, and
// otherwise undoes the stores (UndoLog) and runs the launch in order. So the outcome is that of running in
// order, for any number of threads.

/// By which means other than plain loads and stores blocks of a kernel may talk to each other, or tell in
/// which order they run.
enum class BlockTies : std::uint8_t {
  none,
  reductions,  ///< they change common words, but in ways whose order the words do not tell
               ///< (state/reduction.h)
  any,  ///< other atomics and ordered accesses to global memory, fences, clocks, print, clusters; calls
        ///< through pointers, which may lead anywhere
};
BlockTies ties_of_blocks(const LoadedModule& module, const Program& program);

/// One thread's share: its own observers and fault log; the undo log is everyone's.
struct Worker {
  Launch launch;
  FaultLog faults;
};

/// Blocks per chunk: what a thread takes at a time.
std::uint64_t choose_chunk_blocks(std::uint64_t blocks, std::size_t workers);

/// Runs the launch's blocks, chunk by chunk, each on whichever worker is free. `chunk_done(worker, chunk)` is
/// called on the worker's thread and returns false to abandon the launch; `met` is called once, when every
/// worker has done its first chunk and none runs, and returns true to do so; `abandoned` is called on a
/// worker's thread when somebody has; `meanwhile` runs on this thread, and must end when the last chunk is
/// done or somebody abandoned it. Observers are told that the launch begins, and are not told that it ends:
/// what they saw has to be put together first. Stopped: a fault, too many instructions, or it was abandoned;
/// nothing of it may be believed.
Ending execute_speculatively(std::span<Worker> workers, const LaunchLimits& limits,
                             std::uint64_t chunk_blocks,
                             const std::function<bool(std::size_t, std::uint64_t)>& chunk_done,
                             const std::function<bool()>& met, const std::function<void()>& abandoned,
                             const std::function<void()>& meanwhile);

}  // namespace fusebox::sim
