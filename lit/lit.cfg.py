# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that run clang with the plugin, or the gpuperf command, and check what they print.

%clang     clang with the plugin             %noplugin  clang without it
%cl        %clang on OpenCL C for spir64     %plain_cl  the same without the plugin
%gpuperf   the command                       %hwdb      the source tree's device database
%plugin    the plugin's file
%profile_ir  reads LLVM IR, prints the profile   %python    the Python that runs lit
"""
import os
import sys

import lit.formats

config.name = "gpuperf"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".cl", ".clcpp", ".cu", ".c", ".ll", ".test"]
config.excludes = ["Inputs"]

# A test must not depend on what the user has set.
for name in ("GPUPERF_DEVICE", "GPUPERF_HWDB", "GPUPERF_PLUGIN", "GPUPERF_CLANG", "GPUPERF_AMD_CLANG", "GPUPERF_NVCC", "GPUPERF_NVRTC", "OPENCL_LAYERS"):
    config.environment.pop(name, None)
config.environment["GPUPERF_CACHE"] = "" # nothing is kept
config.environment["COLUMNS"] = "1000" # findings are looked for in one line
path = [config.llvm_tools, os.environ.get("PATH", "")]
config.environment["PATH"] = os.pathsep.join(path)
for name in ("LSAN_OPTIONS", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

with_plugin = config.clang + " -fplugin=" + config.plugin
opencl = " -x cl -cl-std=CL1.2 -O2"
config.substitutions += [
    (r"%clang\b", with_plugin),
    (r"%noplugin\b", config.clang),
    (r"%cl\b", with_plugin + opencl + " -target spir64 -emit-llvm"),
    (r"%plain_cl\b", config.clang + opencl + " -target spir64 -emit-llvm"),
    (r"%python\b", sys.executable),
    (r"%hwdb\b", config.hwdb),
    (r"%plugin\b", config.plugin),
    (r"%profile_ir\b", config.profile_ir),
    (r"%gpuperf\b", config.tool),
]
if config.tool:
    config.available_features.add("gpuperf")
for feature, program in (("ptxas", "/usr/local/cuda/bin/ptxas"), ("darktable", "/usr/share/darktable/kernels")):
    if os.path.exists(program):
        config.available_features.add(feature)
