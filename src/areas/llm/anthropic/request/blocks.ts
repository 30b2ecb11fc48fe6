/** Content blocks of messages. */

import { array, byMember, object, record } from '#kit/input/fields/parts.js';
import { checked, mapped, nullable, optional } from '#kit/input/fields/reader.js';
import { anything, boolean, choice, text } from '#kit/input/fields/values.js';
import type { ToolCall, ToolResult } from '../../messages/conversation.js';
import { signThinking } from '../../messages/signature.js';
import { blockPath, pathTo, reject } from '../faults.js';
import type { Version } from '../version.js';
import { cacheControl, contentOf, type Media, media } from './media.js';

export type Block =
  | Media
  | { readonly kind: 'call'; readonly call: ToolCall; readonly path: string }
  | { readonly kind: 'result'; readonly result: ToolResult; readonly path: string }
  | { readonly kind: 'thinking'; readonly signature: string; readonly path: string };

export type Role = 'user' | 'assistant' | 'system';

const callId = text({ pattern: /^[\w-]+$/, expected: 'an id of letters, digits, _ and -' });

const calledName = text({ isFilled: true, max: 200, expected: 'a name of 1 to 200 characters' });

const callBlock = mapped(
  object({
    type: anything,
    cache_control: cacheControl,
    toolset_name: nullable(text()),
    caller: nullable(object({ type: choice(['direct']) })),
    id: callId,
    name: calledName,
    input: record,
  }),
  ({ id, name, input }, { path }): Block => {
    return {
      ...{ kind: 'call', path: blockPath(path) },
      call: { id, name, arguments: JSON.stringify(input) },
    };
  },
);

const resultBlock = mapped(
  object({
    type: anything,
    cache_control: cacheControl,
    toolset_name: nullable(text()),
    is_error: optional(boolean),
    tool_use_id: callId,
    content: nullable(contentOf(media)),
  }),
  ({ tool_use_id: id, content = '', is_error: isError }, { path }): Block => {
    return {
      ...{ kind: 'result', path: blockPath(path) },
      result: { id, text: content, ...(isError && { isError }) },
    };
  },
);

const example = 'I will call a tool.';
const expected = 'a string that is not empty';

const thinkingBlock = mapped(
  object({
    type: anything,
    thinking: text({ examples: [example] }),
    signature: text({ examples: [signThinking(example)] }),
  }),
  ({ thinking, signature }, { path }): Block => {
    const at = blockPath(path);
    if (signature === signThinking(thinking)) return { kind: 'thinking', signature, path: at };
    return reject(at, 'The thinking was altered; send the block as received.', {
      rule: 'thinking-unaltered',
    });
  },
);

/** The service sends none, so all others are made up. */
const redacted = signThinking('redacted');

const redactedBlock = mapped(
  object({ type: anything, data: text({ isFilled: true, examples: [redacted], expected }) }),
  ({ data }, { path }): Block => {
    const at = blockPath(path);
    if (data === redacted) return { kind: 'thinking', signature: data, path: at };
    return reject(at, 'This was never sent; send the block as received.', {
      rule: 'thinking-unaltered',
    });
  },
);

const unquotedText = checked(media.text, (_block, { path, value }) => {
  const { citations } = value as { readonly citations?: unknown };
  if (!Array.isArray(citations) || citations.length === 0) return;
  reject(pathTo(path, 'citations'), 'Texts of users must have no citations.');
});

const ofAssistant = {
  text: media.text,
  tool_use: callBlock,
  thinking: thinkingBlock,
  redacted_thinking: redactedBlock,
};

/** Returns the reader of the blocks of a role. The newer version accepts fewer. */
export function blocksOf(role: Role, version: Version) {
  const isOlder = version === '2023-06-01';
  const { text: own, image, document } = media;
  const ofUser = { text: isOlder ? own : unquotedText, image, document, tool_result: resultBlock };
  const readers = {
    system: { text: own },
    user: ofUser,
    assistant: { ...ofAssistant, ...(isOlder && { document }) },
  };
  return array(byMember<Readonly<Record<string, BlockReader>>>('type', readers[role]), { min: 1 });
}

type BlockReader = typeof callBlock | (typeof media)[keyof typeof media];
