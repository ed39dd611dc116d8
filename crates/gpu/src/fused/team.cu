// The kernel that runs a network whose boards fit into shared memory: from packed positions to the outputs of all heads in one launch.
//
// docs/gpu.md has the layout with a drawing. In short: a *team* of warpgroups carries some boards through all layers. Its activations stay in shared
// memory, its sums in registers; a last warpgroup of the block does nothing but ask the copy engine for weights, which come through a *ring* of chunks
// in the order in which layers use them. Every layer is a product of matrices on the tensor cores: D = W x X, with 64 outputs a tile.
//
// What is generated for each network stands before this text: the sizes in capitals. What follows it, also generated: the layers in their order.

// ---- Weights -------------------------------------------------------------------------------------------------------------------------------

// Weights of 64 outputs for 16 inputs, as products read them: [8 inputs][64 outputs][8 halves].
constexpr int UNIT = 2048;
// Tiles of 64 channels.
constexpr int TILES = CHANNELS / 64;
constexpr int UNITS = 4 * TILES;
constexpr int CHUNK = UNITS * UNIT;

// The ring lies at the beginning of a block's memory: for each slot a barrier "full" and one "empty", then the chunks. A thread knows where it stands.
extern __shared__ Quad block_memory[];
__device__ __forceinline__ unsigned char* memory() { return (unsigned char*)block_memory; }
__device__ __forceinline__ word start() { return shared_address(block_memory); }
constexpr int RING = 1024;

struct Ring {
    int slot;
    word phase;

    __device__ __forceinline__ word full(int of) const { return start() + 8 * of; }
    __device__ __forceinline__ word empty(int of) const { return start() + 8 * (SLOTS + of); }
    __device__ __forceinline__ word chunk(int of) const { return start() + RING + of * CHUNK; }

    __device__ __forceinline__ void next() {
        if (++slot == SLOTS) slot = 0, phase ^= 1;
    }
};

// ---- Boards --------------------------------------------------------------------------------------------------------------------------------

// A map is [8 channels][row of all boards][board][place of a row][8 halves]. A place before each row stays zero: the left border of this row and the
// right one of the row before. So do a row before the first and one after the last. Hence a tap of a 3x3 kernel is a constant distance.
//
// Products take cells in groups of eight. Boards of eight columns have a group a row, and the border lies between groups; otherwise groups follow each
// other without a gap, and some of their places are no cells.
constexpr int CELLS = ROWS * COLUMNS;
constexpr bool GROUP_IS_ROW = COLUMNS == 8;
constexpr int GROUP_DISTANCE = GROUP_IS_ROW ? 9 : 8;
// Places of a board in a vector that a dense layer reads.
constexpr int FLAT_ROW = GROUP_IS_ROW ? 8 : PITCH;
constexpr int FLAT_BOARD = divided_up(ROWS * FLAT_ROW, 8) * 8;

// How a launch shares out boards: so many to a team, so many teams to a block, and each team's cells among so many warpgroups.
template <int BOARDS_, int TEAMS_, int PARTS_>
struct Shape {
    static constexpr int BOARDS = BOARDS_, TEAMS = TEAMS_, PARTS = PARTS_;
    static constexpr int WARPGROUPS = TEAMS * PARTS;
    static constexpr int ROW = BOARDS * PITCH;
    static constexpr int FIRST = ROW + 1;
    static constexpr int ALL_GROUPS = GROUP_IS_ROW ? ROWS * BOARDS : divided_up(ROWS * ROW - 1, 8);
    // Groups of a warpgroup.
    static constexpr int GROUPS = divided_up(ALL_GROUPS, PARTS);
    static constexpr int PLANE = (FIRST + (PARTS * GROUPS - 1) * GROUP_DISTANCE + 8 + FIRST) * 16;
    static constexpr int MAP = PLANE * PADDED_PLANES / 8;
    // Vectors of all boards for dense layers: [8 inputs][board][8 halves]. A product reads eight boards, so a little beyond the last.
    static constexpr int FLAT = BOARDS * FLAT_LENGTH * 2 + 256;
    static constexpr int VECTOR = BOARDS * VECTOR_LENGTH * 2 + 256;
    static constexpr int TOTALS = PARTS * CHANNELS * BOARDS * 2 * 4;
    static constexpr int OF_TEAM = divided_up(MAP + FLAT + TOTALS, 128) * 128;
    static constexpr int OF_WARPGROUP = 2 * VECTOR + 256;
    static constexpr int TEAM_MEMORY = RING + SLOTS * CHUNK;
    static constexpr int WARPGROUP_MEMORY = TEAM_MEMORY + TEAMS * OF_TEAM;
    static constexpr int SHARED = WARPGROUP_MEMORY + WARPGROUPS * OF_WARPGROUP;
    static_assert(GROUPS <= 32 && BOARDS <= 8 && (PARTS == 1 || BOARDS == 1), "the generator chooses shapes that fit");
};

// What goes from block to block of the network: what this thread has of it, halves in pairs as its sums are.
template <class S, bool IN_REGISTERS>
struct Stream;

