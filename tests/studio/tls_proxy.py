"""A loopback proxy that speaks HTTPS for a studio, as Caddy and nginx do, and its clients."""

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_OF_THE_CONNECTION = {"connection", "keep-alive", "transfer-encoding"}


class TlsProxy(ThreadingHTTPServer):
    """Accepts HTTPS, declares it in the headers of each request, and passes the request on."""

    def __init__(self, folder: Path, host: str, studio: str) -> None:
        super().__init__(("127.0.0.1", 0), _PassOn)
        self.host = host
        self.studio = urlsplit(studio).netloc
        self._certificate = make_certificate(folder, host)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self._certificate)
        # The connection's thread does the handshake, when it first reads.
        self.socket = context.wrap_socket(
            self.socket, server_side=True, do_handshake_on_connect=False
        )

    def open_browser(self, **headers: str) -> httpx.Client:
        """Return a client that trusts only this certificate and resolves the host to this proxy."""
        trust = ssl.create_default_context(cafile=self._certificate)
        return httpx.Client(
            base_url=f"https://{self.host}",
            headers={"Referer": f"https://{self.host}/", **headers},
            transport=_ByNumber(self.server_port, trust),
            timeout=60,
        )


class _PassOn(BaseHTTPRequestHandler):
    """Answers one request with what the studio answers."""

    server: TlsProxy

    def do_GET(self) -> None:
        asked = dict(self.headers) | {
            "Connection": "close",
            "X-Forwarded-Proto": "https",
            "X-Forwarded-For": self.client_address[0],
        }
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        studio = HTTPConnection(self.server.studio, timeout=60)
        studio.request(self.command, self.path, body, asked)
        answer = studio.getresponse()
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in _OF_THE_CONNECTION:
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.read())
        studio.close()

    do_POST = do_GET  # noqa: N815  # the base class looks for this name

    def log_message(self, *_: object) -> None:
        """Log nothing."""


class _ByNumber(httpx.HTTPTransport):
    """Connects to a port of this machine, whatever host is requested."""

    def __init__(self, port: int, trust: ssl.SSLContext) -> None:
        super().__init__(verify=trust)
        self._port = port

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        sent = httpx.Request(
            request.method,
            request.url.copy_with(host="127.0.0.1", port=self._port),
            headers=request.headers,
            stream=request.stream,
            extensions={**request.extensions, "sni_hostname": request.url.host},
        )
        return super().handle_request(sent)


@contextmanager
def run_proxy(folder: Path, host: str, studio: str) -> Iterator[TlsProxy]:
    with TlsProxy(folder, host, studio) as proxy:
        serving = threading.Thread(target=proxy.serve_forever)
        serving.start()
        try:
            yield proxy
        finally:
            proxy.shutdown()
            serving.join()


def make_certificate(folder: Path, host: str) -> Path:
    """Write a new key and a certificate for a host into one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = folder / "certificate.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return path
