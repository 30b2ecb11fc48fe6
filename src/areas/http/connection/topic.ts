/** What this end knows of the connection that a request came on. */

import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requestsOn } from '../../../server/connection-requests.js';
import type { Topic } from '../topic.js';
import { describeTls, type TlsView } from './describe-tls.js';

const path = '/api/http/connection';
const text = Type.String();
const nullableText = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });

const schema = {
  summary: 'What is known of the connection',
  description: 'Behind a proxy, that is the connection of the proxy.',
  response: {
    200: Type.Object({
      httpVersion: text,
      requests: Type.Integer({ description: 'How many came on this connection, with this one.' }),
      isReused: Type.Boolean({ description: 'Whether this is not the first of them.' }),
      local: Type.Object({ address: text, port: Type.Integer() }),
      remote: Type.Object({ address: text, port: Type.Integer() }),
      tls: Type.Unsafe<TlsView | null>({
        type: ['object', 'null'],
        description: 'Null where the connection is not encrypted here.',
        properties: {
          version: nullableText('Such as TLSv1.3.'),
          cipher: { type: 'string' },
          alpn: nullableText('The protocol that was agreed on.'),
          sni: nullableText('The host name that the client asked for.'),
          clientCertificate: {
            type: ['object', 'null'],
            properties: {
              subject: { type: 'string' },
              issuer: { type: 'string' },
              serialNumber: { type: 'string' },
              validFrom: { type: 'string' },
              validTo: { type: 'string' },
              fingerprint256: { type: 'string' },
              isAuthorized: { type: 'boolean' },
            },
          },
        },
      }),
    }),
  },
};

export const connectionTopic = {
  name: 'connection',
  title: 'Connections',
  start: path,
  summary: 'The HTTP version, the ports, the reuse and the TLS of the connection.',
  addRoutes(app) {
    app.get(path, { schema }, async ({ raw }: FastifyRequest) => {
      const { socket, httpVersion } = raw;
      const requests = requestsOn(socket);
      return {
        httpVersion,
        requests,
        isReused: requests > 1,
        local: { address: socket.localAddress ?? '', port: socket.localPort ?? 0 },
        remote: { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 },
        tls: describeTls(socket),
      };
    });
  },
} satisfies Topic;
