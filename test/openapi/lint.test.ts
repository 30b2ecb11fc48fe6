/** The description as two linters see it that we did not write, without an error or a warning. */

import { fileURLToPath } from 'node:url';
import { lintFromString, loadConfig } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import parsers from '@stoplight/spectral-parsers';
import { beforeAll, describe, expect, test } from 'vitest';
import ruleset from '../../.spectral.js';
import { useService } from '../support/service.js';

const { send } = useService();

describe.each(['/openapi.json', '/openapi.yaml'])('%s', (path) => {
  let text: string;
  beforeAll(async () => {
    ({ text } = await send(`GET ${path}`));
  });

  test('has nothing that Spectral would say', { timeout: 60_000 }, async () => {
    const linter = new spectral.Spectral();
    linter.setRuleset(ruleset as never);
    const parser = path.endsWith('json') ? parsers.Json : parsers.Yaml;
    const found = await linter.run(new spectral.Document(text, parser as never, path));
    expect(
      found.map(({ code, path: where, message }) => `${code} ${where.join('.')}: ${message}`),
    ).toEqual([]);
  });

  test('has nothing that Redocly would say', { timeout: 60_000 }, async () => {
    const configPath = fileURLToPath(new URL('../../redocly.yaml', import.meta.url));
    const config = await loadConfig({ configPath });
    const found = await lintFromString({ source: text, absoluteRef: path, config });
    expect(
      found.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`),
    ).toEqual([]);
  });
});

test('the rule of our own finds a success without a schema', async () => {
  const description = (await send('GET /openapi.json')).json;
  delete description.paths['/api/auth/basic'].get.responses[200].content;
  const linter = new spectral.Spectral();
  linter.setRuleset(ruleset as never);
  const found = await linter.run(description);
  expect(found.map(({ code, path }) => `${code} ${path.join(' ')}`)).toEqual([
    'success-has-schema paths /api/auth/basic get responses 200',
  ]);
});
