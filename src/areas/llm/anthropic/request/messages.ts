/** The messages of a request. */

import { fieldOf, list, oneOf, type Part, pathTo, readPart, reject, required } from '../fields.js';
import type { Version } from '../version.js';
import { type Block, type BlockContext, type Role, readBlock } from './blocks.js';
import { visibleText } from './media.js';

export interface Message {
  readonly role: Role;
  readonly blocks: readonly Block[];
  readonly path: string;
}

const roles = ['user', 'assistant', 'system'] as const;

/** Reads messages; consecutive ones of the same role stay separate. */
export function readMessages(body: Part, version: Version): readonly Message[] {
  const values = required(body, 'messages', list);
  if (values.length === 0) reject('messages', 'At least one message is required.');
  const messages = values.map((value, index) =>
    readMessage(value, `messages.${index}`, {
      version,
      isLast: index === values.length - 1,
    }),
  );
  if (messages[0]?.role !== 'user') reject('messages.0.role', 'The first message must be "user".');
  checkEnd(messages);
  return messages;
}

interface Position {
  readonly version: Version;
  readonly isLast: boolean;
}

function readMessage(value: unknown, path: string, { version, isLast }: Position): Message {
  const part = readPart(value, path, ['role', 'content']);
  const role = required(part, 'role', oneOf(roles));
  const content = fieldOf(part, 'content');
  const at = pathTo(path, 'content');
  const isEmpty = content === '' || (Array.isArray(content) && content.length === 0);
  if (isEmpty && isLast && role === 'assistant') return { role, blocks: [], path };
  if (isEmpty) reject(at, 'This must have content; only the last assistant message may be empty.');
  return { role, blocks: readBlocks(content, at, { role, version }), path };
}

function readBlocks(content: unknown, path: string, context: BlockContext): readonly Block[] {
  if (typeof content === 'string') {
    if (!visibleText.accepts(content)) reject(path, `This must be ${visibleText.expected}.`);
    return [{ kind: 'text', text: content, path }];
  }
  if (!Array.isArray(content)) {
    const fault = content === undefined ? 'This field is required; it' : 'This';
    reject(path, `${fault} must be a string or an array of blocks.`);
  }
  return content.map((each, index) => readBlock(each, pathTo(path, index), context));
}

/** Checks the ends of assistant messages. */
function checkEnd(messages: readonly Message[]): void {
  for (const { role, blocks } of messages) {
    const last = blocks.at(-1);
    if (role === 'assistant' && last?.kind === 'thinking') {
      reject(last.path, 'An assistant message must not end with thinking.');
    }
  }
  const final = messages.at(-1);
  const last = final?.blocks.at(-1);
  if (final?.role === 'assistant' && last?.kind === 'text' && /\s$/.test(last.text)) {
    reject(last.path, 'The last assistant message must not end with white space.');
  }
}
