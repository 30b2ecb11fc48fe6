/** Headers that HTTP/2 forbids, over raw frames: RFC 9113 section 8.2.1. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import {
  codeOf,
  frameTypes,
  headers,
  isOf,
  openFrames,
  requestFields,
} from '../support/http2-frames.js';

let service: Service;
beforeAll(async () => {
  service = await createService({ h2c: true });
});
afterAll(() => service.close());

/** Whether this Node has the option to show spaces around values. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const showsSpaces = major > 24 || (major === 24 && minor >= 2) || (major === 22 && minor >= 17);

async function endOf(name: string, value: string) {
  const connection = openFrames(service.url);
  connection.send(headers(1, requestFields('/api/sandbox', 'GET', [[name, value]])));
  const end = await connection.until(
    (frame) => isOf(frameTypes.rstStream, 1)(frame) || isOf(frameTypes.data, 1)(frame),
  );
  connection.socket.destroy();
  if (end === undefined) return 'the connection ended';
  return end.type === frameTypes.rstStream ? codeOf(end) : JSON.parse(String(end.payload)).name;
}

const protocolError = 1;

test.each([
  ['x-sandbox', ' mine'],
  ['x-sandbox', 'mine '],
  ['x-sandbox', '\tmine'],
  ['authorization', 'Bearer a '],
  ['x-service-key', ' a'],
])('%s "%s" resets the stream where Node shows it', async (name, value) => {
  const end = await endOf(name, value);
  if (showsSpaces) expect(end).toBe(protocolError);
  else expect(end).not.toBe('mine');
});

test('the guide says which headers Node drops', async () => {
  for (const value of ['a\0', 'a\rb', 'a\nb']) {
    expect(await endOf('x-sandbox', value)).not.toBe(protocolError);
  }
  expect(await endOf('x-sandbox', 'mine')).toBe('mine');
});
