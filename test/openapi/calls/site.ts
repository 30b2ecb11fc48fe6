/** Calls of the front page, of health and of the description. */

import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { placeholderHost } from '../../../src/http/caching/addressed-content.js';
import { createService } from '../../../src/index.js';
import { type Caller, type CallTable, responseOf } from '../caller.js';

export const callSite: CallTable = async (caller) => {
  // The description has the list already.
  await caller.call('getApi', 'Every endpoint', { isNoExample: true });
  await callWhileStopping(caller);
  // None of them can be an example inside itself.
  for (const operationId of [
    'getOpenapiJson',
    'getOpenapiYaml',
    'getDownloadsPracticeApiPostmanCollectionJson',
    'getDownloadsPracticeApiHttp',
  ]) {
    await caller.call(operationId, 'The whole file', { isNoExample: true });
  }
};

/** Sends a request on a connection that was opened before the stop. */
async function callWhileStopping(caller: Caller): Promise<void> {
  const service = await createService();
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const received = text(socket);
  await once(socket, 'connect');
  // Once this gets a response, the other connection has been accepted as well.
  await fetch(`${service.url}/health`);
  const closed = service.close();
  socket.write(`GET /health/ready HTTP/1.1\r\nHost: ${placeholderHost}\r\n\r\n`);
  const [head = '', body = ''] = (await received).split('\r\n\r\n');
  await closed;
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => line.split(': ') as [string, string]);
  caller.keep({
    operationId: 'getHealthReady',
    name: 'Stopping',
    request: {},
    response: responseOf({
      status: Number(statusLine.split(' ')[1]),
      headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
      bytes: Buffer.from(body),
    }),
  });
}
