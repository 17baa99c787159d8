#!/usr/bin/env python3
"""Parabolas of the special function unit from sweeps of its results: fit.py SWEEPS approximate_tables.cc

The unit's result is c0 + c1 x + c2 x^2 cut off after 24 bits, x the rest of the operand in its interval, and x^2
without the low columns of its multiplier. Each result bounds that sum from both sides. A linear program finds real
coefficients within the bounds of an interval; rounded to whole numbers, c1 and c2 leave c0 a narrow interval. It is an
error if that is empty, or has no number of quarters, with the rounding constant that all intervals of a function share.
"""
import sys

import numpy as np
from scipy.optimize import linprog

FRACTION = 17  # c0's intervals are in 2^-17 of the unit of c1 and c2
TANH_PARTS = [0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3]


def short_square(x, bits):
    dropped = 2 * bits - 15
    total = np.zeros_like(x)
    for i in range(bits):
        for j in range(i, bits):
            column = 2 * i if i == j else i + j + 1
            if column >= dropped:
                total += (x >> i & x >> j & 1) << column
    return total


def real_coefficients(basis, target):
    """The fit with the least worst error, by adding the worst two points until they are no worse."""
    picked = list(np.linspace(0, len(target) - 1, 60).astype(int))
    start = np.linalg.lstsq(basis[::7], target[::7], rcond=None)[0]
    rest = target - basis @ start
    for _ in range(40):
        rows, one = basis[picked], np.ones((len(picked), 1))
        solved = linprog([0, 0, 0, 1], A_ub=np.vstack([np.hstack([rows, -one]), np.hstack([-rows, -one])]),
                         b_ub=np.concatenate([rest[picked], -rest[picked]]), bounds=[(None, None)] * 4)
        error = rest - basis @ solved.x[:3]
        if np.abs(error).max() <= solved.x[3] + 1e-7:
            break
        picked += [int(np.argmax(error)), int(np.argmin(error))]
    return start + solved.x[:3]


def parabola(x, result, bits):
    """c1, c2 and the bounds of c0 for one interval; `result` in units of c1."""
    ulp = 2.0 ** (np.floor(np.log2(result)) - 23)
    square = short_square(x, bits)
    basis = np.stack([np.ones(len(x)), x / 2.0**bits, square / 4.0**bits], 1) / ulp[:, None]
    _, c1, c2 = (int(round(c)) for c in real_coefficients(basis, result / ulp + 0.5))
    without = (c1 * x << FRACTION - bits) + (c2 * (square << 2 * (FRACTION - bits)) >> FRACTION)
    least = (np.ceil(result * 2.0**FRACTION).astype("i8") - without).max()
    most = (np.ceil((result + ulp) * 2.0**FRACTION).astype("i8") - without).min()
    if least >= most:
        raise SystemExit("an interval has no c0: the model does not hold on this GPU")
    return c1, c2, int(least), int(most)


def table(intervals, bits=17):
    found = [parabola(x.astype("i8"), result, bits) for x, result in intervals]
    quarter = 1 << FRACTION - 2
    shared = set(range(quarter))
    for _, _, least, most in found:
        shared &= {c0 % quarter for c0 in range(least, most)}
    if not shared:
        raise SystemExit("the intervals share no rounding constant")
    constant = min(shared, key=lambda c: (bin(c).count("1"), c))
    constant -= quarter if constant > quarter - 8 else 0
    print("rounding constant", constant >> FRACTION - bits, "of 2^-%d" % bits)
    return [(-((constant - least) // quarter), c1, c2) for c1, c2, least, _ in found]


def turns(first, stride, count):
    """Quarter turns, in 2^-23, of the floats of a sweep of sin or cos."""
    x = (first + np.arange(count, dtype="u8") * stride).astype("u4").view("f4").astype("f8")
    product = x * float(np.float32(0.15915494))
    ulp = 2.0 ** (np.floor(np.log2(product)) - 23)
    return np.floor(np.floor(product / ulp) * ulp * 2.0**25).astype("i8")


def main():
    def sweep(name, scale):
        return np.fromfile(f"{sys.argv[1]}/{name}", "<u4").view("f4").astype("f8") * scale

    def equal_parts(result, width, stride, skip=0):
        for at in range(0, len(result), width):
            first = skip if at == 0 else 0  # exactly 1 is answered without a parabola
            yield np.arange(first, width) * stride, result[at + first:at + width]

    def tangents():
        result, octave, at = sweep("tanh.approx.f32", 2.0**24), 1 << 18, 0
        for parts in TANH_PARTS:
            for _ in range(1 << parts):
                width = octave >> parts
                yield np.arange(width) * 32 >> 6 - parts, result[at:at + width]
                at += width

    def sines():
        sine, cosine = sweep("sin.approx.ftz.f32", 2.0**24), sweep("cos.approx.ftz.f32", 2.0**24)
        forward, backward = turns(0x3D000000, 8, len(sine)), (1 << 23) - 1 - turns(0x3D000000, 16, len(cosine))
        at, result = np.concatenate([forward, backward]), np.concatenate([sine, cosine])
        for part in range(64):
            here = (at >> 17 == part) & (result > 0)
            yield at[here] & 0x1FFFF, result[here]

    tables = {
        "kReciprocal": table(equal_parts(sweep("rcp.approx.ftz.f32", 2.0**24), 1 << 16, 1), 16),
        "kReciprocalRoot": table(equal_parts(sweep("rsqrt.approx.ftz.f32", 2.0**24), 1 << 16, 2, 1)),
        "kRoot": table(equal_parts(sweep("sqrt.approx.ftz.f32", 2.0**24), 1 << 14, 8)),
        "kPowerOfTwo": table(equal_parts(sweep("ex2.approx.ftz.f32", 2.0**22), 1 << 17, 1)),
        "kLogarithm": table(equal_parts(sweep("lg2.approx.ftz.f32", 2.0**24), 1 << 16, 2, 1)),
        "kQuarterSine": table(sines()),
        "kTangent": table(tangents()),
    }
    lines = ["// Written by bench/approximations/fit.py.", "",
             '#include "grader/simulator/exec/instructions/lanes/approximate_tables.h"', "", "// clang-format off",
             "namespace fusebox::sim {"]
    for name, rows in tables.items():
        lines += ["", f"const Parabola {name}[{len(rows)}] = {{", "   "]
        for row in rows:
            cell = " {%d, %d, %d}," % row
            if len(lines[-1] + cell) > 110:
                lines.append("   ")
            lines[-1] += cell
        lines.append("};")
    lines += ["", "}  // namespace fusebox::sim"]
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")


main()
