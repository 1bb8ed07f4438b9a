/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "bench/accuracy/subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `use_padding`: a row of the tile starts in another bank than the one above, where a group's width leaves banks idle.
 */
static double padding(const struct table *table, size_t row)
{
    enum { BORDER = 16, BANKS = 32 };
    int block = (int)table_cell(table, row, "block_size_x", 1), tile = (int)table_cell(table, row, "tile_size_x", 1);
    int rest = BORDER + block * tile - block;
    bool used = table_cell(table, row, "use_padding", 0) != 0 && block % BANKS != 0 && rest % BANKS != 0;
    return used ? (BANKS - rest) & (BANKS - 1) : 0;
}

/*
 * Half of clang's time on the unrolled bodies goes into GVN's search for what a load depends on, 100 loads back for
 * each. A shorter search leaves the code as it is: EarlyCSE has merged the equal loads.
 */
#define SHORT_SEARCH \
    { \
        "-mllvm", "-memdep-block-scan-limit=10" \
    }

/* CUDA and HIP divide as IEEE 754 asks, OpenCL to 2.5 ulp. */
#define EXACT_DIVISION \
    { \
        "-cl-fp32-correctly-rounded-divide-sqrt" \
    }

#define COLUMN(macro, from, otherwise) \
    { \
        .name = macro, .column = from, .fixed = otherwise \
    }
#define READ_ONLY \
    { \
        .name = "READ_ONLY", .column = "read_only", .nvidia_only = true, .spills_alike = true \
    } /* HIP has no path for it */
#define COMPUTED(macro, function) \
    { \
        .name = macro, .computed = function \
    }
#define FIXED(macro, value) \
    { \
        .name = macro, .fixed = value \
    }
#define SIZED(macro, value, little) \
    { \
        .name = macro, .fixed = value, .small = little \
    }
#define BLOCK_1D COLUMN("BLOCK_X", "block_size_x", 1)
#define BLOCK_2D BLOCK_1D, COLUMN("BLOCK_Y", "block_size_y", 1)
#define TILE_2D  COLUMN("TILE_X", "tile_size_x", 1), COLUMN("TILE_Y", "tile_size_y", 1)
#define VARIANT  COLUMN("VARIANT", "variant", 0)

#define STAGED COLUMN("STAGED", "staged", 0)
#define LANES  COLUMN("LANES", "lanes", 1)

/* A cube of 384 points, walked through in four parts. */
#define STENCIL_3D(name, radius, doubles) \
    { \
        .file = name, .kernel = "stencil3d", .source = "gpu/kernels/stencil3d.cl", \
        .macros = {BLOCK_2D, \
                   VARIANT, \
                   FIXED("RADIUS", radius), \
                   FIXED("DOUBLE", doubles), \
                   FIXED("CHUNKS", 4), \
                   SIZED("SIZE", 384, 128)}, \
        .range = {384, 384 * 4}, .small_range = { \
            128, \
            128 * 4 \
        } \
    }

#define TWIN(name, bits, ...) \
    { \
        .file = name, .kernel = name, .source = "gpu/twins/" name ".cl", \
        .macros = {BLOCK_1D, VARIANT, SIZED("SIZE", 1 << (bits), 1 << 12)}, .range = {1 << (bits), 1}, \
        .small_range = {1 << 12, 1}, __VA_ARGS__ \
    }

