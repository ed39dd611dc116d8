// Layers, of the team of warpgroups that `team.cu` tells of.

// ---- Products ------------------------------------------------------------------------------------------------------------------------------

// sums = the next weights of the ring x inputs, in STEPS of 16 inputs. `inputs` gives the matrix of a step.
template <int STEPS, class S, int OUTPUT_TILES, int LENGTH, typename Inputs>
__device__ __forceinline__ void product(Worker<S>& w, float (&sums)[OUTPUT_TILES][LENGTH], Inputs inputs) {
    constexpr int OF_CHUNK = UNITS / OUTPUT_TILES, CHUNKS = divided_up(STEPS, OF_CHUNK);
    constexpr int UNROLLED = STEPS * OUTPUT_TILES <= 128 && LENGTH > 4 ? CHUNKS : 1;
    Ring& ring = w.ring;
    int last = -1;
#pragma unroll UNROLLED
    for (int chunk = 0; chunk < CHUNKS; ++chunk) {
        barrier_wait(ring.full(ring.slot), ring.phase);
        products_begin();
        const word weights = opaque((ring.chunk(ring.slot)) >> 4 | 64 << 16);
#pragma unroll
        for (int i = 0; i < OF_CHUNK; ++i) {
            const int step = chunk * OF_CHUNK + i;
            if (STEPS % OF_CHUNK == 0 || step < STEPS) {
                const descriptor cells = inputs(step);
#pragma unroll
                for (int tile = 0; tile < OUTPUT_TILES; ++tile)
                    multiply(sums[tile], join(weights + (i * OUTPUT_TILES + tile) * (UNIT / 16), 8), cells, step > 0);
            }
        }
        products_commit();
        // Products of the chunk before are done when only those of this one may be under way: its slot can be filled again.
        if (last >= 0) {
            products_wait<1>();
            if (w.lane() == 0) barrier_arrive(ring.empty(last));
        }
        last = ring.slot;
        ring.next();
    }
    products_wait<0>();
    if (w.lane() == 0) barrier_arrive(ring.empty(last));
}

// A convolution of 3x3 or 1x1 over a map, without its bias.
template <int SIDE, int INPUTS, class S, int OUTPUT_TILES>
__device__ __forceinline__ void convolve(Worker<S>& w, float (&sums)[OUTPUT_TILES][S::GROUPS * 4]) {
    constexpr int OF_TAP = INPUTS / 16;
    const word map = opaque((start() + w.map_at() + w.part() * S::GROUPS * GROUP_DISTANCE * 16) >> 4 | (S::PLANE / 16) << 16);
    product<SIDE * SIDE * OF_TAP>(w, sums, [&](int step) {
        const int tap = step / OF_TAP, channels = step % OF_TAP * 2 * (S::PLANE / 16);
        return join(map + channels + (SIDE == 1 ? S::FIRST : tap / 3 * S::ROW + tap % 3), GROUP_DISTANCE);
    });
}

// The same over the vectors at a place in memory.
template <int INPUTS, class S, int OUTPUT_TILES>
__device__ __forceinline__ void vector_product(Worker<S>& w, float (&sums)[OUTPUT_TILES][4], int vectors_at) {
    const word vectors = opaque((start() + vectors_at) >> 4 | S::BOARDS << 16);
    product<divided_up(INPUTS, 16)>(w, sums, [&](int step) { return join(vectors + step * 2 * S::BOARDS, 8); });
}

// A dense layer over the vectors at a place: for each output of each board `put(output, board, sum)`. One tile of outputs after the other, since sums of
// several would cost registers that convolutions need.
template <int INPUTS, int OUTPUTS, class S, typename Put>
__device__ __forceinline__ void dense(Worker<S>& w, int vectors_at, const float* bias, Put put) {
#pragma unroll 1
    for (int tile = 0; tile < divided_up(OUTPUTS, 64); ++tile) {
        float sums[1][4];
        vector_product<INPUTS>(w, sums, vectors_at);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int output = tile * 64 + w.row() + i / 2 * 8, board = w.column() + i % 2;
            if (output < OUTPUTS && board < S::BOARDS) put(output, board, sums[0][i] + bias[output]);
        }
    }
}

