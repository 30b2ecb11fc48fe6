/** Limits of the service, each with a request of exactly its size and a request that is larger by one. */

import { expect, test } from 'vitest';
import type { SendOptions, TestService } from '../support/service.js';

interface BoundedRequest extends SendOptions {
  /** "METHOD /path". */
  readonly target: string;
}

export interface Bound {
  /** The constant: its file below `src/`, and its name; several for one value in several places. */
  readonly limit: string;
  /** The documented number. It is not read from the source, so that a change of it is found. */
  readonly value: number;
  /** Whether it is the least value, so that one less is rejected. */
  readonly isLeast?: boolean;
  /** Makes a request of this size. */
  readonly request: (size: number) => BoundedRequest;
  /** The response to one beyond: its status, and a part of its body. */
  readonly rejection: readonly [status: number, text: RegExp];
  /** The status of the exact size, if another rule rejects it or it is a simulated failure. */
  readonly accepted?: number;
  /** Tells two bounds of one constant apart. */
  readonly of?: string;
}

export function testBounds({ send }: TestService, bounds: readonly Bound[]): void {
  test.each(bounds.map((bound) => [bound.limit, bound.of ?? '', bound] as const))(
    '%s %s: exactly the limit is accepted, and one beyond it rejected',
    async (_limit, _of, { value, isLeast, request, rejection: [status, text], accepted }) => {
      const exact = request(value);
      const one = await send(exact.target, exact);
      const shown = one.text.slice(0, 500);
      if (accepted === undefined) expect(one.status, shown).toBeLessThan(400);
      else expect(one.status, shown).toBe(accepted);
      if (one.status === status) expect(one.text).not.toMatch(text);
      const beyond = request(isLeast ? value - 1 : value + 1);
      const other = await send(beyond.target, beyond);
      expect(other.status, other.text.slice(0, 500)).toBe(status);
      expect(other.text).toMatch(text);
    },
  );
}

export const times = (count: number, text: string): string => text.repeat(Math.max(0, count));

/** A list of `count` items in a query or a header. */
export const listOf = (count: number, item: (place: number) => string, separator = ','): string =>
  Array.from({ length: count }, (_, place) => item(place)).join(separator);

/** JSON of exactly this number of bytes, by white space. */
export const padded = (json: unknown, bytes: number): string =>
  JSON.stringify(json).padEnd(bytes, ' ');

export const jsonHeader = { 'Content-Type': 'application/json' };
