/** Patterns are explained in words: no caller has to read a regular expression. */

import { beforeAll, expect, test } from 'vitest';
import { configFrom } from '../../src/config/config.js';
import { describeSchema } from '../../src/kit/input/describe-schema.js';
import { settings } from '../../src/service.js';
import { useService } from '../support/service.js';
import { endpointsOfAreas } from '../support/services.js';

const { send } = useService();

const found: { readonly place: string; readonly schema: Record<string, unknown> }[] = [];

beforeAll(async () => {
  for (const { endpoint } of await endpointsOfAreas(configFrom(settings, {}))) {
    const { path, spec } = endpoint;
    const { params, query, headers, body, bodies } = spec;
    // Providers of language models have their own messages.
    if (path.startsWith('/llm/')) continue;
    for (const [part, schema] of Object.entries({ params, query, headers, body, bodies })) {
      collect(`${path} ${part}`, schema);
    }
  }
});

/** Finds the schemas with a pattern inside of a value. */
function collect(place: string, value: unknown, seen = new Set<unknown>()): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  const schema = value as Record<string, unknown>;
  if (typeof schema.pattern === 'string') found.push({ place, schema });
  for (const [name, each] of Object.entries(schema)) collect(`${place}.${name}`, each, seen);
}

test('each schema with a pattern has words, an example or a description', () => {
  expect(found.length).toBeGreaterThan(50);
  const wordless = found.filter(({ schema }) => {
    const words = describeSchema(schema);
    return words === undefined || words.includes(String(schema.pattern));
  });
  expect([...new Set(wordless.map(({ place }) => place))]).toEqual([]);
});

test.each([
  [
    'GET /api/http/cache/x?vary=Bad%20Name',
    'vary must be a string such as Accept,Accept-Language; got "Bad Name".',
  ],
  [
    'GET /api/http/redirect/3?status=304',
    'status must be of this form: 301, 302, 303, 307 or 308; several separated by commas are used in turn; got "304".',
  ],
  [
    'GET /api/sse/clock?event=a%0Ab',
    'event must be of this form: The type of the events: 1 to 64 characters on one line; got "a\\nb".',
  ],
  [
    'GET /s/words/api/http/responses/a!b',
    'The path parameter name must be of this form: 1 to 64 letters, digits, dots, underscores and hyphens; got "a!b".',
  ],
])('%s explains it in words', async (target, message) => {
  const { status, json } = await send(target);
  expect(status).toBe(400);
  const [{ message: said }] = json.errors;
  expect(said).toBe(message);
});
