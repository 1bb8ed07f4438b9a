// No ratio is judged against a launch that never ends: to become one is a regression and over any budget, to end again
// is none.
// RUN: rm -rf %t && mkdir -p %t && cp %s %t/endless.cl && sed 's/while (n > 0)//' %s > %t/ends.cl
// RUN: not %gpuperf compare --device a100 --fail-on regression=10% %t/ends.cl %t/endless.cl | FileCheck %s --check-prefix=BECOMES
// RUN: %gpuperf compare --device a100 --fail-on regression=10% %t/endless.cl %t/ends.cl | FileCheck %s --check-prefix=REPAIRED
// RUN: %gpuperf compare --device a100 --fail-on regression=10% --format markdown %t/endless.cl %t/ends.cl | FileCheck %s --check-prefix=TABLE
// RUN: %gpuperf compare --device a100 --fail-on regression=10% %t/endless.cl %t/endless.cl | FileCheck %s --check-prefix=BOTH
// BECOMES: {{adds +a100 +[0-9.]+ [nu]s +endless +- .*FAILS}}
// BECOMES-NEXT: the loop at {{.*}} never ends in this launch; before, it took {{[0-9.]+}} us
// REPAIRED: {{adds +a100 +endless +[0-9.]+ [nu]s +- +[0-9]+%$}}
// REPAIRED-NEXT: ends now; before, a loop never ended
// TABLE: | `adds` | a100 | endless | {{[0-9.]+}} us | -{{.*}} ends now; before, a loop never ended |
// BOTH: {{adds +a100 +endless +endless +- +[0-9]+%$}}
// BOTH-NEXT: never ends in this launch; nor did it before

// RUN: cp %t/endless.cl %t/now.cl && %gpuperf check --device a100 --write-baseline %t/endless.json %t/now.cl
// RUN: cp %t/ends.cl %t/now.cl && %gpuperf check --device a100 --write-baseline %t/ends.json %t/now.cl
// RUN: %gpuperf check --device a100 --baseline %t/endless.json --fail-on regression=10% %t/now.cl | FileCheck %s --check-prefix=CHECKED
// RUN: cp %t/endless.cl %t/now.cl
// RUN: not %gpuperf check --device a100 --baseline %t/ends.json --fail-on regression=10% %t/now.cl | FileCheck %s --check-prefix=FAILS
// RUN: printf 'kernels:\n  adds: {budget: {a100: 1 s}}\n' > %t/budget.yaml
// RUN: not %gpuperf check --device a100 --config %t/budget.yaml --fail-on budget %t/now.cl | FileCheck %s --check-prefix=BUDGET
// RUN: %gpuperf check --device a100 --format sarif %t/now.cl | FileCheck %s --check-prefix=SARIF
// CHECKED: adds
// CHECKED-NEXT: ends now; before, a loop never ended
// FAILS: FAILS
// FAILS-NEXT: never ends in this launch; before, it took
// BUDGET: FAILS
// BUDGET-NEXT: never ends in this launch, whose budget is 1.00 s
// SARIF: "ruleId": "gpuperf/never-ends"
kernel void adds(global int *d, int n)
{
    int x = get_global_id(0);
    while (n > 0)
        d[x] += n;
}
