/** Calls of the scripted responses. */

import type { CallTable } from '../caller.js';
import { anyMethods } from './any-methods.js';
import { callRejectedBodies } from './rejected-bodies.js';

const script = { status: 200, headers: { 'Content-Type': 'text/plain' }, body: 'Hello' };
const inQuery = Buffer.from(JSON.stringify(script)).toString('base64url');
const headers = { 'X-Sandbox': 'mine' };
const path = { name: 'greeting' };

export const callHttpRespond: CallTable = async (caller) => {
  for (const method of anyMethods) {
    const operationId = `${method}HttpRespond`;
    const hasBody = ['put', 'post', 'patch'].includes(method);
    await caller.call(
      operationId,
      'A script',
      hasBody ? { json: script } : { query: { script: inQuery } },
    );
    await caller.call(operationId, 'No script');
  }
  await caller.call('postHttpRespond', 'Chunks and trailers', {
    json: {
      chunks: [{ data: 'Hel' }, { data: 'lo', delayMs: 5 }],
      trailers: { 'X-Checksum': '1' },
    },
  });
  const put = 'putHttpResponsesByName';
  await callRejectedBodies(caller, put, path);
  await caller.call(put, 'A response', { path, headers, json: script });
  await caller.call(put, 'A replacement', {
    path,
    headers,
    json: { ...script, status: 202 },
  });
  await caller.call(put, 'Without a sandbox', { path, json: script });
  await caller.call(put, 'An invalid status', { path, headers, json: { status: 700 } });
  await caller.send(put, { path, headers, json: script });
  for (const method of anyMethods.filter((each) => each !== 'put' && each !== 'delete')) {
    await caller.call(`${method}HttpResponsesByName`, 'The stored response', { path, headers });
    await caller.call(`${method}HttpResponsesByName`, 'No stored response', {
      path: { name: 'other' },
      headers,
    });
  }
  const remove = 'deleteHttpResponsesByName';
  await caller.call(remove, 'A response', { path, headers });
  await caller.call(remove, 'Once more', { path, headers });
  await caller.call(remove, 'Without a sandbox', { path });
};