// ---- What follows a convolution ------------------------------------------------------------------------------------------------------------

template <class S, int OUTPUT_TILES>
__device__ __forceinline__ void add_bias(const Worker<S>& w, float (&sums)[OUTPUT_TILES][S::GROUPS * 4], const float* bias) {
#pragma unroll
    for (int tile = 0; tile < OUTPUT_TILES; ++tile) {
        const float first = bias[tile * 64 + w.row()], second = bias[tile * 64 + w.row() + 8];
#pragma unroll
        for (int i = 0; i < S::GROUPS * 4; ++i) sums[tile][i] += i / 2 % 2 ? second : first;
    }
}

// Whether what is stored joins the stream first, and becomes it.
enum Role { INNER, BEGINS_STREAM, JOINS_STREAM };

// map = relu(sums), or relu(sums + stream).
template <Role ROLE, class S, int OUTPUT_TILES, class Kept>
__device__ __forceinline__ void store(Worker<S>& w, const float (&sums)[OUTPUT_TILES][S::GROUPS * 4], Kept& stream) {
    // Other warps may still read what is replaced.
    w.meet_team();
    // The address that this lane gives: tiles of a store are 8 outputs of one group, the next 8, and both of the next group.
    const word places = start() + w.map_at() + (w.warp() * 2 + w.lane() / 8 % 2) * S::PLANE
                      + (S::FIRST + (w.part() * S::GROUPS + w.lane() / 16) * GROUP_DISTANCE + w.lane() % 8) * 16;
#pragma unroll
    for (int tile = 0; tile < OUTPUT_TILES; ++tile) {
#pragma unroll
        for (int group = 0; group < S::GROUPS; group += 2) {
            word kept[4], packed[4];
            if (ROLE == JOINS_STREAM) stream.get(tile, group / 2, kept);
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                if (group + i / 2 >= S::GROUPS) continue;
                float low = sums[tile][group * 4 + i * 2], high = sums[tile][group * 4 + i * 2 + 1];
                if (ROLE == JOINS_STREAM) low += low_half(kept[i]), high += high_half(kept[i]);
                packed[i] = to_rectified_halves(low, high);
                // Borders stay zero.
                if (!GROUP_IS_ROW) packed[i] &= (w.has(group + i / 2, 0) ? 0x0000FFFFu : 0) | (w.has(group + i / 2, 1) ? 0xFFFF0000u : 0);
            }
            if (ROLE != INNER) stream.set(tile, group / 2, packed);
            const word address = places + tile * 8 * S::PLANE + group * GROUP_DISTANCE * 16;
            if (group + 1 < S::GROUPS) {
                store_transposed(address, packed);
            } else {
                const word two[2] = {packed[0], packed[1]};
                store_transposed(address, two);
            }
        }
    }
    publish_to_products();
    w.meet_team();
}

// map = stream, for the next head after one that has used the map for itself.
template <class S, class Kept>
__device__ __forceinline__ void restore(Worker<S>& w, Kept& stream) {
    float sums[TILES][S::GROUPS * 4];
#pragma unroll
    for (int tile = 0; tile < TILES; ++tile)
        for (int i = 0; i < S::GROUPS * 4; ++i) sums[tile][i] = 0.0f;
    store<JOINS_STREAM>(w, sums, stream);
}

// flat = relu(sums), for the first CHANNELS_OF_HEAD outputs.
template <int CHANNELS_OF_HEAD, class S, int OUTPUT_TILES>
__device__ __forceinline__ void flatten(Worker<S>& w, const float (&sums)[OUTPUT_TILES][S::GROUPS * 4]) {
    w.meet_team();
#pragma unroll
    for (int tile = 0; tile < OUTPUT_TILES; ++tile)
#pragma unroll
        for (int group = 0; group < S::GROUPS; ++group)
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const int channel = tile * 64 + w.row() + i * 8, at = w.place(group, 0);
                if (channel >= CHANNELS_OF_HEAD || at >= FLAT_BOARD) continue;
                const word both = to_rectified_halves(sums[tile][group * 4 + i * 2], sums[tile][group * 4 + i * 2 + 1]);
                *(word*)(memory() + w.flat_at() + in_vector<S>(channel * FLAT_BOARD + at, w.board_of(group))) = both;
            }
    publish_to_products();
    w.meet_team();
}

