/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Boost.Compute: a sort, a transformation, a reduction and a scan. Prints what came out. */
#define CL_TARGET_OPENCL_VERSION 120
#include <boost/compute/algorithm/accumulate.hpp>
#include <boost/compute/algorithm/inclusive_scan.hpp>
#include <boost/compute/algorithm/sort.hpp>
#include <boost/compute/algorithm/transform.hpp>
#include <boost/compute/container/vector.hpp>
#include <boost/compute/functional/math.hpp>
#include <boost/compute/lambda.hpp>
#include <boost/compute/system.hpp>
#include <cstdio>
#include <vector>

namespace compute = boost::compute;

int main()
{
    compute::command_queue queue = compute::system::default_queue();
    std::vector<int> numbers(1 << 18);
    for (size_t i = 0; i < numbers.size(); i++)
        numbers[i] = (int)(i * 7919u % 100003u);
    compute::vector<int> on_device(numbers.begin(), numbers.end(), queue);
    for (int i = 0; i < 5; i++) {
        using compute::lambda::_1;
        compute::sort(on_device.begin(), on_device.end(), queue);
        compute::transform(on_device.begin(), on_device.end(), on_device.begin(), _1 * 31 + 7, queue);
        compute::inclusive_scan(on_device.begin(), on_device.end(), on_device.begin(), queue);
    }
    int sum = compute::accumulate(on_device.begin(), on_device.end(), 0, queue);
    compute::copy(on_device.begin(), on_device.end(), numbers.begin(), queue);
    unsigned hash = 0;
    for (int n : numbers)
        hash = hash * 16777619u ^ (unsigned)n;
    printf("%d %u\n", sum, hash);
}
