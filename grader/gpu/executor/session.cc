#include "grader/gpu/executor/session.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "grader/gpu/executor/activity.h"
#include "grader/gpu/executor/kernels.h"

namespace fusebox::gpu {
namespace {

// Where the simulator puts its memory: a plan that was recorded for one device then runs on the other with
// not a byte of its arguments changed. Only a preference; the greeting says what became of it.
constexpr cu::DevicePointer kPreferredBase = 0x600000000000;
constexpr std::uint64_t kReserved = 256ull << 30;

[[noreturn]] void fail(std::string what) { throw ExecutorError{{0, "", std::move(what), -1}}; }

std::string driver_release() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string word;
  while (file >> word)
    if (std::count(word.begin(), word.end(), '.') >= 1 && word.find_first_not_of("0123456789.") == word.npos)
      return word;
  return {};
}

cu::AllocationProperties properties_of(cu::Device device) {
  cu::AllocationProperties properties{};
  properties.type = cu::kPinned;
  properties.location = {cu::kDeviceLocation, device};
  return properties;
}

}  // namespace

DriverModule::DriverModule(const cu::Driver& driver, const std::string& ptx, std::span<const std::byte> cubin)
    : driver_(driver) {
  cu::Result result = cu::kNoBinaryForGpu;
  if (!cubin.empty()) result = driver_.module_load(&module_, cubin.data(), 0, nullptr, nullptr);
  if (result == 0) return;
  if (ptx.empty())
    throw ExecutorError{
        {result, "", "the kernels were compiled for another GPU, and there is no PTX of them", -1}};
  std::array<char, 2048> log{};
  int options[] = {5, 6};  // CU_JIT_ERROR_LOG_BUFFER and its size
  void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
  // The text of a fat binary's PTX may lack the end mark that the driver looks for.
  const std::string text = ptx.c_str();
  result = driver_.module_load(&module_, text.c_str(), 2, options, values);
  if (result != 0)
    throw ExecutorError{{result, "", "the driver does not take the PTX: " + std::string(log.data()), -1}};
}

DriverModule::~DriverModule() { driver_.module_unload(module_); }

cu::Function DriverModule::function(const std::string& name) {
  auto [at, fresh] = functions_.emplace(name, nullptr);
  if (fresh && driver_.module_function(&at->second, module_, name.c_str()) != 0)
    fail("there is no kernel `" + name + "` in the compiled file");
  return at->second;
}

cu::DevicePointer DriverModule::symbol(const std::string& name) {
  cu::DevicePointer address = 0;
  std::size_t bytes = 0;
  if (driver_.module_global(&address, &bytes, module_, name.c_str()) != 0)
    fail("there is no variable `" + name + "` in the compiled file");
  return address;
}

ExecutorSession::ExecutorSession() {
  if (const std::string problem = cu::load_driver(driver_); !problem.empty()) fail(problem);
  check(driver_.init(0), "starting the driver");
  int count = 0;
  check(driver_.device_count(&count), "counting GPUs");
  if (count == 0) fail("the NVIDIA driver sees no GPU");
  check(driver_.device_get(&device_, 0), "opening the GPU");
  describe();
  cu::Context context = nullptr;
  check(driver_.context_retain(&context, device_), "making a context on the GPU");
  check(driver_.context_current(context), "making a context on the GPU");
  check(driver_.stream_create(&stream_, cu::kNonBlockingStream), "making a stream");
  reserve();
  prove();
}

