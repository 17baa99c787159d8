// ENTRY: unfused
// CLASS: index
// CAUSE: Channels and width are passed in each other's place.
// SAYS: channels|width|product|\bx\b|\bwq\b|\bC\b|\bD\b|apart
// SAYS: exchang|past|beyond|outside|end|place|order|instead|channels|apart|bounds
// NEVER: \brace\b|barrier
// HELD: yes
// FILL ME IN: three_products (roughly 3 lines)
  product_kernel<<<tiles, threads>>>(x, wq, q, rows, width, channels);
  product_kernel<<<tiles, threads>>>(x, wk, k, rows, width, channels);
  product_kernel<<<tiles, threads>>>(x, wv, v, rows, width, channels);
// END: three_products
