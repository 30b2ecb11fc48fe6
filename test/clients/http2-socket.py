"""A WebSocket over HTTP/2 by h2, with frames as bytes: prints a line of JSON for each case."""

import json
import socket
import ssl
import sys
from urllib.parse import urlsplit

import h2.config
import h2.connection
import h2.events
import h2.settings

url = urlsplit(sys.argv[1])
raw = socket.create_connection((url.hostname, url.port), timeout=60)
if url.scheme == "https":
    context = ssl._create_unverified_context()
    context.set_alpn_protocols(["h2"])
    raw = context.wrap_socket(raw, server_hostname="localhost")
connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True))
connection.initiate_connection()
raw.sendall(connection.data_to_send())


def show(case, got):
    print(json.dumps([case, got]))


def events():
    while True:
        data = raw.recv(65536)
        if not data:
            return
        yield from connection.receive_data(data)
        raw.sendall(connection.data_to_send())


def client_frame(opcode, payload):
    mask = b"\x01\x02\x03\x04"
    masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload))
    return bytes([0x80 | opcode, 0x80 | len(payload)]) + mask + masked


def connect(path, protocol="websocket"):
    stream = connection.get_next_available_stream_id()
    connection.send_headers(stream, [
        (":method", "CONNECT"), (":protocol", protocol), (":scheme", url.scheme),
        (":authority", url.netloc), (":path", path), ("sec-websocket-version", "13"),
    ])
    return stream


incoming = events()
for event in incoming:
    if isinstance(event, h2.events.RemoteSettingsChanged):
        setting = event.changed_settings.get(h2.settings.SettingCodes.ENABLE_CONNECT_PROTOCOL)
        show("allowed", setting and setting.new_value)
        break

echo, rejected, unknown = connect("/api/ws/echo"), connect("/api/ws/refuse/403"), connect("/", "x")
raw.sendall(connection.data_to_send())
names = {echo: "echo", rejected: "rejected", unknown: "unknown"}
for event in incoming:
    stream = names.get(getattr(event, "stream_id", None))
    if isinstance(event, h2.events.ResponseReceived):
        show(stream, dict(event.headers)[b":status"].decode())
        if stream == "echo":
            connection.send_data(echo, client_frame(1, b"text") + client_frame(2, b"\x00\xff"))
            connection.send_data(echo, client_frame(8, b"\x03\xe8"))
    elif isinstance(event, h2.events.DataReceived) and stream == "echo":
        show("frames", event.data.hex())
        connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
    elif isinstance(event, h2.events.StreamEnded) and stream == "echo":
        show("ended", True)
        connection.end_stream(echo)
        break
    elif isinstance(event, h2.events.StreamReset) and stream == "echo":
        show("ended", False)
        break
    raw.sendall(connection.data_to_send())
raw.sendall(connection.data_to_send())
