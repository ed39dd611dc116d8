// What all kernels of training have in common.
//
// A step is a fixed list of launches. Each gets the memory of the trainer and a `Call`: where in it the launch reads and writes, in bytes, and a few
// sizes. So a step can be captured once and replayed; what changes from step to step (samples, the learning rate) lies in that memory too.
//
// Maps are [board][8 channels][cell][8 numbers], in 16 bits (bfloat16); sums, statistics, weights and all that is small are floats. All sums are made in
// an order that depends on nothing but sizes: one seed gives the same network, bit for bit.

__device__ __forceinline__ constexpr int least(int a, int b) { return a < b ? a : b; }
__device__ __forceinline__ constexpr int most(int a, int b) { return a > b ? a : b; }

constexpr int CELLS = ROWS * COLUMNS;

struct Call {
    long long at[16];
    int n[8];
};

// The trainer's memory.
struct Memory {
    unsigned char* base;
    const Call* call;
    template <typename T>
    __device__ __forceinline__ T* at(int which) const { return (T*)(base + call->at[which]); }
    __device__ __forceinline__ bool has(int which) const { return call->at[which] >= 0; }
};

extern __shared__ Quad block_memory[];
__device__ __forceinline__ unsigned char* shared() { return (unsigned char*)block_memory; }
__device__ __forceinline__ word start() { return shared_address(block_memory); }

// ---- Statistics ----------------------------------------------------------------------------------------------------------------------------

// Kernels leave sums of two kinds for each channel, a row for each of their blocks: [block][kind][channel]. The next kernel adds the rows up, every block
// of it for itself and in the same order, which costs less than another launch.

// totals[kind * CHANNELS_ + channel], for the whole block; `scratch` has room for as many floats as there are threads, or twice the channels.
template <int CHANNELS_, int THREADS>
__device__ __forceinline__ void add_rows(const float* rows, int count, float* totals, float* scratch) {
    constexpr int WIDTH = 2 * CHANNELS_, PARTS = most(1, THREADS / WIDTH);
    for (int i = threadIdx.x; i < WIDTH * PARTS; i += THREADS) {
        const int column = i % WIDTH;
        float sum = 0.0f;
#pragma unroll 8
        for (int row = i / WIDTH; row < count; row += PARTS) sum += rows[row * WIDTH + column];
        scratch[i] = sum;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < WIDTH; i += THREADS) {
        float sum = 0.0f;
        for (int part = 0; part < PARTS; ++part) sum += scratch[part * WIDTH + i];
        totals[i] = sum;
    }
    __syncthreads();
}

// What is kept of a normalisation, [which][channel]: later kernels read it.
enum OfNormal { MEAN, VARIANCE, INVERSE, FACTOR, SUMMAND, OF_NORMAL };

// Turns totals into the factor and the summand that normalise a channel: y * factor + summand. One block keeps the record.
template <int CHANNELS_, int THREADS>
__device__ __forceinline__ void normal_of(const float* totals, int numbers, const float* values, const int* places, float* record, bool keeps,
                                          float* factors, float* summands) {
    for (int c = threadIdx.x; c < CHANNELS_; c += THREADS) {
        const float mean = totals[c] / numbers, variance = fmaxf(totals[CHANNELS_ + c] / numbers - mean * mean, 0.0f);
        const float inverse = 1.0f / sqrtf(variance + EPSILON);
        // Channels that are there for no other reason than to fill a tile have no scale.
        const float scale = places[c] < 0 ? 0.0f : values[places[c]], shift = places[c] < 0 ? 0.0f : values[places[CHANNELS_ + c]];
        const float factor = scale * inverse, summand = shift - factor * mean;
        factors[c] = factor, summands[c] = summand;
        if (keeps) {
            record[MEAN * CHANNELS_ + c] = mean, record[VARIANCE * CHANNELS_ + c] = variance, record[INVERSE * CHANNELS_ + c] = inverse;
            record[FACTOR * CHANNELS_ + c] = factor, record[SUMMAND * CHANNELS_ + c] = summand;
        }
    }
    __syncthreads();
}

// The way back: the gradient of what was normalised is factor * g + of_y * y + summand. Totals are of g, and of g times y normalised, which are the
// gradients of shift and scale.
template <int CHANNELS_, int THREADS>
__device__ __forceinline__ void unnormal_of(const float* totals, int numbers, const float* record, float* gradient, bool keeps, float* factors,
                                            float* of_y, float* summands) {
    for (int c = threadIdx.x; c < CHANNELS_; c += THREADS) {
        const float factor = record[FACTOR * CHANNELS_ + c];
        const float by_y = -factor * record[INVERSE * CHANNELS_ + c] * totals[CHANNELS_ + c] / numbers;
        factors[c] = factor, of_y[c] = by_y;
        summands[c] = -factor * totals[c] / numbers - by_y * record[MEAN * CHANNELS_ + c];
        if (keeps) gradient[c] = totals[CHANNELS_ + c], gradient[CHANNELS_ + c] = totals[c];
    }
    __syncthreads();
}

// Sums of eight channels that threads have, [thread % 8] saying which eight, become a row: [kind][CHANNELS_] from channel `first` on.
template <int CHANNELS_, int THREADS>
__device__ __forceinline__ void leave_row(float (&one)[8], float (&two)[8], float* row, int first, float* scratch) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
    for (int i = 0; i < 8; ++i)
        for (int distance = 8; distance < 32; distance *= 2) {
            one[i] += from_lane(one[i], lane ^ distance);
            two[i] += from_lane(two[i], lane ^ distance);
        }
    __syncthreads();
    if (lane < 8)
        for (int i = 0; i < 8; ++i) scratch[warp * 128 + lane * 8 + i] = one[i], scratch[warp * 128 + 64 + lane * 8 + i] = two[i];
    __syncthreads();
    for (int i = threadIdx.x; i < 128; i += THREADS) {
        float sum = 0.0f;
        for (int w = 0; w < THREADS / 32; ++w) sum += scratch[w * 128 + i];
        row[i / 64 * CHANNELS_ + first + i % 64] = sum;
    }
}
