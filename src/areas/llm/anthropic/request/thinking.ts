/** The thinking that a request configures. */

import { isObject } from '../../../../base/json-object.js';
import type { ToolChoice } from '../../messages/conversation.js';
import { type ModelName, models } from '../../messages/models.js';
import {
  fieldOf,
  integer,
  nullable,
  oneOf,
  type Part,
  readPart,
  reject,
  required,
} from '../fields.js';
import type { Message } from './messages.js';

export interface Thinking {
  readonly type: 'enabled' | 'adaptive' | 'disabled';
  /** Whether the response has blocks without their text. */
  readonly isOmitted: boolean;
}

const minBudget = 1024;

const path = 'thinking';

const fieldsOf = {
  enabled: ['type', 'budget_tokens', 'display'],
  adaptive: ['type', 'display'],
  disabled: ['type'],
} as const;

const types = oneOf(['enabled', 'adaptive', 'disabled']);

/** `maxTokens` is absent where tokens are only counted. */
export function readThinking(body: Part, model: ModelName, maxTokens?: number): Thinking {
  const value = fieldOf(body, path);
  if (value === undefined) return { type: 'disabled', isOmitted: false };
  if (!isObject(value)) reject(path, 'This must be an object.');
  const type = required({ object: value, path }, 'type', types);
  if (type !== 'disabled' && !models[model].canThink) {
    reject('thinking.type', 'This model does not think; use practice-1-thinking.');
  }
  const part = readPart(value, path, fieldsOf[type]);
  const display = nullable(part, 'display', oneOf(['summarized', 'omitted']));
  if (type === 'enabled') checkBudget(part, maxTokens);
  return { type, isOmitted: display === 'omitted' };
}

function checkBudget(part: Part, maxTokens: number | undefined): void {
  const budget = required(part, 'budget_tokens', integer(minBudget));
  if (maxTokens === undefined || budget < maxTokens) return;
  reject('thinking.budget_tokens', `This must be less than max_tokens, which is ${maxTokens}.`);
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
  reject(first.path, 'With thinking, a message with tool_use must begin with its thinking.', {
    rule: 'thinking-unaltered',
  });
}
