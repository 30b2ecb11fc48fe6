/**
 * Fault plans whose responses end connections, bypass Node's writer of heads, or reject streams.
 */

import { attacksOf, flood } from '../../attacker.js';
import * as h2 from '../../http2-frames.js';
import { http2Success } from '../../reach.js';

/** @typedef {import('../../attacker.js').Attacker} Attacker */

const heads = ['lf', 'http10', 'until-close', 'extra-bytes', 'two-lengths'];
const mebibyte = 1024 * 1024;
const sandbox = 'hostile-faults';

/**
 * Plans endless faults.
 *
 * @param {Attacker} attacker
 * @param {readonly object[]} sequence
 */
async function plan(attacker, sequence) {
  const own = { ...attacker.sameAccount, headers: { 'X-Sandbox': sandbox } };
  const rules = [{ sequence, then: 'repeat' }];
  const { status, text } = await attacker.send('PUT', '/api/sandbox/faults', { rules }, own);
  if (status !== 200) throw new Error(`The faults were not planned: ${status} ${text}`);
  return own;
}

const planHeads = (/** @type {Attacker} */ attacker) =>
  plan(
    attacker,
    heads.map((head) => ({ head })),
  );

const whole = h2.endHeaders | h2.endStream;
/** RST_STREAM with REFUSED_STREAM. */
const rejected = '\0\0\x04\x03\0\0\0\0\x01\0\0\0\x07';

/**
 * Floods 20 HTTP/2 connections with requests, whose faults follow a plan.
 *
 * @param {object} fault
 * @param {import('../../reach.js').Proof} reaches
 * @returns {Omit<import('../../attacker.js').Attack, 'name'>}
 */
const floodStreams = (fault, reaches) => ({
  reaches,
  flags: ['--h2c'],
  // The same as for other HTTP/2 frames.
  isFor: ({ isProxied, hasAccounts }) => !isProxied && !hasAccounts,
  prepare: (attacker) => plan(attacker, [fault]),
  run(attacker) {
    const head = h2.requestBlock('GET', '/api/Books', { 'x-sandbox': sandbox });
    return attacker.reopen(20, (socket) => {
      socket.resume();
      socket.write(h2.begin());
      flood(socket, (turn) => {
        if (attacker.isOver()) return undefined;
        const streams = Array.from({ length: 50 }, (_, place) => h2.streamAt(turn * 50 + place));
        return Buffer.concat(
          streams.map((stream) => h2.frame(h2.types.headers, whole, stream, head)),
        );
      });
    });
  },
});

export const wireFaultAttacks = attacksOf(
  {
    'malformed heads on thousands of connections': {
      prepare: planHeads,
      run: (attacker, own) => {
        const request = attacker.bytes('GET', '/api/Books', own);
        return attacker.reopen(40, (socket) => {
          socket.resume();
          socket.write(request);
        });
      },
    },
    '200 stalled readers of 6 MiB below malformed heads': {
      prepare: planHeads,
      run(attacker, own) {
        const headers = { ...own.headers, 'Content-Type': 'text/plain' };
        const body = '\u0001'.repeat(mebibyte - 2);
        const request = attacker.bytes('POST', '/api/methods/post', { ...own, headers, body });
        return attacker.stall(200, request);
      },
    },
    '200 stalled readers of a body without a length, below malformed heads': {
      prepare: planHeads,
      run(attacker, own) {
        const path = `/api/http/encoding/deflate?size=${50 * mebibyte}`;
        return attacker.stall(200, attacker.bytes('GET', path, own));
      },
    },
    'a body until close, at 300 bytes a second, on 200 connections': {
      seconds: 45,
      async prepare(attacker) {
        // Writes the description for this host, which happens once.
        await attacker.ask('GET', '/openapi.json');
        return plan(attacker, [{ head: 'until-close' }]);
      },
      run(attacker, own) {
        const request = attacker.bytes('GET', '/openapi.json', own);
        return attacker.useSlowly({
          count: 200,
          what: 'readers',
          pauseMs: 1000,
          begin(socket) {
            socket.pause();
            socket.write(request);
          },
          step: (socket) => socket.read(300),
        });
      },
    },
    'HTTP/2: connections that fail after GOAWAY was planned': {
      // SETTINGS; the attack looks for its responses itself.
      ...floodStreams({ goaway: true }, '\x04\0\0\0\0\0'),
      run: endConnections,
    },
    'HTTP/2: rejected streams, on 20 connections': floodStreams({ refuse: true }, rejected),
    'HTTP/2: streams after GOAWAY, on 20 connections': floodStreams({ goaway: true }, http2Success),
    'HTTP/2: streams of connections that close after each, on 20 at a time': floodStreams(
      { closeAfter: true },
      http2Success,
    ),
  },
  { reaches: /^HTTP\/1\.[01] 200/ },
);

/** Bytes that end a connection in different states, after 5 requests. */
const endings = [
  h2.frame(h2.types.data, 0, 9999, Buffer.from('x')),
  h2.frame(h2.types.goaway, 0, 0, Buffer.alloc(8)),
  h2.frame(h2.types.settings, 0, 0, Buffer.alloc(5)),
  h2.frame(h2.types.settings, 0, 0, Buffer.concat([Buffer.from([0, 4]), h2.uint32(0)])),
  h2.frame(h2.types.ping, 0, 0, Buffer.alloc(3)),
  h2.frame(h2.types.rstStream, 0, 1, h2.uint32(8)),
  h2.frame(h2.types.headers, whole, 1, h2.block({ 'x-trailer': 'a' })),
  h2.frame(h2.types.windowUpdate, 0, 0, h2.uint32(0)),
  Buffer.from('no frame'),
];

/**
 * Ends connections in different states while their responses are sent, and by resets. Complains unless responses arrived
 * on some of them.
 *
 * @param {Attacker} attacker
 */
async function endConnections(attacker) {
  let turn = 0;
  let responses = 0;
  const head = h2.requestBlock('GET', '/api/Books', { 'x-sandbox': sandbox });
  const heads = Array.from({ length: 5 }, (_, place) =>
    h2.frame(h2.types.headers, whole, h2.streamAt(place), head),
  );
  await attacker.reopen(20, (socket) => {
    const ending = endings[turn % endings.length] ?? endings[0];
    const isSentAtOnce = turn++ % 2 === 0;
    socket.write(Buffer.concat([h2.begin(), ...heads]));
    if (isSentAtOnce) socket.write(/** @type {Buffer} */ (ending));
    socket.on('data', (chunk) => {
      if (!(/** @type {Buffer} */ (chunk).includes('"title"'))) return;
      responses++;
      if (!isSentAtOnce) socket.write(/** @type {Buffer} */ (ending));
      setTimeout(() => socket.resetAndDestroy(), responses % 20);
    });
  });
  return responses > 0 ? [] : ['no response of the planned faults arrived'];
}
