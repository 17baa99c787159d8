"""Copies, bias and GELU, softmax of rows, convolution, embeddings: what streams through once."""

import torch

from .compile import I, L, P
from .timing import (DEVICE, Shape, Target, close, compiled, normal, sets_for, unwritten)

FUNCTIONS = {
    "p02": [("kernel", "copy_slice", [P, P, L, L])],
    "p03": [("kernel", "copy", [P, P, L])],
    "p04": [("fused", "bias_gelu_fused", [P, P, P, I, I])],
    "p05": [("kernel", "bias_gelu_residual", [P, P, P, P, I, I])],
    "p17": [("kernel", "softmax", [P, P, I, I])],
    "p25": [("kernel", "embedding_gather", [P, P, P, I, I, I])],
    "p26": [("kernel", "embedding_sorted", [P, P, P, P, I, I, I])],
    "p27": [("kernel", "embedding_bag", [P, P, P, P, I, I, I, I, I])],
    "p37": [("kernel", "causal_conv", [P, P, P, I, I])],
}


def copy(puzzle):
    def shape(libraries, count=1 << 26):
        shape = Shape(puzzle, f"copy fp32, {4 * count / 1e6:.0f} MB", 8 * count, Target(peer=0.99, peer_aim=1.0))
        n = sets_for(shape.min_bytes)
        x, out = [normal(count) for _ in range(n)], [unwritten(count) for _ in range(n)]
        slice_of = (0,) if puzzle == "p02" else ()
        call = lambda library, s: library.ref_kernel(x[s].data_ptr(), out[s].data_ptr(), *slice_of, count)
        shape.add_solutions(libraries, call, n, lambda what: close(out[0], x[0], 0, 0, what))
        into = [torch.empty_like(v) for v in x]
        # From one tensor to another this is cudaMemcpyAsync.
        shape.add("torch copy_", lambda s: into[s].copy_(x[s]), n, peer=True)
        shape.add_peer("torch.compile", compiled(torch.clone), [(v,) for v in x])
        return shape
    return shape


def bias_gelu(libraries, rows=16384, columns=4096):
    shape = Shape("p04", f"bias + GELU fp32 {rows}x{columns}", 4 * (2 * rows * columns + columns), Target(0.96, 0.98))
    n = sets_for(shape.min_bytes)
    x, out = [normal(rows, columns) for _ in range(n)], [unwritten(rows, columns) for _ in range(n)]
    bias = normal(columns)
    eager = lambda x, b: torch.nn.functional.gelu(x + b, approximate="tanh")
    call = lambda library, s: library.ref_fused(x[s].data_ptr(), bias.data_ptr(), out[s].data_ptr(), rows, columns)
    shape.add_solutions(libraries, call, n, lambda what: close(out[0], eager(x[0], bias), 1e-5, 1e-5, what))
    shape.add_eager_and_compiled(eager, [(v, bias) for v in x])
    return shape


def bias_gelu_residual(libraries, rows=16384, columns=4096):
    shape = Shape("p05", f"bias + GELU + residual fp32 {rows}x{columns}", 4 * (3 * rows * columns + columns),
                  Target(0.96, 0.98))
    n = sets_for(shape.min_bytes)
    x, residual = ([normal(rows, columns) for _ in range(n)] for _ in range(2))
    out, bias = [unwritten(rows, columns) for _ in range(n)], normal(columns)
    eager = lambda x, b, r: r + torch.nn.functional.gelu(x + b)
    call = lambda library, s: library.ref_kernel(x[s].data_ptr(), bias.data_ptr(), residual[s].data_ptr(),
                                                 out[s].data_ptr(), rows, columns)
    shape.add_solutions(libraries, call, n,
                        lambda what: close(out[0], eager(x[0], bias, residual[0]), 1e-5, 1e-5, what))
    shape.add_eager_and_compiled(eager, [(v, bias, r) for v, r in zip(x, residual)])
    return shape


def softmax(libraries, rows=8192, columns=4096):
    shape = Shape("p17", f"softmax fp32 {rows}x{columns}", 8 * rows * columns, Target())
    n = sets_for(shape.min_bytes)
    x, out = [normal(rows, columns) for _ in range(n)], [unwritten(rows, columns) for _ in range(n)]
    eager = lambda x: torch.softmax(x, 1)
    call = lambda library, s: library.ref_kernel(x[s].data_ptr(), out[s].data_ptr(), rows, columns)
    shape.add_solutions(libraries, call, n, lambda what: close(out[0], eager(x[0]), 1e-4, 1e-8, what))
    shape.add_eager_and_compiled(eager, [(v,) for v in x])
    return shape


