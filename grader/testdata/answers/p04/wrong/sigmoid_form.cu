// ENTRY: fused
// CLASS: approximation
// CAUSE: `gelu_tanh` computes v * sigmoid(1.702 v), a coarse approximation that is neither of the two forms.
// SAYS: sigmoid|1\.702|gelu_tanh
// NEVER: exactly this:.*\berf|(is|uses|computes) the erf|fp16|bf16|half precision
// HELD: no
// FILL ME IN: gelu_tanh (roughly 2 lines)
  result = v / (1.0f + expf(-1.702f * v));
// END: gelu_tanh
