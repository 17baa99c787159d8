#!/usr/bin/env python3
"""The references against PyTorch on one GPU, in one process, graph by graph.

    python3 bench/peers.py [p04 p22 ...] [--seconds N] [--json FILE] [--rounds N]

Compiles solutions/*.cu and solutions/optimized/*.cu, checks each against PyTorch, and prints one table per shape: time,
share of a copy of the same bytes, the fastest peer, and the targets that the better of the two is held to. Needs an
NVIDIA GPU, nvcc, and PyTorch with Triton; nothing else in Fusebox does. Shapes and targets are in bench/peer/.

How it measures: every variant runs out of a CUDA graph of up to 200 launches over 4 to 16 sets of buffers that are
together at least three times the L2 cache; optimisers, which change one set of tensors, run one step after another. The
variants take turns, in an order that rotates; what is printed is the median, and ratios are medians of ratios of
neighbours. Inputs are normal and new in every run. Rounds during which the SM clock fell below 90 % of its highest are
left out. Memory that a host function allocates is kept between its calls, as PyTorch keeps its own.

What fails is said in a line, and the others are timed all the same. Exit status: 0 all targets met, 1 not, 3 something
is missing on this machine.
"""

import argparse
import concurrent.futures
import gc
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True


def say(line):
    print(f"peers.py: {line}", file=sys.stderr)


class Run:
    """What this run has found, and what it still may do."""

    def __init__(self, options, shapes, functions, architecture):
        self.options, self.shapes, self.functions, self.architecture = options, shapes, functions, architecture
        self.results, self.failed, self.not_run = [], {}, []
        self.about = {}
        self.end = time.monotonic() + options.seconds if options.seconds else None

    def out_of_time(self):
        return self.end is not None and time.monotonic() >= self.end

    def fail(self, puzzle, error, in_a_line):
        self.failed[puzzle] = in_a_line(error)
        print(f"\n{puzzle}  FAILED: {self.failed[puzzle]}", flush=True)

    def write(self):
        if not self.options.json:
            return
        pathlib.Path(self.options.json).write_text(json.dumps(
            {**self.about, "results": self.results, "failed": self.failed, "not_run": self.not_run}, indent=1) + "\n")


def compile_all(run, puzzles, folder, pool):
    """Puzzle -> [(name, future path)]: the compilers work while earlier puzzles are timed."""
    from peer import compile
    return {puzzle: [(name, pool.submit(compile.compile_file, puzzle, source, run.functions[puzzle], folder,
                                        run.architecture)) for name, source in compile.sources_of(puzzle)]
            for puzzle in puzzles}


def time_puzzle(run, puzzle, futures):
    import torch
    import torch._dynamo
    from peer import compile, timing
    libraries = {name: compile.load(future.result(), run.functions[puzzle]) for name, future in futures}
    for number, make in enumerate(run.shapes[puzzle]):
        if run.out_of_time():
            run.not_run += [f"{puzzle}, shape {i + 1}" for i in range(number, len(run.shapes[puzzle]))]
            return
        torch._dynamo.reset()
        shape = make(libraries)
        timing.add_copies(shape, libraries["reference"])
        run.results.append(timing.measure(shape, run.options.rounds))
        timing.show(run.results[-1])
        sys.stdout.flush()
        run.write()
        del shape
        for library in libraries.values():
            library.fx_release()
        gc.collect()
        torch.cuda.empty_cache()


def in_a_fresh_process(run, puzzles, folder):
    """An illegal address ends everything that a process can do with its GPU: another one does the rest."""
    other = folder / "rest.json"
    command = [sys.executable, os.path.abspath(__file__), *puzzles, "--rounds", str(run.options.rounds), "--json",
               str(other)]
    if run.end is not None:
        command += ["--seconds", str(max(1, int(run.end - time.monotonic())))]
    print("\nthe GPU accepts nothing more from this process: the others are timed by another one", flush=True)
    subprocess.run(command, check=False)
    if not other.exists():
        run.not_run += puzzles
        return
    rest = json.loads(other.read_text())
    run.results += rest["results"]
    run.failed.update(rest["failed"])
    run.not_run += rest["not_run"]


def time_all(run, puzzles):
    import torch
    from peer import timing
    with tempfile.TemporaryDirectory() as name, torch.no_grad(), \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = pathlib.Path(name)
        futures = compile_all(run, puzzles, folder, pool)
        for i, puzzle in enumerate(puzzles):
            if run.out_of_time():
                run.not_run += puzzles[i:]
                break
            try:
                time_puzzle(run, puzzle, futures[puzzle])
            except Exception as error:
                run.fail(puzzle, error, timing.in_a_line)
            gc.collect()
            try:
                torch.cuda.synchronize()
                torch.cuda.empty_cache()
            except Exception:
                if puzzles[i + 1:]:
                    in_a_fresh_process(run, puzzles[i + 1:], folder)
                break
            run.write()
        pool.shutdown(cancel_futures=True)
    run.write()


def summarise(run):
    missed = [f"{r['puzzle']} ({r['shape']})" for r in run.results if not r["met"]]
    print(f"\n{len(run.results)} tables; targets missed: {', '.join(missed) or 'none'}")
    if run.failed:
        print(f"failed: {', '.join(run.failed)}")
    if run.not_run:
        why = f", {run.options.seconds} seconds were over" if run.out_of_time() else ""
        print(f"not run{why}: {', '.join(run.not_run)}")
    return 1 if missed or run.failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("puzzles", nargs="*", help="p04 p22 ..., in this order; none: all")
    parser.add_argument("--json", metavar="FILE", help="write the numbers there, after each table")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seconds", type=int, metavar="N", help="begin no table later than that")
    options = parser.parse_args()
    try:
        import torch
    except ImportError:
        say("PyTorch is missing\n          python3 -m pip install torch")
        return 3
    from peer import compile, elementwise, norms, optimisers, products
    rooms = (elementwise, norms, products, optimisers)
    shapes = dict(sorted((item for room in rooms for item in room.SHAPES.items())))
    functions = {puzzle: entries for room in rooms for puzzle, entries in room.FUNCTIONS.items()}
    unknown = [p for p in options.puzzles if p not in shapes]
    if unknown:
        parser.error(f"no shapes for {', '.join(unknown)}; there are {', '.join(shapes)}")
    if not torch.cuda.is_available():
        say("there is no GPU that PyTorch can use")
        return 3
    if compile.find_nvcc() is None:
        say("there is no nvcc, neither in PATH nor in /usr/local/cuda/bin")
        return 3
    properties = torch.cuda.get_device_properties(0)
    driver = subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"],
                            capture_output=True, text=True).stdout.strip()
    run = Run(options, shapes, functions, f"{properties.major}{properties.minor}")
    run.about = {"gpu": properties.name, "driver": driver, "cuda": torch.version.cuda, "torch": torch.__version__,
                 "date": time.strftime("%Y-%m-%d", time.gmtime()),
                 "command": " ".join(["bench/peers.py", *options.puzzles])}
    print(f"{properties.name}, driver {driver}, CUDA {torch.version.cuda}, PyTorch {torch.__version__}, "
          f"L2 {properties.L2_cache_size / 1e6:.0f} MB, {run.about['date']}")
    torch.manual_seed(time.time_ns() % 2**31)
    time_all(run, list(dict.fromkeys(options.puzzles)) or list(shapes))
    return summarise(run)


if __name__ == "__main__":
    sys.exit(main())
