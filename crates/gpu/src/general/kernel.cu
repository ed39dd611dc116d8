// The kernel that runs a network: from packed positions to the outputs of all heads in one launch.
//
// docs/gpu.md has the layout with a drawing. In short: a block of threads carries BOARDS boards through all layers. Channels of a cell lie side by side
// (a "column" of COLUMN halves), cells in a frame of zeros, so that a tap of a 3x3 kernel is a constant distance. A convolution is a product of matrices:
// M = outputs (16 a tile), N = cells of all boards (8 a tile), K = inputs times taps (16 a step). A warp holds WARP_M x WARP_N tiles of sums in registers.
//
// What is generated for each network stands before this text: the sizes in capitals. What follows it, also generated: `run`, the calls in their order.
// Everything that only a GPU has is wrapped in a function of a few lines under "The machine"; tests build the same text for a processor with other
// functions in their place (OUTPLAY_EMULATED).

// ---- The machine --------------------------------------------------------------------------------------------------------------------------

#ifndef OUTPLAY_EMULATED

__device__ __forceinline__ float to_float(half_bits bits) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
}

// sums += weights (16 outputs x 16 inputs) * cells (16 inputs x 8 cells), by all lanes of a warp. Who holds what is the instruction's affair:
//   sums     lane l has outputs l/4 (0, 1) and l/4 + 8 (2, 3) of cells l%4*2 and l%4*2 + 1
//   weights  lane l has outputs l/4 (x, z) and l/4 + 8 (y, w), inputs l%4*2 and the next (x, y), and those plus 8 (z, w)
//   cells    lane l has cell l/4, inputs l%4*2 and the next (low), and those plus 8 (high)
__device__ __forceinline__ void multiply_tile(float (&sums)[4], const Quad& weights, word low, word high) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(weights.x), "r"(weights.y), "r"(weights.z), "r"(weights.w), "r"(low), "r"(high));
}

// The sum of a number over the lanes of a warp, in all of them.
__device__ __forceinline__ float sum_of_warp(float value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, distance);
    return value;
}

#endif

// ---- Memory -------------------------------------------------------------------------------------------------------------------------------

// Cells of a board in its frame: a row of zeros before, one after, and one zero between rows that is the right border of one and the left of the next.
constexpr int FRAME_ROW = COLUMNS + 1;
constexpr int FRAME = (ROWS + 2) * FRAME_ROW + 1;
constexpr int CELLS = ROWS * COLUMNS;
constexpr int ALL_CELLS = BOARDS * CELLS;
// Halves of one map of channels of all boards.
constexpr int MAP = BOARDS * FRAME * COLUMN;
constexpr int LANES = 32;
constexpr int WARPS = THREADS / LANES;

// Where a cell stands, counted over all boards: its column begins at this half of a map.
__device__ __forceinline__ int column_of(int cell) {
    int board = cell / CELLS, on_board = cell % CELLS;
    return (board * FRAME + (on_board / COLUMNS + 1) * FRAME_ROW + on_board % COLUMNS + 1) * COLUMN;
}

// The memory of a block: three maps, and vectors of single-precision numbers, VECTOR for each board.
struct Workspace {
    half_bits* stream;  // what goes from block to block
    half_bits* inner;   // what is inside a block or a head
    half_bits* aside;   // what waits to be pooled, or is pooled
    float* pooled;      // [board][VECTOR]
    float* hidden;      // [board][VECTOR]
};

// ---- Layers -------------------------------------------------------------------------------------------------------------------------------

// What follows a convolution.
enum After {
    STORE,           // to = sums + bias
    RELU,            // to = relu(sums + bias)
    SHIFT_RELU,      // to = relu(sums + bias + shift of board and output)
    RESIDUAL_RELU,   // to = relu(sums + bias + to)
    EMIT,            // outputs[plane][cell] = sums + bias, for the first `planes` outputs
    EMIT_TANH,       // the same through a hyperbolic tangent
};

