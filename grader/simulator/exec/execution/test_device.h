#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "grader/simulator/exec/decode/loaded_module.h"
#include "grader/simulator/exec/execution/execute.h"
#include "grader/simulator/exec/memory/memory.h"
#include "grader/simulator/exec/state/block.h"
#include "grader/simulator/ptx/parser.h"

namespace fusebox::sim {

/// A PTX text on a small device, for tests: buffers, launches and their faults, without plans or observers.
class TestDevice {
 public:
  /// A text that does not parse fails the test.
  explicit TestDevice(const std::string& ptx, bool watch_nan = false) {
    memory().clear();
    next_ = memory().range().begin;
    Result<ptx::Module> parsed = ptx::parse(ptx);
    EXPECT_TRUE(parsed) << parsed.error().what << "\n" << ptx;
    ptx::Module module;
    if (parsed) module = std::move(*parsed);
    loaded_ =
        std::make_unique<LoadedModule>(std::move(module), memory().range().begin + (128ull << 20), watch_nan);
    auto placed = loaded_->place_variables(memory());
    EXPECT_TRUE(placed) << placed.error().what;
  }

  const LoadedModule& module() const { return *loaded_; }

  /// A buffer with these contents.
  template <class T>
  DeviceAddress buffer(const std::vector<T>& contents) {
    std::uint64_t bytes = contents.size() * sizeof(T);
    DeviceAddress address = empty(bytes);
    if (bytes > 0) std::memcpy(GlobalMemory::data(address), contents.data(), bytes);
    memory().define(address, bytes);
    return address;
  }
  /// A buffer that nobody has written to.
  DeviceAddress empty(std::uint64_t bytes) {
    DeviceAddress address = next_;
    next_ += (bytes + 255) / 256 * 256 + 4096;
    auto allocated = memory().allocate("buffer", address, bytes);
    EXPECT_TRUE(allocated);
    return address;
  }
  template <class T>
  std::vector<T> read(DeviceAddress address, std::size_t count) const {
    std::vector<T> values(count);
    std::memcpy(values.data(), GlobalMemory::data(address), count * sizeof(T));
    return values;
  }

  /// A kernel that is refused fails the test.
  Ending launch(const std::string& kernel, Dim3 grid, Dim3 block, const std::vector<std::uint64_t>& arguments,
                std::uint32_t dynamic_shared_bytes = 0) {
    log_ = {};
    auto program = loaded_->program(kernel);
    EXPECT_TRUE(program) << program.error().what;
    if (!program) return Ending::stopped;
    Launch launch;
    launch.module = loaded_.get();
    launch.program = *program;
    launch.info = {(*program)->function, grid, block, (*program)->static_shared_bytes + dynamic_shared_bytes};
    launch.memory = &memory();
    launch.dynamic_shared_bytes = dynamic_shared_bytes;
    launch.arguments.resize(arguments.size() * 8);
    if (!arguments.empty()) std::memcpy(launch.arguments.data(), arguments.data(), launch.arguments.size());
    launch.faults = &log_;
    output_.clear();
    launch.output = &output_;
    launch.max_printed_bytes = max_printed_bytes;
    launch.observers = observers;
    return execute(launch, {max_warp_instructions});
  }
  const std::vector<RawFault>& faults() const { return log_.faults(); }
  FaultLog& fault_log() { return log_; }
  /// What the last launch printed.
  const std::string& output() const { return output_; }

  std::uint64_t max_warp_instructions = 1'000'000;
  std::uint64_t max_printed_bytes = ~std::uint64_t{0};
  std::vector<Observer*> observers;  ///< of the next launches

 private:
  // One for all tests: reserving address space is the slow part.
  static GlobalMemory& memory() {
    static GlobalMemory memory(256ull << 20);
    return memory;
  }
  std::unique_ptr<LoadedModule> loaded_;
  DeviceAddress next_ = 0;
  FaultLog log_;
  std::string output_;
};

inline const std::string kPtxHeader = ".version 8.6\n.target sm_90\n.address_size 64\n";

}  // namespace fusebox::sim
