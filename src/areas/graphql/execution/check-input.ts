/** Checks texts that mutations store. */

import { GraphQLError } from 'graphql';
import { gotValue } from '#base/text/got-value.js';
import { controlCharacterFault } from '#base/text/text-patterns.js';

/** In UTF-16 code units, to limit the size of a sandbox. */
export const maxTextLength = 1000;

export const priorities = ['high', 'medium', 'low'] as const;
export type Priority = (typeof priorities)[number];

/** Returns the text; throws if it is blank, too long or has control characters. */
export function checkText(argument: string, text: string): string {
  if (text.trim() === '') throw inputError(argument, `${argument} must not be blank.`);
  if (text.length > maxTextLength) {
    const limit = maxTextLength.toLocaleString('en');
    throw inputError(
      argument,
      `${argument} has ${text.length.toLocaleString('en')} characters; the limit is ${limit}.`,
    );
  }
  const fault = controlCharacterFault(text);
  if (fault !== undefined) throw inputError(argument, `${argument} ${fault}.`);
  return text;
}

/** Returns the priority in lower case; throws if it is invalid. */
export function checkPriority(text: string): Priority {
  const priority = priorities.find((known) => known === text.toLowerCase());
  if (priority === undefined) {
    const got = gotValue('priority', text);
    throw inputError('priority', `priority must be one of ${priorities.join(', ')}${got}.`);
  }
  return priority;
}

/** Returns the number; throws if it is out of range. */
export function checkRange(argument: string, value: number, least: number, most: number): number {
  if (value >= least && value <= most) return value;
  const range = `${least.toLocaleString('en')} to ${most.toLocaleString('en')}`;
  throw inputError(argument, `${argument} must be a number from ${range}; got ${value}.`);
}

function inputError(argument: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT', argument } });
}
