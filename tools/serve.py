"""Serve a folder on this machine, on the first free port from 8000, and print the address."""

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer


class QuietHandler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # one connection for many files

    def log_message(self, *_):
        """Say nothing of requests that went well."""


class PatientServer(ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        """Say nothing of a browser that left before it had read everything."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def make_server(folder, port=0):
    """Return a server of `folder` on `port` of this machine; port 0 takes any free one."""
    return PatientServer(("127.0.0.1", port), partial(QuietHandler, directory=str(folder)))


def first_free_server(folder, ports):
    for port in ports:
        try:
            return make_server(folder, port)
        except OSError:
            continue
    raise OSError(f"expected a free port in {ports.start} to {ports.stop - 1}, got none")


if __name__ == "__main__":
    server = first_free_server(sys.argv[1], range(8000, 8100))
    print(f"\nThe course is at http://localhost:{server.server_port}/  (Ctrl+C stops it)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print("\nStopped.")
