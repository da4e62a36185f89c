"""Drive three browser engines alike: Chromium by Playwright, Firefox by WebDriver BiDi, WebKit by WebDriver.

Playwright can drive neither the Firefox nor the WebKit that a distribution packages, and Selenium needs
geckodriver, which is not packaged here. Each engine opens a URL, evaluates an expression, and simulates a mouse
and a keyboard. `PROBE` collects errors.
"""

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from glob import glob
from itertools import count
from pathlib import Path

from tools.build.serve import QuietHandler

KEYS = {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015"}
KEYS |= {"Tab": "\ue004", "Shift": "\ue008", "Enter": "\ue007", "Escape": "\ue00c"}
KEYS |= {"End": "\ue010", "Home": "\ue011"}

# The first script of each page that the tests serve. It needs no debugger, so it is the same in all engines.
PROBE = """
window.findings = [];
addEventListener("error", (event) => {
  if (["prefetch", "next"].includes(event.target.rel)) return; // Firefox drops prefetches it must revalidate
  findings.push(event.message ?? `failed: ${event.target.src ?? event.target.href}`);
}, true);
addEventListener("unhandledrejection", (event) => findings.push(`rejected: ${event.reason}`));
document.addEventListener("securitypolicyviolation", (event) =>
  findings.push(`policy: ${event.violatedDirective} ${event.blockedURI}`));
const said = console.error;
console.error = (...words) => { findings.push(`console: ${words.join(" ")}`); said(...words); };
"""


def wait(act, what, seconds=300):
    for _ in range(seconds * 20):
        if answer := act():
            return answer
        time.sleep(0.05)
    raise TimeoutError(f"expected within {seconds} s: {what}")


class ProbedHandler(QuietHandler):
    def do_GET(self):
        path = Path(self.translate_path(self.path))
        if self.path.endswith("/probe.js"):
            self.answer(PROBE.encode(), "text/javascript")
        elif path.suffix == ".html" and path.is_file():
            probe = b'<head><script src="/probe.js"></script>'
            self.answer(path.read_bytes().replace(b"<head>", probe, 1), "text/html; charset=utf-8")
        else:
            super().do_GET()

    def answer(self, body, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Engine:
    """Common base of the three engines. Each adds `go`, `run`, `act`, `resize` and `close`."""

    def middle(self, selector):
        """Scroll an element into view, and return its centre in window coordinates."""
        return self.run(
            f"""((one) => {{
              one.scrollIntoView({{ block: "center", behavior: "instant" }});
              scrollTo({{ top: Math.round(scrollY), behavior: "instant" }}); // some stop between pixels
              const box = one.getBoundingClientRect();
              return [box.x + box.width / 2, box.y + box.height / 2];
            }})(document.querySelector({json.dumps(selector)}))"""
        )

    def wait_for(self, expression):
        """Wait until an expression is true in the page."""
        wait(lambda: self.run(f"!!({expression})"), f"in {self.name}, {expression}")

    def findings(self):
        """Return the page's errors since it was opened: exceptions, policy violations, requests to other hosts."""
        fetched = "performance.getEntriesByType('resource').map((entry) => entry.name)"
        outside = f"{fetched}.filter((name) => /^(https?|wss?):/.test(name) && !name.startsWith(location.origin))"
        return self.run(f"[...findings, ...{outside}]")

    def drag(self, x, y, right, down=0):
        """Drag the mouse in a single move, since engines skip intermediate positions."""
        hold, release = ({"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp"))
        self.act("pointer", [self.move(x, y), hold, self.move(x + right, y + down), release])

    @staticmethod
    def move(x, y):
        return {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0}

    def press(self, *names):
        for name in names:
            held = [KEYS.get(key, key) for key in name.split("+")]
            downs = [{"type": "keyDown", "value": key} for key in held]
            self.act("key", downs + [{"type": "keyUp", "value": key} for key in reversed(held)])


class Chromium(Engine):
    name = "chromium"

    def __init__(self, browser):
        self.page = browser.new_page(viewport={"width": 1280, "height": 800})

    def go(self, address):
        self.page.goto(address)

    def run(self, expression):
        return self.page.evaluate(expression)

    def act(self, kind, actions):
        mouse, keyboard = self.page.mouse, self.page.keyboard
        names = {value: key for key, value in KEYS.items()}
        hand = {
            "pointerMove": lambda action: mouse.move(action["x"], action["y"]),
            "pointerDown": lambda _: mouse.down(),
            "pointerUp": lambda _: mouse.up(),
            "keyDown": lambda action: keyboard.down(names.get(action["value"], action["value"])),
            "keyUp": lambda action: keyboard.up(names.get(action["value"], action["value"])),
        }
        for action in actions:
            hand[action["type"]](action)

    def resize(self, width, height):
        self.page.set_viewport_size({"width": width, "height": height})

    def close(self):
        self.page.close()


class Firefox(Engine):
    """Headless Firefox. `folder` contains its profile."""

    name = "firefox"

    def __init__(self, folder):
        import websocket  # installed with JupyterLab

        # Without background requests, and with overlay scroll bars, as in the other two
        settings = 'user_pref("app.normandy.enabled", false);\nuser_pref("ui.useOverlayScrollbars", 1);\n'
        (folder / "user.js").write_text(settings, "utf8")
        options = ["--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0"]
        quietly = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen([self.program(), *options], **quietly)
        server = folder / "WebDriverBiDiServer.json"  # Firefox writes its port there
        address = json.loads(wait(lambda: server.exists() and server.read_text("utf8"), server))
        self.socket = websocket.create_connection(
            f"ws://{address['ws_host']}:{address['ws_port']}/session", timeout=300, suppress_origin=True
        )
        self.numbers = count()
        self.ask("session.new", capabilities={})
        self.context = self.ask("browsingContext.create", type="tab")["context"]
        self.resize(1280, 800)

    @staticmethod
    def program():
        return shutil.which("firefox-esr") or shutil.which("firefox")

    @classmethod
    def missing(cls):
        return None if cls.program() else "expected Firefox, found none: install the package firefox-esr"

    def ask(self, method, **parameters):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        answer = next(answer for answer in self.answers() if answer.get("id") == number)
        if answer["type"] == "error":
            raise RuntimeError(f"firefox, {method}: {answer['message']}")
        return answer["result"]

    def answers(self):
        while True:
            yield json.loads(self.socket.recv())

    def go(self, address):
        self.ask("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def run(self, expression):
        expression = f"(async () => JSON.stringify(await ({expression})))()"
        answer = self.ask(
            "script.evaluate", expression=expression, target={"context": self.context}, awaitPromise=True
        )
        if answer["type"] == "exception":
            raise RuntimeError(f"firefox: {answer['exceptionDetails']['text']}")
        return json.loads(answer["result"].get("value", "null"))

    def act(self, kind, actions):
        hand = {"type": kind, "id": kind, "actions": actions}
        self.ask("input.performActions", context=self.context, actions=[hand])

    def resize(self, width, height):
        viewport = {"width": width, "height": height}
        self.ask("browsingContext.setViewport", context=self.context, viewport=viewport)

    def close(self):
        self.ask("browser.close")
        self.socket.close()
        self.process.wait(60)


class WebKit(Engine):
    """WebKitGTK's MiniBrowser on a virtual screen."""

    name = "webkit"

    def __init__(self, folder):
        (folder / "gtk-3.0").mkdir()
        # Otherwise the address bar prevents the window from being as narrow as a phone.
        (folder / "gtk-3.0/gtk.css").write_text("* { min-width: 0; padding: 0; margin: 0; }", "utf8")
        screen = ["Xvfb", "-displayfd", "1", "-screen", "0", "1920x1400x24", "-nolisten", "tcp"]
        self.screen = subprocess.Popen(screen, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        display = f":{self.screen.stdout.readline().strip()}"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        environment = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": str(folder), "GIO_USE_VFS": "local"}
        quietly = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.driver = subprocess.Popen(["WebKitWebDriver", f"--port={port}"], env=environment, **quietly)
        self.address = f"http://127.0.0.1:{port}"
        options = {"webkitgtk:browserOptions": {"binary": self.program(), "args": ["--automation"]}}
        session = wait(
            lambda: self.begin({"capabilities": {"alwaysMatch": options}}), "an answer of WebKitWebDriver"
        )
        self.address += f"/session/{session['sessionId']}"
        self.resize(1280, 800)

    @staticmethod
    def program():
        return next(iter(glob("/usr/lib/*/webkit2gtk-4.1/MiniBrowser")), None)

    @classmethod
    def missing(cls):
        found = cls.program() and shutil.which("WebKitWebDriver") and shutil.which("Xvfb")
        return None if found else "expected WebKit, found none: install the packages webkit2gtk-driver and xvfb"

    def begin(self, options):
        """Start a session of the driver, which takes a moment."""
        try:
            return self.ask("POST", "/session", **options)
        except urllib.error.URLError:
            return None

    def ask(self, method, path, **parameters):
        data = json.dumps(parameters).encode() if method == "POST" else None
        request = urllib.request.Request(self.address + path, data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"webkit, {path}: {error.read().decode()}") from None

    def go(self, address):
        self.ask("POST", "/url", url=address)

    def run(self, expression):
        answer = self.ask("POST", "/execute/sync", script=f"return JSON.stringify({expression})", args=[])
        return json.loads(answer or "null")

    def act(self, kind, actions):
        self.ask("POST", "/actions", actions=[{"type": kind, "id": kind, "actions": actions}])

    def resize(self, width, height):
        """Resize the window; its height includes the frame, so request the difference, too."""
        self.ask("POST", "/window/rect", width=width, height=height)
        missing = height - self.run("innerHeight")
        self.ask("POST", "/window/rect", width=width, height=height + missing)

    def close(self):
        self.ask("DELETE", "")
        for process in (self.driver, self.screen):
            process.terminate()
            process.wait(60)
        self.screen.stdout.close()
