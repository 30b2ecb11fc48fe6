import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { setKeepAliveHint } from './keep-alive-hint.js';

test.each([
  [60, 'timeout=60'],
  [1, 'timeout=1'],
  [undefined, undefined],
])('the hint %s is sent as %s', async (seconds, sent) => {
  const server = createServer((_request, response) => {
    setKeepAliveHint(response, seconds);
    response.end();
  }).listen(0);
  await once(server, 'listening');
  const headers = { Connection: 'keep-alive' };
  const request = get({ port: (server.address() as AddressInfo).port, headers });
  const [response] = await once(request, 'response');
  expect(response.headers['keep-alive']).toBe(sent);
  expect(response.headers.connection).toBe('keep-alive');
  request.destroy();
  server.close();
});
