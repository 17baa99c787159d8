"""Matrix products, with what is fused to them. Peers compute in float; TF32 is shown beside them and is no peer."""

import torch

from .compile import F, I, P
from .timing import (Shape, Target, close, compiled, normal, sets_for, unwritten, with_tf32)

EPS = 1e-5
FUNCTIONS = {
    "p18": [("kernel", "swiglu", [P] * 4 + [I] * 3)],
    "p19": [(entry, f"qkv_{entry}", [P] * 7 + [I] * 3) for entry in ("fused", "unfused")],
    "p20": [("kernel", "layernorm_linear_fused", [P] * 6 + [I] * 4 + [F])],
    "p21": [("kernel", "layernorm_linear_folded", [P] * 6 + [I] * 4 + [F])],
    "p36": [("kernel", "trimat", [P, P, I, I, I, I])],
    "p39": [("kernel", "linear_and_plan", [P] * 4 + [I] * 3 + [P] * 4 + [I] + [F] * 4)],
}


def linear(x, weight, bias=None):
    return torch.nn.functional.linear(x, weight, bias)


def swiglu(libraries, rows=81920, hidden=32, width=128):
    shape = Shape("p18", f"SwiGLU fp32 {rows}x{hidden}x{width}",
                  4 * (rows * hidden + 2 * width * hidden + rows * width), Target())
    n = sets_for(shape.min_bytes)
    x, out = [normal(rows, hidden) for _ in range(n)], [unwritten(rows, width) for _ in range(n)]
    gate, up = normal(width, hidden) / hidden**0.5, normal(width, hidden) / hidden**0.5
    eager = lambda x, gate, up: torch.nn.functional.silu(linear(x, gate)) * linear(x, up)

    def joined(x, both):
        g, u = linear(x, both).chunk(2, 1)
        return torch.nn.functional.silu(g) * u
    call = lambda library, s: library.ref_kernel(x[s].data_ptr(), gate.data_ptr(), up.data_ptr(), out[s].data_ptr(),
                                                 rows, hidden, width)
    shape.add_solutions(libraries, call, n, lambda what: close(out[0], eager(x[0], gate, up), 1e-3, 1e-3, what))
    shape.add_eager_and_compiled(eager, [(v, gate, up) for v in x], "eager (cuBLAS fp32)")
    both = torch.cat([gate, up])
    shape.add_peer("torch.compile, one product", compiled(joined), [(v, both) for v in x])
    shape.add_peer("eager (cuBLAS TF32)", with_tf32(eager), [(v, gate, up) for v in x], peer=False)
    return shape


def qkv(libraries, rows=32768, channels=352, width=32):
    shape = Shape("p19", f"QKV projections fp32 {rows}x{channels}x3*{width}",
                  4 * (rows * channels + 3 * channels * width + 3 * rows * width), Target(peer=0.90, peer_aim=1.0))
    n = sets_for(shape.min_bytes)
    x = [normal(rows, channels) for _ in range(n)]
    weights = [normal(channels, width) / channels**0.5 for _ in range(3)]
    out = [[unwritten(rows, width) for _ in range(3)] for _ in range(n)]
    eager = lambda x, wq, wk, wv: (x @ wq, x @ wk, x @ wv)

    def confirm(what):
        for got, want in zip(out[0], eager(x[0], *weights)):
            close(got, want, 1e-3, 1e-3, what)

    def call(entry):
        return lambda library, s: getattr(library, f"ref_{entry}")(
            x[s].data_ptr(), *(w.data_ptr() for w in weights), *(o.data_ptr() for o in out[s]), rows, channels, width)
    shape.add_solutions(libraries, call("fused"), n, confirm)
    shape.add_solutions(libraries, call("unfused"), n, confirm, suffix=", unfused")
    inputs, joined = [(v, *weights) for v in x], torch.cat(weights, 1)
    shape.add_eager_and_compiled(eager, inputs, "eager, three products")
    shape.add_peer("cuBLAS fp32, one product", torch.mm, [(v, joined) for v in x])
    shape.add_peer("cuBLAS TF32, one product", with_tf32(torch.mm), [(v, joined) for v in x], peer=False)
    return shape


