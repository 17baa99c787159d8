// ENTRY: fused
// CLASS: scaling
// CAUSE: The factor 0.5 of GELU is missing in `gelu_tanh`: every result is twice what it should be.
// SAYS: twice|double|half|(\b2(\.0+)?\b|factor 0\.5).*(times|factor|ratio|multipl|scal(e|ing)|divi(de|sor)|too (large|small|big)|\bx\b)|(times|factor|ratio|multipl|scal(e|ing)|divi(de|sor)|too (large|small|big)|\bx\b).*\b(2|0\.5)(?!\d)
// NEVER: without (the )?bias|applied twice
// HELD: no
// FILL ME IN: gelu_tanh (roughly 2 lines)
  result = v * (1.0f + tanhf(kRootTwoOverPi * (v + kCubic * v * v * v)));
// END: gelu_tanh
