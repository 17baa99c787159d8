#include <link.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

#include "grader/device/binary/fat_binary.h"
#include "grader/device/binary/machine_code.h"
#include "grader/simulator/runtime/cuda/runtime.h"

// Device code: registered by the program's static constructors, read when it is first used.
namespace fusebox::sim::runtime {
namespace {

using cuda::Error;

/// The bytes from `start` to the end of the loaded segment that holds it; empty when none does. What a
/// container says of its own size is not to be trusted.
std::span<const std::byte> loaded_bytes(const void* start) {
  struct Search {
    std::uintptr_t start, end;
  } search{reinterpret_cast<std::uintptr_t>(start), 0};
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const auto& segment = object->dlpi_phdr[i];
          const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
          if (segment.p_type == PT_LOAD && wanted.start >= begin && wanted.start < begin + segment.p_filesz)
            wanted.end = begin + segment.p_filesz;
        }
        return wanted.end != 0 ? 1 : 0;
      },
      &search);
  if (search.end == 0) return {};
  return {static_cast<const std::byte*>(start), search.end - search.start};
}

/// The container at the front of `bytes`: what its header claims, as far as it is there.
std::span<const std::byte> container_of(std::span<const std::byte> bytes) {
  constexpr std::size_t kHeader = 16, kHeaderSizeAt = 6, kSizeAt = 8;
  if (bytes.size() < kHeader) return bytes;
  std::uint16_t header = 0;
  std::uint64_t size = 0;
  std::memcpy(&header, bytes.data() + kHeaderSizeAt, sizeof header);
  std::memcpy(&size, bytes.data() + kSizeAt, sizeof size);
  return bytes.first(
      std::min<std::uint64_t>(bytes.size(), size > bytes.size() ? bytes.size() : header + size));
}

/// `.target sm_90a`: PTX for GPUs of this architecture and no later ones, which may use all that they have.
bool is_for_one_architecture(const FatBinaryEntry& ptx) {
  const std::string_view text(reinterpret_cast<const char*>(ptx.bytes.data()), ptx.bytes.size());
  constexpr std::string_view kTarget = ".target sm_";
  const std::size_t at = text.find(kTarget);
  if (at == text.npos) return false;
  const std::size_t end = text.find_first_not_of("0123456789", at + kTarget.size());
  return end != text.npos && text[end] == 'a';
}

/// Of several PTX texts the newest that the GPU knows, else the oldest; of two for the GPU's own architecture
/// the one for no other.
const FatBinaryEntry* choose_ptx(const std::vector<FatBinaryEntry>& entries, int architecture) {
  const FatBinaryEntry* best = nullptr;
  for (const FatBinaryEntry& entry : entries) {
    if (entry.kind != FatBinaryEntry::Kind::ptx) continue;
    const bool fits = entry.architecture <= architecture;
    const bool best_fits = best && best->architecture <= architecture;
    if (best && entry.architecture == architecture && best->architecture == architecture) {
      if (is_for_one_architecture(entry)) best = &entry;
      continue;
    }
    if (!best || (fits && (!best_fits || entry.architecture > best->architecture)) ||
        (!fits && !best_fits && entry.architecture < best->architecture))
      best = &entry;
  }
  return best;
}

/// Where the next module's variables can lie: behind all others.
DeviceAddress variables_end(const Session& session) {
  DeviceAddress end = session.variables();
  constexpr std::uint64_t kAlign = 4096;
  for (const Allocation& a : session.memory().allocations())
    if (a.name != DeviceHeap::kName)
      end = std::max(end, (a.address + a.bytes + kAlign) / kAlign * kAlign + kAlign);
  return end;
}

constexpr const char* kRebuild =
    "rebuild with `nvcc --cudart shared -gencode arch=compute_80,code=compute_80`, so that the PTX is in the program";

}  // namespace

Error Runtime::load(Binary& binary) {
  if (binary.tried) return binary.failure;
  binary.tried = true;
  known.disturb();
  const auto fail = [&](Error error, const fusebox::Error& why) {
    note_problem(why.what + (why.remedy.empty() ? "" : "; " + why.remedy));
    return binary.failure = error;
  };
  const auto entries = read_fat_binary(container_of(loaded_bytes(binary.container)));
  if (!entries) return fail(cuda::kInvalidKernelImage, entries.error());
  for (const FatBinaryEntry& entry : *entries)
    if (entry.kind == FatBinaryEntry::Kind::elf && binary.resources.empty())
      binary.resources = read_machine_code(entry.bytes);
  std::vector<std::string> texts;
  const auto take = [&](const std::vector<FatBinaryEntry>& list) {
    const FatBinaryEntry* chosen = choose_ptx(list, gpu().compute_major * 10 + gpu().compute_minor);
    if (!chosen) return false;
    texts.emplace_back(reinterpret_cast<const char*>(chosen->bytes.data()), chosen->bytes.size());
    binary.ptx_architecture = std::max(binary.ptx_architecture, chosen->architecture);
    return true;
  };
  bool complete = true;
  if (binary.parts.empty()) complete = take(*entries);
  for (const void* part : binary.parts) {
    const auto of_part = read_fat_binary(container_of(loaded_bytes(part)));
    if (!of_part) return fail(cuda::kInvalidKernelImage, of_part.error());
    complete = take(*of_part) && complete;
  }
  if (!complete)
    return fail(
        cuda::kNoKernelImage,
        {ErrorKind::not_passed, "the program holds machine code only, and the simulator runs PTX", kRebuild});
  auto module = load_module(texts, variables_end(session));
  if (!module)
    return fail(module.error().what.find("newer") != std::string::npos ? cuda::kUnsupportedPtxVersion
                                                                       : cuda::kInvalidPtx,
                module.error());
  if (auto placed = (*module)->place_variables(session.memory()); !placed)
    return fail(cuda::kMemoryAllocation, placed.error());
  binary.module = std::move(*module);
  return cuda::kSuccess;
}

