// From the last map to losses and back. The first convolutions of all heads are one convolution of the tower; what follows is small and is computed with
// floats: features (its outputs, normalised and rectified, [board][channel][cell], as dense layers read them), dense layers, losses, and the way back.

constexpr int SMALL_THREADS = 256;

// Shared memory of small kernels that begin with totals: totals, three coefficients, scratch.
template <int CHANNELS_>
struct Small {
    static constexpr int COEFFICIENTS = 2 * CHANNELS_, SCRATCH = 5 * CHANNELS_;
    static constexpr int SHARED = (SCRATCH + most(SMALL_THREADS, 2 * CHANNELS_)) * 4;
};

__device__ __forceinline__ void features(unsigned char* base, const Call& call) {
    const Memory memory{base, &call};
    float *totals = (float*)shared(), *factors = totals + Small<HEADS>::COEFFICIENTS;
    const int count = call.n[BOARD_COUNT];
    add_rows<HEADS, SMALL_THREADS>(memory.at<float>(ROWS_IN), call.n[ROW_COUNT], totals, totals + Small<HEADS>::SCRATCH);
    normal_of<HEADS, SMALL_THREADS>(totals, count * CELLS, memory.at<float>(VALUES), memory.at<int>(PLACES), memory.at<float>(RECORD), blockIdx.x == 0,
                                    factors, factors + HEADS);
    constexpr int PLANES = divided_up(HEAD_CHANNELS, 8);
    float* out = memory.at<float>(OUTPUT);
    for (int i = blockIdx.x * SMALL_THREADS + threadIdx.x; i < count * PLANES * CELLS; i += gridDim.x * SMALL_THREADS) {
        const int board = i / (PLANES * CELLS), plane = i / CELLS % PLANES, cell = i % CELLS;
        const Eight y = memory.at<Eight>(INPUT)[((long long)board * (HEADS / 8) + plane) * CELLS + cell];
#pragma unroll
        for (int c = 0; c < 8; ++c) {
            const int channel = plane * 8 + c;
            const float value = c % 2 ? high(y.of[c / 2]) : low(y.of[c / 2]);
            if (channel < HEAD_CHANNELS)
                out[((long long)board * HEAD_CHANNELS + channel) * CELLS + cell] = fmaxf(fmaf(value, factors[channel], factors[HEADS + channel]), 0.0f);
        }
    }
}

// The gradient of features through the rectifier, as a map, with sums for the way back through the normalisation.
enum OfFeatures { FEATURES = BACK_MAP, OF_FEATURES = JOINING };
__device__ __forceinline__ void features_back(unsigned char* base, const Call& call) {
    const Memory memory{base, &call};
    const int count = call.n[BOARD_COUNT], plane = blockIdx.y * 8 + threadIdx.x % 8;
    const float *record = memory.at<float>(RECORD), *shown = memory.at<float>(FEATURES), *gradient = memory.at<float>(OF_FEATURES);
    float one[8], two[8], inverse[8], summand[8];
#pragma unroll
    for (int c = 0; c < 8; ++c) {
        one[c] = two[c] = 0.0f;
        inverse[c] = record[INVERSE * HEADS + plane * 8 + c], summand[c] = -inverse[c] * record[MEAN * HEADS + plane * 8 + c];
    }
    constexpr int STEP = SMALL_THREADS / 8;
    for (int i = blockIdx.x * STEP + threadIdx.x / 8; i < count * CELLS; i += gridDim.x * STEP) {
        const int board = i / CELLS, cell = i % CELLS;
        const long long at = ((long long)board * (HEADS / 8) + plane) * CELLS + cell;
        const Eight y = memory.at<Eight>(BACK_Y)[at];
        Eight d{};
#pragma unroll
        for (int c = 0; c < 8; c += 2) {
            float g[2];
            for (int odd = 0; odd < 2; ++odd) {
                const int channel = plane * 8 + c + odd;
                const long long of = ((long long)board * HEAD_CHANNELS + channel) * CELLS + cell;
                g[odd] = channel < HEAD_CHANNELS && shown[of] > 0.0f ? gradient[of] : 0.0f;
            }
            d.of[c / 2] = pair(g[0], g[1]);
            g[0] = low(d.of[c / 2]), g[1] = high(d.of[c / 2]);
            one[c] += g[0], one[c + 1] += g[1];
            two[c] = fmaf(g[0], fmaf(low(y.of[c / 2]), inverse[c], summand[c]), two[c]);
            two[c + 1] = fmaf(g[1], fmaf(high(y.of[c / 2]), inverse[c + 1], summand[c + 1]), two[c + 1]);
        }
        memory.at<Eight>(OUTPUT)[at] = d;
    }
    leave_row<HEADS, SMALL_THREADS>(one, two, memory.at<float>(ROWS_OUT) + (long long)blockIdx.x * 2 * HEADS, blockIdx.y * 64, (float*)shared());
}

