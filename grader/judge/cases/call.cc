#include "grader/judge/cases/call.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "grader/judge/compare/tensor_bytes.h"
#include "grader/simulator/ptx/parser.h"

namespace fusebox {
namespace {

Error internal(std::string what) {
  return {ErrorKind::internal, std::move(what), "this is a mistake in Fusebox; please report it"};
}

HostArgument scalar(ParameterKind kind, const Argument& argument) {
  const double value = std::visit(
      [](const auto& v) -> double {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, Tensor>)
          return 0;
        else
          return static_cast<double>(v);
      },
      argument);
  switch (kind) {
    case ParameterKind::int32:
      return {HostArgument::Kind::int32, static_cast<std::uint32_t>(static_cast<std::int32_t>(value))};
    case ParameterKind::int64:
      return {HostArgument::Kind::int64, static_cast<std::uint64_t>(std::get<std::int64_t>(argument))};
    case ParameterKind::float32:
      return {HostArgument::Kind::float32, std::bit_cast<std::uint32_t>(static_cast<float>(value))};
    case ParameterKind::pointer:
      break;
  }
  return {};
}

bool fits(ParameterKind kind, const Argument& argument) {
  switch (kind) {
    case ParameterKind::pointer:
      return std::holds_alternative<Tensor>(argument);
    case ParameterKind::int32:
      return std::holds_alternative<std::int32_t>(argument);
    case ParameterKind::int64:
      return std::holds_alternative<std::int64_t>(argument);
    case ParameterKind::float32:
      return std::holds_alternative<float>(argument);
  }
  return false;
}

}  // namespace

Call moved(const Call& call, std::uint64_t by) {
  Call other = call;
  for (Buffer& buffer : other.buffers) buffer.address += by;
  for (HostArgument& argument : other.request.arguments)
    if (argument.kind == HostArgument::Kind::pointer) argument.bits += by;
  other.request.allocations.begin += by;
  return other;
}

Result<std::vector<KernelParameters>> kernel_parameters(const ModuleImage& image) {
  const auto module = ptx::parse(image.ptx);
  if (!module) return module.error();
  std::vector<KernelParameters> kernels;
  for (const ptx::Function& function : module->functions) {
    if (!function.entry || function.declared_only) continue;
    KernelParameters kernel{function.name, {}, function.parameter_bytes};
    for (const ptx::Variable& parameter : function.parameters)
      kernel.slots.push_back({parameter.offset, static_cast<std::uint32_t>(parameter.bytes)});
    kernel.max_threads = static_cast<int>(function.max_threads);
    for (const KernelResources& resources : image.resources)
      if (resources.kernel == kernel.kernel) {
        kernel.registers = resources.registers;
        kernel.static_shared_bytes = resources.static_shared_bytes;
      }
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

Result<Call> prepare_call(const Services& services, const CompiledFile& program, std::size_t function,
                          const Entry& entry, const Problem& problem) {
  const auto& parameters = entry.signature.parameters;
  if (parameters.size() != problem.arguments.size())
    return internal(fmt::format("`{}` has {} parameters and its problem {} arguments",
                                entry.signature.function, parameters.size(), problem.arguments.size()));
  Call call;
  std::vector<std::uint64_t> sizes;
  for (const Argument& argument : problem.arguments)
    if (const auto* tensor = std::get_if<Tensor>(&argument); tensor && !tensor->on_host) {
      call.tensors.push_back(tensor);
      sizes.push_back(tensor->bytes());
    }
  const AddressRange range = services.device->address_range();
  const std::vector<DeviceAddress> addresses = place_buffers(range, sizes);
  if (addresses.size() < sizes.size())
    return internal("the tensors of a case do not fit into the device's memory");

  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Tensor& tensor = *call.tensors[i];
    Buffer buffer{tensor.name, addresses[i], sizes[i], {}};
    if (tensor.role != Role::out) buffer.contents = encode(tensor.values, tensor.dtype);
    call.buffers.push_back(std::move(buffer));
  }

  call.request.library = program.artifact.host_library;
  call.request.function = program.artifact.mangled[function];
  call.request.kernels = program.kernels;
  call.request.allocations = range_behind(range, addresses, sizes);
  call.request.gpu = services.gpu;
  std::size_t next = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!fits(parameters[i].kind, problem.arguments[i]))
      return internal(
          fmt::format("argument {} of `{}` is not what its signature says", i + 1, entry.signature.function));
    const auto* tensor = std::get_if<Tensor>(&problem.arguments[i]);
    if (tensor && tensor->on_host)
      call.request.arguments.push_back(
          {HostArgument::Kind::host_array, 0, encode(tensor->values, tensor->dtype)});
    else
      call.request.arguments.push_back(tensor ? HostArgument{HostArgument::Kind::pointer, addresses[next++]}
                                              : scalar(parameters[i].kind, problem.arguments[i]));
  }
  return call;
}

}  // namespace fusebox
