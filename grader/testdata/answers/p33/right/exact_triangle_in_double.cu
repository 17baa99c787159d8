// STYLE: sums in double from the last channel on, nothing stored above the diagonal, no early return
// FILL ME IN: skip (roughly 1 line)
  const bool mine = first_i + kEach > first_j;
// END: skip
// FILL ME IN: products (roughly 6 lines)
  for (int n = 0; n < kEach * kEach && mine; ++n) {
    const int i = first_i + n % kEach, j = first_j + n / kEach;
    if (i >= positions || j > i) continue;
    double sum = 0;
    for (int c = channels - 1; c >= 0; --c) sum += double(q[i * pitch + c]) * k[j * pitch + c];
    scores[size_t(i) * positions + j] = float(sum / sqrt(double(channels)));
  }
// END: products