// ---- Dense layers --------------------------------------------------------------------------------------------------------------------------

// c[row][column] = sum over k of a[row][k] * b[k][column] (+ bias of the column, rectified), by strides, so that matrices may be turned; the sum over k may
// be shared out among parts, which are added up later. Many products are one launch.
struct Product {
    long long a, b, bias, c;
    int rows, columns, depth;
    int a_row, a_k, b_k, b_column, c_row;
    int parts, of_part, rectified, first_block;
};
constexpr int TILE_ROWS = 64, TILE_COLUMNS = 32, TILE_DEPTH = 16, PRODUCT_THREADS = 128;
constexpr int PRODUCT_SHARED = TILE_DEPTH * (TILE_ROWS + TILE_COLUMNS + 8) * 4;

enum OfProducts { PRODUCTS };
enum { PRODUCT_COUNT };

__device__ __forceinline__ void dense_products(unsigned char* base, const Call& call) {
    const Memory memory{base, &call};
    const Product* products = memory.at<Product>(PRODUCTS);
    int number = 0;
    while (number + 1 < call.n[PRODUCT_COUNT] && (int)blockIdx.x >= products[number + 1].first_block) ++number;
    const Product p = products[number];
    const int across = divided_up(p.columns, TILE_COLUMNS), down = divided_up(p.rows, TILE_ROWS), block = blockIdx.x - p.first_block;
    const int column0 = block % across * TILE_COLUMNS, row0 = block / across % down * TILE_ROWS, part = block / (across * down);
    const int of_part = divided_up(divided_up(p.depth, TILE_DEPTH), p.parts) * TILE_DEPTH;
    const int from = part * of_part, to = least(p.depth, from + of_part);
    const float *a = (const float*)(base + p.a), *b = (const float*)(base + p.b);
    float(*rows)[TILE_ROWS + 4] = (float(*)[TILE_ROWS + 4])shared();
    float(*columns)[TILE_COLUMNS + 4] = (float(*)[TILE_COLUMNS + 4])(shared() + TILE_DEPTH * (TILE_ROWS + 4) * 4);
    constexpr int OF_A = TILE_ROWS * TILE_DEPTH / PRODUCT_THREADS, OF_B = TILE_COLUMNS * TILE_DEPTH / PRODUCT_THREADS;
    float next_a[OF_A], next_b[OF_B];
    // Neighbouring threads read neighbouring numbers, whichever way a matrix lies: a thread's numbers are so far apart in one direction or the other.
    const int t = threadIdx.x;
    const bool a_along = p.a_k == 1, b_along = p.b_k == 1;
    const int a_first = a_along ? t / TILE_DEPTH : t % TILE_ROWS, a_depth = a_along ? t % TILE_DEPTH : t / TILE_ROWS;
    const int a_down = a_along ? PRODUCT_THREADS / TILE_DEPTH : 0, a_deeper = a_along ? 0 : PRODUCT_THREADS / TILE_ROWS;
    const int b_first = b_along ? t / TILE_DEPTH : t % TILE_COLUMNS, b_depth = b_along ? t % TILE_DEPTH : t / TILE_COLUMNS;
    const int b_across = b_along ? PRODUCT_THREADS / TILE_DEPTH : 0, b_deeper = b_along ? 0 : PRODUCT_THREADS / TILE_COLUMNS;
    a += (long long)(row0 + a_first) * p.a_row + (long long)a_depth * p.a_k;
    b += (long long)(column0 + b_first) * p.b_column + (long long)b_depth * p.b_k;
    const auto load = [&](int k0) {
        const float *next = a + (long long)k0 * p.a_k, *next_column = b + (long long)k0 * p.b_k;
#pragma unroll
        for (int i = 0; i < OF_A; ++i) {
            next_a[i] = row0 + a_first + i * a_down < p.rows && k0 + a_depth + i * a_deeper < to ? *next : 0.0f;
            next += a_along ? a_down * p.a_row : a_deeper * p.a_k;
        }
#pragma unroll
        for (int i = 0; i < OF_B; ++i) {
            next_b[i] = column0 + b_first + i * b_across < p.columns && k0 + b_depth + i * b_deeper < to ? *next_column : 0.0f;
            next_column += b_along ? b_across * p.b_column : b_deeper * p.b_k;
        }
    };
    const int row_at = threadIdx.x / 8 * 4, column_at = threadIdx.x % 8 * 4;
    float sums[4][4];
#pragma unroll
    for (int i = 0; i < 16; ++i) sums[i / 4][i % 4] = 0.0f;
    load(from);
    for (int k0 = from; k0 < to; k0 += TILE_DEPTH) {
#pragma unroll
        for (int i = 0; i < OF_A; ++i) rows[a_depth + i * a_deeper][a_first + i * a_down] = next_a[i];
#pragma unroll
        for (int i = 0; i < OF_B; ++i) columns[b_depth + i * b_deeper][b_first + i * b_across] = next_b[i];
        __syncthreads();
        load(k0 + TILE_DEPTH);
#pragma unroll
        for (int step = 0; step < TILE_DEPTH; ++step) {
            float x[4], y[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) x[i] = rows[step][row_at + i], y[i] = columns[step][column_at + i];
#pragma unroll
            for (int i = 0; i < 16; ++i) sums[i / 4][i % 4] = fmaf(x[i / 4], y[i % 4], sums[i / 4][i % 4]);
        }
        __syncthreads();
    }
    float* c = (float*)(base + p.c) + (long long)part * p.of_part;
    const float* bias = (const float*)(base + p.bias);
#pragma unroll
    for (int i = 0; i < 16; ++i) {
        const int row = row0 + row_at + i / 4, column = column0 + column_at + i % 4;
        if (row >= p.rows || column >= p.columns) continue;
        float sum = sums[i / 4][i % 4];
        if (p.bias >= 0) sum += bias[column];
        c[(long long)row * p.c_row + column] = p.rectified ? fmaxf(sum, 0.0f) : sum;
    }
}

