/** Calls of uploads. */

import type { CallTable } from '../caller.js';

const own = { 'X-Sandbox': 'uploads' };
const tus = { ...own, 'Tus-Resumable': '1.0.0' };
const part = { ...tus, 'Content-Type': 'application/offset+octet-stream' };
const mebibyte = 1024 * 1024;

export const callHttpUploads: CallTable = async (caller) => {
  const made = await caller.call('postHttpUploads', 'A text file', {
    headers: { ...own, 'Content-Disposition': 'attachment; filename="hello.txt"' },
    type: 'application/octet-stream',
    body: 'Hello, world',
  });
  const file = { path: { id: made.json.id }, headers: own };
  await caller.call('postHttpUploads', 'A form', {
    headers: own,
    type: 'multipart/form-data; boundary=end',
    body: [
      '--end',
      'Content-Disposition: form-data; name="file"; filename="a.txt"',
      'Content-Type: text/plain',
      '',
      'Hello',
      '--end--',
      '',
    ].join('\r\n'),
    isNoExample: true,
  });
  await caller.call('getHttpUploadsById', 'One file', file);
  await readContent(caller, file);
  await resume(caller);
  await caller.call('deleteHttpUploadsById', 'One file', file);
  await createWithBytes(caller);
};

/** Creates an upload with its first bytes, which expires. */
async function createWithBytes(caller: Caller) {
  const sandbox = { 'X-Sandbox': 'expired-uploads' };
  const headers = { ...tus, ...sandbox };
  const sized = { headers: { ...headers, 'Upload-Length': '11' }, body: 'Hello ' };
  const type = part['Content-Type'];
  const made = await caller.call('postHttpUploadsTus', 'The first bytes', { ...sized, type });
  await caller.send('putSandboxClock', { headers: sandbox, json: { offsetSeconds: 90_000 } });
  const expired = { path: { id: made.headers.location?.split('/').at(-1) ?? '' }, headers };
  for (const operationId of ['get', 'delete'].map((each) => `${each}HttpUploadsById`)) {
    await caller.call(operationId, 'An expired upload', expired);
  }
  await caller.call('getHttpUploadsContentById', 'An expired upload', expired);
  await caller.call('headHttpUploadsTusById', 'An expired upload', expired);
  await caller.call('deleteHttpUploadsTusById', 'An expired upload', expired);
  const next = { ...headers, 'Upload-Offset': '6', 'X-HTTP-Method-Override': 'PATCH' };
  for (const operationId of ['patchHttpUploadsTusById', 'postHttpUploadsTusById']) {
    const sent = { path: expired.path, headers: next, type, body: 'world' };
    await caller.call(operationId, 'An expired upload', sent);
  }
}

type Caller = Parameters<CallTable>[0];

async function readContent(caller: Caller, file: { path: { id: string }; headers: object }) {
  const ask = (name: string, headers: Readonly<Record<string, string>> = {}) =>
    caller.call('getHttpUploadsContentById', name, {
      path: file.path,
      headers: { ...own, ...headers },
    });
  await ask('The whole file');
  await ask('A range', { Range: 'bytes=0-4' });
  await ask('Several ranges', { Range: 'bytes=0-0,-1' });
}

async function resume(caller: Caller) {
  const create = (name: string, size: number, headers = tus) =>
    caller.call('postHttpUploadsTus', name, {
      headers: { ...headers, 'Upload-Length': String(size) },
    });
  const { headers } = await create('Eleven bytes', 11);
  await create('Too large', 16 * mebibyte + 1);
  const path = { id: headers.location?.split('/').at(-1) ?? '' };
  for (const operationId of ['patchHttpUploadsTusById', 'postHttpUploadsTusById']) {
    const isOverridden = operationId.startsWith('post');
    const append = (name: string, offset: number, body: string, more: object = {}) =>
      caller.call(operationId, name, {
        path,
        headers: {
          ...tus,
          'Upload-Offset': String(offset),
          ...(isOverridden && { 'X-HTTP-Method-Override': 'PATCH' }),
        },
        type: part['Content-Type'],
        body,
        ...more,
      });
    const at = isOverridden ? 6 : 0;
    await append('Beyond the end', at, 'Hello, great world');
    await append('Another offset', at + 1, 'x');
    await append('The next bytes', at, isOverridden ? 'world' : 'Hello ');
    await append('Another type', at, 'x', { type: 'text/plain' });
    if (isOverridden) continue;
    await caller.call('getHttpUploadsContentById', 'An incomplete upload', { path, headers: own });
    await caller.call('headHttpUploadsTusById', 'The offset', { path, headers: tus });
  }
  await create('A large upload', 16 * mebibyte - 100);
  await create('No room left', 1000);
  await caller.call('postHttpUploads', 'No room left', {
    headers: own,
    type: 'text/plain',
    body: 'x'.repeat(1000),
  });
  await caller.call('deleteHttpUploadsTusById', 'A complete file', { path, headers: tus });
}
