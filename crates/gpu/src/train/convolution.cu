// A convolution, forward or back: D = W x X with 64 outputs a block, whose weights stay in shared memory. What stands before it, normalisation and
// rectifier (or the way back through a normalisation), is done as cells are loaded; what stands after it, sums for the next normalisation (or the way back
// through a rectifier), as they are stored.
//
// In shared memory a warpgroup has a map of its own: [8 channels][row of all boards][board][place of a row][8 numbers], with borders of zeros as in
// fused/team.cu. Products take cells in groups of eight; boards of eight columns have a group a row, and the border lies between groups.

constexpr int PITCH = COLUMNS + 1;
constexpr bool GROUP_IS_ROW = COLUMNS == 8;
constexpr int GROUP_DISTANCE = GROUP_IS_ROW ? 9 : 8;
// Weights of 64 outputs for 16 inputs: [8 inputs][64 outputs][8 numbers].
constexpr int UNIT = 128 * EIGHT;

// What becomes of cells before the product. RECTIFIED: relu of what is normalised; JOINED: the same with the stream added; UNNORMALISED: the gradient of
// what is normalised. EXCITED and UNEXCITED: the same two of blocks with squeeze and excitation, see excitation.cu.
enum Before { AS_IT_IS, RECTIFIED, JOINED, UNNORMALISED, EXCITED, UNEXCITED };
// What becomes of sums after it. COUNTED: statistics; THROUGH_NORMAL: nothing goes back where the rectifier after this normalisation gave nothing;
// THROUGH_STREAM: the same by what came out of the rectifier, where other gradients may have joined.
enum After { COUNTED, THROUGH_NORMAL, THROUGH_STREAM };

// Places of a call.
enum OfConvolution {
    WEIGHTS, INPUT, SECOND, KEPT, OUTPUT, ROWS_OUT,        // SECOND: the stream, or y of the normalisation
    ROWS_IN, RECORD, VALUES, PLACES, NORM_GRADIENT,        // of the normalisation before
    BACK_Y, BACK_RECORD, BACK_MAP, JOINING,                // of what stands after
    GATES
};
// And its numbers.
enum { BOARD_COUNT, ROW_COUNT };

template <int INPUTS_, int OUTPUTS_, int SIDE_, int BOARDS_, int WARPGROUPS_>
struct Layer {
    static constexpr int INPUTS = INPUTS_, OUTPUTS = OUTPUTS_, SIDE = SIDE_, BOARDS = BOARDS_, WARPGROUPS = WARPGROUPS_;
    static constexpr int THREADS = 128 * WARPGROUPS;
    static constexpr int UNITS = INPUTS / 16;
    static constexpr int OF_WEIGHTS = SIDE * SIDE * UNITS * UNIT;
    static constexpr int ROW = BOARDS * PITCH, FIRST = ROW + 1;
    static constexpr int GROUPS = GROUP_IS_ROW ? ROWS * BOARDS : divided_up(ROWS * ROW - 1, 8);
    // Odd, so that threads of eight channels meet no other's banks.
    static constexpr int PLANE = (FIRST + (GROUPS - 1) * GROUP_DISTANCE + 8 + FIRST | 1) * EIGHT;
    static constexpr int MAP = most(INPUTS, 64) / 8 * PLANE;
    // Barrier, coefficients before (3) and after (4), totals, scratch.
    static constexpr int COEFFICIENTS = 128, AFTER = COEFFICIENTS + 3 * INPUTS * 4, TOTALS = AFTER + 4 * 64 * 4, SCRATCH = TOTALS + 2 * INPUTS * 4;
    static constexpr int WEIGHTS_AT = divided_up(SCRATCH + most(THREADS, 2 * INPUTS) * 4, 128) * 128;
    static constexpr int MAPS_AT = WEIGHTS_AT + OF_WEIGHTS;
    static constexpr int SHARED = MAPS_AT + WARPGROUPS * MAP;
    // A thread has eight channels, always the same, of cells that are so far apart.
    static constexpr int STEP = 1024 / INPUTS, VECTORS = divided_up(BOARDS * CELLS, STEP), VECTORS_OUT = divided_up(BOARDS * CELLS, 16);
    static constexpr bool AHEAD = VECTORS <= 8;
    static_assert(GROUPS <= 32 && 128 % (INPUTS / 8) == 0, "the host chooses shapes that fit");
};

