// STYLE: two sums of a tile each, kept in double, inner products backwards; clamped addresses instead of a branch
// FILL ME IN: load_tiles (roughly 6 lines)
    const int ka = min(first_k + static_cast<int>(threadIdx.x), inner - 1), kb = min(first_k + static_cast<int>(threadIdx.y), inner - 1);
    const float keep_a = ka == first_k + static_cast<int>(threadIdx.x) && row < rows;
    const float keep_b = kb == first_k + static_cast<int>(threadIdx.y) && column < columns;
    a_tile[threadIdx.y][threadIdx.x] = keep_a * a[static_cast<size_t>(min(row, rows - 1)) * inner + ka];
    b_tile[threadIdx.y][threadIdx.x] = keep_b * b[static_cast<size_t>(kb) * columns + min(column, columns - 1)];
    __syncthreads();
// END: load_tiles
// FILL ME IN: multiply (roughly 2 lines)
    double even = 0, odd = 0;
    for (int k = kTile - 2; k >= 0; k -= 2) {
      even += static_cast<double>(a_tile[threadIdx.y][k]) * b_tile[k][threadIdx.x];
      odd += static_cast<double>(a_tile[threadIdx.y][k + 1]) * b_tile[k + 1][threadIdx.x];
    }
    sum = static_cast<float>(sum + (even + odd));
    __syncthreads();
// END: multiply
