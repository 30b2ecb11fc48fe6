/** Frames of HTTP/2 that cost more than they weigh: how many of them a connection may send (RFC 9113 section 10.5). */

import { constants, type ServerHttp2Session } from 'node:http2';
import { FloodGuard, type FrameKind, maxFrames } from './flood-guard.js';

/** Node calls whatever ends a session an error of the server; by the numbers of its library, what it was. */
const codesByErrno: ReadonlyMap<number, number> = new Map([
  [-505, constants.NGHTTP2_PROTOCOL_ERROR],
  [-510, constants.NGHTTP2_STREAM_CLOSED],
  [-522, constants.NGHTTP2_FRAME_SIZE_ERROR],
  [-523, constants.NGHTTP2_COMPRESSION_ERROR],
  [-524, constants.NGHTTP2_FLOW_CONTROL_ERROR],
  // Frames that ask for answers, settings in one frame, and continuations: more than the library lets by.
  [-904, constants.NGHTTP2_ENHANCE_YOUR_CALM],
  [-905, constants.NGHTTP2_ENHANCE_YOUR_CALM],
  [-537, constants.NGHTTP2_ENHANCE_YOUR_CALM],
  [-538, constants.NGHTTP2_ENHANCE_YOUR_CALM],
]);

/** Ends a connection with ENHANCE_YOUR_CALM that has more frames of a kind than are good for anybody. */
export function guardFrames(session: ServerHttp2Session): void {
  const guard = new FloodGuard();
  const { destroy } = session;
  session.destroy = (error?: Error, code?: number) => {
    const { errno = 0 } = (error ?? {}) as { readonly errno?: number };
    const itsCode = codesByErrno.get(errno);
    // What tells the client why would be lost behind an answer that is being written.
    if (itsCode === undefined) destroy.call(session, error, code);
    else setImmediate(() => destroy.call(session, error, itsCode));
  };
  const count = (kind: FrameKind, max: number) => {
    if (!session.destroyed && guard.count(kind, performance.now()) > max) endCalmly(session);
  };
  session.on('ping', () => count('ping', maxFrames));
  session.on('remoteSettings', () => count('settings', maxFrames));
  session.on('stream', (stream) => {
    // Whoever resets it. The last that there may be is the last of the connection, because Node's library would end it
    // with the next one, in other words.
    stream.once('close', () => {
      if (stream.aborted || stream.rstCode !== constants.NGHTTP2_NO_ERROR) {
        count('reset', maxFrames - 1);
      }
    });
  });
}

/** Ends a connection, and says that there was too much of something. */
export function endCalmly(session: ServerHttp2Session): void {
  if (session.destroyed) return;
  session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  session.destroy();
}
