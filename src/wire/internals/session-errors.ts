/**
 * Sends the right error code when Node's library ends an HTTP/2 session.
 *
 * Reason: Node reports every error of the library to the client as INTERNAL_ERROR, also protocol
 * errors of the client. Without calls of `destroy` with an `errno` of the library, the code is
 * Node's, and `test/tls/frames.test.ts` fails.
 */

import { constants, type ServerHttp2Session } from 'node:http2';
import { guard, type Owner } from '../guard.js';

const codesByErrno: ReadonlyMap<number, number> = new Map([
  [-505, constants.NGHTTP2_PROTOCOL_ERROR],
  [-510, constants.NGHTTP2_STREAM_CLOSED],
  [-522, constants.NGHTTP2_FRAME_SIZE_ERROR],
  [-523, constants.NGHTTP2_COMPRESSION_ERROR],
  [-524, constants.NGHTTP2_FLOW_CONTROL_ERROR],
  // Too many frames that need responses, settings in one frame, or continuations.
  [-904, constants.NGHTTP2_ENHANCE_YOUR_CALM],
  [-905, constants.NGHTTP2_ENHANCE_YOUR_CALM],
  [-537, constants.NGHTTP2_ENHANCE_YOUR_CALM],
  [-538, constants.NGHTTP2_ENHANCE_YOUR_CALM],
]);

export function reportErrorCodes(session: ServerHttp2Session, owner: Owner): void {
  const { destroy } = session;
  session.destroy = (error?: Error, code?: number) => {
    const { errno = 0 } = (error ?? {}) as { readonly errno?: number };
    const known = codesByErrno.get(errno);
    // The code would be lost after a response that is being written.
    if (known === undefined) destroy.call(session, error, code);
    else setImmediate(guard(owner, () => destroy.call(session, error, known)));
  };
}
