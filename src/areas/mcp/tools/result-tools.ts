/** Tools with every kind of result. */

import { lazily } from '#base/lazily.js';
import { Table } from '#state/rows/table.js';
import { codes, RpcError } from '../messages/rpc-error.js';
import { ask, form, listRoots, NeedsInput, sample, textOf } from '../model/ask.js';
import { audio, image, pixelPng, text } from '../model/content.js';
import { recordUri } from '../model/record-uri.js';
import { askByUrl } from './ask-by-url.js';
import { argumentsOf, errorResult, readOnly, structured, type Tool, textResult } from './tool.js';

const mebibyteText = lazily(() => 'x'.repeat(1024 * 1024));

const annotated = { audience: ['user'], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' };

const base = { inputSchema: argumentsOf(), annotations: readOnly } as const;

const results: readonly Tool[] = [
  {
    ...base,
    name: 'all_content_types',
    title: 'Return every type of content',
    description: 'Returns a text, an image, audio, a link to a resource and a resource.',
    icons: [{ src: `data:image/png;base64,${pixelPng}`, mimeType: 'image/png', sizes: ['1x1'] }],
    async run(_args, { sandbox, parts }) {
      const uri = recordUri('books', 1);
      const book = await new Table(sandbox, parts.datasetOf('books')).get(1);
      const resource = { uri, mimeType: 'application/json', text: JSON.stringify(book ?? null) };
      return {
        content: [
          { ...text('Every type of content.'), annotations: annotated },
          image,
          audio,
          { type: 'resource_link', uri, name: 'books/1', mimeType: 'application/json' },
          { type: 'resource', resource },
        ],
      };
    },
  },
  {
    ...base,
    name: 'error_result',
    title: 'Return an error result',
    description: 'Returns a result with isError, which a model should see.',
    run: () => errorResult('This tool always fails.'),
  },
  {
    ...base,
    name: 'error_with_details',
    title: 'Return an error result with details',
    description: 'Returns isError with structured content that does not match the output schema.',
    outputSchema: {
      type: 'object',
      properties: { celsius: { type: 'number' } },
      required: ['celsius'],
      additionalProperties: false,
    },
    run: () => ({
      ...errorResult('The thermometer does not respond.'),
      structuredContent: { code: 'no-response', retryable: true },
    }),
  },
  {
    ...base,
    name: 'protocol_error',
    title: 'Return a protocol error',
    description: 'Returns a JSON-RPC error with code -32603.',
    run() {
      throw new RpcError(codes.internal, 'This tool always returns a JSON-RPC error.');
    },
  },
  {
    ...base,
    name: 'one_mebibyte',
    title: 'Return a large result',
    description: 'Returns a text of 1 MiB.',
    run: () => textResult(mebibyteText()),
  },
  {
    ...base,
    name: 'nothing',
    title: 'Return nothing',
    description: 'Returns a result without content.',
    run: () => ({ content: [] }),
  },
  {
    name: 'count_letters',
    title: 'Count letters',
    description: 'Returns structured content that matches an output schema.',
    inputSchema: argumentsOf({ text: { type: 'string', maxLength: 10_000 } }),
    outputSchema: {
      type: 'object',
      properties: { letters: { type: 'integer' }, words: { type: 'integer' } },
      required: ['letters', 'words'],
    },
    annotations: readOnly,
    run({ text: given }) {
      const letters = (String(given).match(/\p{L}/gu) ?? []).length;
      const words = (String(given).match(/\S+/g) ?? []).length;
      return structured({ letters, words });
    },
  },
  {
    name: 'route_order',
    title: 'Route an order by headers',
    description: 'Has arguments that clients mirror into HTTP headers.',
    inputSchema: argumentsOf(
      {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        shard: { type: 'integer', 'x-mcp-header': 'Shard' },
        customer: {
          type: 'object',
          properties: { tier: { type: 'string', 'x-mcp-header': 'Customer-Tier' } },
        },
        note: { type: 'string' },
      },
      ['region'],
    ),
    annotations: readOnly,
    run: (args) => textResult(JSON.stringify(args)),
  },
];

const continuing = 'continue';

const asking: readonly Tool[] = [
  {
    ...base,
    name: 'ask_model',
    title: 'Ask the model',
    description: "Asks the client's model to summarize a text.",
    inputSchema: argumentsOf({ text: { type: 'string', maxLength: 10_000 } }),
    run({ text: given }, call) {
      const { summary } = ask(call, { summary: sample(`Summarize this text: ${given}`, 200) });
      return textResult(textOf(summary));
    },
  },
  {
    ...base,
    name: 'needs_no_input',
    title: 'Continue only by requestState',
    description: 'Returns input_required with a requestState and no inputRequests, then a text.',
    run(_args, { state }) {
      if (state !== continuing) throw new NeedsInput({}, continuing);
      return textResult('The client sent the request again.');
    },
  },
  {
    ...base,
    name: 'ask_user',
    title: 'Ask the user',
    description: 'Asks the user for a rating from 1 to 5.',
    run(_args, call) {
      const rating = form('How do you rate this service?', {
        rating: { type: 'integer', minimum: 1, maximum: 5 },
      });
      const { user } = ask(call, { user: rating });
      return textResult(
        `The user responded with ${user.action}: ${JSON.stringify(user.content ?? {})}`,
      );
    },
  },
  askByUrl,
  {
    ...base,
    name: 'show_roots',
    title: 'Show the roots',
    description: 'Asks the client for its roots.',
    run(_args, call) {
      const { roots } = ask(call, { roots: listRoots });
      return textResult(JSON.stringify(roots.roots));
    },
  },
];

export const resultTools: readonly Tool[] = [...results, ...asking];
