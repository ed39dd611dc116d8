// Squeeze and excitation: z is the second convolution of a block, normalised; its means over the board give, by two dense layers, a gate and a shift for each
// channel of each board. What is multiplied and added cell by cell is done by the convolution that follows (EXCITED), and on the way back by the one before
// (UNEXCITED): here is what belongs to whole boards. For each board there are gates, shifts, and what the means add to the gradient of each cell.

enum OfExcitation { SQUEEZE = WEIGHTS, SQUEEZE_BIAS = KEPT, EXCITE = BACK_Y, EXCITE_BIAS = BACK_RECORD, MEANS = BACK_MAP, HIDDEN = JOINING, OF_HIDDEN = OUTPUT, OF_BOTH = NORM_GRADIENT };
enum { HIDDEN_COUNT = 2, REAL_CHANNELS };

// Shared memory: that of totals, sums of threads, and vectors of a board.
struct Excitation {
    static constexpr int THREADS_SUMS = Small<CHANNELS>::SHARED / 4, VECTORS = THREADS_SUMS + 2 * 8 * SMALL_THREADS;
    static constexpr int PLANES = CHANNELS / 8, LANES = SMALL_THREADS / PLANES;
};

// sums[kind * CHANNELS + channel] of one board, of what threads have: thread % PLANES says which eight channels.
__device__ __forceinline__ void sums_of_board(const float (&one)[8], const float (&two)[8], float* sums) {
    float* of_threads = (float*)shared() + Excitation::THREADS_SUMS;
    const int plane = threadIdx.x % Excitation::PLANES, lane = threadIdx.x / Excitation::PLANES;
    __syncthreads();
    for (int c = 0; c < 8; ++c)
        of_threads[(lane * 2) * CHANNELS + plane * 8 + c] = one[c], of_threads[(lane * 2 + 1) * CHANNELS + plane * 8 + c] = two[c];
    __syncthreads();
    for (int i = threadIdx.x; i < 2 * CHANNELS; i += SMALL_THREADS) {
        float sum = 0.0f;
        for (int of = 0; of < Excitation::LANES; ++of) sum += of_threads[of * 2 * CHANNELS + i];
        sums[i] = sum;
    }
    __syncthreads();
}

__device__ __forceinline__ void excite(unsigned char* base, const Call& call) {
    const Memory memory{base, &call};
    float *totals = (float*)shared(), *factors = totals + Small<CHANNELS>::COEFFICIENTS, *sums = totals + Excitation::VECTORS;
    const int count = call.n[BOARD_COUNT], hidden = call.n[HIDDEN_COUNT], channels = call.n[REAL_CHANNELS];
    add_rows<CHANNELS, SMALL_THREADS>(memory.at<float>(ROWS_IN), call.n[ROW_COUNT], totals, totals + Small<CHANNELS>::SCRATCH);
    normal_of<CHANNELS, SMALL_THREADS>(totals, count * CELLS, memory.at<float>(VALUES), memory.at<int>(PLACES), memory.at<float>(RECORD), blockIdx.x == 0,
                                       factors, factors + CHANNELS);
    const int plane = threadIdx.x % Excitation::PLANES, lane = threadIdx.x / Excitation::PLANES;
    for (int board = blockIdx.x; board < count; board += gridDim.x) {
        float one[8], two[8];
#pragma unroll
        for (int c = 0; c < 8; ++c) one[c] = two[c] = 0.0f;
        for (int cell = lane; cell < CELLS; cell += Excitation::LANES) {
            const Eight y = memory.at<Eight>(INPUT)[((long long)board * Excitation::PLANES + plane) * CELLS + cell];
#pragma unroll
            for (int c = 0; c < 8; ++c) one[c] += c % 2 ? high(y.of[c / 2]) : low(y.of[c / 2]);
        }
        sums_of_board(one, two, sums);
        float *means = memory.at<float>(MEANS) + (long long)board * CHANNELS, *squeezed = sums + 2 * CHANNELS;
        for (int c = threadIdx.x; c < CHANNELS; c += SMALL_THREADS) {
            // Where the way back will put what means add, it finds the sum.
            memory.at<float>(GATES)[((long long)board * 3 + 2) * CHANNELS + c] = sums[c];
            const float mean = fmaf(sums[c] / CELLS, factors[c], factors[CHANNELS + c]);
            sums[c] = mean, means[c] = mean;
        }
        __syncthreads();
        for (int j = threadIdx.x; j < hidden; j += SMALL_THREADS) {
            float sum = memory.at<float>(SQUEEZE_BIAS)[j];
            for (int c = 0; c < channels; ++c) sum = fmaf(memory.at<float>(SQUEEZE)[j * channels + c], sums[c], sum);
            sum = fmaxf(sum, 0.0f);
            squeezed[j] = sum, memory.at<float>(HIDDEN)[(long long)board * hidden + j] = sum;
        }
        __syncthreads();
        for (int i = threadIdx.x; i < 2 * CHANNELS; i += SMALL_THREADS) {
            const int c = i % CHANNELS, output = i / CHANNELS * channels + c;
            float sum = 0.0f;
            if (c < channels) {
                sum = memory.at<float>(EXCITE_BIAS)[output];
                for (int j = 0; j < hidden; ++j) sum = fmaf(memory.at<float>(EXCITE)[output * hidden + j], squeezed[j], sum);
                if (i < CHANNELS) sum = 1.0f / (1.0f + expf(-sum));
            }
            memory.at<float>(GATES)[(long long)board * 3 * CHANNELS + i] = sum;
        }
        __syncthreads();
    }
}

