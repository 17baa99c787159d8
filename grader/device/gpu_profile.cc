#include "grader/device/gpu_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "grader/report/json/json_text.h"

namespace fusebox {
namespace {

using json = nlohmann::ordered_json;

// Reads fields one by one and keeps the first complaint, so that the message names one file and one field.
class Fields {
 public:
  Fields(const json& object, const std::filesystem::path& file) : object_(object), file_(file) {}

  void read(const char* key, std::string& value) {
    if (const json* field = find(key)) {
      if (field->is_string() && !field->get_ref<const std::string&>().empty())
        value = field->get<std::string>();
      else
        complain(key, "must be a text");
    }
  }
  // Sizes and counts: whole, positive numbers.
  template <class T>
  requires std::is_integral_v<T>
  void read(const char* key, T& value, std::uint64_t min = 1) {
    if (const json* field = find(key)) {
      if (field->is_number_unsigned() && field->get<std::uint64_t>() >= min &&
          field->get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<T>::max()))
        value = field->get<T>();
      else
        complain(key, fmt::format("must be a whole number of at least {}", min));
    }
  }
  void read(const char* key, double& value) {
    if (const json* field = find(key)) {
      if (field->is_number() && std::isfinite(field->get<double>()) && field->get<double>() > 0)
        value = field->get<double>();
      else
        complain(key, "must be a number above 0");
    }
  }
  void complain(const std::string& key, const std::string& why) {
    if (complaint_.empty()) complaint_ = fmt::format("{}: field \"{}\" {}", file_.string(), key, why);
  }
  const std::string& complaint() const { return complaint_; }

 private:
  const json* find(const char* key) {
    const auto field = object_.find(key);
    if (field != object_.end()) return &*field;
    complain(key, "is missing");
    return nullptr;
  }

  const json& object_;
  const std::filesystem::path& file_;
  std::string complaint_;
};

Error malformed(std::string what) {
  return {ErrorKind::missing_part, std::move(what),
          "put the file back as the repository has it (git checkout assets/gpus)"};
}

}  // namespace

std::vector<std::string> gpu_profile_names(const std::filesystem::path& assets) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (std::filesystem::directory_iterator it(assets / "gpus", ignored), end; it != end;
       it.increment(ignored)) {
    if (ignored) break;
    if (it->path().extension() == ".json") names.push_back(it->path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<GpuProfile> load_gpu_profile(const std::filesystem::path& assets, const std::string& name) {
  const auto names = gpu_profile_names(assets);
  if (names.empty()) return malformed(fmt::format("no GPU profiles in {}", (assets / "gpus").string()));
  // Only listed names: a name is never used as a path.
  if (std::find(names.begin(), names.end(), name) == names.end())
    return Error{ErrorKind::wrong_usage, fmt::format("no GPU profile is called \"{}\"", name),
                 fmt::format("known: {}", fmt::join(names, ", "))};
  const auto file = assets / "gpus" / (name + ".json");
  std::ifstream stream(file);
  std::string text((std::istreambuf_iterator<char>(stream)), {});
  const json object = parse_json(text);
  if (object.is_discarded()) return malformed(fmt::format("{}: not JSON", file.string()));
  if (!object.is_object()) return malformed(fmt::format("{}: not a JSON object", file.string()));

  GpuProfile gpu;
  gpu.text = std::move(text);
  Fields fields(object, file);
  fields.read("name", gpu.name);
  fields.read("full_name", gpu.full_name);
  fields.read("compute_major", gpu.compute_major);
  fields.read("compute_minor", gpu.compute_minor, 0);
  fields.read("sms", gpu.sms);
  fields.read("l2_bytes", gpu.l2_bytes);
  fields.read("l2_effective_bytes", gpu.l2_effective_bytes);
  fields.read("global_bytes", gpu.global_bytes);
  fields.read("shared_bytes_per_sm", gpu.shared_bytes_per_sm);
  fields.read("max_shared_bytes_per_block", gpu.max_shared_bytes_per_block);
  fields.read("max_shared_bytes_per_block_optin", gpu.max_shared_bytes_per_block_optin);
  fields.read("reserved_shared_bytes_per_block", gpu.reserved_shared_bytes_per_block, 0);
  fields.read("registers_per_sm", gpu.registers_per_sm);
  fields.read("max_threads_per_sm", gpu.max_threads_per_sm);
  fields.read("max_threads_per_block", gpu.max_threads_per_block);
  fields.read("max_blocks_per_sm", gpu.max_blocks_per_sm);
  fields.read("l1_and_shared_bytes_per_sm", gpu.l1_and_shared_bytes_per_sm);
  fields.read("clock_hz", gpu.clock_hz);
  fields.read("dram_bytes_per_second", gpu.dram_bytes_per_second);
  fields.read("dram_copy_bytes_per_second", gpu.dram_copy_bytes_per_second);
  fields.read("l2_bytes_per_second", gpu.l2_bytes_per_second);
  fields.read("fp64_lanes_per_sm", gpu.fp64_lanes_per_sm);
  fields.read("shared_latency_cycles", gpu.shared_latency_cycles);
  fields.read("l1_latency_cycles", gpu.l1_latency_cycles);
  fields.read("l2_latency_cycles", gpu.l2_latency_cycles);
  fields.read("dram_latency_cycles", gpu.dram_latency_cycles);
  fields.read("l2_partial_sectors_per_second", gpu.l2_partial_sectors_per_second);
  fields.read("l2_slices", gpu.l2_slices);
  fields.read("atomic_turns_per_second", gpu.atomic_turns_per_second);
  fields.read("blocks_per_second", gpu.blocks_per_second);
  fields.read("block_cycles", gpu.block_cycles);
  fields.read("block_cycles_per_warp", gpu.block_cycles_per_warp);
  fields.read("barrier_cycles", gpu.barrier_cycles);
  fields.read("barrier_cycles_per_warp", gpu.barrier_cycles_per_warp);
  fields.read("instruction_cycles", gpu.instruction_cycles);
  fields.read("launch_overhead_s", gpu.launch_overhead_s);
  if (gpu.name != name) fields.complain("name", fmt::format("must be \"{}\", as the file is called", name));
  if (!fields.complaint().empty()) return malformed(fields.complaint());
  return gpu;
}

}  // namespace fusebox
