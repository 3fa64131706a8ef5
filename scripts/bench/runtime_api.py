"""Lambda's side of a function: starts its process, hands it events, and takes the time.

One thread answers one request after the other, so that nothing here waits for something else while a time is taken.
"""

import json
import os
import selectors
import signal
import socket
import tempfile
import time


class Function:
    """One process of a function, from its start to its end, and the service that it asks for events. Times in milliseconds."""

    def __init__(self, command: list[str], environment: dict[str, str]):
        self._command, self._log, self._count = command, tempfile.TemporaryFile(), 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._environment = environment | {
            "AWS_LAMBDA_RUNTIME_API": "127.0.0.1:{}".format(self._listener.getsockname()[1]),
            "AWS_LAMBDA_FUNCTION_NAME": "bench",
            "AWS_LAMBDA_FUNCTION_VERSION": "1",
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "256",
            "AWS_LAMBDA_LOG_GROUP_NAME": "",
            "AWS_LAMBDA_LOG_STREAM_NAME": "",
        }

    def __enter__(self) -> "Function":
        output = [(os.POSIX_SPAWN_DUP2, self._log.fileno(), 1)]
        self._begin = time.perf_counter()
        self._process = os.posix_spawn(self._command[0], self._command, self._environment, file_actions=output)
        self._connections = _Connections(self._listener)
        self._connections.await_request("/next")
        self.init = self.age()
        """Until it asked for its first event."""
        return self

    def __exit__(self, *_) -> None:
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        self._connections.close()

    def age(self) -> float:
        """How long ago it was started."""
        return 1000 * (time.perf_counter() - self._begin)

    def invoke(self, event: bytes) -> tuple[dict, float]:
        """What it answers, and how long that takes."""
        self._count += 1
        begin = time.perf_counter()
        answer = self._connections.exchange(event, f"{self._count}")
        taken = time.perf_counter() - begin
        self._connections.end_exchange()
        return json.loads(answer), 1000 * taken

    def peak_memory(self) -> float:
        """Most memory that it had at once, in MB."""
        with open(f"/proc/{self._process}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))

    def processor_time(self) -> float:
        """What it has computed until now, in all its threads."""
        threads = os.listdir(f"/proc/{self._process}/task")
        return sum(_nanoseconds(f"/proc/{self._process}/task/{thread}/schedstat") for thread in threads) / 1e6

    def log(self) -> list[dict]:
        """The lines that it has written."""
        self._log.seek(0)
        return [json.loads(line) for line in self._log.read().splitlines()]


def _nanoseconds(path: str) -> int:
    with open(path, encoding="ascii") as file:
        return int(file.read().split()[0])


class _Connections:
    """A process's connections; it may open several."""

    def __init__(self, listener: socket.socket):
        self._selector = selectors.DefaultSelector()
        self._selector.register(listener, selectors.EVENT_READ)
        self._listener, self._open = listener, []
        self._asking: socket.socket | None = None

    def close(self) -> None:
        self._selector.close()
        self._listener.close()
        for connection in self._open:
            connection.close()

    def await_request(self, ending: str) -> bytes:
        """The body of the next request, whose path ends so; anything else is a fault that the function reports."""
        while True:
            for key, _ in self._selector.select(timeout=20) or _silence():
                if key.fileobj is self._listener:
                    connection, _ = self._listener.accept()
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    self._open.append(connection)
                    self._selector.register(connection, selectors.EVENT_READ)
                    continue
                request = _read_request(key.fileobj)
                if request is None:
                    self._selector.unregister(key.fileobj)
                    continue
                path, body = request
                if not path.endswith(ending):
                    raise SystemExit(f"{path}: {body.decode()}")
                self._asking = key.fileobj
                return body

    def exchange(self, event: bytes, identifier: str) -> bytes:
        """Hands the event to the function that asked for one, and waits for its answer."""
        deadline = int(1000 * (time.time() + 30))
        head = (
            f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(event)}\r\n"
            f"Lambda-Runtime-Aws-Request-Id: {identifier}\r\nLambda-Runtime-Deadline-Ms: {deadline}\r\n"
            "Lambda-Runtime-Invoked-Function-Arn: arn:aws:lambda:eu-central-1:000000000000:function:bench\r\n\r\n"
        )
        self._asking.sendall(head.encode() + event)
        return self.await_request("/response")

    def end_exchange(self) -> None:
        """Takes the answer, and waits until the function asks for the next event."""
        self._asking.sendall(b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
        self.await_request("/next")


def _silence():
    raise SystemExit("The function neither asked nor answered for 20 seconds.")


def _read_request(connection: socket.socket) -> tuple[str, bytes] | None:
    """Path and body; none when the connection is closed."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = connection.recv(65536)
        if not part:
            return None
        data += part
    head, body = data.split(b"\r\n\r\n", 1)
    lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    if "chunked" in headers.get("transfer-encoding", ""):
        while not body.endswith(b"0\r\n\r\n"):
            body += connection.recv(65536)
        return lines[0].split()[1], _dechunked(body)
    while len(body) < int(headers.get("content-length", 0)):
        body += connection.recv(65536)
    return lines[0].split()[1], body


def _dechunked(body: bytes) -> bytes:
    whole = b""
    while (size := int((parts := body.split(b"\r\n", 1))[0], 16)) > 0:
        whole, body = whole + parts[1][:size], parts[1][size + 2 :]
    return whole
