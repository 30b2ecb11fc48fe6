/** The connection of a request, as this service sees it. */

import { Type } from 'typebox';
import { requestsOn } from '#kit/connection.js';
import { nullableText, optionalText } from '#kit/describe/value-schemas.js';
import { endpoint, openExceptTypos } from '#kit/endpoint.js';
import type { Topic } from '../topic.js';
import { describeTls } from './describe-tls.js';
import { describeHttp2, endHttp2, parseErrorCode } from './http2.js';

const path = '/api/http/connection';

export const connectionTopic: Topic = {
  name: 'connection',
  title: 'Connections',
  start: path,
  summary: 'HTTP version, ports, reuse and TLS of the connection.',
  endpoints: () => [describeConnection],
};

const code = (does: string) =>
  optionalText(`${does} An HTTP/2 error code, by number or name; no effect on HTTP/1.1.`);

const text = Type.String();
const address = Type.Object({ address: text, port: Type.Integer() });
const settings = { type: 'object', additionalProperties: { type: ['integer', 'boolean'] } };

const http2Schema = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  description: 'Null for other HTTP versions.',
  properties: {
    streamId: { type: 'integer' },
    openStreams: { type: 'integer', description: 'Including this one.' },
    ownSettings: settings,
    clientSettings: settings,
    connectionWindow: { type: 'integer', description: 'In bytes.' },
    streamWindow: { type: 'integer' },
  },
});

const tlsSchema = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  description: 'Null if the connection to this service is not encrypted.',
  properties: {
    version: nullableText('Such as TLSv1.3.'),
    cipher: text,
    alpn: nullableText('The protocol negotiated with ALPN.'),
    sni: nullableText("The host name in the client's SNI."),
    clientCertificate: {
      type: ['object', 'null'],
      properties: {
        subject: text,
        issuer: text,
        serialNumber: text,
        validFrom: text,
        validTo: text,
        fingerprint256: text,
        isAuthorized: Type.Boolean(),
      },
    },
  },
});

const describeConnection = endpoint('GET', path, {
  summary: 'Describe the connection',
  description: 'Behind a proxy, describes the connection of the proxy.',
  query: openExceptTypos({
    rst: code('Resets the stream with this code instead of a response.'),
    goaway: code('Ends the connection with this code after the response.'),
  }),
  responses: {
    200: Type.Object({
      httpVersion: text,
      requests: Type.Integer({
        description: 'Number of requests on this connection, including this one.',
      }),
      isReused: Type.Boolean({ description: 'Whether the connection carried requests before.' }),
      local: address,
      remote: address,
      http2: http2Schema,
      tls: tlsSchema,
    }),
  },
  examples: {
    'The connection': { isNoExample: true },
    'An unknown error code': { query: { rst: 'now' } },
  },
  handle({ raw, query }, reply) {
    const { socket, httpVersion } = raw;
    const rst = parseErrorCode('rst', query.rst);
    const goaway = parseErrorCode('goaway', query.goaway);
    if (endHttp2(raw, rst, goaway)) return reply.hijack();
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
  },
});
