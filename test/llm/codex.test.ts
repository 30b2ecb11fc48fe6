/** Requests in the form in which Codex sends them, from its published source. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { ask, eventsOf } from './llm.js';

const service = useService();

const object = (properties: object) => ({ type: 'object', properties });
const input = (role: string, text: string) => ({
  ...{ type: 'message', role, content: [{ type: 'input_text', text }] },
});
const listBooks = {
  ...{ type: 'function', name: 'list_books', description: 'Lists books.', strict: false },
  parameters: object({ limit: { type: 'integer' } }),
};

const tools = [
  {
    ...{ type: 'function', name: 'exec_command', description: 'Runs a command.', strict: false },
    parameters: { ...object({ cmd: { type: 'string' } }), required: ['cmd'] },
  },
  {
    ...{ type: 'custom', name: 'apply_patch', description: 'Edits files.' },
    format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' },
  },
  { type: 'local_shell' },
  { type: 'web_search', external_web_access: true, search_content_types: ['text', 'image'] },
  { type: 'namespace', name: 'mcp__practice', description: 'Tools.', tools: [listBooks] },
];

const turn = (model: string, ...items: readonly object[]) => ({
  model,
  instructions: 'You are Codex.',
  input: [input('developer', 'Rules'), ...items],
  tools,
  tool_choice: 'auto',
  parallel_tool_calls: false,
  reasoning: model === 'practice-1' ? null : { effort: 'medium', summary: 'auto' },
  ...{ store: false, stream: true, include: ['reasoning.encrypted_content'] },
  prompt_cache_key: '0199a213-81c0-7800-8aa1-bbab2a035a53',
  text: { verbosity: 'medium' },
  client_metadata: { 'x-codex-installation-id': '0199a213' },
});

test.each(['practice-1', 'practice-1-thinking'])(
  'completes a turn with tools with %s',
  async (model) => {
    const sandbox = `codex-${model}`;
    const first = input('user', 'Use list_books.');
    const begun = await ask(service, 'responses', turn(model, first), { sandbox });
    expect(begun.status).toBe(200);
    const done = eventsOf(begun).filter(({ type }) => type === 'response.output_item.done');
    const items = done.map(({ item }) => item);
    expect(items.at(-1)).toMatchObject({
      ...{ type: 'function_call', name: 'list_books', namespace: 'mcp__practice' },
    });
    // Codex leaves out ids and statuses.
    const sent = items.map(({ id: _, status: _status, ...item }) => item);
    const output = { type: 'function_call_output', call_id: sent.at(-1).call_id, output: 'Dune' };
    const next = await ask(service, 'responses', turn(model, first, ...sent, output), { sandbox });
    expect(next.text).toContain('The tool returned: Dune');
    const completed = eventsOf(next).at(-1).response;
    expect(completed.tools).toMatchObject([{ name: 'exec_command' }, ...tools.slice(1)]);
    const { json } = await service.send(`GET /s/${sandbox}/api/sandbox/llm/findings`);
    expect(json.findings).toEqual([]);
  },
);

test('accepts calls of its other tools in the history', async () => {
  const history = [
    {
      type: 'custom_tool_call',
      status: 'completed',
      call_id: 'c1',
      name: 'apply_patch',
      input: 'a',
    },
    { type: 'custom_tool_call_output', call_id: 'c1', output: 'Done' },
    {
      ...{ type: 'local_shell_call', call_id: 'c2', status: 'completed' },
      action: { type: 'exec', command: ['ls'], env: {} },
    },
    { type: 'local_shell_call_output', id: 'c2', output: 'a.txt' },
    { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'a' } },
  ];
  const sent = turn(
    'practice-1',
    input('user', 'count to 3'),
    ...history,
    input('user', 'count to 4'),
  );
  const { status, text } = await ask(service, 'responses', sent, { sandbox: 'codex-history' });
  expect([status, text]).toEqual([200, expect.stringContaining('1, 2, 3, 4')]);
});

test('calls a function that an item of the input adds', async () => {
  const { tools: _, ...body } = turn(
    'practice-1',
    { type: 'additional_tools', role: 'developer', tools: [{ type: 'tool_search' }, ...tools] },
    input('user', 'Use list_books.'),
  );
  const { text } = await ask(service, 'responses', body, { sandbox: 'codex-added' });
  const call = /"type":"function_call"[^}]*"name":"list_books"[^}]*/;
  expect(text).toMatch(call);
  expect(text).toContain('"namespace":"mcp__practice"');
});

const addedTools = (role: string, tool: object) => ({
  model: 'practice-1',
  input: [{ type: 'additional_tools', role, tools: [tool] }],
});

test.each([
  [addedTools('user', listBooks), 'input[0].role'],
  [addedTools('developer', { type: 'function' }), 'input[0].tools[0].name'],
  [
    addedTools('developer', { ...listBooks, parameters: { type: 'array' } }),
    'input[0].tools[0].parameters',
  ],
])('rejects the added tools %j', async (sent, param) => {
  const { status, json } = await ask(service, 'responses', sent);
  expect([status, json.error.param]).toEqual([400, param]);
});

test.each([
  [{ type: 'tool_search', execution: 'nowhere' }, 'tools[0].execution'],
  [{ type: 'namespace', name: 'a' }, 'tools[0].tools'],
  [{ type: 'namespace', name: 'a', tools: [{ type: 'web_search' }] }, 'tools[0].tools[0].type'],
  [{ type: 'custom' }, 'tools[0].name'],
  [{ type: 'web_search', query: 'a' }, 'tools[0].query'],
])('rejects %j', async (tool, param) => {
  const sent = { model: 'practice-1', input: 'Hi', tools: [tool] };
  const { status, json } = await ask(service, 'responses', sent);
  expect([status, json.error.param]).toEqual([400, param]);
});
