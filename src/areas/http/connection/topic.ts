/** What this end knows of the connection that a request came on. */

import { Type } from 'typebox';
import { errorSchema } from '../../../http/schemas/error-schema.js';
import { requestsOn } from '../../../kit/connection.js';
import type { Topic } from '../topic.js';
import { describeTls, type TlsView } from './describe-tls.js';
import { describeHttp2, endHttp2, type Http2View, parseErrorCode } from './http2-view.js';

const path = '/api/http/connection';
const text = Type.String();
const nullableText = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });

const code = (does: string) =>
  Type.String({
    description: `${does} An error code of HTTP/2, by number or name; no effect on HTTP/1.1.`,
  });

const settings = { type: 'object', additionalProperties: { type: ['integer', 'boolean'] } };

const schema = {
  summary: 'Describe the connection',
  description: 'Behind a proxy, that is the connection of the proxy.',
  querystring: Type.Object({
    rst: Type.Optional(code('Resets the stream with this in place of a response.')),
    goaway: Type.Optional(code('Ends the connection with this behind the response.')),
  }),
  response: {
    200: Type.Object({
      httpVersion: text,
      requests: Type.Integer({ description: 'How many came on this connection, with this one.' }),
      isReused: Type.Boolean({ description: 'Whether this is not the first of them.' }),
      local: Type.Object({ address: text, port: Type.Integer() }),
      remote: Type.Object({ address: text, port: Type.Integer() }),
      http2: Type.Unsafe<Http2View | null>({
        type: ['object', 'null'],
        description: 'Null where another version is spoken.',
        properties: {
          streamId: { type: 'integer' },
          openStreams: { type: 'integer', description: 'With this one.' },
          ownSettings: settings,
          clientSettings: settings,
          connectionWindow: { type: 'integer', description: 'What may be sent, in bytes.' },
          streamWindow: { type: 'integer' },
        },
      }),
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
    400: errorSchema,
  },
};

export const connectionTopic = {
  name: 'connection',
  title: 'Connections',
  start: path,
  summary: 'The HTTP version, the ports, the reuse and the TLS of the connection.',
  addRoutes(app) {
    app.get(path, { schema }, async (request, reply) => {
      const { raw, query } = request;
      const { socket, httpVersion } = raw;
      const [rst, goaway] = (['rst', 'goaway'] as const).map((name) => {
        const given = query[name];
        return given === undefined ? undefined : parseErrorCode(name, given);
      });
      if (endHttp2(raw, { rst, goaway })) return reply.hijack() as never;
      const requests = requestsOn(socket);
      return {
        httpVersion,
        requests,
        isReused: requests > 1,
        local: { address: socket.localAddress ?? '', port: socket.localPort ?? 0 },
        remote: { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 },
        http2: describeHttp2(raw),
        tls: describeTls(socket),
      };
    });
  },
} satisfies Topic;