// outputs = sums, or their hyperbolic tangents, for the first PLANES outputs after `first`.
template <int PLANES, bool TANH, class S, int OUTPUT_TILES>
__device__ __forceinline__ void emit(const Worker<S>& w, const float (&sums)[OUTPUT_TILES][S::GROUPS * 4], int first, int offset) {
#pragma unroll
    for (int tile = 0; tile < OUTPUT_TILES; ++tile)
#pragma unroll
        for (int i = 0; i < S::GROUPS * 4; ++i) {
            const int group = i / 4, plane = first + tile * 64 + w.row() + i / 2 % 2 * 8, board = w.board_of(group);
            if (plane < PLANES && board < w.boards && w.has(group, i % 2))
                w.outputs[board * OUTPUT + offset + plane * CELLS + w.cell(group, i % 2)] = TANH ? tanhf(sums[tile][i]) : sums[tile][i];
        }
}

// The number for this board among those that a warp's lanes have of a row: products give lane 4r + c boards 2c and 2c + 1 of row r (0, 1) and r + 8 (2, 3).
__device__ __forceinline__ float of_board(const float (&sums)[4], int lane, int second, int board) {
    return from_lane(sums[second * 2 + board % 2], lane / 4 * 4 + board / 2);
}

// Changes all sums: `change(tile, second, board)` gives what becomes of a sum of that board in one of this thread's two rows of the tile.
template <class S, int OUTPUT_TILES, typename Change>
__device__ __forceinline__ void for_each_board(const Worker<S>& w, float (&sums)[OUTPUT_TILES][S::GROUPS * 4], Change change) {
#pragma unroll
    for (int tile = 0; tile < OUTPUT_TILES; ++tile)
#pragma unroll
        for (int second = 0; second < 2; ++second)
#pragma unroll
            for (int board = 0; board < S::BOARDS; ++board) {
                const auto of_sum = change(tile, second, board);
#pragma unroll
                for (int i = 0; i < S::GROUPS * 2; ++i)
                    if (w.board_of(i / 2) == board) {
                        float& sum = sums[tile][i / 2 * 4 + second * 2 + i % 2];
                        sum = of_sum(sum);
                    }
            }
}

// ---- Blocks --------------------------------------------------------------------------------------------------------------------------------

// Sums over each board, and where wanted maxima, by channel: in `totals`, [part][channel][board], maxima after the sums. Numbers must be rectified for these.
template <bool WITH_MAXIMA, class S, int OUTPUT_TILES>
__device__ __forceinline__ void total(Worker<S>& w, const float (&sums)[OUTPUT_TILES][S::GROUPS * 4]) {
    float* totals = w.totals() + w.part() * CHANNELS * S::BOARDS;
#pragma unroll
    for (int tile = 0; tile < OUTPUT_TILES; ++tile)
#pragma unroll
        for (int second = 0; second < 2; ++second)
#pragma unroll
            for (int board = 0; board < S::BOARDS; ++board) {
                float sum = 0.0f, most = 0.0f;
#pragma unroll
                for (int i = 0; i < S::GROUPS * 2; ++i) {
                    if (w.board_of(i / 2) != board) continue;
                    const float value = w.has(i / 2, i % 2) ? sums[tile][i / 2 * 4 + second * 2 + i % 2] : 0.0f;
                    sum += value, most = fmaxf(most, value);
                }
                for (int distance = 1; distance < 4; distance *= 2) {
                    sum += from_lane(sum, w.lane() ^ distance);
                    if (WITH_MAXIMA) most = fmaxf(most, from_lane(most, w.lane() ^ distance));
                }
                if (w.lane() % 4 == 0) {
                    const int at = (tile * 64 + w.row() + second * 8) * S::BOARDS + board;
                    totals[at] = sum;
                    if (WITH_MAXIMA) totals[S::PARTS * CHANNELS * S::BOARDS + at] = most;
                }
            }
    w.meet_team();
}

