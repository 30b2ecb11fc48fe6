/** Codex, as published on npm, completes turns with the language model and the MCP server. */

import { expect } from 'vitest';
import { useService } from '../support/service.js';
import { type CodexItem, codex, type EndedTurn, runCodex, type Turn } from './codex/run-codex.js';

const service = useService();

async function turn(given: Omit<Turn, 'origin'>): Promise<EndedTurn> {
  const ended = await runCodex({ origin: service.url, ...given });
  expect(ended.events.at(-1), JSON.stringify(ended.events)).toMatchObject({
    type: 'turn.completed',
  });
  expect(ended.others).toEqual([]);
  for (const judge of ['llm', 'mcp']) {
    const path = `/s/${given.sandbox}/api/sandbox/${judge}/findings`;
    const { json } = await service.send(`GET ${path}`);
    expect(json.findings, judge).toEqual([]);
  }
  return ended;
}

function itemsIn({ events }: EndedTurn, type: string): readonly CodexItem[] {
  const completed = events.filter((event) => event.type === 'item.completed');
  return completed.flatMap(({ item }) => item ?? []).filter((item) => item.type === type);
}

const bodiesIn = ({ sent }: EndedTurn) =>
  sent.filter(({ target }) => target.endsWith('/responses')).map(({ body }) => JSON.parse(body));

interface SentTool {
  readonly type: string;
  readonly name?: string;
  readonly tools?: readonly SentTool[];
}

/** The types of tools in a request, also inside namespaces. */
function toolTypesIn(body: { tools?: SentTool[]; input: { tools?: SentTool[] }[] }) {
  const given = [...(body.tools ?? []), ...body.input.flatMap(({ tools = [] }) => tools)];
  const all = given.flatMap((tool) => [tool, ...(tool.tools ?? [])]);
  return [...new Set(all.map(({ type }) => type))].sort();
}

const scripted = 'There are four of them.';

codex.test.each([
  [undefined, ['function', 'namespace', 'web_search']],
  ['gpt-5.5', ['custom', 'function', 'tool_search', 'web_search']],
  ['gpt-5.6-luna', ['custom', 'function', 'namespace']],
  ['gpt-6.2-sol', ['custom', 'function', 'namespace']],
  ['codex-auto-review', ['custom', 'function', 'namespace']],
])('completes a turn of text with the settings of %s', async (likeModel, toolTypes) => {
  const sandbox = `codex-text-${likeModel ?? 'unknown'}`.replaceAll('.', '-');
  const json = { turns: [{ text: scripted }] };
  await service.send(`PUT /s/${sandbox}/api/sandbox/llm`, { json });
  const ended = await turn({
    ...{ sandbox, prompt: 'How many are there?' },
    ...(likeModel !== undefined && { likeModel }),
  });
  expect(itemsIn(ended, 'agent_message')).toMatchObject([{ text: scripted }]);
  const [body, ...others] = bodiesIn(ended);
  expect(others).toEqual([]);
  expect(toolTypesIn(body)).toEqual(toolTypes);
  expect(body.client_metadata).toMatchObject({ session_id: expect.any(String) });
});

const called = (tool: string) => ({ server: 'practice', tool, status: 'completed', error: null });

codex.test('completes a turn that calls a tool of the MCP server', async () => {
  const ended = await turn({ sandbox: 'codex-mcp', prompt: 'Use get_clock.' });
  expect(itemsIn(ended, 'mcp_tool_call')).toMatchObject([called('get_clock')]);
  expect(itemsIn(ended, 'agent_message')).toMatchObject([
    { text: expect.stringMatching(/^The tool returned: [\s\S]*"offsetSeconds":0/) },
  ]);
  const types = bodiesIn(ended).map(({ input }) => input.map(({ type }: SentTool) => type));
  expect(types.at(-1)).toEqual(
    expect.arrayContaining(['reasoning', 'function_call', 'function_call_output']),
  );
});

codex.test('completes a turn with several calls at once, of which the last fails', async () => {
  const sandbox = 'codex-several';
  const book = { collection: 'books', id: 1 };
  const toolCalls = [
    { name: 'get_clock', arguments: {} },
    { name: 'get_record', arguments: book },
    { name: 'error_result', arguments: {} },
  ];
  const json = { turns: [{ toolCalls }, { text: scripted }] };
  await service.send(`PUT /s/${sandbox}/api/sandbox/llm`, { json });
  const ended = await turn({ sandbox, prompt: 'Do three things.' });
  const calls = itemsIn(ended, 'mcp_tool_call');
  expect(calls).toHaveLength(3);
  expect(calls).toEqual(
    expect.arrayContaining([
      expect.objectContaining(called('get_clock')),
      expect.objectContaining({ ...called('get_record'), arguments: book }),
      expect.objectContaining({ tool: 'error_result', status: 'failed' }),
    ]),
  );
  expect(itemsIn(ended, 'agent_message')).toMatchObject([{ text: scripted }]);
});
