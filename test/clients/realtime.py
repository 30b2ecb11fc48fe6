"""Sockets by websockets, sockets and events by aiohttp: prints a line of JSON for each case."""

import asyncio
import json
import sys

import aiohttp
import websockets

base = sys.argv[1]
sockets = base.replace('http', 'ws', 1) + '/s/python/api/ws'


def show(case, got):
    print(json.dumps([case, got]))


async def with_websockets():
    async with websockets.connect(sockets + '/echo') as socket:
        await socket.send('text')
        await socket.send(b'\x00\xff')
        await socket.send(['frag', 'ment'])
        show('echo', [await socket.recv(), list(await socket.recv()), await socket.recv()])
        await (await socket.ping())
        show('deflate', [extension.name for extension in socket.extensions])
    async with websockets.connect(sockets + '/push?interval=0&count=3') as socket:
        show('push', [json.loads(message)['n'] async for message in socket])
    async with websockets.connect(sockets + '/close?code=4321&reason=bye') as socket:
        try:
            await socket.recv()
        except websockets.ConnectionClosed as closed:
            show('close', [closed.code, closed.reason])
    async with websockets.connect(sockets + '/protocols', subprotocols=['none', 'json']) as socket:
        show('protocol', socket.subprotocol)
    for status in (401, 503):
        try:
            await websockets.connect(sockets + f'/refuse/{status}')
        except websockets.InvalidStatusCode as refused:
            show('refused', refused.status_code)
    for kind in ('reserved-bits', 'bad-length', 'invalid-utf8', 'long-control', 'orphan-continuation', 'masked',
                 'close-one-byte', 'close-reserved-code', 'close-undefined-code', 'close-invalid-reason'):
        async with websockets.connect(sockets + '/broken/' + kind) as socket:
            try:
                await socket.recv()
            except websockets.ConnectionClosed as closed:
                show(kind, closed.sent.code)
    try:
        await websockets.connect(sockets + '/broken/wrong-accept')
    except websockets.InvalidHandshake:
        show('wrong-accept', 'refused')


async def with_aiohttp():
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(sockets + '/echo', compress=15) as socket:
            await socket.send_str('text ' * 100)
            show('aiohttp echo', len(await socket.receive_str()))
        async with session.ws_connect(sockets + '/fragments?sizes=1,2') as socket:
            await socket.send_bytes(b'abcdef')
            show('aiohttp fragments', (await socket.receive_bytes()).decode())
        async with session.get(base + '/api/sse/tokens?text=a%20b&interval=0') as response:
            lines = (await response.text()).splitlines()
            show('aiohttp events', [response.content_type, lines[-2]])


async def subscribe():
    """As graphql-transport-ws has it, and over an event stream."""
    address = base + '/s/python/graphql'
    query = 'subscription { countdown(from: 1, interval: 0.001) }'
    url = address.replace('http', 'ws', 1)
    async with websockets.connect(url, subprotocols=['graphql-transport-ws']) as socket:
        await socket.send(json.dumps({'type': 'connection_init'}))
        acknowledged = json.loads(await socket.recv())
        start = {'id': '1', 'type': 'subscribe', 'payload': {'query': query}}
        await socket.send(json.dumps(start))
        got = [json.loads(await socket.recv()) for _ in range(3)]
        show('subscription', [acknowledged['type']] + [each.get('payload', each['type']) for each in got])
    async with aiohttp.ClientSession() as session:
        asked = {'json': {'query': query}, 'headers': {'Accept': 'text/event-stream'}}
        async with session.post(address, **asked) as response:
            lines = (await response.text()).splitlines()
            show('aiohttp subscription', [line for line in lines if line.startswith('event')])


asyncio.run(with_websockets())
asyncio.run(with_aiohttp())
asyncio.run(subscribe())
