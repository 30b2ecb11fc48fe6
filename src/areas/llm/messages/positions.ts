/** Ids of calls by their place in a conversation, where clients need not send ids back. */

import { hash } from 'node:crypto';
import type { ToolCall, Turn } from './conversation.js';

const idLength = 8;

/** Returns the id of the call at a place, counted from 0. */
export const idAt = (index: number): string =>
  `call_${hash('sha256', `call ${index}`, 'hex').slice(0, idLength)}`;

const countCalls = (turns: readonly Turn[]): number =>
  turns.reduce((sum, { calls = [] }) => sum + calls.length, 0);

/** Returns ids for the calls of the next completion. */
export const nextIds = (turns: readonly Turn[]): ((index: number) => string) => {
  const before = countCalls(turns);
  return (index) => idAt(before + index);
};

interface Named {
  readonly id?: string | undefined;
  readonly name: string | undefined;
}

/** Removes and returns the call that a result is about: by its id, by its name, or else the first one. */
export function takeCall(open: ToolCall[], { id, name }: Named): ToolCall | undefined {
  const isMeant = (call: ToolCall) => (id === undefined ? call.name === name : call.id === id);
  const at = id === undefined && name === undefined ? 0 : open.findIndex(isMeant);
  return at < 0 ? undefined : open.splice(at, 1)[0];
}
