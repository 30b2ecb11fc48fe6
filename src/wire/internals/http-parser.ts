/**
 * Node's HTTP/1.1 parser, to which this service passes bytes instead of the socket.
 *
 * Reason: Node handles all requests of one read at once, stops parsing for any Upgrade, and does
 * not report which request is malformed. Without the listeners, starting the server or a connection
 * throws. Without `parser`, connections count as busy, upgrades other than WebSocket end the
 * connection, and a malformed request may get a second response.
 */

import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

export type Parse = (bytes: Buffer) => void;

/** Attaches a parser to a socket, and returns the function that passes bytes to it. */
export type AttachParser = (socket: Socket) => Parse;

interface Parser {
  readonly incoming?: IncomingMessage | null;
  onIncoming(request: UpgradingRequest, mayKeepAlive: boolean): unknown;
}

interface UpgradingRequest extends IncomingMessage {
  upgrade?: boolean;
}

/**
 * Replaces the reading of a server's connections. They are not read until they are resumed. Of
 * requests with Upgrade, only those that `isUpgrade` selects leave HTTP.
 */
export function takeOverConnections(
  server: Server,
  isUpgrade: (request: IncomingMessage) => boolean,
): AttachParser {
  const [onConnection] = server.listeners('connection') as ((
    this: Server,
    socket: Socket,
  ) => void)[];
  if (onConnection === undefined) throw new Error('The server has no parser.');
  server.removeAllListeners('connection');
  (server as { pauseOnConnect?: boolean }).pauseOnConnect = true;
  return (socket) => {
    onConnection.call(server, socket);
    const [parse] = socket.listeners('data') as Parse[];
    if (parse === undefined) throw new Error('The parser reads the socket in a different way.');
    socket.removeListener('data', parse);
    selectUpgrades(socket, isUpgrade);
    return parse;
  };
}

/**
 * Without this, Node would treat the body of any other request with Upgrade as another protocol.
 */
function selectUpgrades(socket: Socket, isUpgrade: (request: IncomingMessage) => boolean): void {
  const parser = parserOf(socket);
  if (parser === undefined) return;
  const { onIncoming } = parser;
  parser.onIncoming = (request, mayKeepAlive) => {
    if (request.method !== 'CONNECT') request.upgrade &&= isUpgrade(request);
    return onIncoming(request, mayKeepAlive);
  };
}

export function hasParser(socket: Socket): boolean {
  return parserOf(socket) !== undefined;
}

export function incompleteRequest(socket: Socket): IncomingMessage | undefined {
  const incoming = parserOf(socket)?.incoming ?? undefined;
  return incoming?.complete === false ? incoming : undefined;
}

function parserOf(socket: Socket): Parser | undefined {
  return (socket as Socket & { readonly parser?: Parser | null }).parser ?? undefined;
}
