# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DNAME=gp_name "-DINPUTS=FILE FILE..." -DOUTPUT=FILE.c -P embed.cmake: the files' text, one behind the other, as
# `const char NAME[]`, ending in a NUL.
separate_arguments(files UNIX_COMMAND "${INPUTS}")
set(bytes)
foreach(file ${files})
  file(READ ${file} more HEX)
  string(APPEND bytes "${more}")
endforeach()
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "extern const char ${NAME}[];\nconst char ${NAME}[] = {\n${bytes}0};\n")