void ExecutorSession::describe() {
  const auto attribute = [&](int which) {
    int value = 0;
    return driver_.device_attribute(&value, which, device_) == 0 ? value : 0;
  };
  char name[256] = {};
  driver_.device_name(name, sizeof name, device_);
  std::size_t memory = 0;
  driver_.device_memory(&memory, device_);
  int cuda = 0;
  driver_.driver_version(&cuda);
  info_.name = name;
  info_.driver = driver_release();
  info_.cuda = cuda;
  info_.global_bytes = memory;
  info_.compute_major = attribute(75);
  info_.compute_minor = attribute(76);
  info_.sms = attribute(16);
  info_.l2_bytes = static_cast<std::uint64_t>(attribute(38));
  info_.max_threads_per_block = attribute(1);
  info_.max_shared_bytes_per_block = attribute(8);
  info_.max_threads_per_sm = attribute(39);
  info_.shared_bytes_per_sm = attribute(81);
  info_.registers_per_sm = attribute(82);
  info_.max_shared_bytes_per_block_optin = attribute(97);
  info_.max_blocks_per_sm = attribute(106);
  info_.reserved_shared_bytes_per_block = attribute(111);
  info_.clock_hz = 1e3 * attribute(13);
  // Two transfers a clock; the width is in bits.
  info_.dram_bytes_per_second = 2.0 * 1e3 * attribute(36) * attribute(37) / 8;
  if (attribute(102) == 0) fail(info_.name + " has no virtual memory management");
  info_.kernel_times = Activity::version();
}

void ExecutorSession::reserve() {
  const auto properties = properties_of(device_);
  std::size_t granule = 0;
  check(driver_.memory_granularity(&granule, &properties, 0), "asking for the GPU's page size");
  granule_ = granule;
  cu::DevicePointer base = 0;
  std::uint64_t bytes = kReserved;
  while (driver_.address_reserve(&base, bytes, granule_, kPreferredBase, 0) != 0) {
    bytes /= 2;
    if (bytes < (1ull << 30)) fail("the GPU has no address space left");
  }
  info_.range = {base, bytes};
}

void ExecutorSession::map(std::vector<AddressRange> ranges) {
  for (AddressRange& range : ranges) {
    const auto end =
        (range.begin + std::max<std::uint64_t>(range.bytes, 1) + granule_ - 1) / granule_ * granule_;
    range.begin = range.begin / granule_ * granule_;
    range.bytes = end - range.begin;
    if (range.begin < info_.range.begin || end > info_.range.begin + info_.range.bytes)
      fail("a buffer lies outside the addresses that were reserved");
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const AddressRange& a, const AddressRange& b) { return a.begin < b.begin; });
  std::vector<AddressRange> runs;
  for (const AddressRange& range : ranges) {
    if (!runs.empty() && range.begin <= runs.back().begin + runs.back().bytes)
      runs.back().bytes = std::max(runs.back().bytes, range.begin + range.bytes - runs.back().begin);
    else
      runs.push_back(range);
  }
  const bool same = std::equal(runs.begin(), runs.end(), mapped_.begin(), mapped_.end(),
                               [](const AddressRange& run, const Mapped& mapped) {
                                 return run.begin == mapped.range.begin && run.bytes == mapped.range.bytes;
                               });
  if (same) return;
  unmap_all();
  const auto properties = properties_of(device_);
  const cu::AccessDescription access{{cu::kDeviceLocation, device_}, cu::kReadWrite};
  for (const AddressRange& run : runs) {
    Mapped mapped{run, 0};
    check(driver_.memory_create(&mapped.handle, run.bytes, &properties, 0), "allocating memory on the GPU");
    check(driver_.memory_map(run.begin, run.bytes, 0, mapped.handle, 0), "mapping memory of the GPU");
    mapped_.push_back(mapped);
    check(driver_.memory_access(run.begin, run.bytes, &access, 1), "mapping memory of the GPU");
  }
}

void ExecutorSession::unmap_all() {
  for (const Mapped& mapped : mapped_) {
    check(driver_.memory_unmap(mapped.range.begin, mapped.range.bytes), "unmapping memory of the GPU");
    check(driver_.memory_release(mapped.handle), "giving memory of the GPU back");
  }
  mapped_.clear();
}

void ExecutorSession::poison() {
  for (const Mapped& mapped : mapped_)
    check(driver_.fill(mapped.range.begin, 0xFF, mapped.range.bytes, stream_), "filling memory");
}

