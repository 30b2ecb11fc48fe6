/** A schema that allows null by its type allows it by its enum and its const (JSON Schema Validation section 6.1.2). */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const { send } = useService();

/** The places of schemas that contradict themselves. */
function contradictions(value: unknown, place: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { type, enum: words } = value as { readonly type?: unknown; readonly enum?: unknown };
  const isNullable = Array.isArray(type) && type.includes('null');
  const isWrong =
    isNullable && ((Array.isArray(words) && !words.includes(null)) || 'const' in value);
  const below = Object.entries(value).flatMap(([name, each]) =>
    contradictions(each, `${place}/${name}`),
  );
  return isWrong ? [place, ...below] : below;
}

test.each(['/openapi.json', '/openapi.json?formats=all'])('%s', async (path) => {
  const { json } = await send(`GET ${path}`);
  expect(contradictions(json, '')).toEqual([]);
  const { priority } = json.components.schemas.TodoPatch.properties;
  expect(priority).toMatchObject({
    type: ['string', 'null'],
    enum: ['high', 'medium', 'low', null],
  });
});
