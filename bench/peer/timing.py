"""Variants of one operation on one shape, timed in turns, and the table that says who is how fast."""

import ctypes
import math
import statistics
import time

import torch

DEVICE = "cuda"
SAMPLE_SECONDS = 0.02


def check(error, doing):
    if error != 0:
        raise RuntimeError(f"{doing}: CUDA error {error}")


def in_a_line(error):
    lines = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0]}"[:300]


class Variant:
    """Something that is timed: `work(s)` enqueues one run on buffer set s. A peer is what solutions are held to."""

    def __init__(self, name, work, sets, library=None, graph=True, peer=False):
        self.name, self.work, self.sets, self.library, self.graph = name, work, sets, library, graph
        self.peer = peer

    def prepare(self):
        for s in range(self.sets):
            self.work(s)
        self.wait()
        start = time.perf_counter()
        for s in range(self.sets):
            self.work(s)
        self.wait()
        each = (time.perf_counter() - start) / self.sets
        self.runs = max(self.sets, min(200, int(SAMPLE_SECONDS / max(each, 1e-6))))
        if self.graph:
            self.capture()
        self.sample()  # the first launch of a graph also uploads it

    def capture(self):
        if self.library is None:
            self.captured = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.captured):
                for i in range(self.runs):
                    self.work(i % self.sets)
            return
        check(self.library.fx_begin(), "beginning a graph")
        for i in range(self.runs):
            self.work(i % self.sets)
        self.exec = ctypes.c_void_p()
        check(self.library.fx_end(ctypes.byref(self.exec)), "making a graph")

    def wait(self):
        if self.library is not None:
            check(self.library.fx_wait(), self.name)
        torch.cuda.synchronize()

    def sample(self):
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


class Target:
    """What the better of reference and optimized is held to; None: not at all. `must` and `aim` are shares of a copy of
    the same bytes, `peer` and `peer_aim` times the speed of the fastest peer, `us` and `us_aim` microseconds at most."""

    def __init__(self, must=None, aim=None, peer=1.0, peer_aim=None, us=None, us_aim=None):
        self.must, self.aim, self.peer, self.peer_aim, self.us, self.us_aim = must, aim, peer, peer_aim, us, us_aim


class Shape:
    """One table: variants on the same shape, the bytes that any of them must move, and targets for the solutions."""

    def __init__(self, puzzle, title, min_bytes, target=None):
        self.puzzle, self.title, self.min_bytes, self.target = puzzle, title, min_bytes, target
        self.variants = []
        self.notes = []  # what could not be timed, and why

    def add(self, *arguments, **named):
        self.variants.append(Variant(*arguments, **named))

    def add_solutions(self, libraries, call, sets, confirm, graph=True, suffix=""):
        """Reference and, where there is one, optimized: each is run once and checked before it is timed."""
        for name, library in libraries.items():
            work = lambda s, library=library: call(library, s)
            try:
                work(0)
                check(library.fx_wait(), name)
                confirm(f"{self.puzzle} {name}{suffix}")
            except Exception as error:
                if name + suffix == "reference":
                    raise
                self.notes.append(f"{name}{suffix}: not timed: {in_a_line(error)}")
                continue
            self.add(name + suffix, work, sets, library, graph)

    def add_peer(self, name, function, inputs, peer=True, graph=True):
        self.add(name, keep_outputs(function, inputs), len(inputs), graph=graph, peer=peer)

    def add_eager_and_compiled(self, function, inputs, name="eager"):
        self.add_peer(name, function, inputs)
        self.add_peer("torch.compile", compiled(function), inputs)


def compiled(function):
    """For this shape alone: what torch.compile makes of a second shape by itself is a kernel for any."""
    return torch.compile(function, dynamic=False)


def with_tf32(function):
    def work(*inputs):
        torch.backends.cuda.matmul.allow_tf32 = True
        try:
            return function(*inputs)
        finally:
            torch.backends.cuda.matmul.allow_tf32 = False
    return work


def keep_outputs(function, inputs):
    """The outputs of all sets stay alive, so that each set writes somewhere else."""
    outputs = [None] * len(inputs)

    def work(s):
        outputs[s] = function(*inputs[s])
    return work


def normal(*shape, dtype=torch.float32):
    return torch.randn(*shape, device=DEVICE, dtype=dtype)


def unwritten(*shape, dtype=torch.float32):
    return torch.full(shape, math.nan, device=DEVICE, dtype=dtype)


def close(got, want, relative, absolute, what, keep=False):
    """Raises unless all of `got` is as it should be, and leaves NaN there for whoever writes next, unless `keep`."""
    if not torch.allclose(got.double(), want.double(), rtol=relative, atol=absolute):
        worst = (got.double() - want.double()).abs().max().item()
        raise RuntimeError(f"{what}: wrong, off by {worst:.3g}")
    if not keep:
        got.fill_(math.nan)


def sets_for(set_bytes):
    l2 = torch.cuda.get_device_properties(0).L2_cache_size
    return max(4, min(16, math.ceil(3 * l2 / set_bytes)))