template <class S>
struct Stream<S, true> {
    word halves[TILES][S::GROUPS * 2];
    __device__ __forceinline__ Stream(Quad*) {}
    __device__ __forceinline__ void get(int tile, int pair, word (&to)[4]) const {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            if (pair * 4 + i < S::GROUPS * 2) to[i] = halves[tile][pair * 4 + i];
    }
    __device__ __forceinline__ void set(int tile, int pair, const word (&from)[4]) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            if (pair * 4 + i < S::GROUPS * 2) halves[tile][pair * 4 + i] = from[i];
    }
};

// Where registers do not suffice, in global memory, where it stays in the cache: a thread's quads lie so that a warp's are together.
template <class S>
struct Stream<S, false> {
    static constexpr int PAIRS = divided_up(S::GROUPS, 2), QUADS = TILES * PAIRS;
    Quad* quads;
    __device__ __forceinline__ Stream(Quad* of_block) : quads(of_block + threadIdx.x / 128 * QUADS * 128 + threadIdx.x % 128) {}
    __device__ __forceinline__ void get(int tile, int pair, word (&to)[4]) const {
        const Quad quad = quads[(tile * PAIRS + pair) * 128];
        to[0] = quad.x, to[1] = quad.y, to[2] = quad.z, to[3] = quad.w;
    }
    __device__ __forceinline__ void set(int tile, int pair, const word (&from)[4]) {
        quads[(tile * PAIRS + pair) * 128] = Quad{from[0], from[1], from[2], from[3]};
    }
};

// A thread among those that compute. What follows from its number is computed anew where it is wanted: registers are for sums.
template <class S>
struct Worker {
    word low, high;  // for each group whether this thread's two places are cells
    int boards;      // how many boards the team has in this round
    float* outputs;  // of the first of them
    Ring ring;

    __device__ __forceinline__ Worker() {
        low = high = 0;
        for (int group = 0; group < S::GROUPS; ++group) {
            low |= (word)is_cell(group, 0) << group;
            high |= (word)is_cell(group, 1) << group;
        }
    }

    // Its place in its warp and its warpgroup, and theirs in the block.
    __device__ __forceinline__ int thread() const { return threadIdx.x % 128; }
    __device__ __forceinline__ int warp() const { return threadIdx.x / 32 % 4; }
    __device__ __forceinline__ int lane() const { return threadIdx.x % 32; }
    __device__ __forceinline__ int warpgroup() const { return S::WARPGROUPS == 1 ? 0 : threadIdx.x / 128; }
    __device__ __forceinline__ int team() const { return S::TEAMS == 1 ? 0 : warpgroup() / S::PARTS; }
    __device__ __forceinline__ int part() const { return S::PARTS == 1 ? 0 : warpgroup() % S::PARTS; }
    // Its sums: of a tile this output and the eighth after it, of a group this place and the next.
    __device__ __forceinline__ int row() const { return warp() * 16 + lane() / 4; }
    __device__ __forceinline__ int column() const { return lane() % 4 * 2; }

    __device__ __forceinline__ int map_at() const { return S::TEAM_MEMORY + team() * S::OF_TEAM; }
    __device__ __forceinline__ int flat_at() const { return map_at() + S::MAP; }
    __device__ __forceinline__ int vector_at(int which) const { return S::WARPGROUP_MEMORY + warpgroup() * S::OF_WARPGROUP + which * S::VECTOR; }
    __device__ __forceinline__ float* totals() const { return (float*)(memory() + flat_at() + S::FLAT); }
    __device__ __forceinline__ float* logits() const { return (float*)(memory() + vector_at(2)); }

    // Waits for the team, for the warpgroup.
    __device__ __forceinline__ void meet_team() const { meet(1 + team(), 128 * S::PARTS); }
    __device__ __forceinline__ void meet_warpgroup() const { meet(1 + S::TEAMS + warpgroup(), 128); }

    // What a group stands for: its board, and where it begins on it, counted as in a flat vector.
    __device__ __forceinline__ int board_of(int group) const {
        if (S::BOARDS == 1) return 0;
        return GROUP_IS_ROW ? group % S::BOARDS : group * 8 / PITCH % S::BOARDS;
    }
    __device__ __forceinline__ int place_of(int group) const {
        if (GROUP_IS_ROW) return (part() * S::GROUPS + group) / S::BOARDS * 8;
        if (S::BOARDS == 1) return (part() * S::GROUPS + group) * 8;
        return group * 8 / PITCH / S::BOARDS * PITCH + group * 8 % PITCH;
    }
    __device__ __forceinline__ int place(int group, int odd) const { return place_of(group) + column() + odd; }
    __device__ __forceinline__ bool is_cell(int group, int odd) const {
        const int at = place(group, odd);
        return at / FLAT_ROW < ROWS && at % FLAT_ROW < COLUMNS;
    }
    __device__ __forceinline__ int cell(int group, int odd) const {
        const int at = place(group, odd);
        return at / FLAT_ROW * COLUMNS + at % FLAT_ROW;
    }
    __device__ __forceinline__ bool has(int group, int odd) const { return (odd ? high : low) >> group & 1; }
};

// A place in vectors of all boards.
template <class S>
__device__ __forceinline__ int in_vector(int input, int board) { return (input / 8 * S::BOARDS + board) * 16 + input % 8 * 2; }