// ---- Second convolutions of heads, with few channels: [plane][channel][tap] -----------------------------------------------------------------

enum OfSecond { SECOND_FEATURES, SECOND_WEIGHTS, SECOND_BIAS, SECOND_OUT, SECOND_GRADIENT };  // GRADIENT: of features, or of weights and then the bias
enum { FIRST_CHANNEL = 1, SECOND_CHANNELS, SECOND_PLANES };

// The cell that a tap reaches from a cell, forward or back; -1 beyond the board.
template <int SIDE>
__device__ __forceinline__ int reached(int cell, int tap, int way) {
    if (SIDE == 1) return cell;
    const int row = cell / COLUMNS + way * (tap / 3 - 1), column = cell % COLUMNS + way * (tap % 3 - 1);
    return row < 0 || row >= ROWS || column < 0 || column >= COLUMNS ? -1 : row * COLUMNS + column;
}

template <int SIDE>
__device__ __forceinline__ void second_convolution(unsigned char* base, const Call& call) {
    const Memory memory{base, &call};
    const int channels = call.n[SECOND_CHANNELS], planes = call.n[SECOND_PLANES], all = call.n[BOARD_COUNT] * planes * CELLS;
    for (int i = blockIdx.x * SMALL_THREADS + threadIdx.x; i < all; i += gridDim.x * SMALL_THREADS) {
        const int board = i / (planes * CELLS), plane = i / CELLS % planes, cell = i % CELLS;
        const float* x = memory.at<float>(SECOND_FEATURES) + ((long long)board * HEAD_CHANNELS + call.n[FIRST_CHANNEL]) * CELLS;
        const float* weights = memory.at<float>(SECOND_WEIGHTS) + plane * channels * SIDE * SIDE;
        float sum = memory.at<float>(SECOND_BIAS)[plane];
        for (int tap = 0; tap < SIDE * SIDE; ++tap) {
            const int at = reached<SIDE>(cell, tap, 1);
            if (at >= 0)
                for (int c = 0; c < channels; ++c) sum = fmaf(weights[c * SIDE * SIDE + tap], x[c * CELLS + at], sum);
        }
        memory.at<float>(SECOND_OUT)[i] = sum;
    }
}

