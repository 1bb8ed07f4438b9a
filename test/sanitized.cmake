# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Configures, builds and tests with sanitizers. SANITIZE=ON: the C parts, and plugin and passes where PLUGIN says so; threads: the OpenCL layer. Its profiles come from LAYER_PLUGIN, a build without sanitizers.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGV}")
  endif()
endfunction()

run(${CMAKE_COMMAND} -S ${SOURCE} -B ${BINARY} -G Ninja -DGPUPERF_SANITIZE=${SANITIZE} -DGPUPERF_PLUGIN=${PLUGIN} -DGPUPERF_LAYER=${LAYER} -DGPUPERF_LAYER_PLUGIN=${LAYER_PLUGIN}
    -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++ -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
if(SANITIZE STREQUAL threads)
  run(${CMAKE_COMMAND} --build ${BINARY} --target gpuperf-opencl layer_launches layer_door)
  run(${CMAKE_CTEST_COMMAND} --test-dir ${BINARY} --output-on-failure -R ^layer_)
else()
  run(${CMAKE_COMMAND} --build ${BINARY})
  run(${CMAKE_CTEST_COMMAND} --test-dir ${BINARY} --output-on-failure)
endif()
