/** Content blocks of messages. */

import type { ToolCall, ToolResult } from '../../messages/conversation.js';
import {
  anyObject,
  fieldOf,
  filledText,
  type Kind,
  nullable,
  oneOf,
  optional,
  pathTo,
  readPart,
  reject,
  required,
  text,
  truth,
} from '../fields.js';
import { signThinking } from '../signature.js';
import type { Version } from '../version.js';
import { type Media, readCacheControl, readContent, readMedia, typeOf } from './media.js';

export type Block =
  | Media
  | { readonly kind: 'call'; readonly call: ToolCall; readonly path: string }
  | { readonly kind: 'result'; readonly result: ToolResult; readonly path: string }
  | { readonly kind: 'thinking'; readonly path: string };

export type Role = 'user' | 'assistant' | 'system';

export interface BlockContext {
  readonly role: Role;
  readonly version: Version;
}

const callId: Kind<string> = {
  expected: 'an id of letters, digits, _ and -',
  accepts: (value): value is string => typeof value === 'string' && /^[\w-]+$/.test(value),
};

const calledName: Kind<string> = {
  expected: 'a name of 1 to 200 characters',
  accepts: (value): value is string =>
    typeof value === 'string' && value.length >= 1 && value.length <= 200,
};

type BlockType =
  | 'text'
  | 'image'
  | 'document'
  | 'tool_use'
  | 'tool_result'
  | 'thinking'
  | 'redacted_thinking';

function typesOf({ role, version }: BlockContext): readonly BlockType[] {
  if (role === 'system') return ['text'];
  if (role === 'user') return ['text', 'image', 'document', 'tool_result'];
  const common = ['text', 'tool_use', 'thinking', 'redacted_thinking'] as const;
  return version === '2023-06-01' ? [...common, 'document'] : common;
}

export function readBlock(value: unknown, path: string, context: BlockContext): Block {
  const type = typeOf(value, path, typesOf(context));
  switch (type) {
    case 'tool_use':
      return readCall(value, path);
    case 'tool_result':
      return readResult(value, path);
    case 'thinking':
      return readThinking(value, path);
    case 'redacted_thinking':
      required(readPart(value, path, ['type', 'data']), 'data', filledText);
      return { kind: 'thinking', path };
    default: {
      const block = readMedia(value, path, type);
      if (type === 'text') rejectCitations(value as object, path, context);
      return block;
    }
  }
}

/** The newer version rejects quotations in texts of users. */
function rejectCitations(value: object, path: string, { role, version }: BlockContext): void {
  if (role !== 'user' || version === '2023-06-01') return;
  const citations = Object.hasOwn(value, 'citations') && 'citations' in value && value.citations;
  if (!Array.isArray(citations) || citations.length === 0) return;
  reject(pathTo(path, 'citations'), 'Texts of users must have no citations.');
}

function readCall(value: unknown, path: string): Block {
  const part = readPart(value, path, [
    'type',
    'id',
    'name',
    'input',
    'cache_control',
    'caller',
    'toolset_name',
  ]);
  readCacheControl(fieldOf(part, 'cache_control'), pathTo(path, 'cache_control'));
  nullable(part, 'toolset_name', text);
  const caller = fieldOf(part, 'caller');
  if (caller !== undefined) {
    required(readPart(caller, pathTo(path, 'caller'), ['type']), 'type', oneOf(['direct']));
  }
  const call = {
    id: required(part, 'id', callId),
    name: required(part, 'name', calledName),
    arguments: JSON.stringify(required(part, 'input', anyObject)),
  };
  return { kind: 'call', call, path };
}

function readResult(value: unknown, path: string): Block {
  const part = readPart(value, path, [
    'type',
    'tool_use_id',
    'content',
    'is_error',
    'cache_control',
    'toolset_name',
  ]);
  readCacheControl(fieldOf(part, 'cache_control'), pathTo(path, 'cache_control'));
  nullable(part, 'toolset_name', text);
  const isError = optional(part, 'is_error', truth) === true;
  const id = required(part, 'tool_use_id', callId);
  const content = fieldOf(part, 'content') ?? '';
  const output = readContent(content, pathTo(path, 'content'), ['text', 'image', 'document']);
  const result = { id, text: output, ...(isError && { isError }) };
  return { kind: 'result', result, path };
}

function readThinking(value: unknown, path: string): Block {
  const part = readPart(value, path, ['type', 'thinking', 'signature']);
  const thinking = required(part, 'thinking', text);
  if (required(part, 'signature', text) !== signThinking(thinking)) {
    reject(pathTo(path, 'signature'), 'The thinking was altered; send the block as received.', {
      rule: 'thinking-unaltered',
    });
  }
  return { kind: 'thinking', path };
}