// A convolution of SIDE x SIDE over all boards. INPUTS and OUTPUTS are multiples of 16; `weights` has the tiles in the order in which a warp wants
// them: [tile of outputs][tap][step of inputs][lane].
template <int SIDE, int INPUTS, int OUTPUTS, After AFTER>
__device__ __forceinline__ void convolve(const Quad* weights, const float* bias, const half_bits* from, half_bits* to,
                                         const float* shift, float* outputs, int planes, int boards) {
    constexpr int M_TILES = OUTPUTS / 16, N_TILES = divided_up(ALL_CELLS, 8), STEPS = INPUTS / 16, TAPS = SIDE * SIDE;
    constexpr int M_GROUPS = divided_up(M_TILES, WARP_M), N_GROUPS = divided_up(N_TILES, WARP_N);
    const int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    for (int group = warp; group < M_GROUPS * N_GROUPS; group += WARPS) {
        const int first_m = group % M_GROUPS * WARP_M, first_n = group / M_GROUPS * WARP_N;
        float sums[WARP_M][WARP_N][4];
        int columns[WARP_N];
#pragma unroll
        for (int n = 0; n < WARP_N; ++n) {
            const int cell = (first_n + n) * 8 + lane / 4;
            // What lies beyond the last cell is computed from cell 0 and thrown away.
            columns[n] = column_of(cell < ALL_CELLS ? cell : 0) + lane % 4 * 2;
#pragma unroll
            for (int m = 0; m < WARP_M; ++m)
                for (int i = 0; i < 4; ++i) sums[m][n][i] = 0.0f;
        }
        for (int tap = 0; tap < TAPS; ++tap) {
            const int distance = SIDE == 1 ? 0 : ((tap / SIDE - 1) * FRAME_ROW + tap % SIDE - 1) * COLUMN;
#pragma unroll
            for (int step = 0; step < STEPS; ++step) {
                Quad tiles[WARP_M];
#pragma unroll
                for (int m = 0; m < WARP_M; ++m) {
                    const int tile = first_m + m < M_TILES ? first_m + m : M_TILES - 1;
                    tiles[m] = weights[((tile * TAPS + tap) * STEPS + step) * LANES + lane];
                }
#pragma unroll
                for (int n = 0; n < WARP_N; ++n) {
                    const half_bits* inputs = from + columns[n] + distance + step * 16;
                    const word low = *(const word*)inputs, high = *(const word*)(inputs + 8);
#pragma unroll
                    for (int m = 0; m < WARP_M; ++m) multiply_tile(sums[m][n], tiles[m], low, high);
                }
            }
        }
#pragma unroll
        for (int m = 0; m < WARP_M; ++m) {
#pragma unroll
            for (int n = 0; n < WARP_N; ++n) {
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    const int output = (first_m + m) * 16 + lane / 4 + i / 2 * 8;
                    const int cell = (first_n + n) * 8 + lane % 4 * 2 + i % 2;
                    if (output >= OUTPUTS || cell >= ALL_CELLS) continue;
                    const int board = cell / CELLS;
                    float value = sums[m][n][i] + bias[output];
                    if (AFTER == EMIT || AFTER == EMIT_TANH) {
                        if (output < planes && board < boards)
                            outputs[board * OUTPUT + output * CELLS + cell % CELLS] = AFTER == EMIT ? value : tanhf(value);
                        continue;
                    }
                    half_bits* place = to + column_of(cell) + output;
                    if (AFTER == SHIFT_RELU) value += shift[board * VECTOR + output];
                    if (AFTER == RESIDUAL_RELU) value += to_float(*place);
                    *place = to_half(AFTER == STORE ? value : fmaxf(value, 0.0f));
                }
            }
        }
    }
    __syncthreads();
}

// The sum of products that a dense layer begins with: `weights` times the numbers that `input` gives by index, over all lanes of a warp.
template <typename Input>
__device__ __forceinline__ float product_of_warp(const half_bits* weights, int inputs, Input input) {
    float sum = 0.0f;
    for (int i = threadIdx.x % LANES; i < inputs; i += LANES) sum += to_float(weights[i]) * input(i);
    return sum_of_warp(sum);
}

// A dense layer over a map: its weights are [output][cell][channel]. A warp has one output of one board at a time; lane 0 hands it to `put`.
template <typename Put>
__device__ __forceinline__ void dense_of_map(const half_bits* weights, const float* bias, const half_bits* map, int channels,
                                             int outputs, Put put) {
    for (int task = threadIdx.x / LANES; task < outputs * BOARDS; task += WARPS) {
        const int output = task / BOARDS, board = task % BOARDS;
        const float sum = product_of_warp(weights + output * CELLS * channels, CELLS * channels, [&](int i) {
            return to_float(map[column_of(board * CELLS + i / channels) + i % channels]);
        });
        if (threadIdx.x % LANES == 0) put(board, output, sum + bias[output]);
    }
    __syncthreads();
}