// Vector 0 = the means of the channels, and where wanted the means scaled and the maxima after them.
template <int COUNT, bool ALL_THREE, class S>
__device__ __forceinline__ void pool(Worker<S>& w) {
    const float* totals = w.totals();
    for (int i = w.thread(); i < COUNT * S::BOARDS; i += 128) {
        float sum = 0.0f, most = 0.0f;
        for (int part = 0; part < S::PARTS; ++part) {
            sum += totals[part * CHANNELS * S::BOARDS + i];
            if (ALL_THREE) most = fmaxf(most, totals[(S::PARTS + part) * CHANNELS * S::BOARDS + i]);
        }
        const int channel = i / S::BOARDS, board = i % S::BOARDS;
        unsigned char* vector = memory() + w.vector_at(0);
        const float mean = sum / CELLS;
        *(half_bits*)(vector + in_vector<S>(channel, board)) = to_half(mean);
        if (ALL_THREE) {
            *(half_bits*)(vector + in_vector<S>(COUNT + channel, board)) = to_half(mean * POOLED_SCALE);
            *(half_bits*)(vector + in_vector<S>(2 * COUNT + channel, board)) = to_half(most);
        }
    }
    publish_to_products();
    w.meet_warpgroup();
}

// Squeeze and excitation: gates and shifts for each channel of each board follow from the means.
template <int HIDDEN, class S>
__device__ __forceinline__ void excite(Worker<S>& w, float (&sums)[TILES][S::GROUPS * 4], const float*& bias) {
    total<false>(w, sums);
    pool<CHANNELS, false>(w);
    dense<CHANNELS, HIDDEN>(w, w.vector_at(0), bias, [&](int output, int board, float value) {
        *(half_bits*)(memory() + w.vector_at(1) + in_vector<S>(output, board)) = to_half(fmaxf(value, 0.0f));
    });
    bias += divided_up(HIDDEN, 64) * 64;
    publish_to_products();
    w.meet_warpgroup();
    float excited[2 * TILES][4];
    vector_product<HIDDEN>(w, excited, w.vector_at(1));
#pragma unroll
    for (int tile = 0; tile < TILES; ++tile)
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int channel = tile * 64 + w.row() + i / 2 * 8;
            excited[tile][i] = 1.0f / (1.0f + expf(-(excited[tile][i] + bias[channel])));
            excited[TILES + tile][i] += bias[CHANNELS + channel];
        }
    bias += 2 * CHANNELS;
    for_each_board(w, sums, [&](int tile, int second, int board) {
        const float gate = of_board(excited[tile], w.lane(), second, board);
        const float shift = of_board(excited[TILES + tile], w.lane(), second, board);
        return [=](float sum) { return sum * gate + shift; };
    });
}

// Global pooling: shifts for each channel of each board follow from another convolution, pooled.
template <int POOLED, class S>
__device__ __forceinline__ void pooled_shifts(Worker<S>& w, float (&shifts)[TILES][4], const float*& bias) {
    constexpr int POOLED_TILES = divided_up(POOLED, 64);
    float sums[POOLED_TILES][S::GROUPS * 4];
    convolve<3, CHANNELS>(w, sums);
    add_bias(w, sums, bias);
    bias += POOLED_TILES * 64;
#pragma unroll
    for (int tile = 0; tile < POOLED_TILES; ++tile)
#pragma unroll
        for (int i = 0; i < S::GROUPS * 4; ++i) sums[tile][i] = fmaxf(sums[tile][i], 0.0f);
    total<true>(w, sums);
    pool<POOLED, true>(w);
    vector_product<3 * POOLED>(w, shifts, w.vector_at(0));
#pragma unroll
    for (int tile = 0; tile < TILES; ++tile)
#pragma unroll
        for (int i = 0; i < 4; ++i) shifts[tile][i] += bias[tile * 64 + w.row() + i / 2 * 8];
    bias += CHANNELS;
}

