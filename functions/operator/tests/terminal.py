"""Runs a command at a terminal of its own, and prints its exit code and what stood there."""

import fcntl
import json
import os
import pty
import struct
import sys
import termios

with open(sys.argv[1], encoding="utf-8") as file:
    given = json.load(file)
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 120, 0, 0))
    os.execve(given["argv"][0], given["argv"], given["environment"])
shown = b""
while True:
    try:
        piece = os.read(terminal, 4096)
    except OSError:
        # Linux says so when the child has closed its side.
        break
    if not piece:
        break
    shown += piece
_, status = os.waitpid(child, 0)
print(json.dumps({"code": os.waitstatus_to_exitcode(status), "shown": shown.decode()}))