// A dense layer over a vector of each board: its weights are [output][input].
template <typename Put>
__device__ __forceinline__ void dense_of_vector(const half_bits* weights, const float* bias, const float* vectors, int inputs,
                                                int outputs, Put put) {
    for (int task = threadIdx.x / LANES; task < outputs * BOARDS; task += WARPS) {
        const int output = task / BOARDS, board = task % BOARDS;
        const float sum = product_of_warp(weights + output * inputs, inputs, [&](int i) { return vectors[board * VECTOR + i]; });
        if (threadIdx.x % LANES == 0) put(board, output, sum + bias[output]);
    }
    __syncthreads();
}

// The mean of each channel over its board, and where `scale` is wanted the scaled mean and the maximum after it, each in a row of their own.
template <bool ALL_THREE>
__device__ __forceinline__ void pool(const half_bits* map, int channels, float scale, float* pooled) {
    for (int task = threadIdx.x; task < channels * BOARDS; task += THREADS) {
        const int board = task / channels, channel = task % channels;
        float sum = 0.0f, most = -65504.0f;  // the least half
        for (int cell = 0; cell < CELLS; ++cell) {
            const float value = to_float(map[column_of(board * CELLS + cell) + channel]);
            sum += value;
            most = fmaxf(most, value);
        }
        float* to = pooled + board * VECTOR + channel;
        to[0] = sum / CELLS;
        if (ALL_THREE) {
            to[channels] = sum / CELLS * scale;
            to[2 * channels] = most;
        }
    }
    __syncthreads();
}

// The end of a block with squeeze and excitation: gates and shifts are in `excited`.
__device__ __forceinline__ void excite(const half_bits* aside, const float* excited, int channels, half_bits* stream) {
    for (int task = threadIdx.x; task < channels * ALL_CELLS; task += THREADS) {
        const int cell = task / channels, channel = task % channels;
        const float* of_board = excited + cell / CELLS * VECTOR;
        const float gate = 1.0f / (1.0f + expf(-of_board[channel]));
        const int place = column_of(cell) + channel;
        const float value = to_float(aside[place]) * gate + of_board[channels + channel] + to_float(stream[place]);
        stream[place] = to_half(fmaxf(value, 0.0f));
    }
    __syncthreads();
}

// ---- The two ends -------------------------------------------------------------------------------------------------------------------------

// All of the memory is zero at first: frames stay so, and channels that only pad are multiplied by zero, which garbage might survive.
__device__ __forceinline__ void clear(half_bits* memory, int halves) {
    for (int i = threadIdx.x; i < halves; i += THREADS) memory[i] = 0;
    __syncthreads();
}

// Unpacks planes of bits and planes of one number into the channels of a map. Boards beyond the last position are empty.
__device__ __forceinline__ void unpack(const plane_word* positions, int boards, half_bits* map) {
    constexpr int OF_PLANE = divided_up(CELLS, 64), WORDS = BIT_PLANES * OF_PLANE + CONSTANT_PLANES;
    for (int task = threadIdx.x; task < ALL_CELLS * PADDED_PLANES; task += THREADS) {
        const int cell = task / PADDED_PLANES, plane = task % PADDED_PLANES, on_board = cell % CELLS;
        const plane_word* words = positions + cell / CELLS * WORDS;
        half_bits value = 0;
        if (cell / CELLS < boards && plane < BIT_PLANES) {
            value = words[plane * OF_PLANE + on_board / 64] >> (on_board % 64) & 1 ? 0x3C00 : 0;  // 1 in half precision
        } else if (cell / CELLS < boards && plane < BIT_PLANES + CONSTANT_PLANES) {
            value = to_half(__uint_as_float((word)words[BIT_PLANES * OF_PLANE + plane - BIT_PLANES]));
        }
        map[column_of(cell) + plane] = value;
    }
    __syncthreads();
}

// Three logits become chances; a single value becomes the chances to win and to lose.
__device__ __forceinline__ void chances_of_logits(const float* logits, float* chances) {
    const float most = fmaxf(logits[0], fmaxf(logits[1], logits[2]));
    const float win = expf(logits[0] - most), draw = expf(logits[1] - most), loss = expf(logits[2] - most);
    const float sum = win + draw + loss;
    chances[0] = win / sum, chances[1] = draw / sum, chances[2] = loss / sum;
}

__device__ __forceinline__ void chances_of_value(const float* value, float* chances) {
    const float expected = tanhf(value[0]);
    chances[0] = (1.0f + expected) / 2.0f, chances[1] = 0.0f, chances[2] = (1.0f - expected) / 2.0f;
}
