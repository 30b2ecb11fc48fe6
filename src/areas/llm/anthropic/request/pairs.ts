/** Pairs of tool calls and results. */

import { reject } from '../faults.js';
import type { Block } from './blocks.js';
import type { Message } from './messages.js';

type CallBlock = Extract<Block, { kind: 'call' }>;
type ResultBlock = Extract<Block, { kind: 'result' }>;

const options = { rule: 'tool-ids-pair' } as const;

/** Combines consecutive messages of the same role, as the provider does. */
export function combine(messages: readonly Message[]): readonly Message[] {
  const combined: { role: Message['role']; blocks: Block[]; path: string }[] = [];
  for (const { role, blocks, path } of messages) {
    const last = combined.at(-1);
    if (last?.role === role) for (const block of blocks) last.blocks.push(block);
    else combined.push({ role, blocks: [...blocks], path });
  }
  return combined;
}

/** Rejects calls and results that do not pair in combined messages. */
export function checkPairs(messages: readonly Message[]): void {
  const seen = new Set<string>();
  let open: readonly CallBlock[] = [];
  for (const { role, blocks } of messages) {
    if (role !== 'user') rejectOpen(open);
    const results = blocks.filter((block): block is ResultBlock => block.kind === 'result');
    checkPlaces(blocks);
    checkResults(results, open);
    open = blocks.filter((block): block is CallBlock => block.kind === 'call');
    for (const { call, path } of open) {
      if (seen.has(call.id)) reject(`${path}.id`, 'Another tool_use has the same id.', options);
      seen.add(call.id);
    }
  }
  rejectOpen(open);
}

function rejectOpen([first]: readonly CallBlock[]): void {
  if (first === undefined) return;
  reject(first.path, 'The next message must have a tool_result for this tool_use.', options);
}

/** Results come before all other content. */
function checkPlaces(blocks: readonly Block[]): void {
  let other: Block | undefined;
  for (const block of blocks) {
    if (block.kind !== 'result') other ??= block;
    else if (other !== undefined) {
      reject(block.path, 'Results out of place: they must come before other content.', options);
    }
  }
}

function checkResults(results: readonly ResultBlock[], calls: readonly CallBlock[]): void {
  const expected = new Set(calls.map(({ call }) => call.id));
  const found = new Set<string>();
  for (const { result, path } of results) {
    const at = `${path}.tool_use_id`;
    if (!expected.has(result.id)) {
      reject(at, 'The previous message has no tool_use with this id.', options);
    }
    if (found.has(result.id)) reject(at, 'Another tool_result has the same id.', options);
    found.add(result.id);
  }
  rejectOpen(calls.filter(({ call }) => !found.has(call.id)));
}
