/** The thinking that a request configures. */

import { byMember, object } from '#kit/input/fields/parts.js';
import {
  checked,
  type Field,
  mapped,
  nullable,
  type Reader,
  reader,
} from '#kit/input/fields/reader.js';
import { anything, choice, integer } from '#kit/input/fields/values.js';
import type { ToolChoice } from '../../messages/conversation.js';
import { type ModelName, models } from '../../messages/models.js';
import { reject } from '../faults.js';
import type { Message } from './messages.js';

export interface Thinking {
  readonly type: 'enabled' | 'adaptive' | 'disabled';
  /** Whether the response has blocks without their text. */
  readonly isOmitted: boolean;
}

export const noThinking: Thinking = { type: 'disabled', isOmitted: false };

const minBudget = 1024;

const display = nullable(choice(['summarized', 'omitted']));

/** Members of the body that are read before. */
interface Before {
  readonly model: ModelName;
  /** Absent where tokens are only counted. */
  readonly max_tokens?: number;
}

const beforeOf = ({ siblings }: Field) => siblings as unknown as Before;

/** Reads the options only if the model thinks. */
function ofThinker<Value>(read: Reader<Value>): Reader<Value> {
  return reader(read.schema, (field) => {
    if (models[beforeOf(field).model].canThink) return read(field);
    return reject('thinking', 'This model does not think; use practice-1-thinking.');
  });
}

const enabled = checked(
  object({ type: anything, display, budget_tokens: integer({ min: minBudget }) }),
  ({ budget_tokens: budget }, field) => {
    const { max_tokens: maxTokens } = beforeOf(field);
    if (maxTokens === undefined || budget < maxTokens) return;
    const message = `This must be less than max_tokens, which is ${maxTokens}.`;
    reject('thinking.enabled.budget_tokens', message);
  },
);

const thinkingOf =
  (type: Thinking['type']) =>
  ({ display: shown }: { readonly display?: string | undefined }): Thinking => {
    return { type, isOmitted: shown === 'omitted' };
  };

export const thinking = byMember('type', {
  enabled: mapped(ofThinker(enabled), thinkingOf('enabled')),
  adaptive: mapped(ofThinker(object({ type: anything, display })), thinkingOf('adaptive')),
  disabled: mapped(object({ type: anything }), () => noThinking),
});

const options = { rule: 'thinking-unaltered' } as const;

/** Rejects a message that has the same thinking twice. */
export function checkDoubled(messages: readonly Message[]): void {
  for (const { blocks } of messages) {
    const seen = new Set<string>();
    for (const block of blocks) {
      if (block.kind !== 'thinking') continue;
      const { signature, path } = block;
      if (seen.has(signature)) {
        reject(path, 'The message had this thinking once; send it as received.', options);
      }
      seen.add(signature);
    }
  }
}

/** Rejects what the provider does not combine with `enabled` thinking. */
export function checkWithThinking(
  thinking: Thinking,
  messages: readonly Message[],
  choice: ToolChoice,
): void {
  if (thinking.type !== 'enabled') return;
  if (choice !== 'auto' && choice !== 'none') {
    reject('tool_choice', 'With thinking, this must be "auto" or "none".');
  }
  const last = messages.findLast(({ role }) => role === 'assistant');
  if (last === undefined) return;
  if (last === messages.at(-1)) {
    reject(last.path, 'With thinking, the last message must be from the user.');
  }
  const hasCall = last.blocks.some(({ kind }) => kind === 'call');
  const [first] = last.blocks;
  if (!hasCall || first === undefined || first.kind === 'thinking') return;
  reject(
    first.path,
    'With thinking, a message with tool_use must begin with its thinking.',
    options,
  );
}
