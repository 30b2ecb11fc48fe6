/** Limits of functions: what has exactly the limit is accepted, and what is larger by one is not. */

import { expect, test } from 'vitest';
import type { TestService } from '../../support/service.js';

export interface Rule {
  /** The constant: its file below `src/`, and its name. */
  readonly limit: string;
  /** The documented number. It is not read from the source, so that a change of it is found. */
  readonly value: number;
  /** Tells two rules of one constant apart. */
  readonly of?: string;
  /** Whether it is the least value, so that one less is not accepted. */
  readonly isLeast?: boolean;
  /** Whether something of this size is accepted, or has its usual effect. */
  readonly accepts: (size: number, service: TestService) => boolean | Promise<boolean>;
}

export function testRules(service: TestService, rules: readonly Rule[]): void {
  test.each(rules.map((rule) => [rule.limit, rule.of ?? '', rule] as const))(
    '%s %s: exactly the limit is accepted, and one beyond it is not',
    async (_limit, _of, { value, isLeast, accepts }) => {
      const beyond = isLeast ? value - 1 : value + 1;
      expect(await accepts(value, service), `${value}`).toBe(true);
      expect(await accepts(beyond, service), `${beyond}`).toBe(false);
    },
  );
}

/** Returns whether a function ends without the error of this message. Throws any other error. */
export async function isWithout(message: RegExp, use: () => unknown): Promise<boolean> {
  try {
    await use();
    return true;
  } catch (error) {
    if (error instanceof Error && message.test(error.message)) return false;
    throw error;
  }
}