template <int SIDE>
__device__ __forceinline__ void second_convolution_back(unsigned char* base, const Call& call) {
    const Memory memory{base, &call};
    const int channels = call.n[SECOND_CHANNELS], planes = call.n[SECOND_PLANES], all = call.n[BOARD_COUNT] * channels * CELLS;
    for (int i = blockIdx.x * SMALL_THREADS + threadIdx.x; i < all; i += gridDim.x * SMALL_THREADS) {
        const int board = i / (channels * CELLS), channel = i / CELLS % channels, cell = i % CELLS;
        const float* gradient = memory.at<float>(SECOND_OUT) + (long long)board * planes * CELLS;
        float sum = 0.0f;
        for (int tap = 0; tap < SIDE * SIDE; ++tap) {
            const int at = reached<SIDE>(cell, tap, -1);
            if (at >= 0)
                for (int p = 0; p < planes; ++p)
                    sum = fmaf(memory.at<float>(SECOND_WEIGHTS)[(p * channels + channel) * SIDE * SIDE + tap], gradient[p * CELLS + at], sum);
        }
        memory.at<float>(SECOND_GRADIENT)[((long long)board * HEAD_CHANNELS + call.n[FIRST_CHANNEL] + channel) * CELLS + cell] = sum;
    }
}

// Sums of all threads, to the first; `scratch` has a number for each thread.
template <typename T>
__device__ __forceinline__ T sum_of_block(T value, T* scratch) {
    scratch[threadIdx.x] = value;
    __syncthreads();
    for (int distance = SMALL_THREADS / 2; distance > 0; distance /= 2) {
        if ((int)threadIdx.x < distance) scratch[threadIdx.x] += scratch[threadIdx.x + distance];
        __syncthreads();
    }
    const T sum = scratch[0];
    __syncthreads();
    return sum;
}

// A block for each plane and channel.
template <int SIDE>
__device__ __forceinline__ void second_convolution_learns(unsigned char* base, const Call& call) {
    const Memory memory{base, &call};
    const int channels = call.n[SECOND_CHANNELS], planes = call.n[SECOND_PLANES], all = call.n[BOARD_COUNT] * CELLS;
    const int plane = blockIdx.x / channels, channel = blockIdx.x % channels;
    float sums[SIDE * SIDE], of_bias = 0.0f;
#pragma unroll
    for (int tap = 0; tap < SIDE * SIDE; ++tap) sums[tap] = 0.0f;
    for (int i = threadIdx.x; i < all; i += SMALL_THREADS) {
        const int board = i / CELLS, cell = i % CELLS;
        const float gradient = memory.at<float>(SECOND_OUT)[((long long)board * planes + plane) * CELLS + cell];
        const float* x = memory.at<float>(SECOND_FEATURES) + ((long long)board * HEAD_CHANNELS + call.n[FIRST_CHANNEL] + channel) * CELLS;
        of_bias += gradient;
#pragma unroll
        for (int tap = 0; tap < SIDE * SIDE; ++tap) {
            const int at = reached<SIDE>(cell, tap, 1);
            if (at >= 0) sums[tap] = fmaf(gradient, x[at], sums[tap]);
        }
    }
    float* out = memory.at<float>(SECOND_GRADIENT);
#pragma unroll
    for (int tap = 0; tap < SIDE * SIDE; ++tap) {
        const float sum = sum_of_block(sums[tap], (float*)shared());
        if (threadIdx.x == 0) out[blockIdx.x * SIDE * SIDE + tap] = sum;
    }
    const float sum = sum_of_block(of_bias, (float*)shared());
    if (threadIdx.x == 0 && channel == 0) out[planes * channels * SIDE * SIDE + plane] = sum;
}

