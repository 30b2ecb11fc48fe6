/** Responses whose bytes and headers the caller writes, and encoded bodies of every kind. */

import { attacksOf } from '../../attacker.js';

/** @typedef {import('../../attacker.js').Attacker} Attacker */

const json = { 'Content-Type': 'application/json' };
const mebibyte = 1024 * 1024;

const script = {
  headers: { 'Content-Encoding': 'gzip' },
  bodyBase64: Buffer.alloc(128 * 1024, '\x1f\x8b').toString('base64'),
};

/** Each would begin a separate line if it were converted to bytes wrongly. */
const injections = [
  ...[
    '\r\nX-Injected: 1',
    '\nX-Injected: 1',
    '\rX-Injected: 1',
    'a\0b',
    '\u010d\u010aX-Injected: 1',
  ],
  ...['\u560d\u560aX-Injected: 1', '\ud800', '\u2028X-Injected: 1', '\x85X-Injected: 1', '\x7f'],
];
const badNames = [
  ...[
    'X-A\r\nX-Injected',
    'X-A:',
    'X A',
    ' X-A',
    'X-A\t',
    '\u010d\u010aX-Injected',
    'é',
    '',
    ':status',
  ],
  ...['X'.repeat(101), 'x'.repeat(200_000)],
];

/**
 * Yields scripts that put a text into every header of a response.
 *
 * @param {string} value
 * @param {string} [name]
 */
function* scriptsWith(value, name = 'X-A') {
  for (const headerEncoding of [undefined, 'latin1', 'utf-8']) {
    const pairs = [[name, value]];
    yield { headerEncoding, headers: pairs };
    yield { headerEncoding, trailers: pairs, body: 'x' };
    yield { headerEncoding, informational: [{ status: 103, headers: pairs }] };
  }
}

/**
 * Sends the same header in every possible way, and complains if it became a separate line.
 *
 * @param {Attacker} attacker
 * @param {string} value
 * @param {string} [name]
 */
async function inject(attacker, value, name) {
  const own = { ...attacker.sameAccount, headers: { 'X-Sandbox': 'inject' } };
  const sent = [];
  for (const each of scriptsWith(value, name)) {
    sent.push(await attacker.send('POST', '/api/http/respond', each, own));
    sent.push(await attacker.send('PUT', '/api/http/responses/inject', each, own));
    sent.push(await attacker.ask('GET', '/api/http/responses/inject', own));
    const { headerEncoding, headers = [['X-A', value]] } = each;
    const [[field = '', text = ''] = []] = headers;
    const query = new URLSearchParams({ header: `${field}:${text}` });
    if (headerEncoding !== undefined) query.set('headerEncoding', headerEncoding);
    if (`${query}`.length < 10_000) {
      sent.push(await attacker.ask('GET', `/api/http/status/200?${query}`, own));
    }
    const fault = { status: 503, headers, headerEncoding };
    const rules = [{ match: { path: '/api/Books/1' }, sequence: [fault, { head: 'extra-bytes' }] }];
    sent.push(await attacker.send('PUT', '/api/sandbox/faults', { rules }, own));
    sent.push(await attacker.ask('GET', '/api/Books/1', own));
    const bin = { response: { headers, headerEncoding } };
    const made = await attacker.send('POST', '/api/webhooks/bins', bin, own);
    sent.push(made);
    const { id } = JSON.parse(made.text);
    if (id !== undefined) sent.push(await attacker.ask('GET', `/api/webhooks/${id}`, own));
  }
  const broken = sent.filter(({ status, head, headers }) => {
    return status === 0 || status === 500 || headers.has('x-injected') || /[\0\x7f]/.test(head);
  });
  const what = JSON.stringify(`${name ?? ''} ${value}`.slice(0, 40));
  return broken.map(({ head }) => `${what} was sent as ${JSON.stringify(head.slice(-300))}`);
}

/** With the coding and the fault of each encoded body. */
const encoded = [
  ['gzip', 'multi-member'],
  ['gzip', 'trailing-garbage'],
  ['br', 'trailing-garbage'],
  ['deflate', 'double'],
  ['gzip', 'empty'],
];

const encodedPaths = encoded.map(([coding, fault]) => {
  return `/api/http/encoding/${coding}?fault=${fault}&size=${100 * mebibyte}`;
});

export const scriptedAttacks = attacksOf(
  {
    'scripted headers and trailers that inject lines': {
      reaches: [200, 201, 204, 400],
      async run(attacker) {
        const complaints = [];
        for (const value of injections) complaints.push(...(await inject(attacker, `a${value}`)));
        for (const name of badNames) complaints.push(...(await inject(attacker, 'a', name)));
        return complaints;
      },
    },
    'scripted bytes of 128 KiB, on 20 connections': (attacker) =>
      attacker.repeat(20, () => attacker.send('POST', '/api/http/respond', script)),
    '200 stalled readers of scripted bytes': (attacker) => {
      const parts = { headers: json, body: JSON.stringify(script) };
      return attacker.stall(200, attacker.bytes('POST', '/api/http/respond', parts));
    },
    'encoded bodies of 100 MiB of every kind, on 6 connections': (attacker) =>
      attacker.repeat(6, (turn) => attacker.ask('GET', encodedPaths[turn % encoded.length] ?? '')),
    'encoded bodies of 100 MiB of every kind, 400 of which are reset': (attacker) => {
      let turn = 0;
      return attacker.stall(400, () =>
        attacker.bytes('GET', encodedPaths[turn++ % encoded.length] ?? ''),
      );
    },
  },
  { reaches: 200 },
);
