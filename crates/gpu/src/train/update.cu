// What begins and ends a step: planes of positions, copies of weights for products, the gradients of all that is trained, and what they change.

enum OfBeginning { TO, FROM, BY_TABLE };
enum { COUNT };

// [board][8 planes][cell][8 numbers] of packed positions.
__device__ __forceinline__ void expand(unsigned char* base, const Call& call) {
    const Memory memory{base, &call};
    constexpr int OF_PLANE = divided_up(CELLS, 64), WORDS = BIT_PLANES * OF_PLANE + CONSTANT_PLANES, EIGHTS = PADDED_PLANES / 8;
    for (int i = blockIdx.x * SMALL_THREADS + threadIdx.x; i < call.n[COUNT] * EIGHTS * CELLS; i += gridDim.x * SMALL_THREADS) {
        const int board = i / (EIGHTS * CELLS), first = i / CELLS % EIGHTS * 8, cell = i % CELLS;
        const plane_word* words = memory.at<plane_word>(FROM) + (long long)board * WORDS;
        const auto value = [&](int plane) {
            if (plane < BIT_PLANES) return (float)(words[plane * OF_PLANE + cell / 64] >> cell % 64 & 1);
            return plane < BIT_PLANES + CONSTANT_PLANES ? __uint_as_float((unsigned)words[BIT_PLANES * OF_PLANE + plane - BIT_PLANES]) : 0.0f;
        };
        Eight out;
#pragma unroll
        for (int c = 0; c < 4; ++c) out.of[c] = pair(value(first + 2 * c), value(first + 2 * c + 1));
        memory.at<Eight>(TO)[i] = out;
    }
}

// Weights as convolutions read them: a table says which of the numbers that are trained stands where, and nothing where there is none.
__device__ __forceinline__ void pack(unsigned char* base, const Call& call) {
    const Memory memory{base, &call};
    const float* values = memory.at<float>(FROM);
    for (int i = blockIdx.x * SMALL_THREADS + threadIdx.x; i < call.n[COUNT] / 8; i += gridDim.x * SMALL_THREADS) {
        const int* places = memory.at<int>(BY_TABLE) + i * 8;
        float number[8];
#pragma unroll
        for (int c = 0; c < 8; ++c) number[c] = places[c] < 0 ? 0.0f : values[places[c]];
        Eight out;
#pragma unroll
        for (int c = 0; c < 4; ++c) out.of[c] = pair(number[2 * c], number[2 * c + 1]);
        memory.at<Eight>(TO)[i] = out;
    }
}

// The gradient of a convolution's output where nothing reads that of its input: only its weights learn.
__device__ __forceinline__ void unnormalise(unsigned char* base, const Call& call) {
    const Memory memory{base, &call};
    float *totals = (float*)shared(), *factors = totals + Small<CHANNELS>::COEFFICIENTS;
    const int count = call.n[BOARD_COUNT];
    add_rows<CHANNELS, SMALL_THREADS>(memory.at<float>(ROWS_IN), call.n[ROW_COUNT], totals, totals + Small<CHANNELS>::SCRATCH);
    unnormal_of<CHANNELS, SMALL_THREADS>(totals, count * CELLS, memory.at<float>(RECORD), memory.at<float>(NORM_GRADIENT), blockIdx.x == 0, factors,
                                         factors + 2 * CHANNELS, factors + CHANNELS);
    for (int i = blockIdx.x * SMALL_THREADS + threadIdx.x; i < count * (CHANNELS / 8) * CELLS; i += gridDim.x * SMALL_THREADS) {
        const float* of = factors + i / CELLS % (CHANNELS / 8) * 8;
        Eight x = memory.at<Eight>(INPUT)[i];
        const Eight y = memory.at<Eight>(SECOND)[i];
#pragma unroll
        for (int c = 0; c < 4; ++c)
            x.of[c] = pair(fmaf(low(y.of[c]), of[2 * CHANNELS + 2 * c], fmaf(low(x.of[c]), of[2 * c], of[CHANNELS + 2 * c])),
                           fmaf(high(y.of[c]), of[2 * CHANNELS + 2 * c + 1], fmaf(high(x.of[c]), of[2 * c + 1], of[CHANNELS + 2 * c + 1])));
        memory.at<Eight>(OUTPUT)[i] = x;
    }
}

// ---- The end of a step ---------------------------------------------------------------------------------------------------------------------

// Gradients lie in parts, wherever kernels left them: a table says for each number where its first part is, and a list how many there are and how far
// apart.
struct Source { int parts, distance; };
enum OfEnd {
    ALL_PARTIALS, SOURCES, KINDS, GRADIENTS, SQUARES, END_LOSS_ROWS, END_SETTINGS, RESULTS,
    TRAINED, FIRST_MOMENT, SECOND_MOMENT, AVERAGED, RUNNING, AVERAGED_RUNNING, RECORDS, RUNNING_PLACES
};
enum { VALUE_COUNT, LOSS_ROW_COUNT, RUNNING_COUNT };
constexpr int COLLECT_BLOCKS = 256;
constexpr int DECAYS = 1 << 16;  // in KINDS, beside the number in the list

