/** Generates text that has a format, a length or a pattern. */

import type { JsonObject } from '#base/json-object.js';
import type { CheckBudget } from '#json-schema/budget.js';
import { textFor } from './text-for-pattern.js';

const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'ada@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  'uri-reference': '/example',
  uuid: '00000000-0000-4000-8000-000000000001',
  'json-pointer': '/example',
};

const maxLength = 10_000;

/** Returns the name of the property, unless the schema requires another text. */
export function generateText(schema: JsonObject, name: string, budget: CheckBudget): string {
  const { pattern, format } = schema;
  if (typeof pattern === 'string') return textFor(pattern, budget);
  if (typeof format === 'string' && Object.hasOwn(byFormat, format)) return byFormat[format] ?? '';
  const least = Math.min(Number(schema.minLength ?? 0), maxLength);
  const most = Math.min(Number(schema.maxLength ?? maxLength), maxLength);
  return name.padEnd(least, 'x').slice(0, most);
}
