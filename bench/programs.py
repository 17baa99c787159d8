#!/usr/bin/env python3
"""Programs that people wrote, on the simulator: builds each, runs it, listens to its own check, and prints a table.

    python3 bench/programs.py FOLDER [--only NAME ...] [--seconds 300] [--make ARCH=sm_90 ...] [--json FILE]

A program is a folder below FOLDER that holds a Makefile, a CMakeLists.txt or *.cu; each *.cu of FOLDER itself is one too.
Nothing is fetched, and nothing but the programs' own build writes there. A Makefile is asked for its `run` target: the
commands that it would run are run, one after the other; without one, whatever the build has made is run, without arguments.

All are compiled by the compiler that `./fusebox nvcc` finds, with `--cudart shared`, for the architecture that --arch
names. A program is good if it ends with exit code 0 within --seconds, its output says nothing of a failure, and the
simulator has nothing to say either. Exit status: 0 all good, 1 not, 2 wrong usage.
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = "\nFusebox simulator, modelled GPU:"  # what the simulator prints begins here
RESULTS = ("good", "wrong", "faults", "refused", "too slow", "crashed", "not built")
FAILURE = re.compile(r"\b(fail\w*|mismatch\w*|incorrect|wrong|invalid|not (ok|correct|equal)|error:)", re.IGNORECASE)
NO_FAILURE = re.compile(r"\b(0|no|zero|without|not)\W+(\w+ )?(fail|mismatch|incorrect|wrong|invalid)\w*|"
                        r"(fail|mismatch)\w*\s*[:=]\s*(0|none|no)\b", re.IGNORECASE)
SUCCESS = re.compile(r"\b(pass(ed|es)?|success\w*|correct|ok|match(es|ed)?|verified)\b", re.IGNORECASE)


def say(line):
    print(f"programs.py: {line}", file=sys.stderr, flush=True)


def find_programs(folder, only):
    """Names and where they are: folders, and files that stand alone."""
    def is_program(path):
        if path.is_dir():
            return any((path / name).exists() for name in ("Makefile", "CMakeLists.txt")) or any(path.glob("*.cu"))
        return path.suffix == ".cu"
    found = [path for path in sorted(folder.iterdir()) if is_program(path)]
    return [path for path in found if not only or any(path.match(name) for name in only)]


def ended(command, seconds, **more):
    """Runs a command in a group of its own: (exit code, what it printed), or None for the code where it took too long."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          start_new_session=True, **more) as process:
        code = None
        try:
            printed, _ = process.communicate(timeout=seconds)
            code = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            printed, _ = process.communicate()
        return code, printed.decode(errors="replace")


def is_binary(path):
    if not path.is_file() or not os.access(path, os.X_OK) or path.suffix in (".o", ".so"):
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


