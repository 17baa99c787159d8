"""LayerNorm, alone and with GELU, and its way back; RMSNorm."""

import torch

from .compile import F, I, P
from .timing import Shape, Target, close, normal, sets_for, unwritten

EPS = 1e-5
LAYERNORM = [("kernel", "layernorm", [P, P, P, P, P, P, I, I, F])]
FUNCTIONS = {
    **{puzzle: LAYERNORM for puzzle in ("p08", "p09", "p10", "p11", "p12", "p13")},
    "p16": [(entry, f"layernorm_gelu_{entry}", [P, P, P, P, I, I, F]) for entry in ("fused", "unfused")],
    "p22": [("kernel", "rmsnorm", [P, P, P, I, I, F])],
    "p23": [(entry, f"rmsnorm_{entry}", [P, P, P, I, I, F]) for entry in ("registers", "shared")],
    "p24": [(entry, f"add_rmsnorm_{entry}", [P, P, P, P, P, I, I, F]) for entry in ("fused", "unfused")],
    "p31": [("kernel", "layernorm_backward_dx", [P, P, P, P, P, P, I, I])],
    "p32": [("partials", "layernorm_backward_params", [P, P, P, P, P, P, I, I]),
            ("atomics", "layernorm_backward_params_atomics", [P, P, P, P, P, P, I, I])],
}


def layer_norm(puzzle, rows=8192, columns=768, target=None):
    def shape(libraries, rows=rows, columns=columns):
        shape = Shape(puzzle, f"LayerNorm fp32 {rows}x{columns}",
                      4 * (2 * rows * columns + 2 * columns + 2 * rows), target)
        n = sets_for(shape.min_bytes)
        x, out = [normal(rows, columns) for _ in range(n)], [unwritten(rows, columns) for _ in range(n)]
        gamma, beta = normal(columns), normal(columns)
        mean, rstd = unwritten(rows), unwritten(rows)
        eager = lambda x, g, b: torch.nn.functional.layer_norm(x, (columns,), g, b, EPS)
        call = lambda library, s: library.ref_kernel(x[s].data_ptr(), gamma.data_ptr(), beta.data_ptr(),
                                                     out[s].data_ptr(), mean.data_ptr(), rstd.data_ptr(), rows,
                                                     columns, EPS)
        shape.add_solutions(libraries, call, n,
                            lambda what: close(out[0], eager(x[0], gamma, beta), 1e-4, 1e-4, what))
        shape.add_eager_and_compiled(eager, [(v, gamma, beta) for v in x])
        return shape
    return shape


def layer_norm_gelu(libraries, rows=16384, columns=4096):
    shape = Shape("p16", f"LayerNorm + GELU fp32 {rows}x{columns}", 4 * (2 * rows * columns + 2 * columns),
                  Target(0.92, 0.95))
    n = sets_for(shape.min_bytes)
    x, out = [normal(rows, columns) for _ in range(n)], [unwritten(rows, columns) for _ in range(n)]
    gamma, beta = normal(columns), normal(columns)

    def eager(x, g, b):
        return torch.nn.functional.gelu(torch.nn.functional.layer_norm(x, (columns,), g, b, EPS), approximate="tanh")

    def call(entry):
        return lambda library, s: getattr(library, f"ref_{entry}")(
            x[s].data_ptr(), gamma.data_ptr(), beta.data_ptr(), out[s].data_ptr(), rows, columns, EPS)
    confirm = lambda what: close(out[0], eager(x[0], gamma, beta), 1e-4, 1e-4, what)
    shape.add_solutions(libraries, call("fused"), n, confirm)
    shape.add_solutions(libraries, call("unfused"), n, confirm, suffix=", unfused")
    shape.add_eager_and_compiled(eager, [(v, gamma, beta) for v in x])
    return shape


def rms_norm(puzzle, entries):
    def shape(libraries, rows=16384, columns=4096):
        shape = Shape(puzzle, f"RMSNorm fp32 {rows}x{columns}", 4 * (2 * rows * columns + columns), Target(0.95, 0.98))
        n = sets_for(shape.min_bytes)
        x, out = [normal(rows, columns) for _ in range(n)], [unwritten(rows, columns) for _ in range(n)]
        weight = normal(columns)
        eager = lambda x, w: torch.nn.functional.rms_norm(x, (columns,), w, EPS)
        for entry, suffix in entries:
            call = lambda library, s, entry=entry: getattr(library, f"ref_{entry}")(
                x[s].data_ptr(), weight.data_ptr(), out[s].data_ptr(), rows, columns, EPS)
            shape.add_solutions(libraries, call, n, lambda what: close(out[0], eager(x[0], weight), 1e-4, 1e-4, what),
                                suffix=suffix)
        shape.add_eager_and_compiled(eager, [(v, weight) for v in x])
        return shape
    return shape


