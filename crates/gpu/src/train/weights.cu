// Gradients of convolutions' weights: for each tap a product of 64 outputs by up to 64 inputs, over all cells of all boards. A warpgroup has one row of
// taps. All layers of a shape are one launch, so that few blocks share a layer, and little has to be added up afterwards.

// Cells of a board in groups of eight, in pairs of groups. Places that are no cells are zero in the gradient, and so count nothing.
constexpr int GROUPS_OF_BOARD = divided_up(GROUP_IS_ROW ? ROWS : divided_up(ROWS * PITCH - 1, 8), 2) * 2;

template <int INPUTS_, int OUTPUTS_, int SIDE_, int BOARDS_>
struct Gradient {
    static constexpr int INPUTS = INPUTS_, OUTPUTS = OUTPUTS_, SIDE = SIDE_, BOARDS = BOARDS_;
    static constexpr int THREADS = 128 * SIDE;
    // Inputs of a tile.
    static constexpr int WIDE = least(INPUTS, 64), TILES_OF_INPUTS = INPUTS / WIDE;
    static constexpr int PLANE = (2 * PITCH + 2 + (GROUPS_OF_BOARD - 1) * GROUP_DISTANCE + 8 | 1) * EIGHT;
    static constexpr int OF_X = WIDE / 8 * PLANE, GRADIENT_PLANE = GROUPS_OF_BOARD * 8 * EIGHT, OF_GRADIENT = 8 * GRADIENT_PLANE;
    static constexpr int STAGE = BOARDS * (OF_X + OF_GRADIENT), SHARED = 2 * STAGE;
};

// TABLE has for each layer where its input and the gradient of its output lie.
enum OfGradient { TABLE, PARTIALS };
enum { PARTS_OF_LAYER = 1 };

template <class G>
__device__ __forceinline__ void gradient_of_weights(unsigned char* base, const Call& call) {
    const Memory memory{base, &call};
    const int count = call.n[BOARD_COUNT], parts = call.n[PARTS_OF_LAYER];
    const int layer = blockIdx.x / parts, part = blockIdx.x % parts;
    const int tile_of_inputs = blockIdx.y % G::TILES_OF_INPUTS, tile_of_outputs = blockIdx.y / G::TILES_OF_INPUTS;
    const long long* table = memory.at<long long>(TABLE) + layer * 2;
    const Eight* x = (const Eight*)(base + table[0]);
    const Eight* gradient = (const Eight*)(base + table[1]);
    const int warpgroup = threadIdx.x / 128, lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
    for (int i = threadIdx.x; i < G::SHARED / EIGHT; i += G::THREADS) *(Eight*)(shared() + i * EIGHT) = Eight{};
    __syncthreads();
    const auto fetch = [&](int tile, int stage) {
        const word to = start() + stage * G::STAGE;
        constexpr int PLANES_OF_X = G::WIDE / 8;
        for (int i = threadIdx.x; i < G::BOARDS * PLANES_OF_X * CELLS; i += G::THREADS) {
            const int board = i / (PLANES_OF_X * CELLS), plane = i / CELLS % PLANES_OF_X, cell = i % CELLS, of = tile * G::BOARDS + board;
            const int place = (cell / COLUMNS + 1) * PITCH + cell % COLUMNS + 1;
            const long long from = ((long long)of * (G::INPUTS / 8) + tile_of_inputs * PLANES_OF_X + plane) * CELLS + cell;
            copy_eight(to + board * G::OF_X + plane * G::PLANE + place * EIGHT, x + (of < count ? from : 0), of < count);
        }
        for (int i = threadIdx.x; i < G::BOARDS * 8 * CELLS; i += G::THREADS) {
            const int board = i / (8 * CELLS), plane = i / CELLS % 8, cell = i % CELLS, of = tile * G::BOARDS + board;
            const int place = GROUP_IS_ROW ? cell : cell / COLUMNS * PITCH + cell % COLUMNS;
            const long long from = ((long long)of * (G::OUTPUTS / 8) + tile_of_outputs * 8 + plane) * CELLS + cell;
            copy_eight(to + G::BOARDS * G::OF_X + board * G::OF_GRADIENT + plane * G::GRADIENT_PLANE + place * EIGHT,
                       gradient + (of < count ? from : 0), of < count);
        }
    };
    float sums[G::SIDE][G::WIDE / 2];
#pragma unroll
    for (int tap = 0; tap < G::SIDE; ++tap)
#pragma unroll
        for (int i = 0; i < G::WIDE / 2; ++i) sums[tap][i] = 0.0f;
    int stage = 0;
    if (part * G::BOARDS < count) fetch(part, 0);
    copies_commit();
    for (int tile = part; tile * G::BOARDS < count; tile += parts) {
        copies_wait();
        publish_to_products();
        __syncthreads();
        if ((tile + parts) * G::BOARDS < count) fetch(tile + parts, stage ^ 1);
        copies_commit();
        const int at = stage * G::STAGE;
#pragma unroll 1
        for (int board = 0; board < G::BOARDS; ++board) {
            const word rows = start() + at + G::BOARDS * G::OF_X + board * G::OF_GRADIENT + (warp * 2 + lane / 8 % 2) * G::GRADIENT_PLANE
                            + (lane / 16 * 8 + lane % 8) * EIGHT;
            const word map = (start() + at + board * G::OF_X) / EIGHT + (G::SIDE == 1 ? PITCH + 1 : warpgroup * PITCH);
            // Four pairs of groups at once: their gradients have to be in registers until products are done.
            constexpr int PAIRS = GROUPS_OF_BOARD / 2, AT_ONCE = 4;
#pragma unroll 1
            for (int first = 0; first < PAIRS; first += AT_ONCE) {
                Pair of_gradient[AT_ONCE][4];
#pragma unroll
                for (int i = 0; i < AT_ONCE; ++i)
                    if (PAIRS % AT_ONCE == 0 || first + i < PAIRS) load_transposed(of_gradient[i], rows + (first + i) * 16 * EIGHT);
                products_begin();
#pragma unroll
                for (int i = 0; i < AT_ONCE; ++i) {
                    if (PAIRS % AT_ONCE != 0 && first + i >= PAIRS) break;
                    const word cells = opaque(map + (first + i) * 2 * GROUP_DISTANCE | GROUP_DISTANCE << 16);
#pragma unroll
                    for (int tap = 0; tap < G::SIDE; ++tap) multiply_turned(sums[tap], of_gradient[i], join(cells + tap, G::PLANE / EIGHT));
                }
                products_commit();
                products_wait<0>();
            }
        }
        stage ^= 1;
    }
    // [layer][part][tile][tap][output][input]
    float* out = memory.at<float>(PARTIALS)
               + (((long long)blockIdx.x * gridDim.y + blockIdx.y) * G::SIDE * G::SIDE + warpgroup * G::SIDE) * 64 * G::WIDE;
#pragma unroll
    for (int tap = 0; tap < G::SIDE; ++tap)
#pragma unroll
        for (int i = 0; i < G::WIDE / 2; i += 2) {
            const int output = warp * 16 + lane / 4 + i / 2 % 2 * 8, input = i / 4 * 8 + lane % 4 * 2;
            *(Float2*)(out + (tap * 64 + output) * G::WIDE + input) = Float2{sums[tap][i], sums[tap][i + 1]};
        }
}
