import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { currentResponse, isParserPaused } from './current-response.js';

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

test('a connection has a current response until it is finished', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void client.destroy());
  client.write(get);
  const [request, response] = await once(server, 'request');
  expect(currentResponse(request.socket)).toBe(response);
  response.end('ok');
  await once(response, 'finish');
  await once(client, 'data');
  expect(currentResponse(request.socket)).toBeUndefined();
});

test('the parser is paused while a client that reads nothing sends requests', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  server.once('request', (_request, response: ServerResponse) => {
    response.end(Buffer.alloc(16 * 1024 * 1024));
  });
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  onTestFinished(() => void client.destroy());
  client.write(get + get);
  const [socket] = await once(server, 'connection');
  await expect.poll(() => isParserPaused(socket)).toBe(true);
});
