// What --format, --overview and --top print.
// RUN: %gpuperf schema >%t.schema
// RUN: %gpuperf predict --device a100,mi250x --format json %s >%t.json
// RUN: %gpuperf predict --device a100 --format json --arg n=256:1024 --local 64,256 --model mwp-cwp %s >%t.lists.json
// RUN: %gpuperf predict --device pocl-cpu,sm_89 --format json --top 3 %s >%t.top.json
// RUN: %gpuperf check --device a100,v100 --format json %s >%t.check.json
// RUN: %python %S/Inputs/valid.py %t.schema %t.json %t.lists.json %t.top.json %t.check.json | FileCheck %s --check-prefix=VALID
// VALID: valid: {{[1-9][0-9]*}} predictions, {{[1-9][0-9]*}} findings
// VALID: valid: 8 predictions, {{[1-9][0-9]*}} findings
// VALID: valid: 12 predictions
// VALID: valid: 4 predictions, {{[1-9][0-9]*}} findings
//
// RUN: %python -c "import json,sys; d=json.load(open(sys.argv[1])); print([x['name'] for x in d['devices']], len(d['launches']), all(x['stated'] or x['why'] for l in d['launches'] for x in l['assumptions']))" %t.check.json | FileCheck %s --check-prefix=CHECKS
// CHECKS: ['a100', 'v100'] 4 True
//
// The launch, and why what nobody stated is as it is.
// RUN: %gpuperf predict --device a100 --format json --arg n=64 --local 256 --kernel rows %s | FileCheck %s --check-prefix=DOCUMENT
//      DOCUMENT: "schema": "gpuperf/1"
//      DOCUMENT: "arguments": {
// DOCUMENT-NEXT:   "n": 64
//      DOCUMENT: "file": "{{.*}}predict_formats.cl"
//      DOCUMENT: "title": "NVIDIA A100
//      DOCUMENT: "name": "global",
// DOCUMENT-NEXT: "value": "1048576",
// DOCUMENT-NEXT: "stated": false,
// DOCUMENT-NEXT: "why": "{{.+}}"
//      DOCUMENT: "name": "n",
// DOCUMENT-NEXT: "value": "64",
// DOCUMENT-NEXT: "stated": true
//
// The plain array is that of before.
// RUN: %gpuperf predict --device a100 --json --local 256 --kernel rows %s | %python -c "import json,sys; d=json.load(sys.stdin); print(type(d).__name__, len(d), 'arguments' in d[0])" | FileCheck %s --check-prefix=ARRAY
// ARRAY: list 1 False
//
// RUN: %gpuperf predict --device a100 --format csv --arg n=8:16 --local 64,256 --kernel rows %s >%t.csv
// RUN: %python -c "import csv,sys; r=list(csv.DictReader(open(sys.argv[1]))); print(len(r), sorted((x['n'],x['local'],x['global']) for x in r), all(float(x['time_ns'])>0 for x in r))" %t.csv | FileCheck %s --check-prefix=CSV
// CSV: 4 [('16', '256', '1048576'), ('16', '64', '1048576'), ('8', '256', '1048576'), ('8', '64', '1048576')] True
//
// RUN: %gpuperf predict --device a100,v100 --overview %s | FileCheck %s --check-prefix=OVERVIEW --match-full-lines
//      OVERVIEW:kernel device       local             time  limiter   confidence
// OVERVIEW-NEXT:rows   a100         {{[0-9x]+ .*%}}
// OVERVIEW-NEXT:rows   v100         {{[0-9x]+ .*%}}
// OVERVIEW-NEXT:scale  a100         {{[0-9x]+ .*%}}
// OVERVIEW-NEXT:scale  v100         {{[0-9x]+ .*%}}
//  OVERVIEW-NOT:{{.}}
//
// RUN: %gpuperf predict --device a100 --overview --format markdown --arg n=8:16 --kernel rows %s | FileCheck %s --check-prefix=MARKDOWN
//      MARKDOWN: | kernel | device | n | local | time | occupancy | limiter | confidence |
// MARKDOWN-NEXT: | --- | --- | ---: | --- | ---: | ---: | --- | ---: |
// MARKDOWN-NEXT: | `rows` | a100 | 8 | **{{.*}}
// MARKDOWN-NEXT: | `rows` | a100 | 16 | **
//
// RUN: %gpuperf predict --device a100 --top 2 --kernel scale %s | FileCheck %s --check-prefix=TOP
//      TOP: occupancy limiter
// TOP-NEXT: {{^ +[0-9]+ .*best(, yours)?$}}
// TOP-NEXT: {{^ +[0-9]+ .*}}
// TOP-NEXT: {{[1-9][0-9]*}} others are not shown
//
// RUN: not %gpuperf predict --format yaml %s 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: gpuperf: --format takes text, json, csv or markdown, not 'yaml'
// RUN: not %gpuperf predict --top 0 %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: gpuperf: --top takes a number of local sizes from 1 on, not '0'
// RUN: not %gpuperf schema all 2>&1 | FileCheck %s --check-prefix=SCHEMA
// SCHEMA: gpuperf: 'schema' takes no arguments
__kernel void rows(__global float *y, __global const float *x, int n)
{
    int i = get_global_id(0);
    float s = 0;
    for (int j = 0; j < n; j++)
        s += x[i * n + j];
    y[i] = s;
}
__kernel void scale(__global float *y, float a, int n)
{
    int i = get_global_id(0);
    if (i < n)
        y[i] *= a;
}
