#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/device/cuda_abi.h"
#include "grader/device/launch_limits.h"
#include "grader/simulator/launch/session.h"
#include "grader/simulator/runtime/counted_launches.h"
#include "grader/simulator/runtime/cuda/graphs.h"
#include "grader/simulator/runtime/device_memory.h"
#include "grader/simulator/runtime/host_guard.h"
#include "grader/simulator/runtime/journal.h"
#include "grader/simulator/runtime/known_launches.h"
#include "grader/simulator/runtime/launch_progress.h"

#define FUSEBOX_CUDA_API extern "C" __attribute__((visibility("default")))

// The CUDA runtime on the simulator, in the process of any program. Work is carried out at once, in the order
// of the calls, which every order that streams and events ask for allows.
namespace fusebox::sim::runtime {

/// 12 or 13: the CUDA that this library stands for (library/version.cc).
extern const int kCudaMajor;

/// Device code of one compiled file. Read when something of it is first used: programs carry more than they
/// launch.
struct Binary {
  const void* container = nullptr;
  std::vector<const void*> parts;  ///< containers of what was compiled apart (nvcc -rdc=true)
  bool tried = false;
  std::unique_ptr<LoadedModule> module;    ///< null: not tried, or it failed
  std::vector<KernelResources> resources;  ///< from its machine code, where it holds some
  cuda::Error failure = cuda::kSuccess;
  int ptx_architecture = 0;  ///< that its PTX was compiled for: 80 is compute_80
  struct Managed {
    void** host;
    std::string name;
  };
  std::vector<Managed> managed;
};

struct Kernel {
  std::string name;  ///< mangled
  Binary* binary = nullptr;
  std::uint64_t dynamic_shared_allowed = 0;  ///< by cudaFuncSetAttribute
  bool large_clusters = false;               ///< the same
  int shared_carveout = -1;                  ///< the same: advice, kept for those who ask
  const Program* program = nullptr;          ///< null until it is prepared
  KernelParameters parameters;
  const KernelResources* resources = nullptr;
};

struct Symbol {
  std::string name;
  std::uint64_t bytes = 0;
  Binary* binary = nullptr;
};

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  std::uint64_t id = 0;
};
/// cudaStreamAttrValue.
using StreamAttribute = std::array<std::byte, 64>;
struct Event {
  bool recorded = false, timed = true;
  std::optional<Capture> capture;  ///< recorded in a stream that was being captured
  double seconds = 0;              ///< modelled, since the start
};
struct Pool {
  std::map<int, std::uint64_t> attributes;
};
/// cudaArray: elements row by row; no program sees their order.
struct Array {
  cuda::Channels channels;
  cuda::Volume extent;  ///< elements; a height or depth of 0: one-, two-dimensional
  unsigned flags = 0;
  DeviceAddress data = 0;

  std::size_t element_bytes() const;
  std::size_t row_bytes() const;
  std::size_t slice_bytes() const;
  std::array<std::uint32_t, 3> size() const;
};
/// Advice about a managed allocation, by its start.
struct Advice {
  bool read_mostly = false, by_device = false, by_host = false;
  cuda::Location preferred{cuda::Location::kNone, -2}, prefetched{cuda::Location::kNone, -2};
};
/// cudaUserObject: ends when neither the program nor a graph holds it.
struct UserObject {
  std::unique_ptr<char> handle;  ///< its address
  std::shared_ptr<void> life;
  unsigned references = 0;  ///< the program's
};
/// cudaHostRegister: the device sees a copy, brought up to date around every launch.
struct Registered {
  std::uint64_t bytes = 0;
  DeviceAddress alias = 0;
};

class Runtime {
 public:
  static Runtime*
  make();  ///< null, with words on stderr, when the environment says nothing or nothing useful

  Runtime(GpuProfile gpu, const char* journal, std::uint64_t budget);

  const GpuProfile& gpu() const { return session.gpu(); }

