/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Operations of NVIDIA's machine code since Volta, the low nine bits of an instruction, as far as reading and counting ask for them (as CUDA's nvdisasm names them). */
#ifndef GPUPERF_COMPILE_SASS_OPERATIONS_H
#define GPUPERF_COMPILE_SASS_OPERATIONS_H

enum gp_sass_operation {
    ISETP = 0x0c, IADD3 = 0x10, LEA, LOP3, IABS, IMNMX = 0x17, SHF = 0x19, BMSK = 0x1b, FMUL = 0x20, FADD = 0x21, FFMA = 0x23, IMAD, IMAD_WIDE, IDP, IMAD_HI, DMUL = 0x28, DADD = 0x29, DFMA = 0x2b, FLO = 0x100, BREV, POPC = 0x109, NOP = 0x118, CALL_ABS = 0x143, CALL_REL = 0x144, BRA = 0x147, BRX = 0x149, JMX = 0x14c, EXIT = 0x14d, RET = 0x150,
    KILL = 0x15b, LD = 0x180, LDG, LDC, LDL, LDS, ST, STG, STL, STS, SHFL, ATOM, ATOMG, ATOMS, RED = 0x18e, LDCU = 0x1ac,
};

#endif
