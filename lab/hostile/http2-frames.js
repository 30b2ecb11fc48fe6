/** HTTP/2 frames as bytes (RFC 9113), including frames that no library would send. */

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

export const types = {
  data: 0,
  headers: 1,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
};
export const endStream = 1;
export const endHeaders = 4;
export const maxWindow = 2 ** 31 - 1;

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
 * Writes the beginning of a connection.
 *
 * @param {number} [streamWindow] How many bytes of a response the client accepts before it opens
 * the window further
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
 * Writes headers as literals without indexing (RFC 7541 section 6.2.2), each of less than 127
 * bytes.
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

export const streamsEach = 100;

/** @param {number} place */
export const streamAt = (place) => 2 * place + 1;

/** @param {(stream: number) => Buffer} bytesOf */
export const onEachStream = (bytesOf) =>
  Buffer.concat(Array.from({ length: streamsEach }, (_, place) => bytesOf(streamAt(place))));

/**
 * Writes the beginning of a connection with the same request on each stream.
 *
 * @param {Buffer} head
 * @param {number} [window] Of each stream; the window of the connection is then as large as
 * possible
 * @param {number} [flags]
 */
export function beginStreams(head, window, flags = endHeaders | endStream) {
  const heads = onEachStream((stream) => frame(types.headers, flags, stream, head));
  const opened = window === undefined ? [] : [openWindow(0, maxWindow - 65_535)];
  return Buffer.concat([begin(window), ...opened, heads]);
}