def layer_norm_linear(puzzle, rows, hidden, width, target=None):
    def shape(libraries, rows=rows, hidden=hidden, width=width):
        shape = Shape(puzzle, f"LayerNorm + Linear fp32 {rows}x{hidden}x{width}",
                      4 * (rows * hidden + width * hidden + rows * width + 2 * hidden + width), target)
        n = sets_for(shape.min_bytes)
        x, out = [normal(rows, hidden) for _ in range(n)], [unwritten(rows, width) for _ in range(n)]
        gamma, beta = normal(hidden), normal(hidden)
        weight, bias = normal(width, hidden) / hidden**0.5, normal(width)

        def eager(x, gamma, beta, weight, bias):
            return linear(torch.nn.functional.layer_norm(x, (hidden,), gamma, beta, EPS), weight, bias)
        call = lambda library, s: library.ref_kernel(x[s].data_ptr(), gamma.data_ptr(), beta.data_ptr(),
                                                     weight.data_ptr(), bias.data_ptr(), out[s].data_ptr(), 1, rows,
                                                     hidden, width, EPS)
        inputs = [(v, gamma, beta, weight, bias) for v in x]
        shape.add_solutions(libraries, call, n, lambda what: close(out[0], eager(*inputs[0]), 1e-3, 1e-3, what))
        shape.add_eager_and_compiled(eager, inputs, "eager (cuBLAS fp32)")
        shape.add_peer("cuBLAS fp32 alone", linear, [(v, weight, bias) for v in x], peer=False)
        shape.add_peer("eager (cuBLAS TF32)", with_tf32(eager), inputs, peer=False)
        return shape
    return shape


def trimat(libraries, batch=8, positions=1024, heads=12, channels=64):
    triangle = batch * heads * positions * (positions + 1) // 2
    shape = Shape("p36", f"causal QK^T fp32, B{batch} T{positions} NH{heads} HS{channels}",
                  4 * (triangle + 2 * batch * positions * heads * channels), Target(us=140, us_aim=120))
    n = sets_for(shape.min_bytes)
    qkv = [normal(batch, positions, 3, heads, channels) for _ in range(n)]
    out = [unwritten(batch, heads, positions, positions) for _ in range(n)]
    scale = channels**-0.5

    def eager(qkv):
        q, k, _ = qkv.unbind(2)
        return q.transpose(1, 2) @ k.permute(0, 2, 3, 1) * scale

    # As cuBLAS likes it: q and k of each head in one piece, copied before and not timed, and no launch for the scale.
    def pieces(qkv):
        q, k, _ = (t.transpose(1, 2).reshape(batch * heads, positions, channels).contiguous() for t in qkv.unbind(2))
        return q, k
    ready, nothing = [pieces(v) for v in qkv], normal(1, 1, 1)
    product = lambda q, k: torch.baddbmm(nothing, q, k.transpose(1, 2), beta=0, alpha=scale)

    def confirm(what):
        close(out[0].tril(), eager(qkv[0]).tril(), 1e-3, 1e-3, what)
        out[0].fill_(float("nan"))
    call = lambda library, s: library.ref_kernel(qkv[s].data_ptr(), out[s].data_ptr(), batch, positions, heads,
                                                 channels)
    shape.add_solutions(libraries, call, n, confirm)
    shape.add_eager_and_compiled(eager, [(v,) for v in qkv], "eager, full square")
    shape.add_peer("cuBLAS fp32, full square", product, ready)
    shape.add_peer("cuBLAS TF32, full square", with_tf32(product), ready, peer=False)
    return shape


def use_the_library(rows, inner, columns, jobs=1024):
    def shape(libraries, rows=rows, inner=inner, columns=columns):
        # A lesson in what the library is for: no target.
        shape = Shape("p39", f"Linear fp32 {rows}x{inner}x{columns}",
                      4 * (rows * inner + columns * inner + rows * columns + columns))
        n = sets_for(shape.min_bytes)
        x, out = [normal(rows, inner) for _ in range(n)], [unwritten(rows, columns) for _ in range(n)]
        weight, bias = normal(columns, inner) / inner**0.5, normal(columns)
        ids = torch.ones(4, jobs, device=x[0].device, dtype=torch.int32)
        library_us, own_us, use_own = unwritten(jobs), unwritten(jobs), torch.empty_like(ids[0])
        call = lambda library, s: library.ref_kernel(x[s].data_ptr(), weight.data_ptr(), bias.data_ptr(),
                                                     out[s].data_ptr(), rows, inner, columns, ids.data_ptr(),
                                                     library_us.data_ptr(), own_us.data_ptr(), use_own.data_ptr(),
                                                     jobs, 5e7, 4e6, 0.5, 3.0)
        inputs = [(v, weight, bias) for v in x]
        shape.add_solutions(libraries, call, n, lambda what: close(out[0], linear(*inputs[0]), 1e-3, 1e-3, what))
        shape.add_eager_and_compiled(linear, inputs, "cuBLAS fp32")
        shape.add_peer("cuBLAS TF32", with_tf32(linear), inputs, peer=False)
        return shape
    return shape


SHAPES = {
    "p18": [swiglu], "p19": [qkv],
    "p20": [layer_norm_linear("p20", 8192, 768, 3072)],
    "p21": [layer_norm_linear("p21", 2048, 768, 768, Target())],
    "p36": [trimat], "p39": [use_the_library(4096, 192, 512), use_the_library(2048, 768, 768)],
}
