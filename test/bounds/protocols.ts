/** Bounds of GraphQL, of uploads, of MCP, of language models, and of the OpenID Connect issuer. */

import { gzipSync } from 'node:zlib';
import { headersOf, kinds, user } from '../llm/llm.js';
import { type Bound, times } from './bound.js';

const mebibyte = 1024 * 1024;
const openai = headersOf('chat', {});

const grant = 'grant_type=client_credentials&a=';

export const protocolBounds: readonly Bound[] = [
  {
    limit: 'areas/graphql/documents/validation-rules.ts#maxIntrospectionLists',
    value: 2,
    request: (size) => ({
      target: 'POST /graphql',
      json: {
        query: `{__schema{types{${'fields{type{'.repeat(size)}name${'}}'.repeat(size)}}}}`,
      },
    }),
    rejection: [400, /introspection nests lists .* the limit is 2\./],
  },
  {
    limit: 'areas/http/codings/decode.ts#maxExpandedBytes',
    value: 10 * mebibyte,
    request: (size) => ({
      target: 'POST /api/http/decode',
      headers: { 'Content-Encoding': 'gzip', 'Content-Type': 'text/plain' },
      body: gzipSync(Buffer.alloc(size, 'a')),
    }),
    rejection: [413, /decodes to more than 10 MiB/],
  },
  {
    limit: 'areas/http/streaming/delayed.ts#maxHeldSeconds',
    value: 600,
    // Without a body, it is sent at once.
    request: (size) => ({ target: `GET /api/http/drip?status=204&duration=${size}` }),
    rejection: [400, /duration/],
  },
  {
    limit: 'areas/llm/openai/chat/read-messages.ts#maxCalls',
    value: 128,
    request: (size) => {
      const call = (place: number) => ({
        id: `c${place}`,
        type: 'function',
        function: { name: 'f', arguments: '{}' },
      });
      const calls = Array.from({ length: size }, (_, place) => call(place));
      return {
        target: `POST ${kinds.chat.path}`,
        headers: openai,
        json: kinds.chat.body('Hello', {
          messages: [
            user('a'),
            { role: 'assistant', tool_calls: calls },
            ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'a' })),
          ],
        }),
      };
    },
    rejection: [400, /tool_calls/],
  },
  {
    limit: 'areas/mcp/sessions/initialize.ts#maxLength',
    value: 16_384,
    request: (size) => {
      const rest = JSON.stringify([{}, { name: '' }]).length;
      const params = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: times(size - rest, 'x') },
      };
      return {
        target: 'POST /s/bounds-of-sessions/mcp',
        headers: { accept: 'application/json, text/event-stream' },
        json: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
      };
    },
    rejection: [400, /at most 16384 characters/],
  },
  {
    limit: 'areas/oidc/exchange.ts#maxBytes',
    value: 64 * 1024,
    request: (size) => ({
      target: 'POST /s/bounds-of-issuer/oidc/token',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: grant + times(size - grant.length, 'x'),
    }),
    accepted: 401,
    rejection: [413, /larger than 64 KiB/],
  },
];
