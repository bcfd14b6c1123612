"""A small site for browsers of agents, with pages that mean no harm and pages that do."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGES = {
    "/": '<title>Home</title><h1>Home</h1><a href="/form">Form</a> <a href="/out">Out</a>',
    "/form": """<title>Form</title><form action="/done"><label>Name <input name="name"></label>
        <label>Password <input type="password" name="word" value="hunter: 2"></label>
        <select name="state" aria-label="State"><option>Open<option>Closed</select>
        <button>Send</button></form>""",
    "/done": "<title>Done</title><p>Thank you",
    "/menu": """<title>Menu</title><style>nav p { display: none } nav:hover p { display: block }
        </style><nav><button>File</button><p>Print</p></nav><input aria-label="Key"
        onkeydown="document.title = event.key">""",
    "/list": """<title>List</title><div style="height: 3000px">Top</div><script>onscroll = () => {
        document.body.append('More'); onscroll = null }</script>""",
    "/covered": """<title>Covered</title><button>Under</button>
        <div id="cover" style="position: fixed; inset: 0"></div>""",
    "/frames": """<title>Frames</title><iframe src="http://localhost:8099/inner"></iframe>
        <iframe src="/done"></iframe>""",
    "/tabs": """<title>Tabs</title><button onclick="open('/done')">One</button>
        <button onclick="for (let n = 0; n < 100; n++) open('/done?' + n)">Many</button>
        <a href="/form" target="_blank">Link</a>""",
    "/ask": """<title>Ask</title><button onclick="document.title = confirm('Delete it?')">Delete
        </button>""",
    "/alerts": "<title>Alerts</title><script>for (let n = 0; n < 100; n++) alert(n)</script>Done",
    # Scripts wait for an answer that does not come: as bad as an endless loop, but cheaper.
    "/hang": """<title>Hang</title><button onclick="const request = new XMLHttpRequest();
        request.open('GET', '/never', false); request.send()">Hang</button>""",
    "/reach": """<title>Reach</title><script>
        for (const url of ['http://localhost:8099/', 'https://example.org/', 'http://10.0.0.1/'])
            fetch(url, {mode: 'no-cors'}).catch(() => 0);
        new WebSocket('ws://localhost:8099/');
        const peer = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:UDP'}]});
        peer.createDataChannel('out'); peer.createOffer().then(o => peer.setLocalDescription(o));
        peer.onicegatheringstatechange = () => { document.title = peer.iceGatheringState };
        </script><iframe src="data:text/html,inner"></iframe>""",
    "/lure": """<title>Lure</title><a href="file:///etc/passwd">File</a>
        <button onclick="location = 'data:text/html,here'">Data</button>
        <a href="chrome://settings">Chrome</a>""",
    "/cookie": """<title>Cookie</title><script>document.write(document.cookie || 'No cookie');
        document.cookie = 'who=ann'</script>""",
}


class _Handler(BaseHTTPRequestHandler):
    server: "Site"

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/out":
            self._begin(302, Location=f"http://localhost:{self.server.server_port}/done")
        elif path == "/never":
            self.server.closing.wait()
        elif path in ("/huge", "/huge-page"):
            kind = "text/html" if path == "/huge-page" else "application/zip"
            self._begin(200, **{"Content-Type": kind, "Content-Length": str(10**9)})
            self._pour()
        else:
            body = PAGES.get(path, "Nothing").replace("UDP", str(self.server.udp_port)).encode()
            self._begin(200, **{"Content-Type": "text/html", "Content-Length": str(len(body))})
            self.wfile.write(body)

    def log_request(self, code: object = "-", size: object = "-") -> None:
        self.server.asked.append(f"{self.headers['Host']}{self.path}")

    def _begin(self, status: int, **fields: str) -> None:
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()

    def _pour(self) -> None:
        try:
            self.wfile.write(b"<p>The beginning")
            for _ in range(1_000):
                self.wfile.write(b"<!--%b-->" % (b"-" * 10**6))
        except OSError:
            self.server.cut.set()


class Site(ThreadingHTTPServer):
    """The server with its pages."""

    daemon_threads = True
    udp_port = 1

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.host = f"127.0.0.1:{self.server_port}"
        self.asked: list[str] = []
        """Host and path of each request."""

        self.cut = threading.Event()
        """Whether somebody did not want all of a gigabyte."""

        self.closing = threading.Event()

    def url(self, path: str) -> str:
        return f"http://{self.host}{path}"


@contextmanager
def serve_site() -> Iterator[Site]:
    with Site() as site:
        thread = threading.Thread(target=site.serve_forever, daemon=True)
        thread.start()
        yield site
        site.closing.set()
        site.shutdown()
        thread.join()
