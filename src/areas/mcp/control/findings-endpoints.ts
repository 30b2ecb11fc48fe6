/** The findings of the judge in a sandbox. */

import { Type } from 'typebox';
import { failures } from '#http/schemas/error-schema.js';
import { endpoint } from '#kit/endpoint.js';
import { findingsEndpoints as endpointsOf } from '#kit/verdict/findings-endpoints.js';
import { clientRules, judgeName } from '../judge/all-rules.js';
import { forgetMessages, messageLog } from '../judge/watch.js';
import { sandboxOf } from './settings-endpoints.js';

const text = Type.String();
const maxMessages = 200;

export const findingsEndpoints = [
  ...endpointsOf({
    path: '/api/sandbox/mcp/findings',
    judge: judgeName,
    rules: clientRules,
    clients: 'MCP clients',
    clears: 'Also the messages.',
    sandboxOf,
    onClear: forgetMessages,
  }),
  endpoint('GET', '/api/sandbox/mcp/messages', {
    summary: 'List the newest MCP messages of the sandbox',
    responses: {
      200: Type.Array(
        Type.Object(
          { from: text, what: text, requestId: text, at: Type.String({ format: 'date-time' }) },
          { title: 'McpHeard' },
        ),
      ),
      ...failures(403),
    },
    async handle(request) {
      const entries = await sandboxOf(request).log(messageLog, judgeName).newest(maxMessages);
      return entries.map(({ item: { atMs, ...heard } }) => ({
        ...heard,
        at: new Date(atMs).toISOString(),
      }));
    },
  }),
];
