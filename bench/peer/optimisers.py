"""Steps of Adam: one large tensor, and all the tensors of GPT-2."""

import ctypes

import torch

from .compile import F, I, L, P
from .timing import DEVICE, Shape, Target, close, normal

ONE_TENSOR = [("kernel", "adam_step", [P, P, P, P, L, F, F, F, F, I])]
FUNCTIONS = {
    "p28": ONE_TENSOR,
    "p29": ONE_TENSOR,
    "p30": [("kernel", "adam_step", [P] * 6 + [I] + [F] * 4 + [I])],
}
LR, BETA1, BETA2, EPS, STEP = 1e-3, 0.9, 0.999, 1e-8, 10
WAYS = [("eager", dict(foreach=False)), ("foreach", dict(foreach=True)), ("fused", dict(fused=True))]


class State:
    """Parameters, gradients and moments in one piece each, and what a step makes of the parameters of `ranges`."""

    def __init__(self, count, ranges):
        self.p, self.g, self.m = normal(count), normal(count), normal(count) * 0.1
        self.v = torch.rand(count, device=DEVICE)
        self.ranges = ranges
        self.want = [self.stepped(*each) for each in ranges]

    def pointers(self):
        return [t.data_ptr() for t in (self.p, self.g, self.m, self.v)]

    def stepped(self, first, count):
        p, g, m, v = (t[first:first + count].double() for t in (self.p, self.g, self.m, self.v))
        m, v = BETA1 * m + (1 - BETA1) * g, BETA2 * v + (1 - BETA2) * g**2
        p -= LR * (m / (1 - BETA1**STEP)) / ((v / (1 - BETA2**STEP)).sqrt() + EPS)
        return p.float()

    def confirm(self, what):
        """After the one step that `work` did. A second solution starts where the first one ended."""
        for (first, count), want in zip(self.ranges, self.want):
            close(self.p[first:first + count], want, 1e-5, 1e-6, what, keep=True)
        self.want = [self.stepped(*each) for each in self.ranges]


def optimiser(sizes, **how):
    parameters = [torch.nn.Parameter(normal(size)) for size in sizes]
    for parameter in parameters:
        parameter.grad = normal(parameter.numel())
    return torch.optim.Adam(parameters, lr=LR, betas=(BETA1, BETA2), eps=EPS, **how)


def add_optimisers(shape, sizes):
    for name, how in WAYS:
        step = optimiser(sizes, **how).step
        shape.add(f"torch {name}", lambda s, step=step: step(), 1, graph=False, peer=True)


def one_tensor(puzzle, what, target=None):
    def shape(libraries, count=1 << 26):
        shape = Shape(puzzle, f"Adam fp32, {what}one tensor of {count / 1e6:.0f} M", 28 * count, target)
        state = State(count, [(0, count)])
        call = lambda library, s: library.ref_kernel(*state.pointers(), count, LR, BETA1, BETA2, EPS, STEP)
        shape.add_solutions(libraries, call, 1, state.confirm, graph=False)
        add_optimisers(shape, [count])
        return shape
    return shape


def gpt2_sizes(width, layers=12, vocabulary=50257, positions=1024):
    """Two tables of embeddings, twelve tensors for each layer, two for the last LayerNorm."""
    layer = [1, 1, 3 * width, 3, width, 1, 1, 1, 4 * width, 4, 4 * width, 1]
    return [vocabulary * width, positions * width] + [n * width for n in layer] * layers + [width, width]


def multi_tensor(libraries, width=768):
    sizes = gpt2_sizes(width)
    offsets = [0]
    for size in sizes:
        offsets.append(offsets[-1] + (size + 63) // 64 * 64)
    total = sum(sizes)
    shape = Shape("p30", f"Adam fp32, GPT-2's {len(sizes)} tensors, {total / 1e6:.0f} M", 28 * total,
                  Target(0.90, peer_aim=1.1))
    state = State(offsets.pop(), list(zip(offsets, sizes)))
    lists = [(ctypes.c_long * len(sizes))(*values) for values in (offsets, sizes)]
    addresses = [ctypes.addressof(values) for values in lists]

    def call(library, s, keep=lists):  # the lists live as long as somebody may call
        library.ref_kernel(*state.pointers(), *addresses, len(sizes), LR, BETA1, BETA2, EPS, STEP)
    # Each step makes its list of chunks and sends it to the GPU; out of a graph that has been done before.
    shape.add_solutions(libraries, call, 1, state.confirm, graph=False)
    shape.add_solutions(libraries, call, 1, state.confirm, suffix=", list kept")
    add_optimisers(shape, sizes)
    step = optimiser(sizes, fused=True, capturable=True).step
    shape.add("torch fused, graph", lambda s: step(), 1, peer=True)
    return shape


SHAPES = {
    "p28": [one_tensor("p28", "five kernels, ")], "p29": [one_tensor("p29", "", Target(0.93, 0.97))],
    "p30": [multi_tensor],
}