static const struct subject subjects[] = {
    {.file = "convolution",
     .kernel = "convolution",
     .source = "accuracy/kernels/convolution.cl",
     .macros = {BLOCK_2D, TILE_2D, READ_ONLY, COMPUTED("PADDING", padding), FIXED("FILTER", 17),
                SIZED("SIZE", 4096, 256)},
     .range = {4096, 4096},
     .small_range = {256, 256},
     .arguments = SHORT_SEARCH},
    /* 15x15; padding was never in effect when these were measured */
    {.file = "convolution_counters",
     .kernel = "convolution",
     .source = "accuracy/kernels/convolution.cl",
     .macros = {BLOCK_2D, TILE_2D, READ_ONLY, FIXED("PADDING", 0), FIXED("FILTER", 15), FIXED("SIZE", 4096)},
     .range = {4096, 4096},
     .arguments = SHORT_SEARCH},
    {.file = "dedispersion",
     .kernel = "dedispersion",
     .source = "accuracy/kernels/dedispersion.cl",
     .macros = {BLOCK_2D, TILE_2D, COLUMN("STRIDE_X", "tile_stride_x", 0), COLUMN("STRIDE_Y", "tile_stride_y", 0),
                COLUMN("UNROLL", "loop_unroll_factor_channel", 0), SIZED("SAMPLES", 25000, 300),
                SIZED("MEASURES", 2048, 70)},
     .range = {25000, 2048},
     .small_range = {300, 70}},
    /* measured with all vertices equal: its counts are those of 0/0 at each edge */
    {.file = "pnpoly_counters",
     .kernel = "pnpoly",
     .source = "accuracy/kernels/pnpoly.cl",
     .macros = {BLOCK_1D, COLUMN("TILE_X", "tile_size", 1), COLUMN("BETWEEN", "between_method", 0),
                COLUMN("USE", "use_method", 0), FIXED("VERTICES", 600)},
     .range = {20000000, 1},
     .assume = {"n=20000000"},
     .small_body = true,
     .zero_over_zero = true,
     .arguments = EXACT_DIVISION},
    {.file = "pnpoly",
     .kernel = "pnpoly",
     .source = "accuracy/kernels/pnpoly.cl",
     .macros = {BLOCK_1D, COLUMN("TILE_X", "tile_size", 1), COLUMN("BETWEEN", "between_method", 0),
                COLUMN("USE", "use_method", 0), FIXED("VERTICES", 600), SIZED("POINTS", 20000000, 20000)},
     .range = {20000000, 1},
     .small_range = {20000, 1},
     .arguments = EXACT_DIVISION},
    /* those of bench/gpu alone */
    {.file = "transpose",
     .kernel = "transpose",
     .source = "gpu/kernels/transpose.cl",
     .macros = {BLOCK_2D, VARIANT, SIZED("SIZE", 8192, 256)},
     .range = {8192, 8192},
     .small_range = {256, 256},
     .square_tile = true},
    {.file = "reduction",
     .kernel = "reduction",
     .source = "gpu/kernels/reduction.cl",
     .macros = {BLOCK_1D, VARIANT},
     .range = {1 << 26, 1},
     .small_range = {1 << 14, 1}},
    {.file = "stride",
     .kernel = "stride",
     .source = "gpu/kernels/stride.cl",
     .macros = {BLOCK_1D, COLUMN("STRIDE", "stride", 1), SIZED("SIZE", 1 << 23, 10000)},
     .range = {1 << 23, 1},
     .small_range = {10000, 1}},
    {.file = "histogram",
     .kernel = "histogram",
     .source = "gpu/kernels/histogram.cl",
     .macros = {BLOCK_1D, COLUMN("TILE_X", "tile_size_x", 1), VARIANT, SIZED("SIZE", 1 << 26, 100000)},
     .range = {1 << 26, 1},
     .small_range = {100000, 1}},
    {.file = "stencil",
     .kernel = "stencil",
     .source = "gpu/kernels/stencil.cl",
     .macros = {BLOCK_2D, VARIANT, SIZED("SIZE", 8192, 200)},
     .range = {8192, 8192},
     .small_range = {200, 200}},
    {.file = "matmul",
     .kernel = "matmul",
     .source = "gpu/kernels/matmul.cl",
     .macros = {BLOCK_2D, VARIANT, SIZED("SIZE", 2048, 256)},
     .range = {2048, 2048},
     .small_range = {256, 256}},
    {.file = "spmv",
     .kernel = "spmv",
     .source = "gpu/kernels/spmv.cl",
     .macros = {BLOCK_1D, VARIANT, SIZED("SIZE", 1 << 20, 5000)},
     .assume = {"trip=16:x=4194304", "trip=1:x=4194304"},
     .range = {1 << 20, 1},
     .small_range = {5000, 1}},
    {.file = "nbody",
     .kernel = "nbody",
     .source = "gpu/kernels/nbody.cl",
     .macros = {BLOCK_1D, SIZED("SIZE", 1 << 16, 2048)},
     .range = {1 << 16, 1},
     .small_range = {2048, 1}},
    {.file = "scan",
     .kernel = "scan",
     .source = "gpu/kernels/scan.cl",
     .macros = {BLOCK_1D, VARIANT},
     .range = {1 << 26, 1},
     .small_range = {1 << 14, 1}},
    {.file = "blackscholes",
     .kernel = "blackscholes",
     .source = "gpu/kernels/blackscholes.cl",
     .macros = {BLOCK_1D, SIZED("SIZE", 1 << 24, 10000)},
     .range = {1 << 24, 1},
     .small_range = {10000, 1},
     .arguments = EXACT_DIVISION},
    /* spaces that tuners search (bench/gpu/tuned.h) */
    {.file = "gemm",
     .kernel = "gemm",
     .source = "gpu/kernels/gemm.cl",
     .macros = {BLOCK_2D, TILE_2D, COLUMN("VECTOR", "vector", 1), STAGED, SIZED("SIZE", 2048, 256)},
     .range = {2048, 2048},
     .small_range = {256, 256}},
    {.file = "coulomb",
     .kernel = "coulomb",
     .source = "gpu/kernels/coulomb.cl",
     .macros = {BLOCK_2D, TILE_2D, VARIANT, SIZED("SIZE", 1024, 256), SIZED("ATOMS", 1024, 100)},
     .range = {1024, 1024},
     .small_range = {256, 256}},
    {.file = "hotspot",
     .kernel = "hotspot",
     .source = "gpu/kernels/hotspot.cl",
     .macros = {BLOCK_2D, TILE_2D, STAGED, FIXED("STEPS", 4), SIZED("SIZE", 4096, 512)},
     .range = {4096, 4096},
     .small_range = {512, 512}},
    {.file = "sums",
     .kernel = "sums",
     .source = "gpu/kernels/sums.cl",
     .macros = {BLOCK_1D, COLUMN("TILE_X", "tile_size_x", 1), COLUMN("VECTOR", "vector", 1)},
     .range = {1 << 26, 1},
     .small_range = {1 << 18, 1}},
    {.file = "fir",
     .kernel = "fir",
     .source = "gpu/kernels/fir.cl",
     .macros = {BLOCK_1D, COLUMN("TILE_X", "tile_size_x", 1), STAGED, FIXED("TAPS", 64),
                SIZED("SIZE", 1 << 24, 1 << 16)},
     .range = {1 << 24, 1},
     .small_range = {1 << 16, 1}},
    STENCIL_3D("stencil3d", 1, 0),
    STENCIL_3D("stencil3d_far", 4, 0),
    STENCIL_3D("stencil3d_doubles", 1, 1),
    {.file = "bilateral",
     .kernel = "bilateral",
     .source = "gpu/kernels/bilateral.cl",
     .macros = {BLOCK_2D, STAGED, FIXED("RADIUS", 3), SIZED("SIZE", 4096, 256)},
     .range = {4096, 4096},
     .small_range = {256, 256}},
    {.file = "expdist",
     .kernel = "expdist",
     .source = "gpu/kernels/expdist.cl",
     .macros = {BLOCK_2D, TILE_2D, STAGED, SIZED("SIZE", 16384, 1024)},
     .range = {16384, 16384},
     .small_range = {1024, 1024}},
    {.file = "softmax",
     .kernel = "softmax",
     .source = "gpu/kernels/softmax.cl",
     .macros = {BLOCK_1D, VARIANT, SIZED("COLUMNS", 4096, 1024)},
     .range = {8192, 1},
     .small_range = {64, 1},
     .group_each = true},
    {.file = "gemv",
     .kernel = "gemv",
     .source = "gpu/kernels/gemv.cl",
     .macros = {BLOCK_1D, COLUMN("VECTOR", "vector", 1), SIZED("COLUMNS", 4096, 1024)},
     .range = {16384, 1},
     .small_range = {64, 1},
     .group_each = true},
    {.file = "digest",
     .kernel = "digest",
     .source = "gpu/kernels/digest.cl",
     .macros = {BLOCK_1D, COLUMN("TILE_X", "tile_size_x", 1)},
     .range = {1 << 23, 1},
     .small_range = {1 << 14, 1}},
    {.file = "lattice",
     .kernel = "lattice",
     .source = "gpu/kernels/lattice.cl",
     .macros = {BLOCK_2D, VARIANT, SIZED("SIZE", 2048, 256)},
     .range = {2048, 2048},
     .small_range = {256, 256}},
    {.file = "bitonic",
     .kernel = "bitonic",
     .source = "gpu/kernels/bitonic.cl",
     .macros = {BLOCK_1D},
     .range = {1 << 24, 1},
     .small_range = {1 << 14, 1}},
    /* twins, a fault and its repair (bench/gpu/twins.h) */
    TWIN("structs", 22, .arguments = EXACT_DIVISION),
    TWIN("row_sums", 19),
    TWIN("kept_sums", 19),
    TWIN("chunks", 21),
    TWIN("parity", 22, .arguments = EXACT_DIVISION),
    TWIN("divisions", 22, .arguments = EXACT_DIVISION),
    TWIN("sines", 22),
    TWIN("doubles", 22),
    TWIN("private_table", 21),
    TWIN("hot_bins", 20),
    TWIN("bin_copies", 18),
    TWIN("barriers", 22),
    TWIN("chains", 14),
    TWIN("lone", 23),
    TWIN("constants", 22),
    TWIN("bytes", 22),
    TWIN("resident", 20, .assume = {"links=4194304", "links=4194304"}),
    TWIN("powers", 22, .arguments = EXACT_DIVISION),
    TWIN("random_table", 20),
    TWIN("smoothing", 24),
    TWIN("conversions", 22),
    TWIN("quotients", 22),
    TWIN("local_rows", 20),
    /* irregular ones: data decides how far loops go and where memory is asked (bench/gpu/irregular.h) */
    {.file = "mandelbrot",
     .kernel = "mandelbrot",
     .source = "gpu/kernels/mandelbrot.cl",
     .macros = {BLOCK_2D, COLUMN("TILE_X", "tile_size_x", 1), SIZED("ITERATIONS", 512, 16), SIZED("SIZE", 2048, 1024)},
     .range = {2048, 2048},
     .small_range = {1024, 1024}},
    {.file = "pagerank",
     .kernel = "pagerank",
     .source = "gpu/kernels/pagerank.cl",
     .macros = {BLOCK_1D, COLUMN("LANES", "lanes", 1), SIZED("SIZE", 1 << 20, 1 << 12)},
     .range = {1 << 20, 1},
     .small_range = {1 << 12, 1}},
    {.file = "bfs",
     .kernel = "bfs",
     .source = "gpu/kernels/bfs.cl",
     .macros = {BLOCK_1D, VARIANT, SIZED("SIZE", 1 << 21, 1 << 12)},
     .range = {1 << 21, 1},
     .small_range = {1 << 12, 1}},
    {.file = "gather",
     .kernel = "gather",
     .source = "gpu/kernels/gather.cl",
     .macros = {BLOCK_1D, COLUMN("TILE_X", "tile_size_x", 1), COLUMN("SHIFT", "table_shift", 0),
                SIZED("ENTRIES", 1 << 26, 1 << 16), SIZED("SIZE", 1 << 23, 1 << 14)},
     .range = {1 << 23, 1},
     .small_range = {1 << 14, 1}},
    {.file = "lennard_jones",
     .kernel = "lennard_jones",
     .source = "gpu/kernels/lennard_jones.cl",
     .macros = {BLOCK_1D, COLUMN("PLANAR", "planar", 0), COLUMN("BY_COLUMN", "by_column", 0), FIXED("NEIGHBOURS", 64),
                SIZED("SIDE", 64, 12), SIZED("ATOMS", 64 * 64 * 64, 12 * 12 * 12)},
     .range = {64 * 64 * 64, 1},
     .small_range = {12 * 12 * 12, 1}},
    {.file = "probing",
     .kernel = "probing",
     .source = "gpu/kernels/probing.cl",
     .macros = {BLOCK_1D, COLUMN("TILE_X", "tile_size_x", 1), COLUMN("PAIRED", "paired", 0), SIZED("BITS", 23, 12),
                SIZED("QUERIES", 1 << 22, 1 << 12)},
     .range = {1 << 22, 1},
     .small_range = {1 << 12, 1}},
    {.file = "bisection",
     .kernel = "bisection",
     .source = "gpu/kernels/bisection.cl",
     .macros = {BLOCK_1D, COLUMN("TILE_X", "tile_size_x", 1), VARIANT, SIZED("ENTRIES", 1 << 22, 1 << 12),
                SIZED("QUERIES", 1 << 22, 1 << 12)},
     .range = {1 << 22, 1},
     .small_range = {1 << 12, 1}},
    {.file = "levenshtein",
     .kernel = "levenshtein",
     .source = "gpu/kernels/levenshtein.cl",
     .macros = {BLOCK_1D, VARIANT, COLUMN("BY_COLUMN", "by_column", 0), FIXED("LENGTH", 32),
                SIZED("PAIRS", 1 << 19, 1 << 12)},
     .range = {1 << 19, 1},
     .small_range = {1 << 12, 1}},
    {.file = "asian",
     .kernel = "asian",
     .source = "gpu/kernels/asian.cl",
     .macros = {BLOCK_1D, COLUMN("TILE_X", "tile_size_x", 1), COLUMN("GENERATOR", "generator", 0), FIXED("STEPS", 64)},
     .range = {1 << 20, 1},
     .small_range = {1 << 14, 1}},
    {.file = "aes",
     .kernel = "aes",
     .source = "gpu/kernels/aes.cl",
     .macros = {BLOCK_1D, COLUMN("TILE_X", "tile_size_x", 1), COLUMN("PLACE", "place", 0),
                SIZED("SIZE", 1 << 21, 1 << 12)},
     .range = {1 << 21, 1},
     .small_range = {1 << 12, 1}},
    {.file = "deposit",
     .kernel = "deposit",
     .source = "gpu/kernels/deposit.cl",
     .macros = {BLOCK_1D, COLUMN("TILE_X", "tile_size_x", 1), VARIANT, FIXED("GRID", 64),
                SIZED("SIZE", 1 << 22, 1 << 15)},
     .range = {1 << 22, 1},
     .small_range = {1 << 15, 1}},
    {.file = "compaction",
     .kernel = "compaction",
     .source = "gpu/kernels/compaction.cl",
     .macros = {BLOCK_1D, COLUMN("TILE_X", "tile_size_x", 1), VARIANT, SIZED("SIZE", 1 << 24, 1 << 15)},
     .range = {1 << 24, 1},
     .small_range = {1 << 15, 1}},
    {.file = "raymarch",
     .kernel = "raymarch",
     .source = "gpu/kernels/raymarch.cl",
     .macros = {BLOCK_2D, COLUMN("TILE_X", "tile_size_x", 1), SIZED("STEPS", 96, 8), SIZED("SIZE", 1024, 512)},
     .range = {1024, 1024},
     .small_range = {512, 512}},
    {.file = "segments",
     .kernel = "segments",
     .source = "gpu/kernels/segments.cl",
     .macros = {BLOCK_1D, VARIANT},
     .range = {1 << 17, 1},
     .small_range = {64, 1},
     .group_each = true},
    /* everyday work (bench/gpu/everyday.h) */
    {.file = "conv2d",
     .kernel = "conv2d",
     .source = "gpu/kernels/conv2d.cl",
     .macros = {BLOCK_2D, TILE_2D, SIZED("SIZE", 128, 64), SIZED("CHANNELS", 64, 16), SIZED("IMAGES", 8, 1)},
     .range = {128, 128 * 64 * 8},
     .small_range = {64, 64 * 16}},
    {.file = "layernorm",
     .kernel = "layernorm",
     .source = "gpu/kernels/layernorm.cl",
     .macros = {BLOCK_1D, COLUMN("VECTOR", "vector", 1), VARIANT, SIZED("COLUMNS", 2048, 512)},
     .range = {16384, 1},
     .small_range = {64, 1},
     .group_each = true},
    {.file = "q4_gemv",
     .kernel = "q4_gemv",
     .source = "gpu/kernels/q4_gemv.cl",
     .macros = {BLOCK_1D, COLUMN("VECTOR", "vector", 1), LANES, SIZED("ROWS", 32768, 100),
                SIZED("COLUMNS", 8192, 1024)},
     .range = {32768, 1},
     .small_range = {100, 1}},
    {.file = "blur",
     .kernel = "blur",
     .source = "gpu/kernels/blur.cl",
     .macros = {BLOCK_2D, COLUMN("VERTICAL", "vertical", 0), STAGED, FIXED("RADIUS", 8), SIZED("SIZE", 4096, 256)},
     .range = {4096, 4096},
     .small_range = {256, 256}},
    {.file = "median",
     .kernel = "median",
     .source = "gpu/kernels/median.cl",
     .macros = {BLOCK_2D, COLUMN("TILE_Y", "tile_size_y", 1), COLUMN("WINDOW", "window", 3), SIZED("SIZE", 4096, 256)},
     .range = {4096, 4096},
     .small_range = {256, 256}},
    {.file = "resize",
     .kernel = "resize",
     .source = "gpu/kernels/resize.cl",
     .macros = {BLOCK_2D, VARIANT, COLUMN("BYTES", "bytes", 0), SIZED("FROM", 1536, 128), SIZED("SIZE", 2304, 192)},
     .range = {2304, 2304},
     .small_range = {192, 192},
     .arguments = EXACT_DIVISION},
    {.file = "dct",
     .kernel = "dct",
     .source = "gpu/kernels/dct.cl",
     .macros = {BLOCK_1D, LANES, COLUMN("PITCH", "pitch", 8), SIZED("SIZE", 4096, 256)},
     .range = {512 * 512, 1},
     .small_range = {32 * 32, 1}},
    {.file = "fft",
     .kernel = "fft",
     .source = "gpu/kernels/fft.cl",
     .macros = {BLOCK_1D, COLUMN("POINTS", "tile_size_x", 256), COLUMN("RADIX", "radix", 2),
                COLUMN("TABLE", "table", 0), FIXED("ROOTS", 4096)},
     .range = {1 << 23, 1},
     .small_range = {1 << 14, 1},
     .group_each = true,
     .arguments = EXACT_DIVISION},
    {.file = "attention",
     .kernel = "attention",
     .source = "gpu/kernels/attention.cl",
     .macros = {BLOCK_1D, VARIANT, COLUMN("HEAD", "head", 64), SIZED("KEYS", 1024, 128), FIXED("QUERIES", 8)},
     .range = {1024, 1},
     .small_range = {32, 1},
     .group_each = true,
     .arguments = EXACT_DIVISION},
    {.file = "tridiagonal",
     .kernel = "tridiagonal",
     .source = "gpu/kernels/tridiagonal.cl",
     .macros = {BLOCK_1D, COLUMN("INTERLEAVED", "interleaved", 0), COLUMN("UNROLL", "unrolled", 1),
                SIZED("COUNT", 1 << 17, 1000), SIZED("LENGTH", 128, 32)},
     .range = {1 << 17, 1},
     .small_range = {1000, 1},
     .arguments = EXACT_DIVISION},
    {.file = "cholesky",
     .kernel = "cholesky",
     .source = "gpu/kernels/cholesky.cl",
     .macros = {BLOCK_1D, LANES, COLUMN("ORDER", "order", 8), COLUMN("INTERLEAVED", "interleaved", 0),
                SIZED("COUNT", 1 << 17, 1000)},
     .range = {1 << 17, 1},
     .small_range = {1000, 1}},
    {.file = "yuv",
     .kernel = "yuv",
     .source = "gpu/kernels/yuv.cl",
     .macros = {BLOCK_1D, COLUMN("TILE_X", "tile_size_x", 1), COLUMN("VECTOR", "vector", 1),
                SIZED("SIZE", 1 << 25, 10000)},
     .range = {1 << 25, 1},
     .small_range = {10000, 1}},
    {.file = "im2col",
     .kernel = "im2col",
     .source = "gpu/kernels/im2col.cl",
     .macros = {BLOCK_2D, COLUMN("TILE_Y", "tile_size_y", 1), SIZED("SIZE", 256, 64), SIZED("CHANNELS", 64, 4)},
     .range = {256, 256 * 64 * 9},
     .small_range = {64, 64 * 4 * 9}},
    {.file = "pooling",
     .kernel = "pooling",
     .source = "gpu/kernels/pooling.cl",
     .macros = {BLOCK_1D, COLUMN("TILE_X", "tile_size_x", 1), COLUMN("WINDOW", "window", 2),
                COLUMN("POINTWISE", "pointwise", 0), SIZED("SIZE", 112, 28), SIZED("CHANNELS", 64, 8),
                SIZED("IMAGES", 32, 2)},
     .range = {32 * 64 * 56 * 56, 1},
     .small_range = {2 * 8 * 14 * 14, 1}},
    {.file = "geglu",
     .kernel = "geglu",
     .source = "gpu/kernels/geglu.cl",
     .macros = {BLOCK_1D, COLUMN("TILE_X", "tile_size_x", 1), COLUMN("VECTOR", "vector", 1),
                SIZED("COLUMNS", 4096, 100), SIZED("SIZE", 1 << 25, 10000)},
     .range = {1 << 25, 1},
     .small_range = {10000, 1},
     .arguments = EXACT_DIVISION},
    {.file = "d3q19",
     .kernel = "d3q19",
     .source = "gpu/kernels/d3q19.cl",
     .macros = {BLOCK_2D, VARIANT, COLUMN("VOLUMES", "volumes", 0), SIZED("SIZE", 128, 32)},
     .range = {128, 128 * 128},
     .small_range = {32, 32 * 32},
     .arguments = EXACT_DIVISION},
};

