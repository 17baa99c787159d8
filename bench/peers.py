#!/usr/bin/env python3
"""The references against PyTorch on one GPU, in one process, graph by graph.

    python3 bench/peers.py [p04 p22 ...] [--json FILE] [--rounds N]

Compiles solutions/*.cu and solutions/optimized/*.cu, checks each against PyTorch, and prints one table per shape: time,
share of a copy of the same bytes, and the targets that the better of the two is held to. Needs an NVIDIA GPU, nvcc,
and PyTorch with Triton; nothing else in Fusebox does.

How it measures: every variant runs out of a CUDA graph of up to 200 launches over 4 to 16 sets of buffers that are
together at least three times the L2 cache. The graphs of all variants take turns, in an order that rotates; what is
printed is the median, and ratios are medians of ratios of neighbours. Inputs are normal and new in every run. Rounds
during which the SM clock fell below 90 % of its highest are left out.
"""

import argparse
import ctypes
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLE_SECONDS = 0.02

# What every compiled reference gets beside it: graphs, and a copy kernel with four 16-byte loads in flight a thread.
HELPERS = r"""
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
extern "C" int fx_wait() { return cudaStreamSynchronize(cudaStreamPerThread); }
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

P, I, L, F = ctypes.c_void_p, ctypes.c_int, ctypes.c_long, ctypes.c_float

# Host functions of the references: puzzle -> [(entry, C++ name, parameter types)].
LAYERNORM = [("kernel", "layernorm", [P, P, P, P, P, P, I, I, F])]
FUNCTIONS = {
    "p04": [(e, f"bias_gelu_{e}", [P, P, P, I, I]) for e in ("fused",)],
    "p08": LAYERNORM,
    "p09": LAYERNORM,
    "p20": [("fused", "layernorm_linear_fused", [P] * 6 + [I] * 4 + [F])],
    "p22": [("kernel", "rmsnorm", [P, P, P, I, I, F])],
    "p25": [("kernel", "embedding_gather", [P, P, P, I, I, I])],
    "p29": [("kernel", "adam_step", [P, P, P, P, L, F, F, F, F, I])],
}
C_NAMES = {P: "void*", I: "int", L: "long", F: "float"}


def solution_of(puzzle):
    return next((ROOT / "solutions").glob(f"{puzzle}_*.cu"))


def optimized_of(puzzle):
    return next((ROOT / "solutions" / "optimized").glob(f"{puzzle}_*.cu"), None)


def compile_file(puzzle, source, folder, architecture):
    """A library with a solution's host functions as C functions, launching into this thread's stream."""
    text = [f'#include "{source}"', HELPERS]
    for entry, name, types in FUNCTIONS[puzzle]:
        # The C++ compiler knows each parameter's true type; here only the sizes must be right.
        parameters = ", ".join(f"{C_NAMES[t]} a{i}" for i, t in enumerate(types))
        arguments = ", ".join(f"as(a{i})" if t is P else f"a{i}" for i, t in enumerate(types))
        text.append(f'extern "C" void ref_{entry}({parameters}) {{ {name}({arguments}); }}')
    text.insert(1, "struct Any { void* p; template <class T> operator T*() const { return static_cast<T*>(p); } };\n"
                   "static Any as(void* p) { return {p}; }")
    wrapper, library = (folder / f"{source.parent.name}_{puzzle}{suffix}" for suffix in (".cu", ".so"))
    wrapper.write_text("\n".join(text))
    subprocess.run(["nvcc", "-O3", "-std=c++17", "-shared", "-Xcompiler", "-fPIC", "--default-stream", "per-thread",
                    "-gencode", f"arch=compute_{architecture},code=sm_{architecture}", "-o", library, wrapper],
                   check=True)
    loaded = ctypes.CDLL(str(library))
    loaded.fx_copy.argtypes = [P, P, ctypes.c_size_t]
    loaded.fx_launch.argtypes = [P, P]
    loaded.fx_end.argtypes = [ctypes.POINTER(P)]
    for entry, _, types in FUNCTIONS[puzzle]:
        getattr(loaded, f"ref_{entry}").argtypes = types
    return loaded


def check(error, doing):
    if error != 0:
        raise RuntimeError(f"{doing}: CUDA error {error}")


class Variant:
    """Something that is timed: `work(s)` enqueues one run on buffer set s."""

    def __init__(self, name, work, sets, library=None, graph=True):
        self.name, self.work, self.sets, self.library, self.graph = name, work, sets, library, graph
        self.samples = []

    def prepare(self, torch):
        for s in range(self.sets):
            self.work(s)
        self.wait(torch)
        start = time.perf_counter()
        for s in range(self.sets):
            self.work(s)
        self.wait(torch)
        each = (time.perf_counter() - start) / self.sets
        self.runs = max(self.sets, min(200, int(SAMPLE_SECONDS / max(each, 1e-6))))
        if not self.graph:
            return
        if self.library is not None:
            check(self.library.fx_begin(), "beginning a graph")
            for i in range(self.runs):
                self.work(i % self.sets)
            self.exec = P()
            check(self.library.fx_end(ctypes.byref(self.exec)), "making a graph")
        else:
            self.captured = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.captured):
                for i in range(self.runs):
                    self.work(i % self.sets)
        self.sample(torch)  # the first launch of a graph also uploads it

    def wait(self, torch):
        if self.library is not None:
            check(self.library.fx_wait(), self.name)
        torch.cuda.synchronize()

    def sample(self, torch):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        if not self.graph:
            for i in range(self.runs):
                self.work(i % self.sets)
        elif self.library is not None:
            stream = torch.cuda.current_stream().cuda_stream
            check(self.library.fx_launch(self.exec, stream), self.name)
        else:
            self.captured.replay()
        end.record()
        torch.cuda.synchronize()
        return 1e-3 * begin.elapsed_time(end) / self.runs


class Shape:
    """One table: variants on the same shape, the bytes that any of them must move, and targets for the reference."""

    def __init__(self, puzzle, title, least_bytes, must=None, aim=None):
        self.puzzle, self.title, self.least_bytes = puzzle, title, least_bytes
        self.must, self.aim = must, aim
        self.variants = []

    def add(self, *arguments, **named):
        self.variants.append(Variant(*arguments, **named))

    def add_solutions(self, libraries, call, sets, confirm, graph=True):
        """Reference and, where there is one, optimized: each is run once and checked before it is timed."""
        for name, library in libraries.items():
            work = lambda s, library=library: call(library, s)
            work(0)
            check(library.fx_wait(), f"{self.puzzle} {name}")
            confirm(f"{self.puzzle} {name}")
            self.add(name, work, sets, library, graph)


def close(torch, got, want, relative, absolute, what):
    if not torch.allclose(got.double(), want.double(), rtol=relative, atol=absolute):
        worst = (got.double() - want.double()).abs().max().item()
        raise RuntimeError(f"{what}: the reference is wrong, off by {worst:.3g}")


def sets_for(torch, set_bytes):
    l2 = torch.cuda.get_device_properties(0).L2_cache_size
    return max(4, min(16, math.ceil(3 * l2 / set_bytes)))


def keep_outputs(function, inputs):
    """The outputs of all sets stay alive, so that each set writes somewhere else."""
    outputs = [None] * len(inputs)

    def work(s):
        outputs[s] = function(*inputs[s])
    return work


def bias_gelu(torch, libraries):
    rows, columns = 16384, 4096
    shape = Shape("p04", f"bias + GELU fp32 {rows}x{columns}", 4 * (2 * rows * columns + columns), 0.96, 0.98)
    n = sets_for(torch, shape.least_bytes)
    x = [torch.randn(rows, columns, device="cuda") for _ in range(n)]
    bias = torch.randn(columns, device="cuda")
    out = [torch.empty_like(x[0]) for _ in range(n)]
    eager = lambda x, b: torch.nn.functional.gelu(x + b, approximate="tanh")
    compiled = torch.compile(eager)
    call = lambda library, s: library.ref_fused(x[s].data_ptr(), bias.data_ptr(), out[s].data_ptr(), rows, columns)
    shape.add_solutions(libraries, call, n, lambda what: close(torch, out[0], eager(x[0], bias), 1e-5, 1e-5, what))
    shape.add("eager", keep_outputs(eager, [(v, bias) for v in x]), n)
    shape.add("torch.compile", keep_outputs(compiled, [(v, bias) for v in x]), n)
    yield shape


def layer_norm(puzzle, must=None, aim=None):
    def shapes(torch, libraries):
        rows, columns, eps = 8192, 768, 1e-5
        shape = Shape(puzzle, f"LayerNorm fp32 {rows}x{columns}",
                      4 * (2 * rows * columns + 2 * columns + 2 * rows), must, aim)
        n = sets_for(torch, shape.least_bytes)
        x = [torch.randn(rows, columns, device="cuda") for _ in range(n)]
        gamma, beta = torch.randn(columns, device="cuda"), torch.randn(columns, device="cuda")
        out = [torch.empty_like(x[0]) for _ in range(n)]
        mean, rstd = torch.empty(rows, device="cuda"), torch.empty(rows, device="cuda")
        eager = lambda x, g, b: torch.nn.functional.layer_norm(x, (columns,), g, b, eps)
        compiled = torch.compile(eager)
        call = lambda library, s: library.ref_kernel(x[s].data_ptr(), gamma.data_ptr(), beta.data_ptr(),
                                                     out[s].data_ptr(), mean.data_ptr(), rstd.data_ptr(), rows,
                                                     columns, eps)
        shape.add_solutions(libraries, call, n,
                            lambda what: close(torch, out[0], eager(x[0], gamma, beta), 1e-4, 1e-4, what))
        inputs = [(v, gamma, beta) for v in x]
        shape.add("eager", keep_outputs(eager, inputs), n)
        shape.add("torch.compile", keep_outputs(compiled, inputs), n)
        yield shape
    return shapes


def layer_norm_linear(torch, libraries):
    rows, hidden, width, eps = 8192, 768, 3072, 1e-5
    shape = Shape("p20", f"LayerNorm + Linear fp32 {rows}x{hidden}x{width}",
                  4 * (rows * hidden + width * hidden + rows * width + 2 * hidden + width))
    n = sets_for(torch, shape.least_bytes)
    x = [torch.randn(rows, hidden, device="cuda") for _ in range(n)]
    gamma, beta = torch.randn(hidden, device="cuda"), torch.randn(hidden, device="cuda")
    weight, bias = torch.randn(width, hidden, device="cuda") / hidden**0.5, torch.randn(width, device="cuda")
    out = [torch.empty(rows, width, device="cuda") for _ in range(n)]

    def eager(x, gamma, beta, weight, bias):
        normalized = torch.nn.functional.layer_norm(x, (hidden,), gamma, beta, eps)
        return torch.nn.functional.linear(normalized, weight, bias)
    compiled = torch.compile(eager)
    call = lambda library, s: library.ref_fused(x[s].data_ptr(), gamma.data_ptr(), beta.data_ptr(), weight.data_ptr(),
                                                bias.data_ptr(), out[s].data_ptr(), 1, rows, hidden, width, eps)
    shape.add_solutions(libraries, call, n, lambda what: close(
        torch, out[0], eager(x[0], gamma, beta, weight, bias), 1e-3, 1e-3, what))
    inputs = [(v, gamma, beta, weight, bias) for v in x]
    shape.add("eager (cuBLAS fp32)", keep_outputs(eager, inputs), n)
    shape.add("torch.compile", keep_outputs(compiled, inputs), n)
    linear = lambda x, w, b: torch.nn.functional.linear(x, w, b)
    shape.add("cuBLAS fp32 alone", keep_outputs(linear, [(v, weight, bias) for v in x]), n)
    yield shape


def rms_norm(torch, libraries):
    rows, columns, eps = 16384, 4096, 1e-5
    shape = Shape("p22", f"RMSNorm fp32 {rows}x{columns}", 4 * (2 * rows * columns + columns), 0.95, 0.98)
    n = sets_for(torch, shape.least_bytes)
    x = [torch.randn(rows, columns, device="cuda") for _ in range(n)]
    weight = torch.randn(columns, device="cuda")
    out = [torch.empty_like(x[0]) for _ in range(n)]
    eager = lambda x, w: torch.nn.functional.rms_norm(x, (columns,), w, eps)
    compiled = torch.compile(eager)
    call = lambda library, s: library.ref_kernel(x[s].data_ptr(), weight.data_ptr(), out[s].data_ptr(), rows, columns,
                                                 eps)
    shape.add_solutions(libraries, call, n, lambda what: close(torch, out[0], eager(x[0], weight), 1e-4, 1e-4, what))
    shape.add("eager", keep_outputs(eager, [(v, weight) for v in x]), n)
    shape.add("torch.compile", keep_outputs(compiled, [(v, weight) for v in x]), n)
    yield shape


def embedding(torch, libraries):
    for width, must, aim in ((768, 0.92, 0.96), (128, 0.85, 0.93), (32, 0.75, 0.88)):
        vocabulary = 50304 * 768 // width
        tokens = vocabulary // 2
        shape = Shape("p25", f"embedding, {tokens} distinct rows of {4 * width} B", 4 * tokens * (2 * width + 1), must,
                      aim)
        n = sets_for(torch, shape.least_bytes)
        table = [torch.randn(vocabulary, width, device="cuda") for _ in range(n)]
        ids = [torch.randperm(vocabulary, device="cuda")[:tokens] for _ in range(n)]
        narrow = [i.int() for i in ids]
        out = [torch.empty(tokens, width, device="cuda") for _ in range(n)]
        eager = lambda ids, table: torch.nn.functional.embedding(ids, table)
        compiled = torch.compile(eager)
        # This loop's own variables: the table is timed after the next one has been made.
        call = lambda library, s, table=table, narrow=narrow, out=out, tokens=tokens, vocabulary=vocabulary, \
            width=width: library.ref_kernel(narrow[s].data_ptr(), table[s].data_ptr(), out[s].data_ptr(), tokens,
                                            vocabulary, width)
        def confirm(what):
            close(torch, out[0], eager(ids[0], table[0]), 0, 0, what)
            out[0].fill_(math.nan)
        shape.add_solutions(libraries, call, n, confirm)
        shape.add("eager", keep_outputs(eager, list(zip(ids, table))), n)
        shape.add("torch.compile", keep_outputs(compiled, list(zip(ids, table))), n)
        yield shape


def adam(torch, libraries):
    count = 1 << 26
    shape = Shape("p29", f"Adam fp32, one tensor of {count / 1e6:.0f} M", 28 * count, 0.93, 0.97)
    hyper = dict(lr=1e-3, betas=(0.9, 0.999), eps=1e-8)
    p, g = torch.randn(count, device="cuda"), torch.randn(count, device="cuda")
    m, v = torch.randn(count, device="cuda") * 0.1, torch.rand(count, device="cuda")
    call = lambda library, s: library.ref_kernel(p.data_ptr(), g.data_ptr(), m.data_ptr(), v.data_ptr(), count, 1e-3,
                                                 0.9, 0.999, 1e-8, 10)
    want_m = 0.9 * m.double() + 0.1 * g.double()
    want_v = 0.999 * v.double() + 0.001 * g.double() ** 2
    want = p.double() - 1e-3 * (want_m / (1 - 0.9**10)) / ((want_v / (1 - 0.999**10)).sqrt() + 1e-8)
    shape.add_solutions(libraries, call, 1, lambda what: close(torch, p, want, 1e-5, 1e-6, what), graph=False)
    for name, how in (("eager", dict(foreach=False)), ("foreach", dict(foreach=True)), ("fused", dict(fused=True))):
        parameter = torch.nn.Parameter(torch.randn(count, device="cuda"))
        parameter.grad = torch.randn(count, device="cuda")
        optimiser = torch.optim.Adam([parameter], **hyper, **how)
        step = lambda s, optimiser=optimiser: optimiser.step()
        shape.add(f"torch {name}", step, 1, graph=False)
    yield shape


SHAPES = {"p04": bias_gelu, "p08": layer_norm("p08"), "p09": layer_norm("p09"), "p20": layer_norm_linear,
          "p22": rms_norm, "p25": embedding, "p29": adam}


def add_copies(torch, shape, library):
    half = shape.least_bytes // 2 // 16 * 16
    n = sets_for(torch, 2 * half)
    memory = torch.randn(n * 2, half // 4, device="cuda")
    # As the other variants are timed: where those are not graphs, the copies are none either.
    graph = shape.variants[0].graph
    def by_kernel(s):
        library.fx_copy(memory[2 * s].data_ptr(), memory[2 * s + 1].data_ptr(), half)
    def by_driver(s):
        memory[2 * s + 1].copy_(memory[2 * s])
    shape.add("copy kernel", by_kernel, n, library, graph)
    shape.add("cudaMemcpy", by_driver, n, None, graph)


def sm_clock(torch):
    try:
        return torch.cuda.clock_rate()
    except Exception:  # without NVML nothing can be said, and nothing is left out
        return 0


def measure(torch, shape, rounds):
    for variant in shape.variants:
        variant.prepare(torch)
    clocks, taken = [], []
    for r in range(rounds):
        row = {}
        for i in range(len(shape.variants)):
            variant = shape.variants[(i + r) % len(shape.variants)]
            row[variant.name] = variant.sample(torch)
        taken.append(row)
        clocks.append(sm_clock(torch))
    good = [row for row, clock in zip(taken, clocks) if clock >= 0.9 * max(clocks)]
    result = {"puzzle": shape.puzzle, "shape": shape.title, "least_bytes": shape.least_bytes, "rounds": len(good),
              "dropped": rounds - len(good), "sm_clock_mhz": statistics.median(clocks), "must": shape.must,
              "aim": shape.aim, "variants": []}
    copy = min(("copy kernel", "cudaMemcpy"), key=lambda name: statistics.median(row[name] for row in good))
    for variant in shape.variants:
        seconds = sorted(row[variant.name] for row in good)
        at = lambda share: seconds[int(share * (len(seconds) - 1) + 0.5)]
        result["variants"].append({
            "name": variant.name, "seconds": at(0.5), "p20": at(0.2), "p80": at(0.8),
            "bytes_per_second": shape.least_bytes / at(0.5), "runs": variant.runs,
            "share_of_copy": statistics.median(row[copy] / row[variant.name] for row in good),
            "reference_speedup": statistics.median(row[variant.name] / row["reference"] for row in good)})
    return result


def show(result):
    print(f"\n{result['puzzle']}  {result['shape']}  ({result['least_bytes'] / 1e6:.1f} MB at least, "
          f"{result['rounds']} rounds, {result['dropped']} dropped, SM {result['sm_clock_mhz']:.0f} MHz)")
    print(f"  {'':22}{'us':>10}{'p20–p80':>20}{'GB/s':>8}{'of copy':>9}{'reference is':>14}")
    for v in result["variants"]:
        spread = f"{1e6 * v['p20']:.2f}–{1e6 * v['p80']:.2f}"
        factor = "" if v["name"] == "reference" else f"{v['reference_speedup']:.2f}x"
        print(f"  {v['name']:22}{1e6 * v['seconds']:10.2f}{spread:>20}{v['bytes_per_second'] / 1e9:8.0f}"
              f"{v['share_of_copy']:9.3f}{factor:>14}")
    if result["must"] is None:
        print("  no target: a rung or a lesson, not a fast kernel")
        return True
    ours = max((v for v in result["variants"] if v["name"] in ("reference", "optimized")),
               key=lambda v: v["share_of_copy"])
    met = ours["share_of_copy"] >= result["must"]
    print(f"  target: {result['must']:.2f} of a copy, aim {result['aim']:.2f}: "
          f"{'met' if met else 'MISSED'} with {ours['share_of_copy']:.3f} by {ours['name']}"
          f"{' (aim reached)' if ours['share_of_copy'] >= result['aim'] else ''}")
    return met


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("puzzles", nargs="*", help="p04 p22 ...; none: all")
    parser.add_argument("--json", metavar="FILE", help="write the numbers there")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    unknown = [p for p in options.puzzles if p not in SHAPES]
    if unknown:
        parser.error(f"no shapes for {', '.join(unknown)}; there are {', '.join(SHAPES)}")
    try:
        import torch
    except ImportError:
        print("peers.py: PyTorch is missing\n          python3 -m pip install torch", file=sys.stderr)
        return 3
    if not torch.cuda.is_available():
        print("peers.py: there is no GPU that PyTorch can use", file=sys.stderr)
        return 3
    properties = torch.cuda.get_device_properties(0)
    driver = subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"],
                            capture_output=True, text=True).stdout.strip()
    print(f"{properties.name}, driver {driver}, CUDA {torch.version.cuda}, PyTorch {torch.__version__}, "
          f"L2 {properties.L2_cache_size / 1e6:.0f} MB, {time.strftime('%Y-%m-%d', time.gmtime())}")
    torch.manual_seed(time.time_ns() % 2**31)
    results, met = [], True
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        for puzzle in options.puzzles or SHAPES:
            libraries = {name: compile_file(puzzle, source, pathlib.Path(folder),
                                            f"{properties.major}{properties.minor}")
                         for name, source in (("reference", solution_of(puzzle)), ("optimized", optimized_of(puzzle)))
                         if source is not None}
            for shape in SHAPES[puzzle](torch, libraries):
                add_copies(torch, shape, libraries["reference"])
                results.append(measure(torch, shape, options.rounds))
                met = show(results[-1]) and met
                sys.stdout.flush()
                del shape
                torch.cuda.empty_cache()
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(
            {"gpu": properties.name, "driver": driver, "cuda": torch.version.cuda, "torch": torch.__version__,
             "date": time.strftime("%Y-%m-%d", time.gmtime()), "command": " ".join(["bench/peers.py", *options.puzzles]),
             "results": results}, indent=1) + "\n")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
