/** Lists the practice APIs. */

import { Type } from 'typebox';
import type { Request } from '#http/exchange.js';
import { endpoint } from '#kit/endpoint.js';
import { declarationOf } from './dialect/declaration.js';
import type { Listed } from './dialects.js';

const texts = Type.Array(Type.String());
const shown = Type.Object({
  name: Type.String({ description: 'The name that --serve accepts.' }),
  title: Type.String(),
  summary: Type.String(),
  baseUrls: texts,
  guide: Type.String(),
  description: Type.String({ description: 'The URL of its OpenAPI description.' }),
  follows: Type.Object({
    version: Type.String({ description: 'The version of the original that was followed.' }),
    date: Type.String({ description: 'The month in which it was compared.' }),
  }),
  keepsWrites: Type.Boolean({ description: 'Whether the original keeps writes.' }),
  differences: Type.Array(
    Type.Object({ here: Type.String({ description: 'How it is here.' }), why: Type.String() }),
    { description: 'Differences from the original.' },
  ),
});

export const listDialects = (dialects: readonly Listed[]) =>
  endpoint('GET', '/api/practice-apis', {
    summary: 'List the practice APIs that tutorials name',
    responses: { 200: Type.Object({ practiceApis: Type.Array(shown) }) },
    handle: (request) => ({ practiceApis: dialects.map((listed) => describe(request, listed)) }),
    examples: { 'All of them': {} },
  });

function describe({ baseUrl }: Request, { name, title, summary, bases, description }: Listed) {
  const { follows, keepsWrites = false, differences } = declarationOf(name);
  return {
    ...{ name, title, summary },
    baseUrls: bases.map((base) => baseUrl + base),
    guide: `${baseUrl}/guides/practice-apis/${name}`,
    description: baseUrl + description,
    ...{ follows, keepsWrites, differences },
  };
}