const struct subject *subject_find(const char *file, size_t length)
{
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        if (strlen(subjects[i].file) == length && strncmp(subjects[i].file, file, length) == 0)
            return &subjects[i];
    return NULL;
}

struct subject subject_on_amd(const struct subject *subject)
{
    struct subject amd = *subject;
    for (struct macro *m = amd.macros; m->name != NULL; m++)
        if (m->nvidia_only)
            m->column = NULL;
    return amd;
}

struct subject subject_small(const struct subject *subject)
{
    struct subject small = *subject;
    for (struct macro *m = small.macros; m->name != NULL; m++)
        if (m->small > 0)
            m->fixed = m->small;
    if (small.small_range[0] > 0)
        memcpy(small.range, small.small_range, sizeof small.range);
    return small;
}

unsigned subject_size(const struct subject *subject, const char *macro)
{
    for (const struct macro *m = subject->macros; m->name != NULL; m++)
        if (strcmp(m->name, macro) == 0)
            return (unsigned)m->fixed;
    return 0;
}

char *subject_path(const struct subject *subject)
{
    char *path;
    return asprintf(&path, "%s/%s", BENCH_DIR, subject->source) < 0 ? NULL : path;
}

char *subject_batch(const struct subject *subject, const struct table *table, const size_t *rows, size_t count)
{
    enum { MAX_TEXT = 1024 };
    char *source = NULL, macros[MAX_TEXT], *path = subject_path(subject);
    size_t size = 0;
    FILE *out = path != NULL ? open_memstream(&source, &size) : NULL;
    for (size_t i = 0; out != NULL && i < count; i++) {
        subject_macros(subject, table, rows[i], macros, sizeof macros);
        fprintf(out, "%s#define %s %s_%zu\n#include \"%s\"\n#undef %s\n", macros, subject->kernel, subject->kernel, i,
                path, subject->kernel);
        for (const struct macro *m = subject->macros; m->name != NULL; m++)
            fprintf(out, "#undef %s\n", m->name);
    }
    free(path);
    if (out == NULL || fclose(out) == 0)
        return source;
    free(source);
    return NULL;
}