// Back: the gradients of what the dense layers gave, what means add to the gradient of each cell, and the sums that the way back through the normalisation
// needs, which follow from those of whole boards.
__device__ __forceinline__ void unexcite(unsigned char* base, const Call& call) {
    const Memory memory{base, &call};
    float* sums = (float*)shared() + Excitation::VECTORS;
    float *both = sums + 2 * CHANNELS, *of_squeezed = both + 2 * CHANNELS;
    const int count = call.n[BOARD_COUNT], hidden = call.n[HIDDEN_COUNT], channels = call.n[REAL_CHANNELS];
    const float* record = memory.at<float>(RECORD);
    const int plane = threadIdx.x % Excitation::PLANES, lane = threadIdx.x / Excitation::PLANES;
    // Thread c has the sums of channel c over all boards of this block.
    float of_shift = 0.0f, of_scale = 0.0f;
    for (int board = blockIdx.x; board < count; board += gridDim.x) {
        float one[8], two[8];
#pragma unroll
        for (int c = 0; c < 8; ++c) one[c] = two[c] = 0.0f;
        for (int cell = lane; cell < CELLS; cell += Excitation::LANES) {
            const long long at = ((long long)board * Excitation::PLANES + plane) * CELLS + cell;
            const Eight g = memory.at<Eight>(INPUT)[at], y = memory.at<Eight>(SECOND)[at];
#pragma unroll
            for (int c = 0; c < 8; ++c) {
                const int channel = plane * 8 + c;
                const float inverse = record[INVERSE * CHANNELS + channel];
                const float gradient = c % 2 ? high(g.of[c / 2]) : low(g.of[c / 2]);
                const float normal = fmaf(c % 2 ? high(y.of[c / 2]) : low(y.of[c / 2]), inverse, -inverse * record[MEAN * CHANNELS + channel]);
                one[c] += gradient, two[c] = fmaf(gradient, normal, two[c]);
            }
        }
        sums_of_board(one, two, sums);
        float* gates = memory.at<float>(GATES) + (long long)board * 3 * CHANNELS;
        float* of_both = memory.at<float>(OF_BOTH) + (long long)board * 2 * channels;
        for (int c = threadIdx.x; c < channels; c += SMALL_THREADS) {
            const float gate = gates[c], inverse = record[INVERSE * CHANNELS + c], factor = record[FACTOR * CHANNELS + c];
            // z = scale * normal + shift.
            const float scale = factor / inverse, shift = record[SUMMAND * CHANNELS + c] + factor * record[MEAN * CHANNELS + c];
            both[c] = (scale * sums[CHANNELS + c] + shift * sums[c]) * gate * (1.0f - gate), both[channels + c] = sums[c];
            of_both[c] = both[c], of_both[channels + c] = both[channels + c];
        }
        __syncthreads();
        for (int j = threadIdx.x; j < hidden; j += SMALL_THREADS) {
            float sum = 0.0f;
            for (int i = 0; i < 2 * channels; ++i) sum = fmaf(memory.at<float>(EXCITE)[i * hidden + j], both[i], sum);
            sum = memory.at<float>(HIDDEN)[(long long)board * hidden + j] > 0.0f ? sum : 0.0f;
            of_squeezed[j] = sum, memory.at<float>(OF_HIDDEN)[(long long)board * hidden + j] = sum;
        }
        __syncthreads();
        for (int c = threadIdx.x; c < CHANNELS; c += SMALL_THREADS) {
            float sum = 0.0f;
            if (c < channels)
                for (int j = 0; j < hidden; ++j) sum = fmaf(memory.at<float>(SQUEEZE)[j * channels + c], of_squeezed[j], sum);
            const float added = sum / CELLS, gate = gates[c], of_cells = gates[2 * CHANNELS + c];
            gates[2 * CHANNELS + c] = added;
            // The sum over the board of what is normalised.
            const float normal = record[INVERSE * CHANNELS + c] * (of_cells - CELLS * record[MEAN * CHANNELS + c]);
            of_shift += gate * sums[c] + sum;
            of_scale += gate * sums[CHANNELS + c] + added * normal;
        }
        __syncthreads();
    }
    if (threadIdx.x < CHANNELS) {
        float* row = memory.at<float>(ROWS_OUT) + (long long)blockIdx.x * 2 * CHANNELS;
        row[threadIdx.x] = of_shift, row[CHANNELS + threadIdx.x] = of_scale;
    }
}
