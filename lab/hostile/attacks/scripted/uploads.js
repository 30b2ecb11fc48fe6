/** Tus uploads that are concatenated, or whose length is declared later. */

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
    'thousands of uploads with a deferred length': (attacker) =>
      attacker.repeat(20, (turn) => {
        const send = inSandbox(attacker, `tus-${turn}`);
        return send('POST', path, { 'Upload-Defer-Length': '1' });
      }),
  },
  { reaches: [201, 204, 400] },
);