static double value_of(const struct macro *macro, const struct table *table, size_t row)
{
    if (macro->computed != NULL)
        return macro->computed(table, row);
    return macro->column != NULL ? table_cell(table, row, macro->column, macro->fixed) : macro->fixed;
}

static bool tells_spills(const struct macro *m) { return !m->spills_alike; }

static bool tells_tile(const struct macro *m)
{
    return tells_spills(m) && m->computed == NULL && strncmp(m->name, "BLOCK_", strlen("BLOCK_")) != 0;
}

/* wanted NULL: all of them. */
static void write_macros(const struct subject *subject, const struct table *table, size_t row,
                         bool (*wanted)(const struct macro *), char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (const struct macro *m = subject->macros; m->name != NULL && length < size; m++)
        if (wanted == NULL || wanted(m))
            length +=
                (size_t)snprintf(text + length, size - length, "#define %s %.0f\n", m->name, value_of(m, table, row));
}

void subject_macros(const struct subject *subject, const struct table *table, size_t row, char *text, size_t size)
{
    write_macros(subject, table, row, NULL, text, size);
}

void subject_spill_macros(const struct subject *subject, const struct table *table, size_t row, char *text, size_t size)
{
    write_macros(subject, table, row, tells_spills, text, size);
}

void subject_tile_macros(const struct subject *subject, const struct table *table, size_t row, char *text, size_t size)
{
    write_macros(subject, table, row, tells_tile, text, size);
}