// So many residual blocks of one kind: with squeeze and excitation if HIDDEN is not zero, with global pooling if POOLED is not. Both convolutions of a
// block are one piece of code, a turn of the loop each: the compiler would otherwise keep what it knows of one for the other, and registers are few.
template <int HIDDEN, int POOLED, class S, class Kept>
__device__ __forceinline__ void blocks(Worker<S>& w, Kept& stream, const float*& bias, int count) {
#pragma unroll 1
    for (int convolution = 0; convolution < 2 * count; ++convolution) {
        const bool is_last = convolution % 2;
        float shifts[TILES][4];
        if constexpr (POOLED > 0) if (!is_last) pooled_shifts<POOLED>(w, shifts, bias);
        float sums[TILES][S::GROUPS * 4];
        convolve<3, CHANNELS>(w, sums);
        add_bias(w, sums, bias);
        bias += CHANNELS;
        if (is_last) {
            if constexpr (HIDDEN > 0) excite<HIDDEN>(w, sums, bias);
            store<JOINS_STREAM>(w, sums, stream);
        } else {
            if constexpr (POOLED > 0)
                for_each_board(w, sums, [&](int tile, int second, int board) {
                    const float shift = of_board(shifts[tile], w.lane(), second, board);
                    return [=](float sum) { return sum + shift; };
                });
            store<INNER>(w, sums, stream);
        }
    }
}

// ---- Heads ---------------------------------------------------------------------------------------------------------------------------------

// The 1x1 convolution with which a dense head begins: flat = relu(conv(map)).
template <int CHANNELS_OF_HEAD, class S>
__device__ __forceinline__ void head_convolution(Worker<S>& w, const float*& bias) {
    constexpr int OUTPUT_TILES = divided_up(CHANNELS_OF_HEAD, 64);
    float sums[OUTPUT_TILES][S::GROUPS * 4];
    convolve<1, CHANNELS>(w, sums);
    add_bias(w, sums, bias);
    bias += OUTPUT_TILES * 64;
    flatten<CHANNELS_OF_HEAD>(w, sums);
}

template <int CHANNELS_OF_HEAD, int OUTPUTS, class S>
__device__ __forceinline__ void dense_policy(Worker<S>& w, const float*& bias, int offset) {
    head_convolution<CHANNELS_OF_HEAD>(w, bias);
    dense<CHANNELS_OF_HEAD * FLAT_BOARD, OUTPUTS>(w, w.flat_at(), bias, [&](int output, int board, float value) {
        if (w.part() == 0 && board < w.boards) w.outputs[board * OUTPUT + offset + output] = value;
    });
    bias += divided_up(OUTPUTS, 64) * 64;
}

// A head of two convolutions uses the map for itself.
template <int SIDE, int INNER_CHANNELS, int PLANES, bool TANH, class S, class Kept>
__device__ __forceinline__ void convolutional_head(Worker<S>& w, Kept& stream, const float*& bias, int offset) {
    constexpr int INNER_TILES = divided_up(INNER_CHANNELS, 64), INNER_INPUTS = divided_up(INNER_CHANNELS, 16) * 16;
    {
        float sums[INNER_TILES][S::GROUPS * 4];
        convolve<SIDE, CHANNELS>(w, sums);
        add_bias(w, sums, bias);
        bias += INNER_TILES * 64;
        store<INNER>(w, sums, stream);
    }
    constexpr int ALL_TILES = divided_up(PLANES, 64), ROUNDS = divided_up(ALL_TILES, TILES), OUTPUT_TILES = ROUNDS > 1 ? TILES : ALL_TILES;
#pragma unroll 1
    for (int round = 0; round < ROUNDS; ++round) {
        float sums[OUTPUT_TILES][S::GROUPS * 4];
        convolve<SIDE, INNER_INPUTS>(w, sums);
        add_bias(w, sums, bias + round * OUTPUT_TILES * 64);
        emit<PLANES, TANH>(w, sums, round * OUTPUT_TILES * 64, offset);
    }
    bias += ALL_TILES * 64;
}

