#include "grader/confine/gpu_nodes.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <system_error>

namespace fusebox {
namespace {

namespace fs = std::filesystem;

struct OneGpu {
  std::string place;  // on the bus: "0000:0f:00.0"; orders them as PCI_BUS_ID does
  std::string name;   // "GPU-..."; empty: the driver does not tell
  fs::path node;
};

// A queue that gives a job one GPU of several leaves all of them in /dev, and refuses to open the others.
bool opens(const fs::path& node) {
  const int descriptor = open(node.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (descriptor >= 0) close(descriptor);
  return descriptor >= 0;
}

// "GPU UUID: \t GPU-..."
std::string value_of(const std::string& line) {
  const std::size_t at = line.find_first_not_of(" \t", line.find(':') + 1);
  return at == line.npos ? "" : line.substr(at);
}

std::vector<OneGpu> gpus(const fs::path& dev, const fs::path& driver) {
  std::vector<OneGpu> found;
  std::error_code error;
  for (const auto& each : fs::directory_iterator(driver / "gpus", error)) {
    OneGpu gpu{each.path().filename(), "", {}};
    std::ifstream lines(each.path() / "information");
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("GPU UUID:")) gpu.name = value_of(line);
      if (line.starts_with("Device Minor:")) gpu.node = dev / ("nvidia" + value_of(line));
    }
    // The driver writes question marks where it does not know the name.
    if (gpu.name.find('?') != gpu.name.npos) gpu.name.clear();
    if (!gpu.node.empty() && opens(gpu.node)) found.push_back(std::move(gpu));
  }
  std::sort(found.begin(), found.end(), [](const OneGpu& a, const OneGpu& b) { return a.place < b.place; });
  return found;
}

const OneGpu* pick(const std::vector<OneGpu>& all, const std::string& wanted) {
  if (wanted.empty()) return all.empty() ? nullptr : &all.front();
  std::size_t number = 0;
  const char* end = wanted.data() + wanted.size();
  const auto [rest, problem] = std::from_chars(wanted.data(), end, number);
  if (problem == std::errc() && rest == end) return number < all.size() ? &all[number] : nullptr;
  // A name may be cut short.
  const auto named = std::find_if(all.begin(), all.end(), [&](const OneGpu& gpu) {
    return wanted.starts_with("GPU-") && gpu.name.starts_with(wanted);
  });
  return named == all.end() ? nullptr : &*named;
}

}  // namespace

GpuNodes find_gpu_nodes(const std::string& wanted, const fs::path& dev, const fs::path& driver) {
  const auto none = [](std::string why) { return GpuNodes{{}, "", std::move(why)}; };
  const std::string first = wanted.substr(0, wanted.find(','));
  // A part of a GPU has nodes besides, which only its administrator knows.
  if (first.starts_with("MIG-")) return none("CUDA_VISIBLE_DEVICES names a part of a GPU (MIG)");
  const std::vector<fs::path> shared = {dev / "nvidiactl", dev / "nvidia-uvm"};
  for (const fs::path& node : shared)
    if (!opens(node)) return none(node.string() + " is missing or may not be opened");
  const std::vector<OneGpu> all = gpus(dev, driver);
  if (all.empty()) return none("no GPU of " + (driver / "gpus").string() + " may be opened");
  const OneGpu* gpu = pick(all, first);
  if (gpu == nullptr) return none("no GPU is the `" + first + "` of CUDA_VISIBLE_DEVICES");
  return {{shared[0], shared[1], gpu->node}, gpu->name.empty() ? "0" : gpu->name, ""};
}

}  // namespace fusebox