const char *subject_assume(const struct subject *subject, const struct table *table, size_t row)
{
    return subject->assume[table_cell(table, row, "variant", 0) == 1];
}

/* Outputs of a work-item along x and y. */
static void read_tile(const struct subject *subject, const struct table *table, size_t row, unsigned tile[2])
{
    const char *tile_x = table_column(table, "tile_size") >= 0 ? "tile_size" : "tile_size_x";
    tile[0] = (unsigned)table_cell(table, row, tile_x, 1);
    tile[1] = (unsigned)table_cell(table, row, "tile_size_y", 1);
    if (subject->square_tile)
        tile[1] =
            (unsigned)table_cell(table, row, "block_size_x", 1) / (unsigned)table_cell(table, row, "block_size_y", 1);
}

unsigned subject_outputs(const struct subject *subject, const struct table *table, size_t row)
{
    unsigned tile[2];
    read_tile(subject, table, row, tile);
    return tile[0] * tile[1];
}

void subject_launch(const struct subject *subject, const struct table *table, size_t row, struct gp_launch *launch)
{
    unsigned block[2] = {(unsigned)table_cell(table, row, "block_size_x", 1),
                         (unsigned)table_cell(table, row, "block_size_y", 1)};
    unsigned tile[2];
    read_tile(subject, table, row, tile);
    unsigned lanes[2] = {subject->group_each ? block[0] : (unsigned)table_cell(table, row, "lanes", 1), 1};
    launch->dims = 2;
    launch->cold = false; /* each was run many times */
    for (int d = 0; d < 2; d++) {
        unsigned outputs = block[d] * tile[d] / lanes[d];
        launch->local[d] = block[d];
        launch->global[d] = (uint64_t)((subject->range[d] + outputs - 1) / outputs) * block[d];
    }
    launch->global[2] = launch->local[2] = 1;
}
