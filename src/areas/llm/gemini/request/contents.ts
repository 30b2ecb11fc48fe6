/** Contents of a request, as the turns of a conversation. */

import { array } from '#kit/input/fields/parts.js';
import { mapped, maybe, reader, requireType } from '#kit/input/fields/reader.js';
import type { ToolCall, Turn } from '../../messages/conversation.js';
import { reject } from '../../messages/mistake.js';
import { idAt, takeCall } from '../../messages/positions.js';
import { object, pathTo } from '../faults.js';
import { type Part, part } from './parts.js';

type Role = 'user' | 'model';

export interface Content {
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly path: string;
}

const ofRole = { type: 'string', enum: ['user', 'model'] };

const role = reader(ofRole, (field): Role => {
  const { path, value } = field;
  requireType(field, typeof value === 'string', ofRole);
  if (value === 'model') return 'model';
  // The role of older clients, for responses of functions.
  if (value === 'user' || value === 'function') return 'user';
  return reject(path, 'must be user or model.');
});

export const content = mapped(
  object({
    role: maybe(role),
    parts: array(part, { min: 1, message: 'must have at least one part.' }),
  }),
  ({ role: given = 'user', parts }, { path }): Content => ({ role: given, parts, path }),
);

export const contents = array(content, { min: 1, message: 'must have at least one content.' });

/** Some clients have one content for each chunk of a response. */
function combine(given: readonly Content[]): readonly Content[] {
  const combined: { role: Role; parts: Part[]; path: string }[] = [];
  for (const { role: own, parts, path } of given) {
    const last = combined.at(-1);
    if (last?.role === 'model' && own === 'model') for (const each of parts) last.parts.push(each);
    else combined.push({ role: own, parts: [...parts], path });
  }
  return combined;
}

const pairs = { rule: 'tool-ids-pair' } as const;

/** Rejects calls and responses that do not pair. Only thinking models need signatures. */
export function turnsOf(given: readonly Content[], canThink: boolean): readonly Turn[] {
  const turns: Turn[] = [];
  let open: ToolCall[] = [];
  const all = combine(given);
  const lastPrompt = all.findLastIndex(isPrompt);
  let before = 0;
  for (const [index, each] of all.entries()) {
    const { role: own, parts, path } = each;
    const results = parts.filter((one) => one.kind === 'result');
    if (open.length !== results.length) rejectCount(each, results.length, open.length);
    const calls = callsOf(each, before);
    before += calls.length;
    if (canThink && index > lastPrompt) requireSignature(each);
    turns.push({
      role: own === 'model' ? 'assistant' : 'user',
      text: textOf(parts, own === 'model' ? '' : '\n'),
      ...(calls.length > 0 && { calls }),
      ...(results.length > 0 && {
        results: results.map((result) => {
          const call = takeCall(open, result);
          if (call === undefined) {
            return reject(pathTo(result.path, 'functionResponse'), 'has no function call.', pairs);
          }
          const { text, isError } = result;
          return { id: call.id, text, ...(isError && { isError }) };
        }),
      }),
      ...(isSignedIn(parts) && { hasThinking: true }),
    });
    if (own === 'model' && calls.length > 0 && index === 0) {
      reject(path, 'has a function call; it must follow a user or a function response.');
    }
    open = [...calls];
  }
  if (open.length > 0) rejectCount(all.at(-1) as Content, 0, open.length);
  return turns;
}

const isPrompt = ({ role: own, parts }: Content) =>
  own === 'user' && parts.some(({ kind }) => kind !== 'result');

function rejectCount({ path }: Content, responses: number, calls: number): never {
  const message = `has ${responses} function responses for ${calls} function calls; send one for each.`;
  return reject(path, message, pairs);
}

function callsOf({ role: own, parts }: Content, before: number): readonly ToolCall[] {
  const calls = parts.filter((each) => each.kind === 'call');
  const [first] = calls;
  if (first !== undefined && own !== 'model') {
    reject(pathTo(first.path, 'functionCall'), 'must have the role model.');
  }
  return calls.map(({ name, arguments: text }, index) => ({
    ...{ id: idAt(before + index), name, arguments: text },
  }));
}

/** The first call of each step has the signature. */
function requireSignature({ parts }: Content): void {
  const first = parts.find((each) => each.kind === 'call');
  if (first === undefined || first.isSigned) return;
  reject(pathTo(first.path, 'thoughtSignature'), 'is missing; send the part as received.', {
    rule: 'thinking-unaltered',
  });
}

const isSignedIn = (parts: readonly Part[]) =>
  parts.some((each) => each.kind === 'call' && each.isSigned);

export const textOf = (parts: readonly Part[], between: string): string =>
  parts.flatMap((each) => (each.kind === 'text' && !each.isThought ? each.text : [])).join(between);

export const wholeText = ({ parts }: Content): string => textOf(parts, '\n');
