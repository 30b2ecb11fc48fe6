/** The connection of a request, where this service ended its TLS itself. */

import type { TLSSocket } from 'node:tls';
import type { FastifyRequest } from 'fastify';

export function tlsSocketOf({ raw }: Pick<FastifyRequest, 'raw'>): TLSSocket | undefined {
  const { socket } = raw;
  return 'encrypted' in socket ? (socket as TLSSocket) : undefined;
}
