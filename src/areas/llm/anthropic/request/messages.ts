/** The messages of a request. */

import { array, itemOf, object, objectSchema } from '#kit/input/fields/parts.js';
import {
  anyOf,
  described,
  type Field,
  mapped,
  type Reader,
  reader,
} from '#kit/input/fields/reader.js';
import { anything, choice } from '#kit/input/fields/values.js';
import { reject, visibleText } from '../faults.js';
import type { Version } from '../version.js';
import { type Block, blocksOf, type Role } from './blocks.js';

export interface Message {
  readonly role: Role;
  readonly blocks: readonly Block[];
  readonly path: string;
}

const roles = ['user', 'assistant', 'system'] as const;

const someMessages = array(anything, { min: 1, message: 'At least one message is required.' });

/** Reads messages; consecutive ones of the same role stay separate. */
export function messagesOf(version: Version): Reader<readonly Message[]> {
  const readers = Object.fromEntries(
    roles.map((role) => [role, blocksOf(role, version)]),
  ) as unknown as BlockReaders;
  const any = messageOf(readers, false);
  const last = messageOf(readers, true);
  const schema = { ...someMessages.schema, items: any.schema };
  return reader(schema, (field) => {
    const { length } = someMessages(field);
    const messages = Array.from({ length }, (_, index) =>
      (index === length - 1 ? last : any)(itemOf(field, index)),
    );
    if (messages[0]?.role !== 'user') {
      reject('messages.0.role', 'The first message must be "user".');
    }
    checkEnd(messages);
    return messages;
  });
}

type BlockReaders = Readonly<Record<Role, Reader<readonly Block[]>>>;

function messageOf(readers: BlockReaders, isLast: boolean): Reader<Message> {
  const content = reader({}, (field) => readContent(field, readers, isLast));
  const message = object({ role: choice(roles), content });
  const schemas = roles.map((role) =>
    objectSchema({
      role: choice([role]),
      content: reader(anyOf([visibleText.schema, readers[role].schema]), () => []),
    }),
  );
  const own = described(message, { title: 'LlmInputMessage', ...anyOf(schemas) });
  return mapped(own, ({ role, content: blocks }, { path }) => {
    return { role, blocks, path };
  });
}

function readContent(field: Field, readers: BlockReaders, isLast: boolean): readonly Block[] {
  const { path, value } = field;
  const { role } = field.siblings as { readonly role: Role };
  if (value === '' || (Array.isArray(value) && value.length === 0)) {
    if (isLast && role === 'assistant') return [];
    reject(path, 'This must have content; only the last assistant message may be empty.');
  }
  if (typeof value === 'string') return [{ kind: 'text', text: visibleText(field), path }];
  if (Array.isArray(value)) return readers[role](field);
  const isMissing = value === undefined || value === null;
  const fault = isMissing ? 'This field is required; it' : 'This';
  return reject(path, `${fault} must be a string or an array of blocks.`);
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