// ---- Losses --------------------------------------------------------------------------------------------------------------------------------

// What is set anew for each step, and what a step says.
enum OfSettings { RATE, WHOLE_FIRST, WHOLE_SECOND, FOLLOW, LONGEST, DECAY, FIRST_KEEP, SECOND_KEEP, LOSS_WEIGHTS, SETTINGS = LOSS_WEIGHTS + 6 };
constexpr int LOSS_KINDS = 6;

// A head whose loss is taken. DISTRIBUTION and CELLS_OF_BOARD have their outputs in memory, and their gradients afterwards in the same place; numbers are
// computed here from what is hidden. `kind` is also the place of the loss.
enum LossKind { DISTRIBUTION, CELLS_OF_BOARD, CHANCES, ONE_VALUE, DISTANCE };
struct Judged {
    long long out, target;              // out: outputs, or gradients of numbers
    long long hidden, of_hidden, weights, bias;
    int kind, size, hidden_size, loss;
};

enum OfLosses { JUDGED, SAMPLE_WEIGHTS, STEP_SETTINGS, LOSS_ROWS };
enum { JUDGED_COUNT = 1 };
constexpr int LOSS_WARPS = 4;

__device__ __forceinline__ float sum_of_lanes(float value, int lane) {
    for (int distance = 1; distance < 32; distance *= 2) value += from_lane(value, lane ^ distance);
    return value;
}

// The cross-entropy of one distribution; logits become their gradients. A target below zero has no say.
__device__ __forceinline__ float cross_entropy(float* logits, const float* targets, int size, float weight, float factor, int lane) {
    float known = 0.0f, largest = -3.0e38f;
    for (int i = lane; i < size; i += 32) {
        const float target = targets[i];
        known += fmaxf(target, 0.0f);
        if (target >= 0.0f) largest = fmaxf(largest, logits[i]);
    }
    known = sum_of_lanes(known, lane);
    for (int distance = 1; distance < 32; distance *= 2) largest = fmaxf(largest, from_lane(largest, lane ^ distance));
    if (known <= 0.0f) {
        for (int i = lane; i < size; i += 32) logits[i] = 0.0f;
        return 0.0f;
    }
    float sum = 0.0f;
    for (int i = lane; i < size; i += 32)
        if (targets[i] >= 0.0f) sum += expf(logits[i] - largest);
    const float log_sum = logf(sum_of_lanes(sum, lane)) + largest;
    float loss = 0.0f;
    for (int i = lane; i < size; i += 32) {
        const float target = targets[i], logit = logits[i];
        if (target > 0.0f) loss += weight * target / known * (log_sum - logit);
        logits[i] = target >= 0.0f ? factor * weight * (expf(logit - log_sum) - target / known) : 0.0f;
    }
    return sum_of_lanes(loss, lane);
}