  Session session;
  DeviceMemory memory;
  JournalWriter journal;
  CountedLaunches counted;
  KnownLaunches known;
  std::unique_ptr<LaunchProgress> progress;  ///< null: nobody looks
  std::uint64_t budget = 0;                  ///< warp instructions per launch
  std::optional<std::uint64_t> schedule;     ///< seed of a shuffled order of warps and blocks
  bool cold = false;                         ///< every launch finds the modelled L2 empty
  bool compared = false;                     ///< with other runs of the program: see kCompareVariable
  std::vector<std::unique_ptr<Binary>> binaries;
  std::set<std::string> faults_told;      ///< of launches that are not counted
  std::map<const void*, Kernel> kernels;  ///< by the address of the host stub
  std::map<const void*, Symbol> symbols;  ///< by the address of the host shadow
  std::map<const void*, std::unique_ptr<Stream>> streams;
  std::map<const void*, std::unique_ptr<Event>> events;
  std::map<const void*, std::unique_ptr<Pool>> pools;
  std::map<const void*, std::unique_ptr<Array>> arrays;
  std::map<unsigned long long, std::array<std::byte, 144>>
      resources;                                 ///< of texture objects, as they were given
  std::map<const void*, Registered> registered;  ///< by host address
  std::map<const void*, std::map<int, StreamAttribute>> stream_attributes;
  std::map<const void*, Capture> captures;  ///< by stream
  std::map<const void*, std::shared_ptr<Graph>> graphs;
  std::map<const void*, std::unique_ptr<GraphExec>> graph_execs;
  std::set<const void*> graph_memory;  ///< what nodes of graphs allocated: freed with none of their launches
  Pool default_pool;
  std::map<DeviceAddress, Advice> advice;
  std::map<const void*, UserObject> user_objects;
  std::map<int, std::uint64_t> limits;
  std::map<DeviceAddress, unsigned> host_flags;
  unsigned device_flags = 0;
  double seconds = 0;                    ///< modelled time that launches took
  cuda::Error pending = cuda::kSuccess;  ///< of a launch that nobody has waited for yet
  cuda::Error sticky = cuda::kSuccess;   ///< what every call returns after a launch that failed
  std::string output;                    ///< of device printf, until somebody waits
  std::recursive_mutex mutex;

  /// What a launch did becomes visible: its output and its failure.
  void surface();

  /// The kernel behind a host stub or a handle; null when there is none.
  Kernel* find_kernel(const void* function);
  /// Loads what the kernel needs. Refusals are told on stderr and in the journal.
  cuda::Error prepare(Kernel& kernel);
  cuda::Error load(Binary& binary);
  /// Where a symbol's bytes are.
  cuda::Error locate(const void* symbol, const Symbol*& found, DeviceAddress& address);

  /// One line on stderr; a problem makes the whole run fail, whatever the program returns.
  void note_problem(const std::string& text);
  bool is_stream(const void* stream) const;
  /// The host may write what kernels read, and nobody is told of it.
  bool host_writes_unseen() const;
  /// Managed memory and __managed__ variables.
  bool is_managed(DeviceAddress address) const;
};

Runtime* runtime();

/// What the calling thread's cudaGetLastError answers.
cuda::Error& last_error();

/// Runs an entry point under the lock and remembers its error. It does not change the device's memory, or
/// says so itself.
template <class Body>
cuda::Error quiet_entry(Body body) {
  Runtime* state = runtime();
  if (!state) return last_error() = cuda::kInitializationError;
  const std::lock_guard lock(state->mutex);
  const HostGuard::Lifted lifted;
  state->surface();
  const cuda::Error error = state->sticky != cuda::kSuccess ? state->sticky : body(*state);
  if (error != cuda::kSuccess) last_error() = error;
  return error;
}
/// The same where the body may change the device's memory.
template <class Body>
cuda::Error entry(Body body) {
  return quiet_entry([&](Runtime& state) {
    state.known.disturb();
    return body(state);
  });
}

/// Reads a launch: what it asks for is allowed, its arguments are copied. Then carries it out; a failure of
/// the kernel itself is left pending.
cuda::Error read_launch(Runtime& state, const void* function, const LaunchShape& asked, void** arguments,
                        KernelCall& call);
cuda::Error carry_out(Runtime& state, const KernelCall& call);

/// What waits for a stream: an error when it is being captured, which then is spoilt.
cuda::Error refuse_to_wait(Runtime& state, const void* stream);
/// An event of a stream that is being captured stands for its place in the graph; false: it is not.
bool capture_record(Runtime& state, const void* stream, Event& event);
/// A stream that waits for such an event is captured too.
cuda::Error capture_wait(Runtime& state, const void* stream, const Event& event);

/// A function of the driver that this runtime has, for cudaGetDriverEntryPoint; null: it has none of that
/// name.
void* find_driver_call(std::string_view name);

/// "cudaXyz is not supported by the simulator: why", and its error.
cuda::Error not_supported(const char* function, const std::string& why = "");

inline DeviceAddress address_of(const void* pointer) { return reinterpret_cast<DeviceAddress>(pointer); }
inline void* pointer_to(DeviceAddress address) { return reinterpret_cast<void*>(address); }

}  // namespace fusebox::sim::runtime

// Called from elsewhere in the runtime too.
FUSEBOX_CUDA_API fusebox::cuda::Error cudaMalloc(void** pointer, std::size_t bytes);
FUSEBOX_CUDA_API fusebox::cuda::Error cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind);
FUSEBOX_CUDA_API fusebox::cuda::Error cudaMemcpy3D(const fusebox::cuda::Copy3D* order);
FUSEBOX_CUDA_API fusebox::cuda::Error cudaEventRecord(void* event, void* stream);
FUSEBOX_CUDA_API fusebox::cuda::Error cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from,
                                                   std::size_t from_pitch, std::size_t width,
                                                   std::size_t height, int kind);