class Program:
    """One program: its build, its commands, and what became of them."""

    def __init__(self, path, options, environment):
        self.name, self.options, self.environment = path.name, options, environment
        self.alone = path if path.is_file() else None
        self.folder = path.parent if self.alone else path
        self.result, self.said = "good", ""
        self.seconds, self.launches, self.check = 0.0, 0, "-"

    def make(self, *words):
        return ["make", "--no-print-directory", *words, *self.options.make]

    def build(self):
        """The commands to run; none where it does not build."""
        run = dict(seconds=self.options.seconds, cwd=self.folder, env=self.environment)
        if not self.alone and (self.folder / "Makefile").exists():
            code, printed = ended(self.make(), **run)
            if code == 0:
                code_of_run, would_run = ended(self.make("-n", "run", "LAUNCHER="), **run)
                lines = [line.strip() for line in would_run.replace("\\\n", " ").splitlines()] if code_of_run == 0 else []
                if commands := [line for line in lines if line.startswith("./")]:
                    return commands
        elif not self.alone and (self.folder / "CMakeLists.txt").exists():
            code, printed = ended(["sh", "-c", "cmake -S . -B build -DCMAKE_CUDA_RUNTIME_LIBRARY=Shared "
                                   "-DCMAKE_CUDA_ARCHITECTURES=90 && cmake --build build -j 2"], **run)
        else:
            sources = [self.alone.name] if self.alone else [path.name for path in self.folder.glob("*.cu")]
            output = self.alone.stem if self.alone else self.name + ".program"
            code, printed = ended(["nvcc", "-O2", "-o", output, *sources], **run)
            if code == 0:
                return [shlex.quote("./" + output)]
        if code != 0:
            self.result = "not built"
            lines = [line for line in printed.splitlines() if re.search(r"error|fatal|cannot find", line)] or [printed[-200:]]
            self.said = "took too long" if code is None else lines[0]
            return []
        programs = sorted(path.relative_to(self.folder) for path in self.folder.rglob("*") if is_binary(path))
        if not programs:
            self.result, self.said = "not built", "the build makes no program"
        return [shlex.quote(f"./{path}") for path in programs if "CMakeFiles" not in path.parts]

    def run(self, command):
        left = self.options.seconds - self.seconds
        with tempfile.TemporaryDirectory() as scratch:
            report = pathlib.Path(scratch) / "report.json"
            launcher = shlex.join([*shlex.split(self.options.sim), "--timeout", f"{max(left, 1):.0f}", "--json", str(report), "--"])
            began = time.monotonic()
            _, printed = ended(["bash", "-c", f"{launcher} {command}"], left + 60, cwd=self.folder, env=self.environment)
            self.seconds += time.monotonic() - began
            report = json.loads(report.read_text()) if report.exists() else {}
        self.judge(printed.split(TABLE)[0], report, printed)

    def judge(self, output, report, printed):
        """The first thing that is not as it should be is the program's result."""
        launches = report.get("launches", [])
        self.launches += sum(launch["repeated"] + 1 for launch in launches)
        failures = [line.strip() for line in output.splitlines() if FAILURE.search(line) and not NO_FAILURE.search(line)]
        if failures:
            self.check = "failed"
        elif SUCCESS.search(output) and self.check == "-":
            self.check = "passed"
        faults = [fault for launch in launches for fault in launch.get("faults", []) if fault["kind"] != "race-same-value"]
        problems = report.get("problems", [])
        if not report:
            self.set("refused", (printed.strip().splitlines() or ["no report"])[0])
        elif any("did not end within" in problem for problem in problems):
            self.set("too slow", f"more than {self.options.seconds:.0f} s")
        elif report.get("signal"):
            self.set("crashed", problems[0] if problems else f"signal {report['signal']}")
        elif faults:
            self.set("faults", "{what} {where}".format(**faults[0]))
        elif problems:
            self.set("refused", problems[0])
        elif failures or report.get("exit_code"):
            self.set("wrong", failures[0] if failures else f"exit code {report['exit_code']}")

    def set(self, result, said):
        if self.result == "good":
            self.result, self.said = result, said

    def row(self):
        said = re.sub(r"\s+", " ", self.said)
        return f"{self.name[:32]:<32}  {self.result:<9}  {self.check:<6}  {self.seconds:7.1f}  {self.launches:8}  {said[:120]}".rstrip()


def environment_of(options, shims):
    """Programs are built by our compiler, whatever they call nvcc."""
    shim = pathlib.Path(shims) / "nvcc"
    shim.write_text(f"#!/bin/sh\nexec {shlex.quote(str(ROOT / 'fusebox'))} nvcc \"$@\"\n")
    shim.chmod(0o755)
    flags = f"--cudart shared -arch={options.arch} -Wno-deprecated-gpu-targets"
    before = os.environ.get("NVCC_APPEND_FLAGS", "")
    return {**os.environ, "PATH": f"{shims}:{os.environ['PATH']}", "NVCC_APPEND_FLAGS": f"{before} {flags}".strip()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these alone; * and ? stand for others")
    parser.add_argument("--seconds", type=float, default=300, help="for each program's build, and for its run")
    parser.add_argument("--make", nargs="+", default=[], metavar="NAME=VALUE", help="for make's command line")
    parser.add_argument("--arch", default="sm_90", help="what nvcc compiles for")
    parser.add_argument("--sim", default=shlex.join([str(ROOT / "fusebox"), "sim"]), help="what runs a program on the simulator")
    parser.add_argument("--json", type=pathlib.Path, help="the rows, for programs")
    options = parser.parse_args()
    if not options.folder.is_dir():
        parser.error(f"no such folder: {options.folder}")
    paths = find_programs(options.folder.resolve(), options.only)
    if not paths:
        parser.error(f"no programs in {options.folder}: folders with a Makefile, a CMakeLists.txt or *.cu, or *.cu")

    print(f"{'program':<32}  {'result':<9}  {'check':<6}  {'seconds':>7}  {'launches':>8}  why not", flush=True)
    programs = []
    with tempfile.TemporaryDirectory() as shims:
        environment = environment_of(options, shims)
        for number, path in enumerate(paths, 1):
            say(f"{number} of {len(paths)}: {path.name}")
            program = Program(path, options, environment)
            for command in program.build():
                if program.seconds < options.seconds and program.result == "good":
                    program.run(command)
            programs.append(program)
            print(program.row(), flush=True)
    count = {result: sum(program.result == result for program in programs) for result in RESULTS}
    built = len(programs) - count["not built"]
    print(f"\n{count['good']} of {built} that build are good: " +
          ", ".join(f"{number} {result}" for result, number in count.items() if result != "good"))
    if options.json:
        fields = ("name", "result", "check", "seconds", "launches", "said")
        options.json.write_text(json.dumps([{field: getattr(p, field) for field in fields} for p in programs], indent=1) + "\n")
    return 0 if count["good"] == len(programs) else 1


if __name__ == "__main__":
    sys.exit(main())
