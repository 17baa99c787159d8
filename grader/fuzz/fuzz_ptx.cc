// PTX as anybody may write it: the parser, the translator, and what the translated code does with its
// registers and memory when it runs for a moment.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "grader/fuzz/novelty.h"
#include "grader/simulator/exec/decode/loaded_module.h"
#include "grader/simulator/exec/execution/execute.h"
#include "grader/simulator/exec/memory/memory.h"
#include "grader/simulator/ptx/parser.h"

using namespace fusebox;
using namespace fusebox::sim;

namespace {

constexpr std::uint64_t kMemoryBytes = 64 << 20, kBufferBytes = 4096;
constexpr std::uint32_t kDynamicShared = 1024;
constexpr std::uint64_t kMaxInstructions = 3000;
constexpr int kMaxLaunches = 3;

GlobalMemory& memory() {
  static GlobalMemory memory(kMemoryBytes);
  return memory;
}

/// Tells kinds apart, and needs no list that a new kind would be missing from.
std::string name_of(FaultKind kind) { return "fault " + std::to_string(static_cast<int>(kind)); }

/// Two blocks of 40 threads, so that there are a second warp and lanes that do not exist. Every argument is a
/// buffer.
void launch(const LoadedModule& module, const Program& program, bool shuffled) {
  if (program.function->max_threads != 0 && program.function->max_threads < 40) return;
  FaultLog log;
  std::string output;
  Launch launch;
  launch.module = &module;
  launch.program = &program;
  launch.info = {program.function, {2, 1, 1}, {40, 1, 1}, program.static_shared_bytes + kDynamicShared};
  launch.memory = &memory();
  launch.dynamic_shared_bytes = kDynamicShared;
  if (shuffled) launch.schedule = 1;
  launch.arguments.resize(program.function->parameter_bytes);
  const DeviceAddress buffer = memory().range().begin;
  for (std::size_t at = 0; at + sizeof buffer <= launch.arguments.size(); at += sizeof buffer)
    std::memcpy(launch.arguments.data() + at, &buffer, sizeof buffer);
  launch.faults = &log;
  launch.output = &output;
  if (execute(launch, {kMaxInstructions}) == Ending::complete) fuzz::reached("complete");
  for (const RawFault& fault : log.faults()) fuzz::reached(name_of(fault.kind));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto parsed = ptx::parse({reinterpret_cast<const char*>(data), size});
  if (!parsed) {
    fuzz::reached(parsed.error().what);
    return 0;
  }
  memory().clear();
  const DeviceAddress begin = memory().range().begin;
  if (!memory().allocate("buffer", begin, kBufferBytes)) return 0;
  memory().define(begin, kBufferBytes / 2);
  const LoadedModule module(std::move(*parsed), begin + kMemoryBytes / 2);
  if (!module.place_variables(memory())) return 0;
  int launches = 0;
  for (const ptx::Function& function : module.module().functions) {
    const auto program = module.program(function.name);
    if (!program) {
      fuzz::reached(program.error().what);
      continue;
    }
    for (const ptx::Instruction& i : function.instructions)
      fuzz::reached(std::string(ptx::traits_of(i.opcode).spelling) + " " +
                    (i.modifiers.empty() ? "" : i.modifiers.front()));
    // Parameters past this are only more of the same buffer.
    if (function.entry && function.parameter_bytes < 32 << 10 && launches++ < kMaxLaunches)
      launch(module, **program, launches == 2);
  }
  return 0;
}
