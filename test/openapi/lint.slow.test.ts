/** The description has no error or warning of a third-party linter. */

import { fileURLToPath } from 'node:url';
import { lintFromString, loadConfig } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const { send } = useService();

test.each(['/openapi.json', '/openapi.yaml', '/openapi.json?formats=all'])(
  'Redocly reports nothing in %s',
  async (path) => {
    const { text } = await send(`GET ${path}`);
    const configPath = fileURLToPath(new URL('../../redocly.yaml', import.meta.url));
    const config = await loadConfig({ configPath });
    const found = await lintFromString({ source: text, absoluteRef: path, config });
    expect(
      found.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`),
    ).toEqual([]);
  },
);

interface Operation {
  readonly responses: Readonly<Record<string, HttpResponse>>;
}

/** Definitions that several operations share are in the components. */
interface HttpResponse {
  readonly $ref?: string;
  readonly content?: Record<string, object>;
}

test('every success except 204, 205 and of HEAD describes its body', async () => {
  const { paths, components } = (await send('GET /openapi.json?formats=all')).json;
  const resolve = ({ $ref, ...response }: HttpResponse): HttpResponse =>
    $ref === undefined ? response : components.responses[$ref.split('/').at(-1) ?? ''];
  const successes = Object.entries<Record<string, Operation>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses = {} }]) =>
      Object.entries(responses)
        .filter(([status]) => /^2/.test(status) && !['204', '205'].includes(status))
        .filter(() => method !== 'head')
        // Protocols require it: events are sent on the stream, and notifications have no response.
        .filter(
          ([status]) =>
            !/^(?:post \/(?:graphql|mcp) 202|delete \/graphql 200)$/.test(
              `${method} ${path} ${status}`,
            ),
        )
        .map(([status, response]) => {
          const { content = {} } = resolve(response);
          return [`${method} ${path} ${status}`, content] as const;
        }),
    ),
  );
  expect(successes.length).toBeGreaterThan(50);
  for (const [where, content] of successes) {
    expect(Object.keys(content), where).not.toEqual([]);
    for (const body of Object.values(content)) expect(body, where).toHaveProperty('schema');
  }
});
