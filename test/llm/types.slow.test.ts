/** Compiles every response and event of the area with the types of the pinned SDKs. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pinned } from '../../src/areas/llm/page/pinned.js';
import { compileLines, packages, useCompiler } from '../support/compile-types.js';
import { useService } from '../support/service.js';
import { type Produced, produceValues } from './support/produced-values.js';
import { sdkTypes } from './support/sdk-types.js';

const service = useService();
useCompiler();

function compile(values: readonly Produced[]): readonly string[] {
  const lines = values.map(
    ({ type, value }) => `void (${JSON.stringify(value)} satisfies ${type});`,
  );
  return compileLines(sdkTypes, lines);
}

test.each(Object.entries(pinned))('%s is installed in its pinned version', (name, version) => {
  const { version: installed } = JSON.parse(
    readFileSync(join(packages, name, 'package.json'), 'utf8'),
  );
  expect(installed).toBe(version);
});

test('every response and event has the type of its SDK', async () => {
  const values = await produceValues(service);
  expect(new Set(values.map(({ type }) => type)).size).toBeGreaterThan(15);
  expect(compile(values)).toEqual([]);
});

test('a wrong value does not compile', () => {
  const right = { input_tokens: 1 };
  const type = 'MessageTokensCount';
  const wrong = [{ input_tokens: '1' }, {}, { ...right, other: 1 }];
  const errors = compile([right, ...wrong].map((value) => ({ type, value })));
  expect(errors).toHaveLength(wrong.length);
});