Error Runtime::prepare(Kernel& kernel) {
  if (kernel.program) return cuda::kSuccess;
  if (const Error error = load(*kernel.binary); error != cuda::kSuccess) return error;
  const Result<const Program*> program = kernel.binary->module->program(kernel.name);
  if (!program) {
    note_problem(program.error().what + "; " + program.error().remedy);
    return cuda::kNotSupported;
  }
  const ptx::Function& function = *(*program)->function;
  KernelParameters& parameters = kernel.parameters;
  parameters.kernel = kernel.name;
  for (const ptx::Variable& parameter : function.parameters)
    parameters.slots.push_back({parameter.offset, static_cast<std::uint32_t>(parameter.bytes)});
  parameters.total_bytes = function.parameter_bytes;
  parameters.static_shared_bytes = static_cast<int>((*program)->static_shared_bytes);
  parameters.max_threads = static_cast<int>(function.max_threads);
  for (const KernelResources& resources : kernel.binary->resources)
    if (resources.kernel == kernel.name) kernel.resources = &resources;
  if (kernel.resources) parameters.registers = kernel.resources->registers;
  kernel.program = *program;
  return cuda::kSuccess;
}

Error Runtime::locate(const void* symbol, const Symbol*& found, DeviceAddress& address) {
  const auto known = symbols.find(symbol);
  if (known == symbols.end()) return cuda::kInvalidSymbol;
  found = &known->second;
  if (const Error error = load(*found->binary); error != cuda::kSuccess) return error;
  const ptx::Variable* variable = found->binary->module->find_variable(found->name);
  if (!variable) return cuda::kInvalidSymbol;
  address = found->binary->module->address_of(*variable);
  return cuda::kSuccess;
}

}  // namespace fusebox::sim::runtime

using namespace fusebox;
using namespace fusebox::sim::runtime;

FUSEBOX_CUDA_API void** __cudaRegisterFatBinary(const cuda::FatBinaryWrapper* wrapper) {
  Runtime* state = runtime();
  if (!state) return nullptr;
  const std::lock_guard lock(state->mutex);
  auto binary = std::make_unique<Binary>();
  if (wrapper->magic == cuda::kFatBinaryWrapperMagic) binary->container = wrapper->container;
  constexpr std::uint32_t kLinked = 2;
  if (binary->container && wrapper->version == kLinked)
    for (auto* part = static_cast<const void* const*>(wrapper->more); part && *part; ++part)
      binary->parts.push_back(*part);
  state->binaries.push_back(std::move(binary));
  return reinterpret_cast<void**>(state->binaries.back().get());
}

// The host reads managed variables through pointers that must be right before main() begins.
FUSEBOX_CUDA_API void __cudaRegisterFatBinaryEnd(void** handle) {
  auto* binary = reinterpret_cast<Binary*>(handle);
  if (!binary || binary->managed.empty()) return;
  entry([&](Runtime& state) {
    if (const cuda::Error error = state.load(*binary); error != cuda::kSuccess) return error;
    for (const Binary::Managed& managed : binary->managed)
      if (const auto* variable = binary->module->find_variable(managed.name))
        *managed.host = pointer_to(binary->module->address_of(*variable));
    return cuda::kSuccess;
  });
}
FUSEBOX_CUDA_API void __cudaUnregisterFatBinary(void**) {}
FUSEBOX_CUDA_API char __cudaInitModule(void**) { return 1; }

FUSEBOX_CUDA_API void __cudaRegisterFunction(void** handle, const char* stub, char*, const char* name, int,
                                             void*, void*, void*, void*, int*) {
  Runtime* state = runtime();
  if (!state || !handle) return;
  const std::lock_guard lock(state->mutex);
  Kernel& kernel = state->kernels[stub];
  kernel.name = name;
  kernel.binary = reinterpret_cast<Binary*>(handle);
}

FUSEBOX_CUDA_API void __cudaRegisterVar(void** handle, char* shadow, char*, const char* name, int,
                                        std::size_t bytes, int, int) {
  Runtime* state = runtime();
  if (!state || !handle) return;
  const std::lock_guard lock(state->mutex);
  state->symbols[shadow] = {name, bytes, reinterpret_cast<Binary*>(handle)};
}

FUSEBOX_CUDA_API void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name, int,
                                               std::size_t bytes, int, int) {
  Runtime* state = runtime();
  if (!state || !handle) return;
  const std::lock_guard lock(state->mutex);
  auto* binary = reinterpret_cast<Binary*>(handle);
  binary->managed.push_back({host, name});
  state->symbols[host] = {name, bytes, binary};
}

FUSEBOX_CUDA_API cuda::Error cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return entry([&](Runtime& state) {
    if (!pointer) return cuda::kInvalidValue;
    const Symbol* found = nullptr;
    DeviceAddress address = 0;
    const cuda::Error error = state.locate(symbol, found, address);
    if (error == cuda::kSuccess) *pointer = pointer_to(address);
    return error;
  });
}

FUSEBOX_CUDA_API cuda::Error cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
  return entry([&](Runtime& state) {
    const auto found = state.symbols.find(symbol);
    if (found == state.symbols.end()) return cuda::kInvalidSymbol;
    if (!bytes) return cuda::kInvalidValue;
    *bytes = found->second.bytes;
    return cuda::kSuccess;
  });
}
