/** Tools with results that are rare, but that clients must handle. */

import { describe, expect, test } from 'vitest';
import { CheckBudget } from '../../src/json-schema/budget.js';
import { findFaults } from '../../src/json-schema/find-faults.js';
import { useService } from '../support/service.js';
import { openSession, request } from './mcp.js';

const service = useService();

interface ListedTool {
  readonly name: string;
  readonly outputSchema?: unknown;
}

describe('error_with_details', () => {
  const params = { name: 'error_with_details', arguments: {} };

  test('has isError and structured content that does not match its output schema', async () => {
    const { json } = await request(service, 'tools/list');
    const { outputSchema } = json.result.tools.find(({ name }: ListedTool) => name === params.name);
    const { result } = (await request(service, 'tools/call', params)).json;
    expect(result.isError).toBe(true);
    const { isValid } = findFaults(outputSchema, result.structuredContent, new CheckBudget());
    expect(isValid).toBe(false);
  });

  test.each([
    ['2025-03-26', false],
    ['2025-06-18', true],
    ['2025-11-25', true],
  ])('in a session of %s, structured content: %s', async (revision, hasContent) => {
    const session = await openSession(service, revision);
    const { result } = (await session.request('tools/call', params)).json;
    expect([result.isError, 'structuredContent' in result]).toEqual([true, hasContent]);
  });
});

describe('needs_no_input', () => {
  const params = { name: 'needs_no_input', arguments: {} };

  test('returns input_required with only a state, and then a text', async () => {
    const first = await request(service, 'tools/call', params);
    const { resultType, requestState } = first.json.result;
    expect(resultType).toBe('input_required');
    expect(first.json.result).not.toHaveProperty('inputRequests');
    const again = { ...params, requestState };
    const { json } = await request(service, 'tools/call', again, { id: 2 });
    expect(json.result.content[0].text).toBe('The client sent the request again.');
  });

  test('returns the text at once in a session', async () => {
    const session = await openSession(service, '2025-11-25');
    const { messages } = await session.request('tools/call', params);
    expect(messages.at(-1).result.content[0].text).toBe('The client sent the request again.');
  });
});

test.each([
  ['a header', [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }]],
  ['a header, and a malformed message', [5]],
  ['nothing in it', []],
])('a batch of 2026-07-28 with %s is an error about batches', async (_what, batch) => {
  const body = JSON.stringify(batch);
  const { status, json } = await request(service, 'tools/list', {}, { body });
  expect(status).toBe(400);
  expect(json.error).toEqual({
    code: -32600,
    message: 'Revision 2026-07-28 has no batches. Send each message in its own POST.',
  });
});
