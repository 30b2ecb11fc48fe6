import { readdirSync } from 'node:fs';
/** Every page about an area is a lesson in the same order. */

import { expect, test } from 'vitest';
import { failureRows, headingsOf, sectionOf } from './markdown.js';
import { readText, texts } from './pages.js';

const order = [
  'What it is',
  'Try it in a minute',
  'How a client does it right',
  'What each failure means',
  'Reference',
  'Exercises',
];

const areas = [
  'accounts',
  'add-a-login',
  'explore-and-report',
  'graphql',
  'handle-webhooks',
  'http/caching',
  'http/codings',
  'http/connection',
  'http/cookies',
  'http/dump',
  'http/expect',
  'http/formats',
  'http/ranges',
  'http/redirects',
  'http/respond',
  'http/status',
  'http/streaming',
  'http/uploads',
  'httpbin',
  'llm',
  'methods',
  'oidc',
  'oidc-devices-and-keys',
  'oidc-test-plan',
  'own-data',
  'pagination',
  'pictures',
  'protect-an-api',
  'rate-limit',
  'realtime/events',
  'realtime/websocket',
  'resources',
  'resources/collections',
  'resources/fields',
  'resources/formats',
  'resources/relations',
  'challenges',
  'run-a-class',
  'sandboxes',
  'soap',
  'subscriptions',
  'tls',
  'versioning',
  'webhooks',
].map((name) => `docs/${name}.md`);
const schemes = texts.filter((text) => text.startsWith('docs/auth/'));

test.each([...areas, ...schemes])('%s is a lesson', (page) => {
  const markdown = readText(page);
  const sections = headingsOf(markdown).filter(({ level }) => level === 2);
  expect(sections.map(({ text }) => text)).toEqual(order);
  const failures = sectionOf(markdown, 'What each failure means') ?? '';
  const rows = failures.match(/^\| (?!Status |---)/gm)?.length ?? 0;
  expect(rows, 'rows that quote a message').toBe(failureRows(markdown).length);
  expect(rows).toBeGreaterThan(0);

  const exercises = sectionOf(markdown, 'Exercises') ?? '';
  const [tasks = '', solutions = ''] = exercises.split('<details>');
  const count = tasks.match(/^\d+\. /gm)?.length ?? 0;
  expect(count).toBeGreaterThanOrEqual(4);
  expect(count).toBeLessThanOrEqual(8);
  expect(tasks.match(/\*Hint:\*/g)).toHaveLength(count);
  expect(tasks.match(/\*Goal:\*/g)).toHaveLength(count);
  expect(solutions.match(/^\*\*\d+\.\*\* /gm)).toHaveLength(count);
});

test('every scheme of authentication has a page', () => {
  const names = [
    ...['api-key', 'basic', 'bearer', 'csrf', 'digest', 'hmac', 'jwt', 'mtls', 'oauth'],
    ...['passkeys', 'session', 'signature', 'sigv4'],
  ];
  expect(schemes).toEqual(names.map((name) => `docs/auth/${name}.md`));
  const folders = readdirSync('src/areas/auth', { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  expect(names).toEqual(expect.arrayContaining(folders.map(({ name }) => name)));
});