def add_rms_norm(libraries, rows=8192, columns=4096):
    shape = Shape("p24", f"residual + RMSNorm bf16 {rows}x{columns}", 2 * (4 * rows * columns + columns),
                  Target(0.95, 0.98))
    n = sets_for(shape.min_bytes)
    x, residual = ([normal(rows, columns, dtype=torch.bfloat16) for _ in range(n)] for _ in range(2))
    total, out = ([unwritten(rows, columns, dtype=torch.bfloat16) for _ in range(n)] for _ in range(2))
    weight = normal(columns, dtype=torch.bfloat16)

    def eager(x, residual, weight):
        total = x + residual
        return total, torch.nn.functional.rms_norm(total, (columns,), weight, EPS)

    def confirm(what):
        want_total, want = eager(x[0], residual[0], weight)
        close(total[0], want_total, 0, 0, f"{what}, sum")
        close(out[0], want, 2e-2, 2e-2, what)

    def call(entry):
        return lambda library, s: getattr(library, f"ref_{entry}")(
            x[s].data_ptr(), residual[s].data_ptr(), weight.data_ptr(), total[s].data_ptr(), out[s].data_ptr(), rows,
            columns, EPS)
    shape.add_solutions(libraries, call("fused"), n, confirm)
    shape.add_solutions(libraries, call("unfused"), n, confirm, suffix=", unfused")
    shape.add_eager_and_compiled(eager, [(v, r, weight) for v, r in zip(x, residual)])
    return shape


def saved_of(x):
    """What the forward pass saves of each row: mean and rstd, [rows, 1]."""
    mean = x.mean(1, keepdim=True)
    return mean, (x.var(1, keepdim=True, unbiased=False) + EPS).rsqrt()


def backward(wanted, dy, x, mean, rstd, gamma):
    """Of dx, dgamma, dbeta those that `wanted` asks for, and no work for the others."""
    all_three = torch.ops.aten.native_layer_norm_backward(dy, x, [x.shape[1]], mean, rstd, gamma, gamma, wanted)
    return [gradient for gradient, is_wanted in zip(all_three, wanted) if is_wanted]


def backward_dx(rows, columns):
    def shape(libraries, rows=rows, columns=columns):
        shape = Shape("p31", f"LayerNorm backward, dx, fp32 {rows}x{columns}",
                      4 * (3 * rows * columns + columns + 2 * rows), Target(0.80, 0.90))
        n = sets_for(shape.min_bytes)
        dy, x = ([normal(rows, columns) for _ in range(n)] for _ in range(2))
        gamma, saved, out = normal(columns), [saved_of(v) for v in x], [unwritten(rows, columns) for _ in range(n)]
        eager = lambda dy, x, mean, rstd, gamma: backward([True, False, False], dy, x, mean, rstd, gamma)[0]
        inputs = [(dy[s], x[s], *saved[s], gamma) for s in range(n)]
        call = lambda library, s: library.ref_kernel(dy[s].data_ptr(), x[s].data_ptr(), gamma.data_ptr(),
                                                     saved[s][0].data_ptr(), saved[s][1].data_ptr(),
                                                     out[s].data_ptr(), rows, columns)
        shape.add_solutions(libraries, call, n, lambda what: close(out[0], eager(*inputs[0]), 1e-4, 1e-4, what))
        shape.add_eager_and_compiled(eager, inputs)
        return shape
    return shape


def backward_params(rows, columns):
    def shape(libraries, rows=rows, columns=columns):
        shape = Shape("p32", f"LayerNorm backward, dgamma and dbeta, fp32 {rows}x{columns}",
                      4 * (2 * rows * columns + 2 * columns + 2 * rows), Target(0.80, 0.90))
        n = sets_for(shape.min_bytes)
        dy, x = ([normal(rows, columns) for _ in range(n)] for _ in range(2))
        gamma, saved = normal(columns), [saved_of(v) for v in x]
        dgamma, dbeta = unwritten(columns), unwritten(columns)
        eager = lambda dy, x, mean, rstd, gamma: backward([False, True, True], dy, x, mean, rstd, gamma)
        inputs = [(dy[s], x[s], *saved[s], gamma) for s in range(n)]

        def confirm(what):
            wide = dy[0].double()
            close(dgamma, (wide * (x[0].double() - saved[0][0]) * saved[0][1]).sum(0), 1e-3, 1e-2, f"{what}, dgamma")
            close(dbeta, wide.sum(0), 1e-3, 1e-2, f"{what}, dbeta")
        for entry, suffix in (("partials", ""), ("atomics", ", atomics")):
            call = lambda library, s, entry=entry: getattr(library, f"ref_{entry}")(
                dy[s].data_ptr(), x[s].data_ptr(), saved[s][0].data_ptr(), saved[s][1].data_ptr(), dgamma.data_ptr(),
                dbeta.data_ptr(), rows, columns)
            shape.add_solutions(libraries, call, n, confirm, suffix=suffix)
        shape.add_eager_and_compiled(eager, inputs)
        return shape
    return shape


SHAPES = {
    **{puzzle: [layer_norm(puzzle)] for puzzle in ("p08", "p09", "p10", "p11", "p12")},
    "p13": [layer_norm("p13", 8192, 768, Target(0.90, 0.97)), layer_norm("p13", 16384, 4096, Target(0.95, 0.98))],
    "p16": [layer_norm_gelu],
    "p22": [rms_norm("p22", [("kernel", "")])],
    "p23": [rms_norm("p23", [("registers", ""), ("shared", ", shared memory")])],
    "p24": [add_rms_norm],
    "p31": [backward_dx(32768, 768), backward_dx(16384, 4096)],
    "p32": [backward_params(32768, 768), backward_params(16384, 4096)],
}