// What becomes of the last numbers of a head.
enum Finish { CHANCES_OF_LOGITS, CHANCES_OF_VALUE, AS_IT_IS, AT_LEAST_ZERO };

template <int CHANNELS_OF_HEAD, int HIDDEN, Finish FINISH, class S>
__device__ __forceinline__ void scalar_head(Worker<S>& w, const float*& bias, int offset) {
    constexpr int NUMBERS = FINISH == CHANCES_OF_LOGITS ? 3 : 1;
    head_convolution<CHANNELS_OF_HEAD>(w, bias);
    // What is left is little: single precision costs nothing and keeps the digits that differences need.
    float* hidden = (float*)(memory() + w.vector_at(0));
    dense<CHANNELS_OF_HEAD * FLAT_BOARD, HIDDEN>(w, w.flat_at(), bias, [&](int output, int board, float value) {
        hidden[board * HIDDEN + output] = fmaxf(value, 0.0f);
    });
    bias += divided_up(HIDDEN, 64) * 64;
    w.meet_warpgroup();
    for (int task = w.warp(); task < NUMBERS * S::BOARDS; task += 4) {
        const int number = task % NUMBERS, board = task / NUMBERS;
        float sum = 0.0f;
        for (int i = w.lane(); i < HIDDEN; i += 32) sum += bias[number * HIDDEN + i] * hidden[board * HIDDEN + i];
        for (int distance = 16; distance > 0; distance /= 2) sum += from_lane(sum, w.lane() ^ distance);
        if (w.lane() == 0) w.logits()[board * 4 + number] = sum + bias[divided_up(NUMBERS * HIDDEN, 64) * 64 + number];
    }
    bias += divided_up(NUMBERS * HIDDEN, 64) * 64 + 64;
    w.meet_warpgroup();
    if (w.thread() < w.boards && w.part() == 0) {
        const float* logits = w.logits() + w.thread() * 4;
        float* to = w.outputs + w.thread() * OUTPUT + offset;
        if (FINISH == CHANCES_OF_LOGITS) {
            const float most = fmaxf(logits[0], fmaxf(logits[1], logits[2]));
            const float win = expf(logits[0] - most), draw = expf(logits[1] - most), loss = expf(logits[2] - most);
            const float sum = win + draw + loss;
            to[0] = win / sum, to[1] = draw / sum, to[2] = loss / sum;
        } else if (FINISH == CHANCES_OF_VALUE) {
            const float expected = tanhf(logits[0]);
            to[0] = (1.0f + expected) / 2.0f, to[1] = 0.0f, to[2] = (1.0f - expected) / 2.0f;
        } else {
            to[0] = FINISH == AT_LEAST_ZERO ? fmaxf(logits[0], 0.0f) : logits[0];
        }
    }
    w.meet_warpgroup();
}

// ---- The beginning -------------------------------------------------------------------------------------------------------------------------

// map = the planes of the team's boards; boards beyond the last position are empty.
template <class S>
__device__ __forceinline__ void unpack(Worker<S>& w, const plane_word* positions) {
    constexpr int OF_PLANE = divided_up(CELLS, 64), WORDS = BIT_PLANES * OF_PLANE + CONSTANT_PLANES, EIGHTS = PADDED_INPUTS / 8;
    w.meet_team();
    for (int task = w.part() * 128 + w.thread(); task < S::BOARDS * CELLS * EIGHTS; task += 128 * S::PARTS) {
        const int cell = task % CELLS, board = task / CELLS % S::BOARDS, eight = task / CELLS / S::BOARDS;
        const plane_word* words = positions + board * WORDS;
        half_bits halves[8];
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            const int plane = eight * 8 + i;
            halves[i] = 0;
            if (board < w.boards && plane < BIT_PLANES) {
                halves[i] = words[plane * OF_PLANE + cell / 64] >> cell % 64 & 1 ? 0x3C00 : 0;  // 1 in half precision
            } else if (board < w.boards && plane < BIT_PLANES + CONSTANT_PLANES) {
                halves[i] = to_half(__uint_as_float((word)words[BIT_PLANES * OF_PLANE + plane - BIT_PLANES]));
            }
        }
        const int place = ((cell / COLUMNS + 1) * S::BOARDS + board) * PITCH + 1 + cell % COLUMNS;
        *(Quad*)(memory() + w.map_at() + eight * S::PLANE + place * 16) =
            Quad{halves[0] | (word)halves[1] << 16, halves[2] | (word)halves[3] << 16, halves[4] | (word)halves[5] << 16, halves[6] | (word)halves[7] << 16};
    }
    publish_to_products();
    w.meet_team();
}

