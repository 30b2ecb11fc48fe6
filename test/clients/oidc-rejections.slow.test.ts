/**
 * The responses of third-party clients to each misbehaviour; this test writes them to
 * docs/oidc-clients.md.
 */

import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Verdict as RuleVerdict } from '../../src/kit/verdict/verdict.js';
import { foreignProgram, type TestsWithPrograms, testsWith } from '../support/foreign-program.js';
import { useService } from '../support/service.js';
import { logInAtApache } from './oidc/apache.js';
import { logInAll } from './oidc/in-chromium.js';
import * as oauth4webapi from './oidc/oauth4webapi.js';
import * as openidClient from './oidc/openid-client.js';
import * as passport from './oidc/passport.js';

interface Step {
  readonly name: string;
  readonly issuer: string;
  readonly outcome: string;
  readonly expected: string;
  readonly verdict: RuleVerdict;
}

/** By step, why a client rejected; null where it accepted. */
type Verdicts = ReadonlyMap<string, string | null>;

type Asked = Pick<Step, 'name' | 'issuer'>;
type LogIn = (steps: readonly Asked[]) => Promise<Verdicts>;

const service = useService();
const run = promisify(execFile);
const script = (name: string) => fileURLToPath(new URL(`oidc/${name}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'practice-oidc-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ordinary = 'ordinary';
const found = new Map<string, { verdicts: Verdicts; steps: readonly Step[] }>();

/** Runs a client in a new sandbox, whose report must agree with the client's own; then tells it the client's own. */
async function examine(client: string, logIn: LogIn): Promise<void> {
  const prefix = `/s/${client.toLowerCase().replace(/\W+/g, '-')}`;
  const begun = await service.send(`POST ${prefix}/oidc/test-plan/runs`);
  const path = new URL(begun.headers.location ?? '').pathname;
  const steps: readonly Step[] = begun.json;
  const issuer = `${service.url}${prefix}/oidc`;
  const verdicts = await logIn([{ name: ordinary, issuer }, ...steps]);
  expect(verdicts.get(ordinary)).toBeNull();
  const report: readonly Step[] = (await service.send(`GET ${path}`)).json;
  const said = report.map(({ name, outcome }) => {
    if (outcome === 'not-reached') return [name, outcome];
    return [name, verdicts.get(name) === null ? 'accepted' : 'refused'];
  });
  expect(report.map(({ name, outcome }) => [name, outcome])).toEqual(said);
  for (const { name, outcome } of report) {
    const json = { outcome: verdicts.get(name) === null ? 'accepted' : 'refused' };
    if (outcome !== 'not-reached') await service.send(`PUT ${path}/${name}`, { json });
  }
  found.set(client, { verdicts, steps: (await service.send(`GET ${path}`)).json });
}

/** Runs a client in this process, all steps at once. */
function here(logIn: (issuer: string) => Promise<void>): LogIn {
  return async (steps) => {
    const entries = steps.map(async ({ name, issuer }) => {
      const words = await logIn(issuer).then(
        () => null,
        (error: Error) => describe(error),
      );
      return [name, words] as const;
    });
    return new Map(await Promise.all(entries));
  };
}

function describe(error: Error): string {
  const { cause } = error as { cause?: { message?: string } };
  const more = typeof cause?.message === 'string' ? ` (${cause.message})` : '';
  return `${error.message}${more}`;
}

/** Parses lines of JSON: a name and null or words. */
function parseLines(output: string): Verdicts {
  return new Map(
    output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
}

interface Client {
  readonly name: string;
  readonly tests: Pick<TestsWithPrograms, 'isInstalled' | 'test'>;
  readonly logIn: LogIn;
}

const hasAll = { isInstalled: true, test };
const python = foreignProgram('authlib');
const clients: readonly Client[] = [
  { name: 'openid-client', tests: hasAll, logIn: here(openidClient.logIn) },
  { name: 'oauth4webapi', tests: hasAll, logIn: here(oauth4webapi.logIn) },
  { name: 'passport-openidconnect', tests: hasAll, logIn: here(passport.logIn) },
  {
    name: 'oidc-client-ts',
    tests: testsWith('chromium'),
    logIn: async (steps) => new Map(await logInAll(steps)),
  },
  {
    name: 'Authlib',
    tests: python,
    logIn: async (steps) =>
      parseLines(await python.run(script('authlib-client.py'), JSON.stringify(steps))),
  },
  { name: 'go-oidc', tests: testsWith('go-oidc'), logIn: runGo },
  {
    name: 'JDK',
    tests: testsWith('httpclient5'),
    logIn: async (steps) => {
      const each = steps.map(({ name, issuer }) => `${name} ${issuer}`);
      return parseLines((await run('java', [script('JdkLogin.java'), ...each])).stdout);
    },
  },
  {
    name: 'mod_auth_openidc',
    tests: testsWith('auth-openidc'),
    logIn: (steps) => logInAtApache(folder, steps),
  },
];

async function runGo(steps: readonly Asked[]): Promise<Verdicts> {
  const program = join(folder, 'go-oidc');
  const go = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(folder, 'cache') };
  const env = { ...process.env, ...go };
  await run('go', ['build', '-o', program, script('go-oidc.go')], { env });
  return parseLines((await run(program, [JSON.stringify(steps)])).stdout);
}

/** All run at once: each waits for the slow issuer. */
const examinations = new Map<string, Promise<void>>();
beforeAll(() => {
  for (const { name, tests, logIn } of clients) {
    if (!tests.isInstalled) continue;
    const examination = examine(name, logIn);
    examination.catch(() => {});
    examinations.set(name, examination);
  }
});

for (const { name, tests } of clients) {
  tests.test(`${name} reports the same as its run`, () => examinations.get(name));
}

const page = fileURLToPath(new URL('../../docs/oidc-clients.md', import.meta.url));
const names = clients.map(({ name }) => name);

/** The page holds the last results, so that a release with other results is noticed. */
test('the page has the results of the clients', async () => {
  if (found.size < names.length) return;
  const plan = (await service.send('GET /oidc/test-plan')).json;
  for (const { name } of plan) {
    const right = names.filter((client) => stepOf(client, name)?.verdict.outcome === 'kept');
    expect([name, right.length]).toEqual([name, expect.toSatisfy((count) => count >= 2)]);
  }
  const text = writePage(plan);
  const isCurrent = existsSync(page) && readFileSync(page, 'utf8') === text;
  if (!isCurrent && !process.env.CI) writeFileSync(page, text);
  expect(isCurrent, 'docs/oidc-clients.md was not up to date; it is written anew').toBe(true);
});

interface Planned {
  readonly name: string;
  readonly kind: string;
  readonly expected: string;
}

const stepOf = (client: string, name: string) =>
  found.get(client)?.steps.find((step) => step.name === name);

const methods: Readonly<Record<string, string>> = {
  refused: 'rejects',
  accepted: 'accepts',
  'not-reached': 'does not meet it',
  either: 'may do either',
};

const marks: Readonly<Record<string, string>> = {
  broken: ': **broken**',
  'against-advice': ': against advice',
  unclear: ': unclear',
};

function cell(client: string, { name, expected }: Planned): string {
  const { outcome = '', verdict } = stepOf(client, name) ?? {};
  const method = methods[outcome] ?? outcome;
  const mark = marks[verdict?.outcome ?? ''];
  if (mark !== undefined) return method + mark;
  const isFree = verdict?.outcome === 'kept' && expected !== 'either' && outcome !== expected;
  return isFree ? `${method} (may)` : method;
}

const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`;

function writePage(plan: readonly Planned[]): string {
  const tableOf = (kind: string, title: string) =>
    [
      row(title, 'A right client', ...names),
      row(...Array(names.length + 2).fill('---')),
      ...plan
        .filter((each) => each.kind === kind)
        .map((each) =>
          row(
            each.name,
            methods[each.expected] ?? '',
            ...names.map((client) => cell(client, each)),
          ),
        ),
    ].join('\n');
  const words = names.map((client) =>
    [
      `## ${client}`,
      '',
      row('Case', `Why ${client} rejects`),
      row('---', '---'),
      ...plan.flatMap(({ name }) => {
        const said = found.get(client)?.verdicts.get(name);
        return typeof said === 'string' ? [row(name, plain(said))] : [];
      }),
      '',
    ].join('\n'),
  );
  const wrong = tableOf('misbehaviour', 'Misbehaviour');
  const right = tableOf('tolerance', 'Tolerance');
  return `${introduction}\n${wrong}\n\n${aboutTolerances}\n${right}\n\n${words.join('\n')}`;
}

const secret = /[\w-]{22,}(?=\))|(?:other|unknown)_[\w-]{20,}/g;

/** Removes the parts that differ from run to run. */
function plain(words: string): string {
  return words
    .replaceAll(/http:[\w/.:-]+\/oidc\/test-plan\/runs\/[\w/-]+\/oidc/g, '{issuer}')
    .replaceAll(secret, 'another')
    .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+(?: \+\d+ UTC)?(?: m=\S+)?Z?/g, '{time}')
    .replaceAll(/\b(?:1[789]|2\d)\d{8}\b/g, '{time}')
    .replace(/\b36\d\d seconds ago/, '3600 seconds ago')
    .replace(/: \[src\/.*/s, '')
    .replace(/ \{"keys":.*/s, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('|', '\\|')
    .trim();
}

const introduction = `# OpenID Connect clients: what they reject

Every case of the [test plan](oidc-test-plan.md), and how OpenID Connect clients handle it. openid-client trusts the
connection by default; oauth4webapi verifies signatures here. With Authlib and go-oidc, the application makes the
comparisons that their guides show. JDK is a careful client written for this test with only what Java includes. *May*
marks what a standard leaves to the client. *Broken* and *against advice* are the outcomes of the judge: the client
differs from what a standard demands, or recommends. A test runs all clients, compares the results with the report of
their run, and generates this page.
`;

const aboutTolerances = `## What clients must accept

An issuer may do all of this. A client that rejects it is too strict.
`;
