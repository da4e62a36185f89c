"""Serve a folder on this machine, on the first free port from 8000, and print the URL.

Only Python is needed.
"""

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class QuietHandler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # one connection for many files
    disable_nagle_algorithm = True  # otherwise each small file waits 40 ms for the browser to confirm its headers
    # Set explicitly, because Windows may override these types.
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".css": "text/css",
        ".js": "text/javascript",
        ".json": "application/json",
        ".mjs": "text/javascript",
        ".svg": "image/svg+xml",
        ".wasm": "application/wasm",
    }

    def log_message(self, *_):
        """Do not log successful requests."""

    def end_headers(self):
        self.send_header("Cache-Control", "no-cache")  # otherwise browsers mix files of two builds
        super().end_headers()

    def send_error(self, code, message=None, explain=None):
        """Answer a request for a missing file as static hosts do: with the site's 404.html."""
        pages = sorted(Path(self.directory).glob("404.html")) + sorted(Path(self.directory).glob("*/404.html"))
        if code != 404 or not pages:
            return super().send_error(code, message, explain)
        self.send_whole(pages[0].read_bytes(), "text/html; charset=utf-8", 404)

    def send_whole(self, body, kind, code=200):
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


class PatientServer(ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        """Ignore connections that the browser closed early."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def make_server(folder, port=0, handler=QuietHandler):
    """Return a server of `folder` on `port` of this machine; port 0 takes any free one."""
    return PatientServer(("127.0.0.1", port), partial(handler, directory=str(folder)))


def first_free_server(folder, ports, handler=QuietHandler):
    for port in ports:
        try:
            return make_server(folder, port, handler)
        except OSError:
            continue
    raise OSError(f"expected a free port in {ports.start} to {ports.stop - 1}, got none")


if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent  # the zip has this file beside the site
    server = first_free_server(folder, range(8000, 8100))
    print(f"\nThe course is at http://localhost:{server.server_port}/  (Ctrl+C stops it)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print("\nStopped.")
