"""Runs programs in forks of a process that has loaded their libraries already, over a socket.

A client sends its three standard files and, as JSON, `argv` and `folder`; it gets the exit code as one byte.
The command `http` is HTTPie; `run-python` runs the text of a program.
"""

import json
import os
import signal
import socket
import sys
import threading

import httpie.core
import requests  # noqa: F401


def run(argv):
    if argv[0] == "http":
        return int(httpie.core.main(argv))
    code = argv[1]
    sys.argv = ["-c"]
    exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})
    return 0


def end_with_parent():
    # A fork would find `sys.stdin` locked by a thread that reads it.
    os.read(0, 1)
    os._exit(0)


def serve(path):
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(64)
    threading.Thread(target=end_with_parent, daemon=True).start()
    print("ready", flush=True)
    while True:
        connection, _ = listener.accept()
        if os.fork() != 0:
            connection.close()
            continue
        listener.close()
        run_request(connection)


def run_request(connection):
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    # The caller may have stopped waiting.
    signal.alarm(120)
    message, files, _, _ = socket.recv_fds(connection, 1 << 20, 3)
    while not message.endswith(b"\n"):
        message += connection.recv(1 << 20)
    request = json.loads(message)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(request["folder"])
    code = 1
    try:
        code = run(request["argv"])
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        import traceback

        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    connection.sendall(bytes([code & 255]))
    os._exit(0)


serve(sys.argv[1])
