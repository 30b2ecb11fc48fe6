/** The part of a test in a case: the tool, its result, and the next words of the user. */

import { hash } from 'node:crypto';
import type { Misbehaviour } from './cases.js';

/** The tool of cases about tools. */
export const playedTool = {
  name: 'get_weather',
  description: 'Returns the weather of a city, and a code.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
} as const;

/** Code that a client learns only by running the tool of a case. */
export function codeOf({ name, at }: Misbehaviour): string {
  return hash('sha256', `${name}-${at}`, 'hex').slice(0, 8);
}

/** Returns the result of an execution of the tool. */
export const resultOf = (misbehaviour: Misbehaviour) => `Rain, code ${codeOf(misbehaviour)}.`;

/** Sent after a response that the client believes. */
export const nextMessage = 'Thanks';
