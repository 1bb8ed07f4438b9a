/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The kernel profile: what is left of a kernel once everything that cannot change its time is gone.
 *
 * A profile holds the kernels of one compile. A kernel is a small program: basic blocks of instructions in SSA
 * form. Instructions whose value decides control flow or an address ("the skeleton") keep their exact meaning and
 * can be executed; all others are GP_OP_WEIGHT: a class, operands and a result, so that dependences and latencies
 * are known, and nothing more. Calls are followed: a callee's blocks stand in the kernel where it was called.
 *
 * The passes make it, the binary form (profile_binary.h) carries it, the text form (profile_text.h) shows it, the
 * executor (executor.h) runs it. docs/profile.md describes both forms.
 *
 * Invariants, checked by gp_profile_check() and so true of every profile that a reader returns:
 *   - every index is in range and every reference names something that exists;
 *   - block 0 is the entry; a block is not empty, its last instruction is its only terminator;
 *   - phis stand first in their block and name each predecessor once, and nothing but predecessors;
 *   - a block's `ipdom` is a block of the kernel, or GP_NONE where only the exit post-dominates it;
 *   - expressions (instructions after the last block's) refer only to constants, parameters, instructions of
 *     blocks and earlier expressions, so that evaluating one ends.
 */
#ifndef GPUPERF_MODEL_PROFILE_H
#define GPUPERF_MODEL_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GP_NONE UINT32_MAX /* "no such index" wherever a uint32_t is an index */

/* Limits that keep every later computation within range. A reader refuses what exceeds them. */
enum { GP_MAX_LANES = 64, GP_MAX_DIMS = 3, GP_MAX_ARGUMENTS = 256 /* of which a launch has values */ };

/* ---- References: the operands of instructions -------------------------------------------------------------- */

/* A reference: three bits of kind, 29 bits of index. */
typedef uint32_t gp_ref;

enum gp_ref_kind {
    GP_REF_NONE = 0,    /* no operand (index 0), e.g. the missing value of a void return */
    GP_REF_INST = 1,    /* result of kernel->insts[index] */
    GP_REF_CONST = 2,   /* kernel->constants[index], the bit pattern */
    GP_REF_PARAM = 3,   /* value of kernel->params[index]; of a pointer: its buffer's start */
    GP_REF_LOCAL = 4,   /* start of kernel->locals[index] (work-group memory of static size) */
    GP_REF_GLOBAL = 5,  /* start of a constant or global array of the program: kernel->globals[index] */
    GP_REF_PRIVATE = 6, /* start of kernel->privates[index] (an alloca that stayed) */
    GP_REF_BLOCK = 7    /* a block: targets of branches, incoming edges of phis */
};

static inline gp_ref gp_ref_make(enum gp_ref_kind kind, uint32_t index) { return (gp_ref)kind << 29 | index; }
static inline enum gp_ref_kind gp_ref_kind(gp_ref ref) { return (enum gp_ref_kind)(ref >> 29); }
static inline uint32_t gp_ref_index(gp_ref ref) { return ref & 0x1fffffffu; }

/* ---- Operations --------------------------------------------------------------------------------------------- */

/*
 * X(NAME, text, operands): operands is the number of operands, -1 where it varies.
 * Integers are two's complement of `bits` bits; pointers are 64-bit integers; floats keep their bit pattern.
 * Division by zero and over-long shifts give "unknown", never a trap.
 */
/* clang-format off */
#define GP_OPS(X) \
    X(WEIGHT, "weight", -1)        /* costs what its class costs; the result is not kept */ \
    X(ADD, "add", 2) X(SUB, "sub", 2) X(MUL, "mul", 2) \
    X(UDIV, "udiv", 2) X(SDIV, "sdiv", 2) X(UREM, "urem", 2) X(SREM, "srem", 2) \
    X(AND, "and", 2) X(OR, "or", 2) X(XOR, "xor", 2) \
    X(SHL, "shl", 2) X(LSHR, "lshr", 2) X(ASHR, "ashr", 2) \
    X(UMIN, "umin", 2) X(UMAX, "umax", 2) X(SMIN, "smin", 2) X(SMAX, "smax", 2) \
    X(UMULHI, "umulhi", 2) X(SMULHI, "smulhi", 2) \
    X(POPCOUNT, "popcount", 1) X(CLZ, "clz", 1) X(CTZ, "ctz", 1) X(BITREVERSE, "bitreverse", 1) \
    X(BSWAP, "bswap", 1) X(ABS, "abs", 1) \
    X(FSHL, "fshl", 3)             /* funnel shift left: (a:b) << c, upper word */ \
    X(ICMP, "icmp", 2)             /* sub: enum gp_predicate; result has 1 bit; `bits` of the operands in width */ \
    X(FCMP, "fcmp", 2)             /* likewise */ \
    X(SELECT, "select", 3)         /* condition, then, else */ \
    X(PHI, "phi", -1)              /* pairs: GP_REF_BLOCK predecessor, value */ \
    X(TRUNC, "trunc", 1) X(ZEXT, "zext", 1) X(SEXT, "sext", 1)        /* width: bits of the operand */ \
    X(FPTOUI, "fptoui", 1) X(FPTOSI, "fptosi", 1) X(UITOFP, "uitofp", 1) X(SITOFP, "sitofp", 1) \
    X(FPTRUNC, "fptrunc", 1) X(FPEXT, "fpext", 1) \
    X(COPY, "copy", 1)             /* same bits under another type */ \
    X(FADD, "fadd", 2) X(FSUB, "fsub", 2) X(FMUL, "fmul", 2) X(FDIV, "fdiv", 2) X(FREM, "frem", 2) \
    X(FNEG, "fneg", 1) X(FMA, "fma", 3) X(FABS, "fabs", 1) X(FMIN, "fmin", 2) X(FMAX, "fmax", 2) \
    X(FLOOR, "floor", 1) X(CEIL, "ceil", 1) X(FTRUNC, "ftrunc", 1) X(ROUND, "round", 1) X(RINT, "rint", 1) \
    X(SQRT, "sqrt", 1) \
    X(ID, "id", 0)                 /* sub: GP_ID_SUB(kind, dimension); see enum gp_id */ \
    X(LOAD, "load", 1)             /* address. memory: index of the memory record */ \
    X(STORE, "store", 2)           /* address, value stored */ \
    X(ATOMIC, "atomic", -1)        /* address, operands; result: the old value */ \
    X(IMAGE_LOAD, "image_load", -1)   /* image parameter, then 1 to 3 coordinates (skeleton where computable) */ \
    X(IMAGE_STORE, "image_store", -1) /* likewise */ \
    X(BULK_COPY, "bulk_copy", -1)  /* async_work_group_copy: destination, source, elements [, stride] */ \
    X(SHUFFLE, "shuffle", -1)      /* exchange between lanes of a warp; the result is unknown */ \
    X(BARRIER, "barrier", 0)       /* of the work-group */ \
    X(CALL, "call", -1)            /* a function that could not be followed, or inline assembly, whose class is not \
                                      CALL and whose `repeat` is an estimate; sub is 0; name in kernel->callees */ \
    X(BR, "br", 1)                 /* GP_REF_BLOCK target */ \
    X(CONDBR, "condbr", 3)         /* condition, GP_REF_BLOCK then, GP_REF_BLOCK else */ \
    X(SWITCH, "switch", -1)        /* value, GP_REF_BLOCK default, then pairs: constant, GP_REF_BLOCK */ \
    X(RET, "ret", 0)               /* the work-item ends (also: trap, unreachable) */
/* clang-format on */

enum gp_op {
#define X(name, text, operands) GP_OP_##name,
    GP_OPS(X)
#undef X
        GP_OP_COUNT
};

/* Predicates of ICMP and FCMP. The ordered FCMP predicates are false on NaN, the U* ones true. */
/* clang-format off */
#define GP_PREDICATES(X) \
    X(EQ, "eq") X(NE, "ne") X(ULT, "ult") X(ULE, "ule") X(UGT, "ugt") X(UGE, "uge") \
    X(SLT, "slt") X(SLE, "sle") X(SGT, "sgt") X(SGE, "sge") \
    X(OEQ, "oeq") X(ONE, "one") X(OLT, "olt") X(OLE, "ole") X(OGT, "ogt") X(OGE, "oge") X(ORD, "ord") \
    X(FUEQ, "fueq") X(FUNE, "fune") X(FULT, "fult") X(FULE, "fule") X(FUGT, "fugt") X(FUGE, "fuge") X(UNO, "uno")
/* clang-format on */

enum gp_predicate {
#define X(name, text) GP_PRED_##name,
    GP_PREDICATES(X)
#undef X
        GP_PRED_COUNT
};

/* What GP_OP_ID reads. OpenCL's names; CUDA's blockIdx is GROUP, threadIdx LOCAL, blockDim LOCAL_SIZE, gridDim
 * GROUP_COUNT. */
/* clang-format off */
#define GP_IDS(X) \
    X(LOCAL, "local_id") X(GROUP, "group_id") X(GLOBAL, "global_id") /* includes the offset */ \
    X(LOCAL_SIZE, "local_size") X(GLOBAL_SIZE, "global_size") X(GROUP_COUNT, "num_groups") \
    X(OFFSET, "global_offset") X(WORK_DIM, "work_dim") \
    X(LANE, "lane_id") X(SUBGROUP, "subgroup_id") X(SUBGROUP_SIZE, "subgroup_size") X(SUBGROUP_COUNT, "num_subgroups")
/* clang-format on */

enum gp_id {
#define X(name, text) GP_ID_##name,
    GP_IDS(X)
#undef X
        GP_ID_COUNT
};
#define GP_ID_SUB(id, dim) \
    ((uint8_t)((unsigned)(id) << 2 | (unsigned)(dim))) /* dim is 0..2; 0 where the id has none \
                                                        */

/*
 * Cost classes: what an instruction costs is looked up per architecture (cost.h). X(NAME, text).
 * `fast` is what OpenCL's native_*, -cl-fast-relaxed-math, CUDA's __fdividef, --use_fast_math give.
 * math32 and math64 are whole library functions that were not inlined (sin, pow ...).
 */
/* clang-format off */
#define GP_CLASSES(X) \
    X(FREE, "free")                 /* no instruction on any target: phi, bitcast, folded address arithmetic */ \
    X(MOV, "mov") X(SELECT, "select") \
    X(INT_ADD, "int32.add") X(INT_MUL, "int32.mul") X(INT_MAD, "int32.mad") X(INT_MUL24, "int32.mul24") \
    X(INT_MULHI, "int32.mulhi") X(INT_LOGIC, "int32.logic") X(INT_SHIFT, "int32.shift") X(INT_CMP, "int32.cmp") \
    X(INT_MINMAX, "int32.minmax") X(INT_DIV, "int32.div") X(INT_UDIV, "int32.udiv") X(INT_BITS, "int32.bits") \
    X(LONG_ADD, "int64.add") X(LONG_MUL, "int64.mul") X(LONG_LOGIC, "int64.logic") X(LONG_SHIFT, "int64.shift") \
    X(LONG_CMP, "int64.cmp") X(LONG_DIV, "int64.div") X(LONG_BITS, "int64.bits") \
    X(HALF_ADD, "fp16.add") X(HALF_MUL, "fp16.mul") X(HALF_FMA, "fp16.fma") X(HALF_CMP, "fp16.cmp") \
    X(HALF_DIV, "fp16.div") X(HALF_MATH, "fp16.math") \
    X(FLOAT_ADD, "fp32.add") X(FLOAT_MUL, "fp32.mul") X(FLOAT_FMA, "fp32.fma") X(FLOAT_CMP, "fp32.cmp") \
    X(FLOAT_MINMAX, "fp32.minmax") X(FLOAT_ROUND, "fp32.round") \
    X(FLOAT_DIV, "fp32.div") X(FLOAT_DIV_FAST, "fp32.div_fast") X(FLOAT_SQRT, "fp32.sqrt") \
    X(FLOAT_SQRT_FAST, "fp32.sqrt_fast") X(FLOAT_RCP, "fp32.rcp") X(FLOAT_RSQRT, "fp32.rsqrt") \
    X(SFU_SIN, "sfu.sin") X(SFU_COS, "sfu.cos") X(SFU_EXP2, "sfu.exp2") X(SFU_LOG2, "sfu.log2") X(SFU_OTHER, "sfu.other") \
    X(MATH32_TRIG, "math32.trig") X(MATH32_EXP, "math32.exp") X(MATH32_LOG, "math32.log") \
    X(MATH32_POW, "math32.pow") X(MATH32_OTHER, "math32.other") \
    X(DOUBLE_ADD, "fp64.add") X(DOUBLE_MUL, "fp64.mul") X(DOUBLE_FMA, "fp64.fma") X(DOUBLE_CMP, "fp64.cmp") \
    X(DOUBLE_MINMAX, "fp64.minmax") X(DOUBLE_ROUND, "fp64.round") X(DOUBLE_DIV, "fp64.div") \
    X(DOUBLE_SQRT, "fp64.sqrt") X(MATH64, "math64.any") \
    X(CVT, "cvt.32")                /* between 32-bit (or narrower) integers and floats */ \
    X(CVT_64, "cvt.64")             /* to or from a 64-bit type */ \
    X(CVT_NARROW, "cvt.narrow")     /* saturating or rounding conversions to 8 and 16 bits */ \
    X(SHUFFLE, "shuffle") X(VOTE, "vote") X(BARRIER, "barrier") X(FENCE, "fence") \
    X(MEMORY, "memory")             /* priced from the addresses: requests.h */ \
    X(BRANCH, "branch") X(CALL, "call.unknown") \
    X(FLOAT_DIV_LOOSE, "fp32.div_loose") /* what OpenCL asks for without options: 2.5 ulp, of a root 3 ulp */ \
    X(FLOAT_SQRT_LOOSE, "fp32.sqrt_loose") \
    /* approximations where denormal numbers are flushed to zero: nothing is scaled before and after (cost.h) */ \
    X(FLOAT_DIV_FLUSH, "fp32.div_flush") X(FLOAT_SQRT_FLUSH, "fp32.sqrt_flush") \
    X(FLOAT_RCP_FLUSH, "fp32.rcp_flush") X(FLOAT_RSQRT_FLUSH, "fp32.rsqrt_flush") \
    X(SFU_EXP2_FLUSH, "sfu.exp2_flush") X(SFU_LOG2_FLUSH, "sfu.log2_flush") \
    /* Matrix units (tensor cores, MFMA, WMMA): paid once per multiply-add and lane of the warp. By the operands */ \
    X(MATRIX_FP16, "matrix.fp16")   /* 16-bit floats, sums of 16 bits */ \
    X(MATRIX_FP16_FP32, "matrix.fp16_fp32") /* 16-bit floats (bfloat16, too), sums of 32 bits */ \
    X(MATRIX_TF32, "matrix.tf32")   /* floats of 32 bits (AMD), cut to 19 (NVIDIA) */ \
    X(MATRIX_FP64, "matrix.fp64") \
    X(MATRIX_INT8, "matrix.int8")   /* bytes: integers or floats */ \
    X(MATRIX_GROUP, "matrix.group") /* instructions of four warps (wgmma), in terms of 16-bit floats */ \
    X(MATH64_TRIG, "math64.trig") X(MATH64_EXP, "math64.exp") X(MATH64_LOG, "math64.log") X(MATH64_POW, "math64.pow") \
    X(CVT_FROM_INT, "cvt.from_int") /* to floats of 32 bits from integers of 32, or narrower ones without a sign */ \
    /* OpenCL's native_ functions: AMD's libraries make them the instruction alone, others scale denormal numbers */ \
    X(FLOAT_RCP_NATIVE, "fp32.rcp_native") X(FLOAT_RSQRT_NATIVE, "fp32.rsqrt_native") X(SFU_EXP2_NATIVE, "sfu.exp2_native") \
    /* LONG_DIV is of numbers that fit in 32 bits. Where one does not, and where one is loaded, which may fit: paid as if so, and a guess */ \
    X(LONG_DIV_WIDE, "int64.div_wide") X(LONG_UDIV_WIDE, "int64.udiv_wide") X(LONG_DIV_DATA, "int64.div_data") \
    /* divided by what LLVM finds to be a power of two: bits are taken; NVIDIA's compilers divide (passes/nvidia/power_divisors.h) */ \
    X(INT_POWER_REM, "int32.power_rem") X(LONG_POWER_REM, "int64.power_rem") X(INT_POWER_SREM, "int32.power_srem") \
    /* by a divisor whose reciprocal NVIDIA's compilers have already (passes/cost/shared_reciprocals.cpp) */ \
    X(INT_DIV_NEXT, "int32.div_next") X(INT_UDIV_NEXT, "int32.udiv_next") \
    X(LIBRARY, "call.library")      /* ten cycles of a function that a CPU calls for one work-item at a time */
/* clang-format on */

enum gp_class {
#define X(name, text) GP_CLASS_##name,
    GP_CLASSES(X)
#undef X
        GP_CLASS_COUNT
};

const char *gp_op_name(enum gp_op op);
const char *gp_class_name(enum gp_class cost_class);
const char *gp_id_name(enum gp_id id);
const char *gp_predicate_name(enum gp_predicate predicate);
int gp_op_operands(enum gp_op op); /* -1 where the number varies */
bool gp_op_is_terminator(enum gp_op op);
bool gp_op_is_memory(enum gp_op op); /* has a record in kernel->memory */
bool gp_op_is_cast(enum gp_op op);   /* TRUNC .. FPEXT: `width` holds the bits of the operand */
bool gp_id_has_dimension(enum gp_id id);

enum gp_inst_flags {
    GP_INST_UNIFORM = 1, /* proved the same for all work-items of a warp (runs on a scalar unit where there is one) */
    GP_INST_CHEAP = 2,   /* folded into its user on every target that we know (sign extension of an index, ...) */
    GP_INST_REPAIRABLE =
        4 /* the source could spell it cheaper: double precision for a constant without an f, pow(x, 2) */
};

struct gp_inst {
    uint8_t op;               /* enum gp_op */
    uint8_t cost;             /* enum gp_class */
    uint8_t bits;             /* of the result: 1, 8, 16, 32, 64; 0 where there is none */
    uint8_t width;            /* bits of the operands of casts and compares, else 0 */
    uint8_t sub;              /* predicate of ICMP/FCMP, GP_ID_SUB of ID, else 0 */
    uint8_t flags;            /* enum gp_inst_flags */
    uint8_t repaired;         /* REPAIRABLE: enum gp_class that it would pay, FREE where it would go; else 0 */
    uint16_t repeat;          /* the class is paid this often (elements of a vector operation); at least 1 */
    uint16_t repaired_repeat; /* REPAIRABLE: how often it would pay `repaired`, at least 1; else 0 */
    uint32_t operand;         /* first of its operands in kernel->operands */
    uint32_t operand_count;
    uint32_t location; /* in profile->locations, or GP_NONE */
    uint32_t record;   /* memory operations: in kernel->memory; CONDBR/SWITCH: in kernel->branches; CALL: in
                          kernel->callees; else GP_NONE */
};

/* ---- Memory operations --------------------------------------------------------------------------------------- */

/* clang-format off */
#define GP_SPACES(X) X(GLOBAL, "global") X(CONSTANT, "constant") X(LOCAL, "local") X(PRIVATE, "private") X(GENERIC, "generic") X(IMAGE, "image")
/* clang-format on */
enum gp_space {
#define X(name, text) GP_SPACE_##name,
    GP_SPACES(X)
#undef X
        GP_SPACE_COUNT
};
const char *gp_space_name(enum gp_space space);

enum gp_memory_flags {
    GP_MEMORY_STORE = 1,
    GP_MEMORY_ATOMIC = 2,
    GP_MEMORY_RETURNS = 4,    /* an atomic whose old value is used */
    GP_MEMORY_READONLY = 8,   /* read-only cache: __ldg, ld.global.nc, const restrict */
    GP_MEMORY_STREAMING = 16, /* non-temporal */
    GP_MEMORY_VOLATILE = 32,
    GP_MEMORY_COMBINES = 64,   /* an atomic on integers at an address that is proved the same for all lanes, of an
                                  operation that combines their values (add, max ...) */
    GP_MEMORY_EXCHANGES = 512, /* an atomic whose operands no other work-item's can stand for: a compare-and-swap, an
                                  exchange of different values */
    GP_MEMORY_KEEPS = 1024,    /* a compare-and-swap that a loop retries and that keeps the largest, or the least: most
                                  change nothing */
    GP_MEMORY_ASYNC = 256,     /* a load whose data goes to local memory: no register is kept for it (cp.async) */
    GP_MEMORY_COUNTS = 128     /* an atomic on integers that adds its operand, a constant: lanes at one address get old
                                  values side by side */
};

/* A memory operation moves `element_bytes` x `vector` bytes per lane in one instruction. */
struct gp_memory {
    uint32_t inst;
    uint8_t space;  /* enum gp_space */
    uint16_t flags; /* enum gp_memory_flags */
    uint16_t element_bytes;
    uint16_t vector;    /* elements; 1 for a scalar access */
    uint16_t alignment; /* in bytes, as the compiler proved it */
    gp_ref base;        /* the parameter or array that the address is based on, GP_REF_NONE where unknown */
};

/* ---- Control flow ------------------------------------------------------------------------------------------- */

struct gp_block {
    uint32_t inst; /* first instruction */
    uint32_t inst_count;
    uint32_t ipdom; /* immediate post-dominator: where all lanes of the warp are together again at the latest; GP_NONE:
                       the exit */
    uint32_t loop;  /* innermost loop, or GP_NONE */
};

/* The hybrid framework's kinds of branch conditions (its section III.B). */
/* clang-format off */
#define GP_BRANCH_KINDS(X) X(ARGUMENT, "argument") X(THREAD, "thread") X(INDUCTION, "induction") X(DATA, "data")
/* clang-format on */
enum gp_branch_kind {
#define X(name, text) GP_BRANCH_##name,
    GP_BRANCH_KINDS(X)
#undef X
        GP_BRANCH_KIND_COUNT
};
const char *gp_branch_kind_name(enum gp_branch_kind kind);

struct gp_branch {
    uint32_t inst;
    uint8_t kind; /* enum gp_branch_kind */
    uint8_t has_probability;
    uint16_t
        probability; /* of the first target, in 1/65535; 0 and 65535: one way is never taken; only if has_probability */
};

/*
 * How a trip count was found. ASSUMED: the loop depends on data, nothing is known. RETRY: it goes round until an
 * exchange at an address that does not change in it has succeeded: of the lanes of a warp that meet at one address, one
 * more leaves each time.
 */
/* clang-format off */
#define GP_BOUNDS(X) X(CONSTANT, "constant") X(SCEV, "scalar-evolution") X(INDUCTION, "induction") X(EXECUTED, "executed") X(ASSUMED, "assumed") X(RETRY, "retry")
/* clang-format on */
enum gp_bound {
#define X(name, text) GP_BOUND_##name,
    GP_BOUNDS(X)
#undef X
        GP_BOUND_COUNT
};
const char *gp_bound_name(enum gp_bound bound);

struct gp_loop {
    uint32_t header;
    uint32_t latch;  /* one of them where there are several */
    uint32_t parent; /* enclosing loop, or GP_NONE. Parents stand before their children. */
    uint32_t depth;  /* 1 for an outermost loop */
    uint32_t location;
    uint8_t bound;          /* enum gp_bound. EXECUTED: no expression, but the exit condition is in the skeleton and
                               does not depend on data, so that execution finds the end */
    uint8_t data_dependent; /* some exit depends on loaded data */
    uint8_t irreducible;    /* the source's cycle is entered in several places; the header tells them apart */
    uint16_t unroll;        /* factor by which the compiler had unrolled it; 1 where not known to be */
    gp_ref trip_count; /* times the header is entered per entry of the loop; GP_REF_NONE where not known. A constant, a
                          parameter, or an instruction that is available before the loop or an expression of such */
};

/* A header phi that grows by the same loop-invariant step each iteration. Lets sampled execution jump. */
struct gp_induction {
    uint32_t loop;
    uint32_t phi; /* instruction */
    gp_ref step;  /* as trip_count; same bits as the phi */
};

/* ---- What a kernel works on --------------------------------------------------------------------------------- */

/* clang-format off */
#define GP_PARAM_KINDS(X) X(INT, "int") X(FLOAT, "float") X(BUFFER, "buffer") X(LOCAL, "local") X(IMAGE, "image") X(SAMPLER, "sampler") X(OTHER, "other")
/* clang-format on */
enum gp_param_kind {
#define X(name, text) GP_PARAM_##name,
    GP_PARAM_KINDS(X)
#undef X
        GP_PARAM_KIND_COUNT
};
const char *gp_param_kind_name(enum gp_param_kind kind);

enum gp_param_flags {
    GP_PARAM_CONST = 1,
    GP_PARAM_RESTRICT = 2,
    GP_PARAM_SKELETON = 4, /* its value, of an IMAGE its size, takes part in the skeleton: it can change the time */
    GP_PARAM_SIGNED = 8,
    GP_PARAM_RECORDS = 16, /* a BUFFER of structs, as the source declares it */
    GP_PARAM_ELEMENT = 32  /* an INT within another argument: of a vector of integers, or of a structure */
};

/*
 * One per argument of the source kernel, in its order. Behind them stand the elements of those that are vectors of
 * integers, and nothing but these is used of a vector. A struct passed by value is one OTHER parameter, whose integers
 * stand behind likewise; loads of its other members are symbols.
 */
struct gp_param {
    const char *name;         /* as in the source; "" where the compiler dropped it */
    uint8_t kind;             /* enum gp_param_kind */
    uint8_t bits;             /* of an INT or FLOAT; 64 for pointers; for a vector: of all of it, at most 255 */
    uint8_t space;            /* enum gp_space of a BUFFER */
    uint8_t flags;            /* enum gp_param_flags */
    uint32_t bounds_dim;      /* an INT that bounds a global id: the dimension (0..2), else GP_NONE */
    uint32_t size;            /* bytes of the argument as clSetKernelArg takes it; 0 for LOCAL */
    uint32_t vector, element; /* of an ELEMENT: the parameter that it is a part of, and how many of its own size stand
                                 before it there; else 0 */
};

/* Static arrays: work-group memory, program-scope arrays, private arrays. */
struct gp_array {
    const char *name;
    uint32_t bytes; /* 0: sized at launch (CUDA extern __shared__) */
    uint32_t alignment;
    uint32_t location;
};

/* clang-format off */
#define GP_SOURCES(X) X(ESTIMATE, "estimate") X(PTXAS, "ptxas") X(LLVM, "llvm") X(RUNTIME, "runtime") X(AMD_CLANG, "amd-clang")
/* clang-format on */
/* LLVM: the one of the plugin. AMD_CLANG: AMD's own compiler, of a version of its own. */
enum gp_resource_source {
#define X(name, text) GP_SOURCE_##name,
    GP_SOURCES(X)
#undef X
        GP_SOURCE_COUNT
};
const char *gp_resource_source_name(enum gp_resource_source source);

/* Registers for one launch bound (the largest work-group the code was compiled for). */
struct gp_resources {
    uint32_t launch_bound;      /* work-items; 0: the compiler's default */
    uint32_t registers;         /* 32-bit registers per work-item (VGPRs on AMD) */
    uint32_t scalar_registers;  /* SGPRs per wave on AMD, else 0 */
    uint32_t spill_store_bytes; /* per work-item: ptxas' static counts; LLVM's, loops of constant trip counts as often
                                   as they turn; 0: none */
    uint32_t spill_load_bytes;
    uint32_t loop_store_bytes; /* of these, counted for one turn of spill_loop; 0: none */
    uint32_t loop_load_bytes;
    uint32_t spill_loop;  /* a loop whose number of turns only the launch tells */
    uint32_t stack_bytes; /* private memory per work-item */
    uint32_t local_bytes; /* static work-group memory as the backend laid it out; 0: sum of kernel->locals */
    uint8_t source;       /* enum gp_resource_source */
};

/*
 * What AMD's or NVIDIA's backend made of a loop's own blocks, inner loops apart, or of those that are in no loop:
 * instructions of the vector unit (NVIDIA's: all but accesses), operations on floats of 32 and 64 bits in them, and the
 * words of 32 bits that a work-item loads from local memory. An instruction may hold two operations (RDNA3's dual
 * issue, CDNA's packed ones).
 */
struct gp_machine_code {
    uint32_t loop; /* GP_NONE: outside of loops */
    uint32_t vector, floats;
    uint32_t local_words; /* GP_NONE: not counted */
    uint32_t integers;    /* of NVIDIA's: those that a profiler counts as integer instructions; GP_NONE: not counted */
    uint32_t stepping;    /* of these, those of blocks without an access or an operation on floats: steps, bounds, which
                             way to go; GP_NONE likewise */
};

/* A property that the passes proved, or why they could not. */
struct gp_fact {
    bool holds;
    const char *reason; /* why it does not hold: one phrase; "" where it holds */
};

/* NAME=NUMBER from the kernel's annotate attribute. */
struct gp_default {
    uint32_t param;
    int64_t value;
};

/* What the source states of a kernel's launch, by attributes. */
struct gp_stated_launch {
    uint32_t required_local[3]; /* reqd_work_group_size; zeros: none */
    uint32_t max_local;         /* __launch_bounds__ or amdgpu_flat_work_group_size; 0: none */
    uint32_t min_groups;        /* that an SM must be able to hold at once: __launch_bounds__' second number; 0: none */
    uint32_t default_global[3]; /* __attribute__((annotate("gpuperf: ..."))); zeros: none */
    uint32_t default_local[3];  /* the same attribute; zeros: none */
    struct gp_default *defaults;
    uint32_t default_count; /* argument values from the same attribute */
};

struct gp_kernel {
    const char *name;   /* as the source calls it (CUDA: demangled, without parameters) */
    const char *symbol; /* as the object file calls it */
    uint32_t location;

    struct gp_param *params;
    uint32_t param_count;
    struct gp_block *blocks;
    uint32_t block_count;
    struct gp_inst *insts;
    uint32_t inst_count; /* blocks' instructions in order of blocks, then expressions */
    gp_ref *operands;
    uint32_t operand_count;
    uint64_t *constants;
    uint32_t constant_count;
    struct gp_memory *memory;
    uint32_t memory_count;
    struct gp_branch *branches;
    uint32_t branch_count;
    struct gp_loop *loops;
    uint32_t loop_count;
    struct gp_induction *inductions;
    uint32_t induction_count;
    struct gp_array *locals;
    uint32_t local_count;
    struct gp_array *globals;
    uint32_t global_count;
    struct gp_array *privates;
    uint32_t private_count;
    const char **callees;
    uint32_t callee_count; /* functions that could not be followed, a name per CALL */
    struct gp_resources *resources;
    uint32_t resource_count;
    struct gp_machine_code *code;
    uint32_t code_count; /* none where no backend was asked, or its loops are others */

    struct gp_stated_launch stated;
    uint32_t dims;                      /* dimensions whose ids the kernel uses: 0..3 (a kernel that uses none: 0) */
    uint32_t barrier_count;             /* static */
    struct gp_fact local_size_agnostic; /* results do not depend on how the range is cut into groups */
    struct gp_fact split_safe;          /* the range may be launched in parts with a global offset */
    bool truncated;                     /* the kernel was too large to keep whole: the rest is an approximation */
};

/* A place in the source, innermost first. */
struct gp_location {
    const char *file;
    uint32_t line, column;
    uint32_t inlined_at; /* location of the call that brought it here, or GP_NONE */
};

struct gp_profile {
    const char *producer; /* "gpuperf 0.1.0 clang 22.1.8" */
    const char *source;   /* main source file, as given to the compiler */
    const char *triple;   /* target that the kernels were compiled for */
    const char *cpu;      /* "sm_80", "gfx90a", "" */
    const char *language; /* "opencl" or "cuda" */
    uint32_t opt_level;   /* 0..3 */
    bool left_to_drivers; /* LLVM has unrolled it; it is told of as NVIDIA's compilers would (driver_turns.h) */
    struct gp_location *locations;
    uint32_t location_count; /* inlined_at names a smaller index: chains end */
    struct gp_kernel *kernels;
    uint32_t kernel_count;
    void *storage; /* what gp_profile_free() releases; NULL for a profile that its maker owns */
};

/* Checks every invariant above. On failure: false and one sentence that names kernel, block and instruction. */
bool gp_profile_check(const struct gp_profile *profile, struct gp_error *error);

/* By its name, its symbol, or the name of the template that it is an instance of: copy for copy<8, double>. */
bool gp_kernel_is_called(const struct gp_kernel *kernel, const char *name);

/* The first kernel that is called so, one of just that name before others; NULL when there is none. */
const struct gp_kernel *gp_profile_find(const struct gp_profile *profile, const char *name);

/* The index behind a block's last instruction. */
static inline uint32_t gp_block_end(const struct gp_kernel *kernel, uint32_t block)
{
    return kernel->blocks[block].inst + kernel->blocks[block].inst_count;
}

/* The last instruction of a block. */
static inline const struct gp_inst *gp_block_terminator(const struct gp_kernel *kernel, uint32_t block)
{
    return &kernel->insts[gp_block_end(kernel, block) - 1];
}

/* Index of the parameter of that name, or GP_NONE. */
uint32_t gp_kernel_find_param(const struct gp_kernel *kernel, const char *name);

/* Registers for a work-group of that many items: the entry with the smallest bound that covers it, else the default's.
 * NULL: none recorded. */
const struct gp_resources *gp_kernel_resources(const struct gp_kernel *kernel, uint32_t work_items);

/* Work-items that a group has at most by what the source states; 0: nothing is stated. */
uint64_t gp_stated_items(const struct gp_stated_launch *stated);

/* Work-group memory of static size, bytes, each array at its alignment. */
uint32_t gp_kernel_local_bytes(const struct gp_kernel *kernel);

/* Releases a profile that a reader returned. NULL is allowed. */
void gp_profile_free(struct gp_profile *profile);

#ifdef __cplusplus
}
#endif
#endif
