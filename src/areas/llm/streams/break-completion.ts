/** Changes the tool arguments of a completion, before its events are written. */

import type { Completion } from '../messages/conversation.js';
import type { Misbehaviour, StreamName } from './cases.js';

const ofArguments: Partial<Record<StreamName, (text: string) => string>> = {
  'empty-arguments': () => '',
  'cut-arguments': (text) => text.slice(0, Math.ceil(text.length / 2)),
  'trailing-arguments': (text) => `${text}}`,
  'doubly-encoded-arguments': (text) => JSON.stringify(text),
};

/** A character of three bytes, so that there is one to split. */
const mark = ' ✓';

export function breakCompletion(completion: Completion, { name }: Misbehaviour): Completion {
  const change = ofArguments[name];
  if (change !== undefined) {
    const calls = completion.calls.map((call) => ({ ...call, arguments: change(call.arguments) }));
    return { ...completion, calls };
  }
  const { calls, text } = completion;
  if (name !== 'split-utf8' || calls.length > 0) return completion;
  return { ...completion, text: text + mark };
}

export const changesArguments = (name: StreamName): boolean => ofArguments[name] !== undefined;