// Adds gradients up, and their squares.
__device__ __forceinline__ void collect(unsigned char* base, const Call& call) {
    const Memory memory{base, &call};
    const float* partials = memory.at<float>(ALL_PARTIALS);
    double squares = 0.0;
    // The list stands before the table.
    const Source* list = memory.at<Source>(SOURCES);
    const int* table = (const int*)(list + SOURCE_KINDS);
    for (int i = blockIdx.x * SMALL_THREADS + threadIdx.x; i < call.n[VALUE_COUNT]; i += COLLECT_BLOCKS * SMALL_THREADS) {
        const Source source = list[memory.at<int>(KINDS)[i] % DECAYS];
        const float* part = partials + table[i];
        float sum = 0.0f;
#pragma unroll 4
        for (int p = 0; p < source.parts; ++p) sum += part[(long long)p * source.distance];
        memory.at<float>(GRADIENTS)[i] = sum;
        squares += (double)sum * sum;
    }
    squares = sum_of_block(squares, (double*)shared());
    if (threadIdx.x == 0) memory.at<double>(SQUARES)[blockIdx.x] = squares;
    // Losses: the weighted sum, each, and the length of the gradient follows.
    if (blockIdx.x == 0) {
        const float* settings = memory.at<float>(END_SETTINGS);
        float total = 0.0f;
        for (int kind = 0; kind < LOSS_KINDS; ++kind) {
            float sum = 0.0f;
            for (int row = threadIdx.x; row < call.n[LOSS_ROW_COUNT]; row += SMALL_THREADS)
                sum += memory.at<float>(END_LOSS_ROWS)[row * LOSS_KINDS + kind];
            sum = sum_of_block(sum, (float*)shared());
            total += settings[LOSS_WEIGHTS + kind] * sum;
            if (threadIdx.x == 0) memory.at<float>(RESULTS)[1 + kind] = sum;
        }
        if (threadIdx.x == 0) memory.at<float>(RESULTS)[0] = total;
    }
}

__device__ __forceinline__ bool is_number(float x) { return fabsf(x) < 3.0e38f; }

// Changes all that is trained, unless training has diverged.
__device__ __forceinline__ void update(unsigned char* base, const Call& call) {
    const Memory memory{base, &call};
    const float* settings = memory.at<float>(END_SETTINGS);
    const double squares = sum_of_block(memory.at<double>(SQUARES)[threadIdx.x], (double*)shared());
    const float length = (float)sqrt(squares), factor = length > settings[LONGEST] ? settings[LONGEST] / length : 1.0f;
    if (blockIdx.x == 0 && threadIdx.x == 0) memory.at<float>(RESULTS)[1 + LOSS_KINDS] = length;
    if (!is_number(length) || !is_number(memory.at<float>(RESULTS)[0])) return;
    const float rate = settings[RATE], first_keep = settings[FIRST_KEEP], second_keep = settings[SECOND_KEEP], follow = settings[FOLLOW];
    float *values = memory.at<float>(TRAINED), *first = memory.at<float>(FIRST_MOMENT), *second = memory.at<float>(SECOND_MOMENT);
    float* averaged = memory.at<float>(AVERAGED);
    const int me = blockIdx.x * SMALL_THREADS + threadIdx.x, all = gridDim.x * SMALL_THREADS;
    for (int i = me; i < call.n[VALUE_COUNT]; i += all) {
        const float gradient = memory.at<float>(GRADIENTS)[i] * factor, decay = memory.at<int>(KINDS)[i] >= DECAYS ? settings[DECAY] : 0.0f;
        float value = values[i];
        if (ADAM) {
            const float mean = first[i] + (1.0f - first_keep) * (gradient - first[i]);
            const float square = second[i] + (1.0f - second_keep) * (gradient * gradient - second[i]);
            first[i] = mean, second[i] = square;
            const float deviation = sqrtf(square / settings[WHOLE_SECOND]) + LEAST_DEVIATION;
            value -= rate * (mean / settings[WHOLE_FIRST] / deviation + decay * value);
        } else {
            const float step = first_keep * first[i] + gradient + decay * value;
            first[i] = step;
            value -= rate * step;
        }
        values[i] = value;
        if (memory.has(AVERAGED)) averaged[i] += follow * (value - averaged[i]);
    }
    float *running = memory.at<float>(RUNNING), *averaged_running = memory.at<float>(AVERAGED_RUNNING);
    for (int i = me; i < call.n[RUNNING_COUNT]; i += all) {
        const float kept = KEPT_OF_STATISTICS * running[i] + (1.0f - KEPT_OF_STATISTICS) * memory.at<float>(RECORDS)[memory.at<int>(RUNNING_PLACES)[i]];
        running[i] = kept;
        if (memory.has(AVERAGED)) averaged_running[i] += follow * (kept - averaged_running[i]);
    }
}
