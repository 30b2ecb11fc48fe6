/**
 * One request at a time on each connection. What a client sends ahead (pipelining, RFC 9112 section
 * 9.3.2) waits as the bytes it came in, because node:http would make a request and a response of each
 * at once, and let them all run.
 */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { turns } from '../../base/work-in-turns.js';
import type { BodiesInFlight } from '../budgets/bodies-in-flight.js';
import { closeConnection } from '../end-connection.js';
import { isWebSocketHandshake } from '../upgrade.js';
import { type Parse, RequestQueue } from './request-queue.js';

/** Every read of every connection goes through it: what waits is copied, and the parser copies bodies. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

const queues = new WeakMap<object, RequestQueue>();

/** Keeps the bytes of a request as they come. Call while its head is being parsed: they are gone afterwards. */
export function keepBytes(request: IncomingMessage, response: ServerResponse): void {
  queues.get(request.socket)?.keepBytes(request, response);
}

/**
 * Puts itself between the sockets of a server and its parser. `onConnection` gets each socket that is
 * to be used, in place of the server's `connection` event. What waits counts among the `bodies`, most of
 * which it is. `look` reads the beginning of a connection first, and may keep it. Call before the server listens.
 */
export function handleOneAtATime(
  server: Server,
  bodies: BodiesInFlight,
  onConnection: (socket: Socket) => void,
  look?: (accepted: Socket, go: (seen: Buffer) => void) => void,
): void {
  const [startParsing] = server.listeners('connection') as ((
    this: Server,
    socket: Socket,
  ) => void)[];
  if (startParsing === undefined) throw new Error('The server has no parser.');
  server.removeAllListeners('connection');
  // Nothing is read before the parser is there.
  (server as { pauseOnConnect?: boolean }).pauseOnConnect = true;
  server.on('connection', (accepted: AcceptedSocket) => {
    turns.hurry();
    if (accepted.remoteAddress === undefined) {
      // It was reset while it stood in line, and is worth no more than this to those behind it.
      accepted.destroy();
      return;
    }
    if (look === undefined || isEncrypted(accepted)) serve(accepted);
    else look(accepted, (seen) => serve(accepted, seen));
  });
  function serve(accepted: AcceptedSocket, seen?: Buffer): void {
    let queue: RequestQueue | undefined;
    const receive = (bytes: Buffer) => queue?.receive(bytes) ?? true;
    const socket = isEncrypted(accepted) ? accepted : readInto(readBuffer, accepted, receive);
    onConnection(socket);
    if (socket.destroyed) return;
    startParsing?.call(server, socket);
    const [parse] = socket.listeners('data') as Parse[];
    if (parse === undefined) throw new Error('The parser reads the socket in another way.');
    socket.removeListener('data', parse);
    giveUpParsingForHandshakes(socket);
    queue = new RequestQueue(socket, parse, bodies);
    queues.set(socket, queue);
    socket.destroySoon = endAfterLast;
    // Any listener makes the parser let go of the socket; a socket with a buffer of ours has no data.
    socket.on('data', socket === accepted ? receive : () => {});
    if (seen !== undefined) receive(seen);
    socket.resume();
  }
  // From here on the connection has no parser.
  server.prependListener('connect', (_request, socket) => queues.get(socket)?.end());
  server.prependListener('upgrade', (_request, duplex, head) => {
    const socket = duplex as Socket;
    socket.removeAllListeners('data');
    pushCopy(socket, head);
    queues.get(socket)?.handOver((bytes) => pushCopy(socket, bytes));
  });
}

/**
 * In place of Node's way after the last answer of a connection, which leaves what is still on its way to a reset that
 * takes the answer from a client that has not read it: RFC 9112 section 9.6.
 */
function endAfterLast(this: Socket): void {
  queues.get(this)?.end();
  closeConnection(this);
  this.resume();
}

/** Node would stop parsing for whatever a request offers to upgrade to, and take its body for that. */
function giveUpParsingForHandshakes(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: Parser };
  if (parser === undefined) throw new Error('The socket has no parser.');
  const { onIncoming } = parser;
  parser.onIncoming = (request, mayKeepAlive) => {
    if (request.method !== 'CONNECT') request.upgrade &&= isWebSocketHandshake(request);
    return onIncoming(request, mayKeepAlive);
  };
}

interface Parser {
  onIncoming(request: UpgradingRequest, mayKeepAlive: boolean): unknown;
}

interface UpgradingRequest extends IncomingMessage {
  upgrade?: boolean;
}

/** So much is handed on at once: whoever reads can stop after what is in one piece. */
const pieceBytes = 4 * 1024;

/** Hands bytes to the readers of a socket as if they had just come, and says whether more are welcome. */
function pushCopy(socket: Socket, bytes: Buffer): boolean {
  let isWelcome = true;
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    const piece = bytes.subarray(start, start + pieceBytes);
    // Not from the pool: whoever keeps a byte of it would keep others' as well.
    const copy = Buffer.allocUnsafeSlow(piece.length);
    copy.set(piece);
    isWelcome = socket.push(copy);
  }
  return isWelcome && !socket.isPaused();
}

/** What is read of such a socket comes from TLS, and not from its handle. */
function isEncrypted(socket: Socket): boolean {
  return 'encrypted' in socket;
}

interface AcceptedSocket extends Socket {
  _handle?: unknown;
}

/**
 * The same connection as a socket that reads into `buffer`, which spares the allocation that Node makes
 * for each read: a fifth of what a small request costs. Where Node does not show the handle of a socket,
 * the socket stays as it is.
 */
function readInto(
  buffer: Buffer,
  accepted: AcceptedSocket,
  receive: (bytes: Buffer) => boolean,
): Socket {
  const { _handle: handle } = accepted;
  if (handle === null || typeof handle !== 'object') return accepted;
  accepted._handle = null;
  accepted.destroy();
  const options = {
    handle,
    allowHalfOpen: true,
    readable: true,
    writable: true,
    onread: {
      buffer,
      callback(length: number) {
        return receive(buffer.subarray(0, length));
      },
    },
  };
  return new Socket(options);
}
