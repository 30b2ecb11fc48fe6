/** The connection of a request, where this service ended its TLS itself. */

import type { TLSSocket } from 'node:tls';
import type { Request } from '../../http/exchange.js';

export function tlsSocketOf({ raw }: Pick<Request, 'raw'>): TLSSocket | undefined {
  const { socket } = raw;
  return 'encrypted' in socket ? (socket as TLSSocket) : undefined;
}
