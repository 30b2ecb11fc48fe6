/** The handshake and the frames of a WebSocket client: RFC 6455 sections 4 and 5. */

export const handshake = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** Parts of a handshake that offers compression. */
export const compressed = {
  headers: { 'Sec-WebSocket-Extensions': 'permessage-deflate; client_max_window_bits' },
};

export const opcodes = { continuation: 0, text: 1, binary: 2, ping: 9 };

/** Time for a proxy to deliver its buffers of a client that has left, some 300 KiB a connection. */
export const heldByProxySeconds = 90;

/**
 * @param {import('./attacker.js').Attacker} attacker
 * @param {string} path
 * @param {import('./attacker.js').RequestParts} [parts]
 */
export function handshakeOf(attacker, path, parts) {
  return attacker.bytes('GET', path, { ...parts, headers: { ...handshake, ...parts?.headers } });
}

/**
 * Writes a frame whose mask is zero.
 *
 * @param {number} opcode
 * @param {string | Buffer} payload
 * @param {{isFinal?: boolean, isCompressed?: boolean, length?: number}} [options] `length`
 * overrides the real length
 */
export function frame(opcode, payload, options = {}) {
  const bytes = Buffer.from(/** @type {string} */ (payload));
  const { isFinal = true, isCompressed = false, length = bytes.length } = options;
  const short = length < 126 ? length : length < 65_536 ? 126 : 127;
  const lengthBytes = short < 126 ? 0 : short === 126 ? 2 : 8;
  const head = Buffer.alloc(2 + lengthBytes + 4);
  head[0] = (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode;
  head[1] = 0x80 | short;
  if (short === 126) head.writeUInt16BE(length, 2);
  if (short === 127) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, bytes]);
}

/**
 * Keeps WebSockets open, replacing those that the service ends, until the time is up.
 *
 * @param {import('./attacker.js').Attacker} attacker
 * @param {number} count
 * @param {string} path
 * @param {(socket: import('node:net').Socket) => void} use Runs when the handshake has its response
 * @param {import('./attacker.js').RequestParts} [parts]
 */
export function keepWebSockets(attacker, count, path, use, parts) {
  return attacker.keepOpen(count, (socket) => {
    socket.write(handshakeOf(attacker, path, parts));
    socket.once('data', () => use(socket));
  });
}