// A number of one board by a dense layer of few outputs: its loss, and the gradients of outputs and of what is hidden.
__device__ __forceinline__ float judge_numbers(unsigned char* base, const Judged& head, int board, float weight, float factor, int lane) {
    const float* hidden = (const float*)(base + head.hidden) + (long long)board * head.hidden_size;
    const float *weights = (const float*)(base + head.weights), *bias = (const float*)(base + head.bias), *targets = (const float*)(base + head.target);
    float outputs[3] = {0.0f, 0.0f, 0.0f}, gradients[3] = {0.0f, 0.0f, 0.0f}, loss = 0.0f;
#pragma unroll
    for (int j = 0; j < 3; ++j)
        if (j < head.size) {
            float sum = 0.0f;
            for (int i = lane; i < head.hidden_size; i += 32) sum = fmaf(weights[j * head.hidden_size + i], hidden[i], sum);
            outputs[j] = sum_of_lanes(sum, lane) + bias[j];
        }
    if (head.kind == CHANCES) {
        const float* target = targets + board * 3;
        const float known = target[0] + target[1] + target[2], largest = fmaxf(outputs[0], fmaxf(outputs[1], outputs[2]));
        const float log_sum = logf(expf(outputs[0] - largest) + expf(outputs[1] - largest) + expf(outputs[2] - largest)) + largest;
#pragma unroll
        for (int j = 0; j < 3; ++j)
            if (known > 0.0f) {
                if (target[j] > 0.0f) loss += weight * target[j] / known * (log_sum - outputs[j]);
                gradients[j] = factor * weight * (expf(outputs[j] - log_sum) - target[j] / known);
            }
    } else if (head.kind == ONE_VALUE) {
        const float value = tanhf(outputs[0]), error = value - (targets[board * 3] - targets[board * 3 + 2]);
        loss = weight * error * error, gradients[0] = factor * weight * 2.0f * error * (1.0f - value * value);
    } else {
        const float target = targets[board], error = target != target ? 0.0f : (outputs[0] - target) / DISTANCE_UNIT, size = fabsf(error);
        loss = weight * (size > 1.0f ? 2.0f * size - 1.0f : error * error);
        gradients[0] = factor * weight * 2.0f * fminf(fmaxf(error, -1.0f), 1.0f) / DISTANCE_UNIT;
    }
    float* of_hidden = (float*)(base + head.of_hidden) + (long long)board * head.hidden_size;
    for (int i = lane; i < head.hidden_size; i += 32) {
        float sum = 0.0f;
#pragma unroll
        for (int j = 0; j < 3; ++j)
            if (j < head.size) sum = fmaf(gradients[j], weights[j * head.hidden_size + i], sum);
        of_hidden[i] = hidden[i] > 0.0f ? sum : 0.0f;
    }
#pragma unroll
    for (int j = 0; j < 3; ++j)
        if (lane == 0 && j < head.size) ((float*)(base + head.out))[board * head.size + j] = gradients[j];
    return loss;
}

// The losses of all heads, a warp for each board.
__device__ __forceinline__ void judge(unsigned char* base, const Call& call) {
    const Memory memory{base, &call};
    const int count = call.n[BOARD_COUNT], lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const float* settings = memory.at<float>(STEP_SETTINGS);
    const Judged* heads = memory.at<Judged>(JUDGED);
    float* scratch = (float*)shared();
    if ((int)threadIdx.x < LOSS_KINDS) memory.at<float>(LOSS_ROWS)[blockIdx.x * LOSS_KINDS + threadIdx.x] = 0.0f;
    __syncthreads();
    for (int number = 0; number < call.n[JUDGED_COUNT]; ++number) {
        const Judged head = heads[number];
        const float factor = settings[LOSS_WEIGHTS + head.loss];
        float sum = 0.0f;
        for (int board = blockIdx.x * LOSS_WARPS + warp; board < count; board += gridDim.x * LOSS_WARPS) {
            const float weight = memory.at<float>(SAMPLE_WEIGHTS)[board] / count;
            float* out = (float*)(base + head.out) + (long long)board * head.size;
            const float* target = (const float*)(base + head.target) + (long long)board * head.size;
            if (head.kind == DISTRIBUTION) {
                sum += cross_entropy(out, target, head.size, weight, factor, lane);
            } else if (head.kind == CELLS_OF_BOARD) {
                float loss = 0.0f;
                for (int i = lane; i < head.size; i += 32) {
                    const float said = tanhf(out[i]), error = target[i] != target[i] ? 0.0f : said - target[i], share = weight / head.size;
                    loss += share * error * error;
                    out[i] = factor * share * 2.0f * error * (1.0f - said * said);
                }
                sum += sum_of_lanes(loss, lane);
            } else {
                sum += judge_numbers(base, head, board, weight, factor, lane);
            }
        }
        if (lane == 0) scratch[warp] = sum;
        __syncthreads();
        if (threadIdx.x == 0) {
            float all = 0.0f;
            for (int w = 0; w < LOSS_WARPS; ++w) all += scratch[w];
            memory.at<float>(LOSS_ROWS)[blockIdx.x * LOSS_KINDS + head.loss] = all;
        }
        __syncthreads();
    }
}
