/** Challenges are solved by the examples with curl, Python and axios, and each solves only its own. */

import { execFile } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { challenges } from '../../src/areas/challenges/all-challenges.js';
import { tracks } from '../../src/areas/challenges/challenge.js';
import { foreignProgram, testsWith } from '../support/foreign-program.js';
import { inReaderFolder } from '../support/reader-folder.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;
const folder = fileURLToPath(new URL('../../examples/challenges', import.meta.url));

const ids = [
  'http-head',
  'http-not-modified',
  'http-redirects',
  'http-cookie',
  'rest-pages',
  'rest-if-match',
  'rest-idempotency',
  'rest-json-patch',
  'auth-jwt',
  'auth-client-credentials',
  'auth-hmac',
  'oidc-code',
  'oidc-refresh',
  'graphql-variables',
  'graphql-persisted',
  'soap-add',
  'soap-fault',
  'grpc-hello',
  'grpc-metadata',
  'payments-first',
  'payments-key',
  'webhooks-verify',
  'webhooks-retry',
  'streams-events',
  'streams-chunked',
  'resilience-retry-after',
  'resilience-safe-post',
];

test('the examples solve challenges of every track', () => {
  const solved = challenges.filter(({ id }) => ids.includes(id));
  expect(solved).toHaveLength(ids.length);
  expect(new Set(solved.map(({ track }) => track))).toEqual(new Set(tracks));
});

type Run = (id: string, api: string) => Promise<unknown>;

let sandboxes = 0;

/** Starts a challenge in a fresh sandbox, runs a solution there, and returns what is solved. */
async function solvedBy(run: Run, solution: string, started = solution): Promise<unknown> {
  sandboxes += 1;
  const prefix = `/s/in-languages-${sandboxes}`;
  await send(`POST ${prefix}/api/challenges/${started}/start`);
  await run(solution, `${service.url}${prefix}`);
  return (await send(`GET ${prefix}/api/challenges/progress`)).json.solved;
}

const environment = (api: string) => ({ env: { ...process.env, PRACTICE_API: api } });

const curl = testsWith('curl', 'openssl');
const byCurl: Run = (id, api) =>
  promisify(execFile)('sh', [join(folder, 'solve.sh'), id], environment(api));

curl.test.each(ids)('curl solves %s', async (id) => {
  expect(await solvedBy(byCurl, id)).toEqual([id]);
});

// Neighbours in the list are mostly of one track.
const others = ids.map((id, index) => [id, ids[(index + 1) % ids.length] ?? ''] as const);

curl.test.each(others)('the solution of %s does not solve %s', async (id, other) => {
  expect(await solvedBy(byCurl, id, other)).toEqual([]);
});

const python = foreignProgram('python');
const byPython: Run = (id, api) =>
  promisify(execFile)(python.command, [join(folder, 'solve.py'), id], environment(api));

python.test.each(ids)('Python solves %s', async (id) => {
  expect(await solvedBy(byPython, id)).toEqual([id]);
});

test.each(ids)('axios solves %s', async (id) => {
  await inReaderFolder(async (reader) => {
    const file = join(reader, 'solve.mjs');
    copyFileSync(join(folder, 'solve.js'), file);
    const run: Run = (solution, api) =>
      promisify(execFile)(process.execPath, [file, solution], environment(api));
    expect(await solvedBy(run, id)).toEqual([id]);
  });
});