void ExecutorSession::check(cu::Result result, const std::string& doing, std::int64_t op) const {
  if (result == 0) return;
  const char *name = nullptr, *text = nullptr;
  if (driver_.error_name != nullptr) driver_.error_name(result, &name);
  if (driver_.error_text != nullptr) driver_.error_text(result, &text);
  const std::string known = name != nullptr ? name : "error " + std::to_string(result);
  throw ExecutorError{
      {result, known, doing + ": " + known + (text != nullptr ? ", " + std::string(text) : ""), op}};
}

void ExecutorSession::synchronize(const std::string& doing, std::int64_t op) const {
  check(driver_.stream_synchronize(stream_), doing, op);
}

const void* ExecutorSession::pinned(const std::vector<std::byte>& bytes) {
  void*& memory = pinned_[bytes.data()];
  if (memory == nullptr) {
    check(driver_.allocate_host(&memory, bytes.size(), cu::kHostAllocPortable), "allocating host memory");
    std::memcpy(memory, bytes.data(), bytes.size());
  }
  return memory;
}

void ExecutorSession::forget_pinned() {
  for (const auto& [from, memory] : pinned_) driver_.release_host(memory);
  pinned_.clear();
}

bool is_bookkeeping(const PlanOp& op) {
  return std::holds_alternative<AllocOp>(op) || std::holds_alternative<FreeOp>(op);
}

void ExecutorSession::enqueue(DriverModule& module, const PlanOp& op, std::int64_t index) {
  if (const auto* memset = std::get_if<MemsetOp>(&op)) {
    check(driver_.fill(memset->address, memset->value, memset->bytes, stream_), "a memset", index);
  } else if (const auto* copy = std::get_if<CopyOp>(&op)) {
    const cu::DevicePointer to = copy->symbol.empty() ? copy->to : module.symbol(copy->symbol) + copy->to;
    if (copy->bytes == 0) return;
    check(copy->host_bytes.empty()
              ? driver_.on_device(to, copy->from, copy->bytes, stream_)
              : driver_.to_device(to, pinned(copy->host_bytes), copy->host_bytes.size(), stream_),
          "a copy", index);
  } else if (const auto* launch = std::get_if<LaunchOp>(&op)) {
    const cu::Function function = module.function(launch->kernel);
    // Whether the host function asked for that much was checked when it was recorded. What the kernel has of
    // its own counts against the 48 KiB that it may have anyway, so that less than these may be too much.
    if (launch->dynamic_shared_bytes > 0)
      check(driver_.function_set(function, cu::kFunctionMaxDynamicShared,
                                 static_cast<int>(launch->dynamic_shared_bytes)),
            "the launch", index);
    cu::LaunchAttribute attributes[2] = {};
    cu::LaunchConfig config{};
    config.grid[0] = launch->grid.x, config.grid[1] = launch->grid.y, config.grid[2] = launch->grid.z;
    config.block[0] = launch->block.x, config.block[1] = launch->block.y, config.block[2] = launch->block.z;
    config.shared_bytes = launch->dynamic_shared_bytes;
    config.stream = stream_;
    config.attributes = attributes;
    if (launch->cooperative) {
      cu::LaunchAttribute& attribute = attributes[config.attribute_count++];
      attribute.id = cu::kAttributeCooperative;
      attribute.value.cooperative = 1;
    }
    if (const Dim3& c = launch->cluster; c.count() != 1) {
      cu::LaunchAttribute& attribute = attributes[config.attribute_count++];
      attribute.id = cu::kAttributeCluster;
      attribute.value.cluster[0] = c.x, attribute.value.cluster[1] = c.y, attribute.value.cluster[2] = c.z;
    }
    std::size_t size = launch->arguments.size();
    // The bytes as they were recorded, laid out as the kernel's .param space.
    void* packed[] = {reinterpret_cast<void*>(1), const_cast<std::byte*>(launch->arguments.data()),
                      reinterpret_cast<void*>(2), &size, nullptr};
    check(driver_.launch(&config, function, nullptr, packed), "the launch", index);
  }
}

