// STYLE: the sum in double, division before the root, a reversed second pass
// FILL ME IN: row_statistics (roughly 6 lines)
  double squares = 0.0;
  for (int column = threadIdx.x; column < columns; column += kThreads)
    squares += static_cast<double>(x_row[column]) * x_row[column];
  inverse_rms = static_cast<float>(1.0 / sqrt(static_cast<double>(block_sum(static_cast<float>(squares))) / columns + eps));
// END: row_statistics
// FILL ME IN: scale_row (roughly 3 lines)
  for (int left = columns - 1 - static_cast<int>(threadIdx.x); left >= 0; left -= kThreads)
    out_row[left] = weight[left] * (x_row[left] * inverse_rms);
// END: scale_row
