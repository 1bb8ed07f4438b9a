// Colours on a terminal only, or where they are asked for; the words are the same.
// RUN: %gpuperf predict --device a100 --local 64,256 %s >%t.plain
// RUN: env TERM=xterm %gpuperf predict --device a100 --local 64,256 --color=always %s >%t.colours
// RUN: %python -c "import re,sys; p,c=(open(f).read() for f in sys.argv[1:]); print('coloured', '\033[' in c, 'plain', '\033[' not in p, 'same', re.sub('\033\\[[0-9]*m', '', c) == p)" %t.plain %t.colours | FileCheck %s
// CHECK: coloured True plain True same True
//
// A terminal of 80 columns: lines are no longer, joined they are the same.
// RUN: %python %S/Inputs/terminal.py %t.plain %gpuperf predict --device a100 --local 64,256 %s | FileCheck %s --check-prefix=TERMINAL
// TERMINAL: xterm: coloured True longest True same True
// TERMINAL: dumb: coloured False longest True same True
// TERMINAL: NO_COLOR: coloured False longest True same True
// RUN: not %gpuperf predict --color=blue %s 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: gpuperf: --color takes auto, always or never, not 'blue'
__kernel void twice(__global float *y, __global const float *x)
{
    int i = get_global_id(0);
    y[i] = 2 * x[i * 2];
}