template <class S, class Kept>
__device__ __forceinline__ void stem(Worker<S>& w, Kept& stream, const float*& bias) {
    float sums[TILES][S::GROUPS * 4];
    convolve<3, PADDED_INPUTS>(w, sums);
    add_bias(w, sums, bias);
    bias += CHANNELS;
    store<BEGINS_STREAM>(w, sums, stream);
}

// The warpgroup that fetches weights: all of the network's chunks for each round of boards.
__device__ __forceinline__ void fetch(const unsigned char* weights, int rounds) {
    Ring ring = {0, 1};
    for (; rounds > 0; --rounds)
        for (int chunk = 0; chunk < CHUNKS_OF_NETWORK; ++chunk) {
            barrier_wait(ring.empty(ring.slot), ring.phase);
            fetch_chunk<CHUNK>(ring.chunk(ring.slot), weights + (long long)chunk * CHUNK, ring.full(ring.slot), threadIdx.x % 128);
            ring.next();
        }
}

// All layers for one round of boards; generated, after this text.
template <class S, class Kept>
__device__ __forceinline__ void layers(Worker<S>& w, Kept& stream, const float* bias);

template <class S, bool STREAM_IN_REGISTERS>
__device__ __forceinline__ void run(const plane_word* positions, int count, const unsigned char* weights, float* outputs, Quad* workspace) {
    constexpr int OF_PLANE = divided_up(CELLS, 64), WORDS = BIT_PLANES * OF_PLANE + CONSTANT_PLANES;
    constexpr int OF_BLOCK = S::BOARDS * S::TEAMS;
    Ring ring = {0, 0};
    for (int i = threadIdx.x; i < (S::SHARED - S::TEAM_MEMORY) / 16; i += 128 * (S::WARPGROUPS + 1))
        ((Quad*)(memory() + S::TEAM_MEMORY))[i] = Quad{0, 0, 0, 0};
    if (threadIdx.x == 0) {
        for (int slot = 0; slot < SLOTS; ++slot) {
            barrier_init(ring.full(slot), FETCHERS);
            barrier_init(ring.empty(slot), 4 * S::WARPGROUPS);
        }
        barriers_are_ready();
    }
    publish_to_products();
    __syncthreads();
    const int all_rounds = divided_up(count, OF_BLOCK);
    const int rounds = all_rounds > (int)blockIdx.x ? divided_up(all_rounds - blockIdx.x, gridDim.x) : 0;
    if (threadIdx.x >= 128 * S::WARPGROUPS) {
        if (S::WARPGROUPS > 1) give_registers();
        if (threadIdx.x % 128 < FETCHERS) fetch(weights, rounds);
    } else {
        if (S::WARPGROUPS > 1) take_registers<S::WARPGROUPS == 2 ? 240 : 160>();
        Worker<S> w;
        w.ring = ring;
        Stream<S, STREAM_IN_REGISTERS> stream(workspace + (long long)blockIdx.x * (WORKSPACE / 16));
        for (int round = 0; round < rounds; ++round) {
            const int first = (blockIdx.x + round * gridDim.x) * OF_BLOCK + w.team() * S::BOARDS;
            w.boards = count - first < 0 ? 0 : count - first < S::BOARDS ? count - first : S::BOARDS;
            w.outputs = outputs + (long long)first * OUTPUT;
            unpack(w, positions + (long long)first * WORDS);
            layers(w, stream, (const float*)(weights + (long long)CHUNKS_OF_NETWORK * CHUNK));
        }
    }
}
