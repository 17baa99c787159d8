"""A solution as a library: its host functions under C names, launching into this thread's stream."""

import ctypes
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

P, I, L, F = ctypes.c_void_p, ctypes.c_int, ctypes.c_long, ctypes.c_float
C_NAMES = {P: "void*", I: "int", L: "long", F: "float"}

# In front of the solution: what its host function calls becomes what may stand in a graph. Freed memory is kept for the
# next call, as PyTorch keeps it; a copy from the host that is met while a graph is made happens then, once.
BEFORE = r"""
#include <cuda_runtime.h>
#include <map>
static std::map<void*, size_t> fx_sizes;
static std::multimap<size_t, void*> fx_spare;
template <class T> cudaError_t fx_malloc(T** p, size_t bytes) {
  const auto spare = fx_spare.find(bytes);
  if (spare != fx_spare.end()) {
    *p = static_cast<T*>(spare->second);
    fx_spare.erase(spare);
    return cudaSuccess;
  }
  void* fresh = nullptr;
  const cudaError_t error = cudaMalloc(&fresh, bytes);
  if (!error) fx_sizes[fresh] = bytes;
  *p = static_cast<T*>(fresh);
  return error;
}
static inline cudaError_t fx_free(void* p) {
  fx_spare.emplace(fx_sizes[p], p);
  return cudaSuccess;
}
static inline cudaError_t fx_memset(void* p, int value, size_t bytes) {
  return cudaMemsetAsync(p, value, bytes, cudaStreamPerThread);
}
static inline cudaError_t fx_memcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaError_t error = cudaStreamIsCapturing(cudaStreamPerThread, &status);
  if (error) return error;
  if (status == cudaStreamCaptureStatusNone) return cudaMemcpy(to, from, bytes, kind);
  static cudaStream_t aside = nullptr;
  if (!aside) error = cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking);
  if (!error) error = cudaMemcpyAsync(to, from, bytes, kind, aside);
  return error ? error : cudaStreamSynchronize(aside);
}
extern "C" void fx_release() {
  for (const auto& [bytes, p] : fx_spare) cudaFree(p);
  fx_spare.clear();
}
#define cudaMalloc fx_malloc
#define cudaFree fx_free
#define cudaMemset fx_memset
#define cudaMemcpy fx_memcpy
struct Any { void* p; template <class T> operator T*() const { return static_cast<T*>(p); } };
static Any as(void* p) { return {p}; }
"""

# Behind it: graphs, and a copy kernel with four 16-byte loads in flight a thread.
BEHIND = r"""
extern "C" int fx_begin() { return cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeRelaxed); }
extern "C" int fx_end(void** exec) {
  cudaGraph_t graph;
  int error = cudaStreamEndCapture(cudaStreamPerThread, &graph);
  if (!error) error = cudaGraphInstantiateWithFlags(reinterpret_cast<cudaGraphExec_t*>(exec), graph, 0);
  if (!error) error = cudaGraphDestroy(graph);
  return error;
}
extern "C" int fx_launch(void* exec, void* stream) {
  return cudaGraphLaunch(static_cast<cudaGraphExec_t>(exec), static_cast<cudaStream_t>(stream));
}
extern "C" int fx_wait() {
  const int error = cudaGetLastError();  // of a launch that could not be made
  return error ? error : cudaStreamSynchronize(cudaStreamPerThread);
}
__global__ void fx_copy_kernel(const float4* from, float4* to, size_t pieces) {
  const size_t first = size_t(blockIdx.x) * blockDim.x * 4 + threadIdx.x;
  float4 value[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if (first + i * blockDim.x < pieces) value[i] = from[first + i * blockDim.x];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if (first + i * blockDim.x < pieces) to[first + i * blockDim.x] = value[i];
}
extern "C" void fx_copy(const float* from, float* to, size_t bytes) {
  const size_t pieces = bytes / 16;
  fx_copy_kernel<<<unsigned((pieces + 2047) / 2048), 512>>>(
      reinterpret_cast<const float4*>(from), reinterpret_cast<float4*>(to), pieces);
}
"""


def sources_of(puzzle):
    """The reference, and the optimized solution where there is one: [(name, path)]."""
    found = {"reference": next((ROOT / "solutions").glob(f"{puzzle}_*.cu")),
             "optimized": next((ROOT / "solutions" / "optimized").glob(f"{puzzle}_*.cu"), None)}
    return [(name, source) for name, source in found.items() if source is not None]


def find_nvcc():
    return shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")


def wrapper_of(source, functions):
    text = [BEFORE, f'#include "{source}"', BEHIND]
    for entry, name, types in functions:
        # The C++ compiler knows each parameter's true type; here only the sizes must be right.
        parameters = ", ".join(f"{C_NAMES[t]} a{i}" for i, t in enumerate(types))
        arguments = ", ".join(f"as(a{i})" if t is P else f"a{i}" for i, t in enumerate(types))
        text.append(f'extern "C" void ref_{entry}({parameters}) {{ {name}({arguments}); }}')
    return "\n".join(text)


def compile_file(puzzle, source, functions, folder, architecture):
    """Returns the library's path. functions: [(entry, C++ name, parameter types)]."""
    wrapper, library = (folder / f"{source.parent.name}_{puzzle}{suffix}" for suffix in (".cu", ".so"))
    wrapper.write_text(wrapper_of(source, functions))
    done = subprocess.run([find_nvcc(), "-O3", "-std=c++17", "-shared", "-Xcompiler", "-fPIC",
                           "--default-stream", "per-thread",
                           "-gencode", f"arch=compute_{architecture},code=sm_{architecture}", "-o", library, wrapper],
                          capture_output=True, text=True)
    if done.returncode != 0:
        said = [line for line in (done.stderr + done.stdout).splitlines() if "error" in line] or ["nvcc failed"]
        raise RuntimeError(f"{source.relative_to(ROOT)} does not compile: {said[0]}")
    return library


def load(library, functions):
    loaded = ctypes.CDLL(str(library))
    loaded.fx_copy.argtypes = [P, P, ctypes.c_size_t]
    loaded.fx_launch.argtypes = [P, P]
    loaded.fx_end.argtypes = [ctypes.POINTER(P)]
    for entry, _, types in functions:
        getattr(loaded, f"ref_{entry}").argtypes = types
    return loaded
