/** Each section that a judge names is in the table of citations. */

import { expect, test } from 'vitest';
import { clientRules } from '../../src/areas/llm/judge/rules.js';
import { isCitation, type Standard, standards } from '../../src/kit/verdict/citations.js';
import { useService } from '../support/service.js';

const service = useService();
const prefix = '/s/cited';

async function get(path: string) {
  return (await service.send(`GET ${prefix}${path}`)).json;
}

async function retries() {
  const json = { rules: [{ sequence: [{ status: 503 }] }] };
  await service.send(`PUT ${prefix}/api/sandbox/faults`, { json });
  await get('/api/Books/1');
  return (await get('/api/sandbox/faults/log')).verdicts;
}

async function cookies() {
  const { json } = await service.send(`POST ${prefix}/api/http/cookies/jar`);
  const [start = ''] = json.steps.map((url: string) => new URL(url).pathname);
  await service.send(`GET ${start}`, { headers: { Cookie: 'expired=1' } });
  return (await get(new URL(json.verdict).pathname.slice(prefix.length))).verdicts;
}

async function caches() {
  await get('/api/http/cache/cited');
  return (await get('/api/http/cache/cited/hits')).verdicts;
}

async function signatures() {
  return [(await get('/api/auth/signature')).verdict];
}

const challenges = () => get('/api/challenges');
const planOf = (path: string) => () => get(`${path}/test-plan`);

type Sectioned = readonly { readonly section: string }[];

const unknownIn = (list: Sectioned) =>
  [...new Set(list.map(({ section }) => section))].filter((section) => !isCitation(section));

async function issuer() {
  const steps = (await service.send(`POST ${prefix}/oidc/test-plan/runs`)).json;
  return steps.map(({ verdict }: { verdict: object }) => verdict);
}

const languageModels = () => clientRules;

const judges = {
  retries,
  cookies,
  caches,
  signatures,
  issuer,
  languageModels,
  MCP: planOf('/mcp'),
  challenges,
};

test.each(Object.entries(judges))(
  '%s: each section is cited from the table',
  async (_name, read) => {
    const list: Sectioned = await read();
    expect(list.length).toBeGreaterThan(0);
    expect(unknownIn(list)).toEqual([]);
  },
);

test.each([
  ['RFC 9110 section 10.2.3, Retry-After', true],
  ['RFC 9110 section 10.2.3', false],
  ['RFC 9110 section 10.2.3, Retry', false],
  ['RFC 9110 section 10.2.99, Retry-After', false],
  ['RFC 9110 section 9.2.2, Idempotent Methods; a must at this service', true],
  [
    'RFC 9421 section 4, Including a Message Signature in a Message; RFC 9110 section 8.4, Content-Encoding',
    true,
  ],
  ['NDJSON 1.0 section 3.1, Serialization', true],
  ['Standard Webhooks 1.0 section Verifying signatures', true],
  ['Standard Webhooks 1.0', false],
  ['advice', true],
  ['', false],
])('%s is a citation: %s', (section, expected) => {
  expect(isCitation(section)).toBe(expected);
});

test('each standard says where its table of contents was read', () => {
  for (const { edition, readAt, seenIn } of Object.values<Standard>(standards)) {
    expect(edition).toMatch(/\d{4}$/);
    expect(readAt).toMatch(/^https:/);
    // A copy in a repository is read at a commit, which does not change.
    if (readAt.startsWith('https://github.com/')) {
      expect(readAt).toMatch(/\/(blob|tree)\/([0-9a-f]{7,40}|September2025)\//);
    }
    expect(seenIn).not.toBe('');
  }
});