void ExecutorSession::prove() {
  const cu::DevicePointer at = info_.range.begin;
  map({{at, 4096}});
  DriverModule module(driver_, kOwnKernels, {});
  LaunchOp launch;
  launch.kernel = "fusebox_probe";
  launch.block.x = 256;
  launch.arguments.resize(8);
  std::memcpy(launch.arguments.data(), &at, 8);
  check(driver_.fill(at, 0xFF, 1024, stream_), "the probe");
  enqueue(module, PlanOp(launch), -1);
  std::array<std::uint32_t, 256> seen{};
  check(driver_.to_host(seen.data(), at, sizeof seen, stream_), "the probe");
  synchronize("the probe kernel");
  for (std::uint32_t i = 0; i < seen.size(); ++i)
    if (seen[i] != i * 2654435761u + 1) fail("a kernel of ours computes wrong numbers on this GPU");
}

std::vector<AddressRange> ranges_of(const LaunchPlan& plan, std::span<const Buffer> buffers) {
  std::vector<AddressRange> ranges;
  for (const Buffer& buffer : buffers) ranges.push_back({buffer.address, buffer.bytes});
  for (const PlanOp& op : plan.ops)
    if (const auto* alloc = std::get_if<AllocOp>(&op)) ranges.push_back({alloc->address, alloc->bytes});
  return ranges;
}

namespace {

void place(ExecutorSession& session, std::span<const Buffer> buffers) {
  session.poison();
  for (const Buffer& buffer : buffers)
    if (!buffer.contents.empty())
      session.check(session.driver().to_device(buffer.address, buffer.contents.data(),
                                               std::min<std::uint64_t>(buffer.bytes, buffer.contents.size()),
                                               session.stream()),
                    "sending a buffer to the GPU");
  session.synchronize("sending buffers to the GPU");
}

constexpr int kMeasuredRuns = 5;

/// Seconds of each operation: the median over a few runs, from the same inputs each time.
std::vector<double> measure(ExecutorSession& session, DriverModule& module, const ExecuteRequest& request) {
  std::vector<std::vector<double>> runs;
  for (int i = 0; i < kMeasuredRuns; ++i) {
    place(session, request.buffers);
    OperationTimes times = time_operations(session, module, request.plan);
    if (times.seconds.empty()) return {};
    runs.push_back(std::move(times.seconds));
  }
  std::vector<double> medians;
  for (std::size_t op = 0; op < runs.front().size(); ++op) {
    std::vector<double> samples;
    for (const auto& run : runs)
      if (op < run.size()) samples.push_back(run[op]);
    std::nth_element(samples.begin(), samples.begin() + samples.size() / 2, samples.end());
    medians.push_back(samples[samples.size() / 2]);
  }
  return medians;
}

}  // namespace

ExecuteReply execute(ExecutorSession& session, const ExecuteRequest& request,
                     const std::function<void(std::uint64_t)>& announce) {
  DriverModule module(session.driver(), request.ptx, request.cubin);
  session.map(ranges_of(request.plan, request.buffers));
  place(session, request.buffers);
  for (std::size_t i = 0; i < request.plan.ops.size(); ++i) {
    const PlanOp& op = request.plan.ops[i];
    const auto index = static_cast<std::int64_t>(i);
    announce(i);
    if (const auto* alloc = std::get_if<AllocOp>(&op))
      session.check(session.driver().fill(alloc->address, 0xFF, alloc->bytes, session.stream()),
                    "an allocation", index);
    else
      session.enqueue(module, op, index);
    // One by one, so that an error is the error of this operation.
    session.synchronize("the operation", index);
  }
  ExecuteReply reply;
  for (const Buffer& buffer : request.buffers) {
    auto& output = reply.outputs.emplace_back(buffer.bytes);
    session.check(session.driver().to_host(output.data(), buffer.address, buffer.bytes, session.stream()),
                  "fetching a buffer");
  }
  session.synchronize("fetching buffers");
  // What kernels print is on its way to stdout only after a synchronisation of the whole context.
  session.check(session.driver().context_synchronize(), "finishing");
  if (request.measure) reply.seconds = measure(session, module, request);
  std::fflush(stdout);
  session.forget_pinned();
  return reply;
}

}  // namespace fusebox::gpu