def embedding(width, must, aim):
    def shape(libraries, vocabulary=50304 * 768 // width):
        tokens = vocabulary // 2
        shape = Shape("p25", f"embedding, {tokens} distinct rows of {4 * width} B", 4 * tokens * (2 * width + 1),
                      Target(must, aim))
        n = sets_for(shape.min_bytes)
        table = [normal(vocabulary, width) for _ in range(n)]
        ids = [torch.randperm(vocabulary, device=DEVICE)[:tokens] for _ in range(n)]
        narrow = [i.int() for i in ids]
        out = [unwritten(tokens, width) for _ in range(n)]
        eager = lambda ids, table: torch.nn.functional.embedding(ids, table)
        call = lambda library, s: library.ref_kernel(narrow[s].data_ptr(), table[s].data_ptr(), out[s].data_ptr(),
                                                     tokens, vocabulary, width)
        shape.add_solutions(libraries, call, n, lambda what: close(out[0], eager(ids[0], table[0]), 0, 0, what))
        shape.add_eager_and_compiled(eager, list(zip(ids, table)))
        return shape
    return shape


def embedding_sorted(libraries, tokens=65536, vocabulary=65536, width=768, repeats=8):
    shape = Shape("p26", f"embedding, {tokens} tokens, each row of {4 * width} B for {repeats} of them",
                  4 * (tokens // repeats * width + tokens * (width + 2)), Target())
    n = sets_for(shape.min_bytes)
    table = [normal(vocabulary, width) for _ in range(n)]
    rows = [torch.randperm(vocabulary, device=DEVICE)[:tokens // repeats] for _ in range(n)]
    ids = [r.repeat_interleave(repeats)[torch.randperm(tokens, device=DEVICE)] for r in rows]
    in_order = [torch.sort(i) for i in ids]
    sorted_ids, order = [o.values.int() for o in in_order], [o.indices.int() for o in in_order]
    out = [unwritten(tokens, width) for _ in range(n)]
    eager = lambda ids, table: torch.nn.functional.embedding(ids, table)
    call = lambda library, s: library.ref_kernel(sorted_ids[s].data_ptr(), order[s].data_ptr(), table[s].data_ptr(),
                                                 out[s].data_ptr(), tokens, vocabulary, width)
    shape.add_solutions(libraries, call, n, lambda what: close(out[0], eager(ids[0], table[0]), 0, 0, what))
    # The same rows for the same tokens; PyTorch has no use for the order, and nobody's sorting is timed.
    shape.add_eager_and_compiled(eager, list(zip(ids, table)), "eager, as they come")
    return shape


def embedding_bag(libraries, bags=8192, per_bag=32, width=256, vocabulary=524288):
    count = bags * per_bag
    shape = Shape("p27", f"embedding bags, {bags} sums of {per_bag} rows of {4 * width} B",
                  4 * (count * (width + 1) + bags * (width + 1)), Target())
    n = sets_for(shape.min_bytes)
    table = [normal(vocabulary, width) for _ in range(n)]
    ids = [torch.randperm(vocabulary, device=DEVICE)[:count] for _ in range(n)]
    narrow = [i.int() for i in ids]
    offsets = torch.arange(0, count, per_bag, device=DEVICE)
    narrow_offsets, out = offsets.int(), [unwritten(bags, width) for _ in range(n)]
    eager = lambda ids, table: torch.nn.functional.embedding_bag(ids, table, offsets, mode="sum")
    gathered = lambda ids, table: torch.nn.functional.embedding(ids.view(bags, per_bag), table).sum(1)
    call = lambda library, s: library.ref_kernel(narrow[s].data_ptr(), narrow_offsets.data_ptr(), table[s].data_ptr(),
                                                 out[s].data_ptr(), bags, count, vocabulary, width, 0)
    shape.add_solutions(libraries, call, n, lambda what: close(out[0], gathered(ids[0], table[0]), 1e-4, 1e-4, what))
    shape.add_eager_and_compiled(eager, list(zip(ids, table)), "eager embedding_bag")
    shape.add_peer("torch.compile, rows and sum", compiled(gathered), list(zip(ids, table)))
    return shape


def causal_conv(libraries, steps=4096, channels=4096):
    shape = Shape("p37", f"causal convolution fp32, {steps} steps, {channels} channels, 4 weights each",
                  4 * (2 * steps * channels + 4 * channels), Target())
    n = sets_for(shape.min_bytes)
    x, out = [normal(steps, channels) for _ in range(n)], [unwritten(steps, channels) for _ in range(n)]
    weight = normal(4, channels)

    def shifted(x, weight):
        padded = torch.nn.functional.pad(x, (0, 0, 3, 0))
        return sum(weight[k] * padded[3 - k:3 - k + steps] for k in range(4))

    # conv1d wants the channels first, and its weights the other way round: both done before, and not timed.
    first = [v.t().contiguous().unsqueeze(0) for v in x]
    flipped = weight.flip(0).t().contiguous().unsqueeze(1)
    conv = lambda x, w: torch.nn.functional.conv1d(x, w, padding=3, groups=channels)
    call = lambda library, s: library.ref_kernel(x[s].data_ptr(), weight.data_ptr(), out[s].data_ptr(), steps, channels)
    shape.add_solutions(libraries, call, n, lambda what: close(out[0], shifted(x[0], weight), 1e-4, 1e-4, what))
    shape.add_eager_and_compiled(shifted, [(v, weight) for v in x], "eager, four shifted products")
    shape.add_peer("conv1d, channels first", conv, [(v, flipped) for v in first])
    return shape


SHAPES = {
    "p02": [copy("p02")], "p03": [copy("p03")], "p04": [bias_gelu], "p05": [bias_gelu_residual], "p17": [softmax],
    "p25": [embedding(768, 0.92, 0.96), embedding(128, 0.85, 0.93), embedding(32, 0.75, 0.88)],
    "p26": [embedding_sorted], "p27": [embedding_bag], "p37": [causal_conv],
}
