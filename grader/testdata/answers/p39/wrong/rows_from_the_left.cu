// ENTRY: kernel
// CLASS: index
// CAUSE: across and down are exchanged in the multiply blank: rows are taken by across and columns by down.
// SAYS: rows?|columns?|multiply|transpos|exchang|place|order
// NEVER: barrier|\brace\b
// HELD: no
// FILL ME IN: multiply (roughly 12 lines)
    for (int k = 0; k < kDeep; k++) {
      float a[4], b[4];
      for (int i = 0; i < 4; i++) a[i] = x_tile[k][across * 4 + i];
      for (int j = 0; j < 4; j++) b[j] = w_tile[k][down + 16 * j];
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) sum[i][j] += a[i] * b[j];
    }
// END: multiply
