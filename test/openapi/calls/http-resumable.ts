/** Calls of resumable uploads by the draft of the IETF. */

import type { CallTable } from '../caller.js';

const own = { 'X-Sandbox': 'resumable' };
const version = { 'Upload-Draft-Interop-Version': '9' };
const sent = { ...own, ...version };
const partial = 'application/partial-upload';
const binary = 'application/octet-stream';
const create = 'postHttpResumable';
const offset = 'getHttpResumableById';
const append = 'patchHttpResumableById';
const cancel = 'deleteHttpResumableById';
const mebibyte = 1024 * 1024;

type Caller = Parameters<CallTable>[0];

export const callHttpResumable: CallTable = async (caller) => {
  const begin = { ...sent, 'Upload-Complete': '?0', 'Upload-Length': '11' };
  const made = await caller.call(create, 'The first bytes', {
    headers: { ...begin, 'Content-Disposition': 'inline; filename="hello.txt"' },
    type: binary,
    body: 'Hello ',
  });
  await caller.call(create, 'Inconsistent lengths', {
    headers: { ...begin, 'Upload-Complete': '?1' },
    type: binary,
    body: 'Hello',
  });
  await caller.call(create, 'Too large', {
    headers: { ...begin, 'Upload-Length': String(16 * mebibyte + 1) },
  });
  const path = { id: made.headers.location?.split('/').at(-1) ?? '' };
  await caller.call(offset, 'The offset', { path, headers: sent });
  await appendTo(caller, path);
  await caller.call(create, 'A large upload', {
    headers: { ...begin, 'Upload-Length': String(16 * mebibyte - 100) },
  });
  await caller.call(create, 'No room left', { headers: { ...begin, 'Upload-Length': '1000' } });
  await caller.call(cancel, 'A complete upload', { path, headers: sent });
  await caller.call(offset, 'A canceled upload', { path, headers: sent });
  await rejectExpired(caller);
};

async function appendTo(caller: Caller, path: { id: string }) {
  const at = (position: number, complete = '?0') => ({
    ...sent,
    'Upload-Offset': String(position),
    'Upload-Complete': complete,
  });
  const next = { path, type: partial, body: 'wor' };
  await caller.call(append, 'Another offset', { ...next, headers: at(7) });
  await caller.call(append, 'Another length', {
    ...next,
    headers: { ...at(6), 'Upload-Length': '5' },
  });
  await caller.call(append, 'Too much', {
    path,
    headers: at(6),
    type: partial,
    announcedBytes: 10 * mebibyte + 1,
  });
  await caller.call(append, 'The next bytes', { ...next, headers: at(6) });
  await caller.call(append, 'The last bytes', { ...next, headers: at(9, '?1'), body: 'ld' });
}

async function rejectExpired(caller: Caller) {
  const headers = { ...version, 'X-Sandbox': 'expired-resumable', 'Upload-Complete': '?0' };
  const made = await caller.send(create, { headers });
  await caller.send('putSandboxClock', { headers, json: { offsetSeconds: 90_000 } });
  const path = { id: made.headers.location?.split('/').at(-1) ?? '' };
  await caller.call(offset, 'An expired upload', { path, headers });
  await caller.call(cancel, 'An expired upload', { path, headers });
  const next = { ...headers, 'Upload-Offset': '0' };
  await caller.call(append, 'An expired upload', { path, headers: next, type: partial, body: 'x' });
}
