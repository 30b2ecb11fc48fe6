/**
 * docs/endpoints.md lists every endpoint; `npx vitest run test/docs/endpoints.test.ts --update`
 * writes it.
 */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const { send } = useService();

interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly 'x-methods'?: readonly string[];
}

interface Description {
  readonly tags: readonly { readonly name: string; readonly 'x-displayName': string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

test('every endpoint is in the list, with its area, methods and summary', async () => {
  const description: Description = (await send('GET /openapi.json?formats=all')).json;
  const lines = description.tags.flatMap(({ name, 'x-displayName': title }) => [
    `## ${title}`,
    '',
    '| Methods | Path | What it does |',
    '| --- | --- | --- |',
    ...Object.entries(description.paths).flatMap(([path, item]) => rowsOf(name, path, item)),
    '',
  ]);
  const page = ['# Endpoints', '', ...introduction, '', ...lines].join('\n');
  await expect(page).toMatchFileSnapshot('../../docs/endpoints.md');
});

const introduction = [
  'Every endpoint of the service, by area, as `/openapi.json` describes them. A path that supports GET supports HEAD, every path',
  'below `/s/{sandbox}` is the same path inside that sandbox, and ANY means all methods. A test writes this page.',
];

/** A row for each summary of a path. */
function rowsOf(area: string, path: string, item: Readonly<Record<string, Operation>>): string[] {
  const own = Object.entries(item).filter(([, { tags }]) => tags.includes(area));
  const summaries = new Set(own.map(([, { summary }]) => summary));
  return [...summaries].map((summary) => {
    const methods = own
      .filter(([, operation]) => operation.summary === summary)
      .map(([method, operation]) => ('x-methods' in operation ? 'ANY' : method.toUpperCase()));
    return `| ${methods.join(', ')} | \`${path}\` | ${summary.replaceAll('|', '\\|')} |`;
  });
}
