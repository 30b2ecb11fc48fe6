/** The range of each setting: its ends are accepted, and one beyond them is an error. */

import { expect, test } from 'vitest';
import { readCommand } from '../../src/config/config.js';
import { settings } from '../../src/service.js';

const hour = 3600;
const bytes = [1024 ** 2, Number.MAX_SAFE_INTEGER] as const;
const port = [0, 65_535] as const;

/** By flag. */
const ranges: Readonly<Record<string, readonly [least: number, most: number]>> = {
  port,
  'tls-port': port,
  'httpbin-port': port,
  'json-server-port': port,
  'http2-lab-port': port,
  'payments-port': port,
  'capture-bytes': bytes,
  'sandbox-bytes': bytes,
  'unsent-bytes': bytes,
  'body-bytes': bytes,
  'account-quota': [1, 1_000_000_000],
  'sign-ups-per-hour': [1, 1_000_000_000],
  'max-accounts': [1, 1_000_000_000],
  'max-sandboxes': [1, 1_000_000],
  'sandbox-idle-seconds': [1, 365 * 24 * hour],
  'max-connections': [1, 1_000_000],
  'schema-parts': [10, 20_000],
  'held-requests': [3, 1_000_000],
  'web-sockets': [3, 1_000_000],
  'keep-alive-seconds': [1, hour],
  'drain-seconds': [0, hour],
  'stop-seconds': [1, hour],
};

type Parse = (text: string) => unknown;
const parsers = new Map(
  Object.values(settings).map(({ flag, parse }) => [flag as string, parse as Parse]),
);

/** Returns the message about the text, or nothing if it is accepted. */
function faultOf(flag: string, text: string): string | undefined {
  try {
    parsers.get(flag)?.(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

test('the table has every setting with an integer, and no other', () => {
  const withRange = [...parsers.keys()].filter((flag) =>
    /an integer/.test(faultOf(flag, 'x') ?? ''),
  );
  expect(Object.keys(ranges).toSorted()).toEqual(withRange.toSorted());
});

test.each(Object.entries(ranges))('--%s: both ends, and one beyond each', (flag, [least, most]) => {
  for (const end of [least, most]) expect(faultOf(flag, String(end))).toBeUndefined();
  for (const beyond of [BigInt(least) - 1n, BigInt(most) + 1n]) {
    expect(faultOf(flag, String(beyond))).toMatch(/must be an integer/);
  }
});

test('a value beyond its range ends the start', () => {
  expect(() => readCommand(settings, ['--schema-parts=20001'], {})).toThrow();
  expect(readCommand(settings, ['--schema-parts=20000'], {})).toMatchObject({ kind: 'start' });
});