// Where a cell of the boards that a warpgroup has lies in its map.
template <class L>
__device__ __forceinline__ int place_of(int board, int cell) {
    return (cell / COLUMNS + 1) * L::ROW + board * PITCH + cell % COLUMNS + 1;
}

template <class L, Before BEFORE, After AFTER>
__device__ __forceinline__ void convolve(unsigned char* base, const Call& call) {
    const Memory memory{base, &call};
    const int thread = threadIdx.x % 128, warpgroup = threadIdx.x / 128, lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
    const int count = call.n[BOARD_COUNT];
    const int map_at = L::MAPS_AT + warpgroup * L::MAP;
    if (threadIdx.x == 0) {
        barrier_init(start(), 1);
        barriers_are_ready();
        barrier_expect(start(), L::OF_WEIGHTS);
        const unsigned char* weights = memory.at<unsigned char>(WEIGHTS) + (long long)blockIdx.y * L::OF_WEIGHTS;
        for (int i = 0; i < L::SIDE * L::SIDE; ++i)
            copy_to_shared(start() + L::WEIGHTS_AT + i * L::UNITS * UNIT, weights + i * L::UNITS * UNIT, L::UNITS * UNIT, start());
    }
    for (int i = threadIdx.x; i < L::WARPGROUPS * L::MAP / EIGHT; i += L::THREADS) *(Eight*)(shared() + L::MAPS_AT + i * EIGHT) = Eight{};
    float* coefficients = (float*)(shared() + L::COEFFICIENTS);
    float* after = (float*)(shared() + L::AFTER);
    {
        float *totals = (float*)(shared() + L::TOTALS), *scratch = (float*)(shared() + L::SCRATCH);
        const bool keeps = blockIdx.x == 0 && blockIdx.y == 0;
        const int numbers = count * CELLS;
        if (BEFORE != AS_IT_IS) add_rows<L::INPUTS, L::THREADS>(memory.at<float>(ROWS_IN), call.n[ROW_COUNT], totals, scratch);
        if (BEFORE == RECTIFIED || BEFORE == JOINED || BEFORE == EXCITED)
            normal_of<L::INPUTS, L::THREADS>(totals, numbers, memory.at<float>(VALUES), memory.at<int>(PLACES), memory.at<float>(RECORD), keeps,
                                             coefficients, coefficients + L::INPUTS);
        if (BEFORE == UNNORMALISED || BEFORE == UNEXCITED)
            unnormal_of<L::INPUTS, L::THREADS>(totals, numbers, memory.at<float>(RECORD), memory.at<float>(NORM_GRADIENT), keeps, coefficients,
                                               coefficients + 2 * L::INPUTS, coefficients + L::INPUTS);
        if (AFTER != COUNTED) {
            const float* record = memory.at<float>(BACK_RECORD);
            for (int c = threadIdx.x; c < 64; c += L::THREADS) {
                const int channel = blockIdx.y * 64 + c;
                const float inverse = record[INVERSE * L::OUTPUTS + channel];
                after[c] = record[FACTOR * L::OUTPUTS + channel], after[64 + c] = record[SUMMAND * L::OUTPUTS + channel];
                after[128 + c] = inverse, after[192 + c] = -inverse * record[MEAN * L::OUTPUTS + channel];
            }
        }
    }
    publish_to_products();
    __syncthreads();
    barrier_wait(start(), 0);

    const Eight* input = memory.at<Eight>(INPUT);
    const Eight* second = memory.at<Eight>(SECOND);
    Eight* kept = memory.at<Eight>(KEPT);
    const bool keeps = memory.has(KEPT) && blockIdx.y == 0;
    constexpr int PLANES_IN = L::INPUTS / 8;
    const int group = thread % PLANES_IN, position = thread / PLANES_IN;
    const float* factors = coefficients + group * 8;
    float one[8], two[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) one[i] = two[i] = 0.0f;

    // Which of this thread's places after the product are cells.
    word is_low = 0, is_high = 0;
    if (!GROUP_IS_ROW)
        for (int g = 0; g < L::GROUPS; ++g)
            for (int odd = 0; odd < 2; ++odd) {
                const int at = g * 8 + lane % 4 * 2 + odd;
                const bool is_cell = at / L::ROW < ROWS && at % PITCH < COLUMNS;
                (odd ? is_high : is_low) |= (word)is_cell << g;
            }

    float sums[L::GROUPS * 4];
    Eight ahead[L::AHEAD ? L::VECTORS : 1];
    const int step = gridDim.x * L::WARPGROUPS;
    const auto is_there = [&](int tile, int at) {
        return (L::BOARDS * CELLS % L::STEP == 0 || at < L::BOARDS * CELLS) && tile * L::BOARDS + at / CELLS < count;
    };
    const auto index = [&](int tile, int at) { return ((long long)(tile * L::BOARDS + at / CELLS) * PLANES_IN + group) * CELLS + at % CELLS; };
    int tile = blockIdx.x * L::WARPGROUPS + warpgroup;
    if (L::AHEAD)
#pragma unroll
        for (int i = 0; i < L::VECTORS; ++i)
            ahead[L::AHEAD ? i : 0] = is_there(tile, i * L::STEP + position) ? input[index(tile, i * L::STEP + position)] : Eight{};
    for (; tile * L::BOARDS < count; tile += step) {
        // ---- Before
#pragma unroll
        for (int i = 0; i < L::VECTORS; ++i) {
            const int at = i * L::STEP + position;
            const bool there = is_there(tile, at);
            const long long from = index(tile, at);
            Eight x = L::AHEAD ? ahead[L::AHEAD ? i : 0] : there ? input[from] : Eight{};
            if (BEFORE != AS_IT_IS && there) {
                Eight y{};
                if (BEFORE != RECTIFIED) y = second[from];
                const float* gates = memory.at<float>(GATES) + (long long)(tile * L::BOARDS + at / CELLS) * 3 * L::INPUTS + group * 8;
#pragma unroll
                for (int c = 0; c < 8; c += 2) {
                    float two_of[2];
#pragma unroll
                    for (int odd = 0; odd < 2; ++odd) {
                        const int i = c + odd;
                        float a = odd ? high(x.of[c / 2]) : low(x.of[c / 2]);
                        const float b = odd ? high(y.of[c / 2]) : low(y.of[c / 2]);
                        if (BEFORE == UNEXCITED) a = fmaf(a, gates[i], gates[2 * L::INPUTS + i]);
                        a = fmaf(a, factors[i], factors[L::INPUTS + i]);
                        if (BEFORE == EXCITED) a = fmaf(a, gates[i], gates[L::INPUTS + i]);
                        if (BEFORE == JOINED || BEFORE == EXCITED) a += b;
                        if (BEFORE == UNNORMALISED || BEFORE == UNEXCITED) a = fmaf(b, factors[2 * L::INPUTS + i], a);
                        else a = fmaxf(a, 0.0f);
                        two_of[odd] = a;
                    }
                    x.of[c / 2] = pair(two_of[0], two_of[1]);
                }
                if (keeps) kept[from] = x;
            }
            if (L::BOARDS * CELLS % L::STEP == 0 || at < L::BOARDS * CELLS)
                *(Eight*)(shared() + map_at + group * L::PLANE + place_of<L>(at / CELLS, at % CELLS) * EIGHT) = x;
        }
        publish_to_products();
        meet(1 + warpgroup, 128);
        if (L::AHEAD)
#pragma unroll
            for (int i = 0; i < L::VECTORS; ++i)
                ahead[L::AHEAD ? i : 0] = is_there(tile + step, i * L::STEP + position) ? input[index(tile + step, i * L::STEP + position)] : Eight{};

        // ---- The product
        products_begin();
        {
            const word weights = opaque((start() + L::WEIGHTS_AT) / EIGHT | 64 << 16);
            const word map = opaque((start() + map_at) / EIGHT | L::PLANE / EIGHT << 16);
#pragma unroll
            for (int tap = 0; tap < L::SIDE * L::SIDE; ++tap)
#pragma unroll
                for (int unit = 0; unit < L::UNITS; ++unit) {
                    const int place = L::SIDE == 1 ? L::FIRST : tap / 3 * L::ROW + tap % 3;
                    multiply(sums, join(weights + (tap * L::UNITS + unit) * (UNIT / EIGHT), 8),
                             join(map + place + unit * 2 * (L::PLANE / EIGHT), GROUP_DISTANCE), tap + unit > 0);
                }
        }
        products_commit();
        products_wait<0>();
        meet(1 + warpgroup, 128);

        // ---- After: sums go back into the map, and from there in whole rows to where they belong.
        const word places = start() + map_at + (warp * 2 + lane / 8 % 2) * L::PLANE + (L::FIRST + lane / 16 * GROUP_DISTANCE + lane % 8) * EIGHT;
#pragma unroll
        for (int g = 0; g < L::GROUPS; g += 2) {
            Pair packed[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                if (g + i / 2 >= L::GROUPS) continue;
                float a = sums[g * 4 + i * 2], b = sums[g * 4 + i * 2 + 1];
                if (!GROUP_IS_ROW) a = is_low >> (g + i / 2) & 1 ? a : 0.0f, b = is_high >> (g + i / 2) & 1 ? b : 0.0f;
                packed[i] = pair(a, b);
            }
            const word address = places + g * GROUP_DISTANCE * EIGHT;
            if (g + 1 < L::GROUPS) {
                store_transposed(address, packed);
            } else {
                const Pair two_tiles[2] = {packed[0], packed[1]};
                store_transposed(address, two_tiles);
            }
        }
        meet(1 + warpgroup, 128);
        const int plane = thread % 8;
#pragma unroll
        for (int i = 0; i < L::VECTORS_OUT; ++i) {
            const int at = i * 16 + thread / 8, board = tile * L::BOARDS + at / CELLS;
            if (L::BOARDS * CELLS % 16 != 0 && at >= L::BOARDS * CELLS || board >= count) continue;
            const long long to = ((long long)board * (L::OUTPUTS / 8) + blockIdx.y * 8 + plane) * CELLS + at % CELLS;
            Eight d = *(const Eight*)(shared() + map_at + plane * L::PLANE + place_of<L>(at / CELLS, at % CELLS) * EIGHT);
            if (AFTER == COUNTED) {
#pragma unroll
                for (int c = 0; c < 4; ++c) {
                    const float a = low(d.of[c]), b = high(d.of[c]);
                    one[2 * c] += a, one[2 * c + 1] += b;
                    two[2 * c] = fmaf(a, a, two[2 * c]), two[2 * c + 1] = fmaf(b, b, two[2 * c + 1]);
                }
            } else {
                const Eight y = memory.at<Eight>(BACK_Y)[to];
                Eight shown{}, joining{};
                if (AFTER == THROUGH_STREAM) shown = memory.at<Eight>(BACK_MAP)[to];
                if (AFTER == THROUGH_STREAM && memory.has(JOINING)) joining = memory.at<Eight>(JOINING)[to];
                const float* of = after + plane * 8;
#pragma unroll
                for (int c = 0; c < 4; ++c) {
                    const float y0 = low(y.of[c]), y1 = high(y.of[c]);
                    float a = low(d.of[c]), b = high(d.of[c]);
                    if (AFTER == THROUGH_NORMAL) {
                        a = fmaf(y0, of[2 * c], of[64 + 2 * c]) > 0.0f ? a : 0.0f;
                        b = fmaf(y1, of[2 * c + 1], of[64 + 2 * c + 1]) > 0.0f ? b : 0.0f;
                    } else {
                        a = low(shown.of[c]) > 0.0f ? a + low(joining.of[c]) : 0.0f;
                        b = high(shown.of[c]) > 0.0f ? b + high(joining.of[c]) : 0.0f;
                    }
                    d.of[c] = pair(a, b);
                    // The sums are of what is stored.
                    a = low(d.of[c]), b = high(d.of[c]);
                    one[2 * c] += a, one[2 * c + 1] += b;
                    two[2 * c] = fmaf(a, fmaf(y0, of[128 + 2 * c], of[192 + 2 * c]), two[2 * c]);
                    two[2 * c + 1] = fmaf(b, fmaf(y1, of[128 + 2 * c + 1], of[192 + 2 * c + 1]), two[2 * c + 1]);
                }
            }
            memory.at<Eight>(OUTPUT)[to] = d;
        }
        meet(1 + warpgroup, 128);
    }
    leave_row<L::OUTPUTS, L::THREADS>(one, two, memory.at<float>(ROWS_OUT) + (long long)blockIdx.x * 2 * L::OUTPUTS, blockIdx.y * 64,
                                      (float*)(shared() + L::MAPS_AT));
}
