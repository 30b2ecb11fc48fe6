/** Frames of HTTP/2 as bytes (RFC 9113), for attackers that no library would send them for. */

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

export const types = {
  data: 0,
  headers: 1,
  rstStream: 3,
  settings: 4,
  ping: 6,
  windowUpdate: 8,
  continuation: 9,
};
export const endStream = 1;
export const endHeaders = 4;

/**
 * @param {number} type
 * @param {number} flags
 * @param {number} stream
 * @param {Uint8Array} [payload]
 */
export function frame(type, flags, stream, payload = Buffer.alloc(0)) {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** @param {number} value */
export function uint32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/**
 * What a client begins with.
 *
 * @param {number} [streamWindow] How much of an answer it takes before it says more
 */
export function begin(streamWindow) {
  const setting =
    streamWindow === undefined
      ? undefined
      : Buffer.concat([Buffer.from([0, 4]), uint32(streamWindow)]);
  return Buffer.concat([preface, frame(types.settings, 0, 0, setting)]);
}

/** @param {number} stream @param {number} bytes */
export const openWindow = (stream, bytes) => frame(types.windowUpdate, 0, stream, uint32(bytes));

/**
 * Header fields as literals that no table keeps (RFC 7541 section 6.2.2), each of less than 127 bytes.
 *
 * @param {Record<string, string>} fields
 */
export function block(fields) {
  /** @param {string} text */
  const literal = (text) => [Buffer.from([text.length]), Buffer.from(text, 'latin1')];
  return Buffer.concat(
    Object.entries(fields).flatMap(([name, value]) => [
      Buffer.from([0]),
      ...literal(name),
      ...literal(value),
    ]),
  );
}

/**
 * @param {string} method
 * @param {string} path
 * @param {Record<string, string>} [more]
 */
export const requestBlock = (method, path, more = {}) =>
  block({
    ':method': method,
    ':scheme': 'http',
    ':authority': 'localhost',
    ':path': path,
    ...more,
  });