def add_copies(shape, library):
    half = shape.min_bytes // 2 // 16 * 16
    n = sets_for(2 * half)
    memory = torch.randn(n * 2, half // 4, device=DEVICE)
    # As the other variants are timed: where those are not graphs, the copies are none either.
    graph = shape.variants[0].graph

    def by_kernel(s):
        library.fx_copy(memory[2 * s].data_ptr(), memory[2 * s + 1].data_ptr(), half)

    def by_driver(s):
        memory[2 * s + 1].copy_(memory[2 * s])
    shape.add("copy kernel", by_kernel, n, library, graph)
    shape.add("cudaMemcpy", by_driver, n, None, graph)


def sm_clock():
    try:
        return torch.cuda.clock_rate()
    except Exception:  # without NVML nothing can be said, and nothing is left out
        return 0


def prepare(shape):
    """Without a peer that cannot be run the others are timed all the same."""
    for variant in list(shape.variants):
        try:
            variant.prepare()
        except Exception as error:
            if variant.name in ("reference", "copy kernel", "cudaMemcpy"):
                raise
            shape.variants.remove(variant)
            shape.notes.append(f"{variant.name}: not timed: {in_a_line(error)}")


def measure(shape, rounds):
    prepare(shape)
    clocks, taken = [], []
    for r in range(rounds):
        row = {}
        for i in range(len(shape.variants)):
            variant = shape.variants[(i + r) % len(shape.variants)]
            row[variant.name] = variant.sample()
        taken.append(row)
        clocks.append(sm_clock())
    good = [row for row, clock in zip(taken, clocks) if clock >= 0.9 * max(clocks)]
    result = {"puzzle": shape.puzzle, "shape": shape.title, "least_bytes": shape.min_bytes, "rounds": len(good),
              "dropped": rounds - len(good), "sm_clock_mhz": statistics.median(clocks),
              "target": {name: value for name, value in vars(shape.target).items() if value is not None}
              if shape.target else None, "notes": shape.notes, "variants": []}
    copy = min(("copy kernel", "cudaMemcpy"), key=lambda name: statistics.median(row[name] for row in good))
    for variant in shape.variants:
        seconds = sorted(row[variant.name] for row in good)
        at = lambda share: seconds[int(share * (len(seconds) - 1) + 0.5)]
        result["variants"].append({
            "name": variant.name, "peer": variant.peer, "seconds": at(0.5), "p20": at(0.2), "p80": at(0.8),
            "bytes_per_second": shape.min_bytes / at(0.5), "runs": variant.runs,
            "share_of_copy": statistics.median(row[copy] / row[variant.name] for row in good),
            "reference_speedup": statistics.median(row[variant.name] / row["reference"] for row in good)})
    judge(result, good)
    return result


def judge(result, rounds):
    """Adds who of the solutions is fastest, who of the peers, by how much, and whether that is enough."""
    ours = [v for v in result["variants"] if v["name"].startswith(("reference", "optimized"))]
    peers = [v for v in result["variants"] if v["peer"]]
    best = min(ours, key=lambda v: v["seconds"])
    result["best"] = best["name"]
    target = result["target"]
    tests = [] if target is None else [("must", "aim", best["share_of_copy"], 1),
                                       ("us", "us_aim", 1e6 * best["seconds"], -1)]
    if peers:
        peer = min(peers, key=lambda v: v["seconds"])
        result["fastest_peer"] = peer["name"]
        result["of_fastest_peer"] = statistics.median(row[peer["name"]] / row[best["name"]] for row in rounds)
    if target is not None:  # without a peer nobody knows
        tests.append(("peer", "peer_aim", result.get("of_fastest_peer", 0), 1))
    reached = lambda name, value, sign: name not in target or sign * value >= sign * target[name]
    result["met"] = all(reached(must, value, sign) for must, _, value, sign in tests)
    result["aim_reached"] = all(reached(aim, value, sign) for _, aim, value, sign in tests)


def show(result):
    print(f"\n{result['puzzle']}  {result['shape']}  ({result['least_bytes'] / 1e6:.1f} MB at least, "
          f"{result['rounds']} rounds, {result['dropped']} dropped, SM {result['sm_clock_mhz']:.0f} MHz)")
    print(f"  {'':28}{'us':>10}{'p20–p80':>20}{'GB/s':>8}{'of copy':>9}{'reference is':>14}")
    for v in result["variants"]:
        spread = f"{1e6 * v['p20']:.2f}–{1e6 * v['p80']:.2f}"
        factor = "" if v["name"] == "reference" else f"{v['reference_speedup']:.2f}x"
        print(f"  {v['name']:28}{1e6 * v['seconds']:10.2f}{spread:>20}{v['bytes_per_second'] / 1e9:8.0f}"
              f"{v['share_of_copy']:9.3f}{factor:>14}")
    for note in result["notes"]:
        print(f"  {note}")
    if "fastest_peer" in result:
        print(f"  fastest peer: {result['fastest_peer']}; {result['best']} has {result['of_fastest_peer']:.3f} of its speed")
    if result["target"] is None:
        print("  no target: a rung or a lesson, not a fast kernel")
        return
    words = {"must": "{:.2f} of a copy", "peer": "{:.2f} of the fastest peer", "us": "{:.0f} us"}
    aims = {"must": "aim", "peer": "peer_aim", "us": "us_aim"}
    wanted = "; ".join(words[name].format(result["target"][name]) +
                       (f" (aim {result['target'][aims[name]]:g})" if aims[name] in result["target"] else "")
                       for name in words if name in result["target"])
    print(f"  target: {wanted}: {'met' if result['met'] else 'MISSED'} by {result['best']}"
          f"{', aims too' if result['met'] and result['aim_reached'] else ''}")
