/**
 * Tus uploads that are concatenated, or whose length is declared later; and uploads by the IETF's draft that are cut.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { attacksOf } from '../../attacker.js';

/** @typedef {import('../../attacker.js').Attacker} Attacker */

const path = '/api/http/uploads/tus';
const mostFiles = 100;
const mebibyte = 1024 * 1024;
const version = { 'Tus-Resumable': '1.0.0' };

/**
 * Makes the function that sends tus requests in one sandbox.
 *
 * @param {Attacker} attacker
 * @param {string} sandbox
 */
const inSandbox =
  (attacker, sandbox) =>
  /**
   * @param {string} method
   * @param {string} target
   * @param {Record<string, string>} headers
   * @param {string} [body]
   */
  (method, target, headers, body) =>
    attacker.ask(method, target, {
      ...attacker.sameAccount,
      headers: { ...version, 'X-Sandbox': sandbox, ...headers },
      ...(body !== undefined && { body }),
    });

/**
 * Creates a finished partial upload, and returns its path.
 *
 * @param {ReturnType<typeof inSandbox>} send
 * @param {string} bytes
 */
async function makePart(send, bytes) {
  const { headers } = await send('POST', path, {
    'Upload-Concat': 'partial',
    'Upload-Length': String(bytes.length),
  });
  const made = new URL(headers.get('location') ?? '', 'http://a').pathname;
  if (bytes.length > 0) {
    const type = 'application/offset+octet-stream';
    await send('PATCH', made, { 'Content-Type': type, 'Upload-Offset': '0' }, bytes);
  }
  return made;
}

/**
 * Concatenates partial uploads as often as possible, in sandboxes that are filled before.
 *
 * @param {number} count
 * @param {number} size
 */
const concatenate = (count, size) => (/** @type {Attacker} */ attacker) =>
  attacker.repeat(4, async (turn) => {
    const send = inSandbox(attacker, `tus-${turn % 4}`);
    await send('DELETE', '/api/http/uploads', {});
    const parts = [];
    for (let made = 0; made < count; made++) parts.push(await makePart(send, 'x'.repeat(size)));
    const final = `final;${parts.join(' ')}`;
    // At once, because only one of them may get the parts.
    await Promise.all([1, 2, 3].map(() => send('POST', path, { 'Upload-Concat': final })));
  });

const resumable = '/api/http/resumable';
const resumption = { 'Upload-Draft-Interop-Version': '9', 'Upload-Complete': '?0' };

/**
 * Creates an upload of three bytes, which the next requests continue.
 *
 * @param {Attacker} attacker
 */
async function beginUpload(attacker) {
  const headers = { ...resumption, 'X-Sandbox': 'resumed' };
  const created = await attacker.ask('POST', resumable, {
    ...attacker.sameAccount,
    headers,
    body: 'abc',
  });
  if (created.status !== 201) throw new Error(`No upload was created: ${created.status}`);
  const upload = new URL(created.headers.get('location') ?? '', attacker.url).pathname;
  const append = { ...headers, 'Content-Type': 'application/partial-upload', 'Upload-Offset': '3' };
  /** @type {(method: string, target: string, headers: Record<string, string>, body?: string) => string} */
  const bytes = (method, target, sent, body = '') =>
    `${attacker.bytes(method, target, { ...attacker.sameAccount, headers: sent })}${body}`;
  const cut = 'x'.repeat(200_000);
  const inChunks = { ...headers, 'Transfer-Encoding': 'chunked' };
  const all = [
    bytes('PATCH', upload, { ...append, 'Content-Length': '200000' }, cut),
    bytes('POST', resumable, inChunks, `${'1\r\nx\r\n'.repeat(5000)}0\r\n\r\n`),
    bytes('HEAD', upload, headers),
    bytes('PATCH', upload, { ...append, 'Content-Length': '200000' }, cut.slice(1000)),
  ];
  const look = () =>
    attacker.ask('HEAD', upload, { ...attacker.sameAccount, headers: { 'X-Sandbox': 'resumed' } });
  return { all, look };
}

export const uploadAttacks = attacksOf(
  {
    'a hundred empty partial uploads, concatenated again and again': concatenate(mostFiles, 0),
    '16 partial uploads of 1 MiB, concatenated again and again': concatenate(16, mebibyte),
    'lists of Upload-Concat of 15 KiB': async (attacker) => {
      const send = inSandbox(attacker, 'tus');
      const part = await makePart(send, 'x');
      const many = Array.from({ length: 500 }, (_, index) => `${path}/${index}`).join(' ');
      const lists = [
        `${part} `.repeat(300),
        many,
        ' '.repeat(15_000),
        'x'.repeat(15_000),
        `${path}/${'x'.repeat(14_000)}`,
      ];
      const complaints = [];
      for (const list of lists) {
        const { status } = await send('POST', path, { 'Upload-Concat': `final;${list}` });
        if (status !== 400) complaints.push(`a list has the status ${status}, not 400`);
      }
      await attacker.repeat(20, (turn) => {
        const list = lists[turn % lists.length];
        return send('POST', path, { 'Upload-Concat': `final;${list}` });
      });
      return complaints;
    },
    'resumable uploads that are cut, continued and taken over, on 60 connections': {
      prepare: beginUpload,
      reaches: [104, 204, 409],
      async run(attacker, { all, look }) {
        let turn = 0;
        await attacker.reopen(60, (socket) => {
          socket.resume();
          socket.write(all[turn++ % all.length] ?? '', 'latin1');
          sleep(turn % 50).then(() => socket.resetAndDestroy());
        });
        const { status } = await look();
        return status === 204 ? [] : [`the upload has the status ${status}`];
      },
    },
    'thousands of uploads with a deferred length': (attacker) =>
      attacker.repeat(20, (turn) => {
        const send = inSandbox(attacker, `tus-${turn}`);
        return send('POST', path, { 'Upload-Defer-Length': '1' });
      }),
  },
  { reaches: [201, 204, 400] },
);
