# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""terminal.py PLAIN COMMAND...: what a command prints to a terminal of 80 columns, beside what it prints to a file."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

plain = open(sys.argv[1]).read()
words = lambda text: re.sub(r"\s+", " ", text).strip()
for name, variables in (("xterm", {"TERM": "xterm"}), ("dumb", {"TERM": "dumb"}), ("NO_COLOR", {"TERM": "xterm", "NO_COLOR": "1"})):
    environment = {k: v for k, v in os.environ.items() if k not in ("TERM", "NO_COLOR")}
    terminal, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    child = subprocess.Popen(sys.argv[2:], stdout=end, stdin=subprocess.DEVNULL, env={**environment, **variables})
    os.close(end)
    text = b""
    try:
        while more := os.read(terminal, 4096):
            text += more
    except OSError:  # the other end is closed
        pass
    child.wait()
    text = text.decode().replace("\r\n", "\n")
    bare = re.sub("\033\\[[0-9]*m", "", text)
    # a path is one word, however long
    longest = max(len(line) for line in bare.split("\n") if max(map(len, line.split() or [""])) < 50)
    print(f"{name}: coloured {bare != text} longest {longest <= 80} same {words(bare) == words(plain)}")
