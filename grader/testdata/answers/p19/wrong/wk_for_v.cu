// ENTRY: unfused
// CLASS: pointer
// CAUSE: v is made with the weights of k.
// SAYS: \bwk\b|\bwv\b|\bv\b
// SAYS: \bwk\b|wv|never read|instead|weights
// NEVER: \brace\b|barrier|bounds
// HELD: no
// FILL ME IN: three_products (roughly 3 lines)
  product_kernel<<<tiles, threads>>>(x, wq, q, rows, channels, width);
  product_kernel<<<tiles, threads>>>(x, wk, k, rows, channels, width);
  product_kernel<<<tiles, threads>>>(x, wk, v, rows, channels, width);
// END: three_products
