// p18 swiglu: the gated half of a transformer's MLP: two products of the same x, and one of their values, in
// one launch.
//
//   out[r][f] = silu(g) u     g = sum over h of x[r][h] gate[f][h]     silu(g) = g / (1 + e^-g)
//                             u = sum over h of x[r][h] up[f][h]
//
//   x [rows, hidden]   gate, up [width, hidden]   out [rows, width]
//
// Two blanks, and no advice in between: `kernel` is everything that runs on the GPU, `launch` starts it. One
// launch, no memory of your own, and no more bytes asked for than tiles of 16 by 16 need.
//
//   grader p18

#include <cuda_runtime.h>

// FILL ME IN: kernel (roughly 55 lines)

// END: kernel

// x: [rows, hidden]; gate, up: [width, hidden]; out: [rows, width]; device memory. No extent is 0.
void swiglu(const float* x, const float* gate, const float* up, float* out, int rows, int hidden, int width) {
  // FILL ME IN: launch (roughly 3 lines)

  // END: launch
}
