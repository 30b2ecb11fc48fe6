/** Walks a graph of states: each step from each state. */

import { describe, expect, test } from 'vitest';

type Table<Value> = Readonly<Record<string, Value>>;

export interface Graph {
  /** Ways into each state. */
  readonly ways: Table<() => Promise<{ readonly id: string; readonly status: string }>>;
  readonly steps: Table<(id: string) => Promise<unknown>>;
  /** The state after each step, and the code of its error, by the state before. */
  readonly expected: Table<Table<string>>;
  readonly retrieve: (id: string) => Promise<{ readonly status: string }>;
}

export function walk({ ways, steps, expected, retrieve }: Graph): void {
  describe.each(Object.keys(expected))('from %s', (from) => {
    test.each(Object.entries(expected[from] ?? {}))('%s: %s', async (step, outcome) => {
      const [enter, act] = [ways[from], steps[step]];
      if (enter === undefined || act === undefined) throw new Error(`Unknown: ${from}, ${step}.`);
      const { id, status } = await enter();
      expect(status).toBe(from);
      const code = await act(id).then(
        () => '',
        (failure) => ` ${failure.code}`,
      );
      expect((await retrieve(id)).status + code).toBe(outcome);
    });
  });
}
