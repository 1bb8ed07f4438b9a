# Configures, builds and tests with the sanitizers on: the C parts, and plugin and passes where PLUGIN says so.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGV}")
  endif()
endfunction()

run(${CMAKE_COMMAND} -S ${SOURCE} -B ${BINARY} -G Ninja -DGPUPERF_SANITIZE=ON -DGPUPERF_PLUGIN=${PLUGIN} -DGPUPERF_LAYER=OFF
    -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++ -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
run(${CMAKE_COMMAND} --build ${BINARY})
run(${CMAKE_CTEST_COMMAND} --test-dir ${BINARY} --output-on-failure)
