/** Judges third-party HTTP/2 clients in each case of the lab. PRACTICE_WRITE_TABLE writes the table of the guide. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { meet } from '../http2/lab-client.js';
import { isWhole } from '../support/every-third.js';
import { missingPrograms } from '../support/find-program.js';
import { testsWith } from '../support/foreign-program.js';
import { send } from '../support/service.js';
import { clients, type ForeignClient, type Met } from './http2-lab/clients.js';

interface Step {
  readonly case: string;
  readonly url: string;
  readonly tlsUrl: string;
  readonly verdict: string;
  readonly level: string;
  readonly rightClient: string;
  readonly visits: number;
  readonly observed?: string;
}

type Report = ReadonlyMap<string, Step>;

const guide = fileURLToPath(new URL('../../docs/test-an-http2-client.md', import.meta.url));

const isWritten = process.env.PRACTICE_WRITE_TABLE !== undefined;
const begin = '<!-- lab clients -->\n';
const end = '\n<!-- end of lab clients -->';
const text = readFileSync(guide, 'utf8');
const [before = '', rest = ''] = text.split(begin);
const [table = '', after = ''] = rest.split(end);
/** Cells of the table in the guide, by case or by what is counted. */
const tableRows = new Map(
  table.split('\n').map((line) => {
    const [, name = '', , ...cells] = line.split('|').map((cell) => cell.trim());
    return [name.replaceAll('`', ''), cells];
  }),
);

let service: Service;
let folder: string;
let plan: readonly (Met & Step)[];
const reports = new Map<string, Report>();

beforeAll(async () => {
  service = await createService({ tls: true, http2LabPort: 0 });
  folder = mkdtempSync(join(tmpdir(), 'practice-http2-'));
  plan = (await send(service.url, 'GET /api/http2/plan')).json;
  const installed = Object.entries(clients).filter(
    ([, { programs }]) => missingPrograms(programs).length === 0,
  );
  for (const [name, client] of installed) {
    const isAll = isWritten || isWhole || name === 'curl' || name === 'nghttp';
    await judge(name, client, isAll ? plan : plan.filter((each) => tableRows.has(each.case)));
  }
  await judge('naive', naive, plan);
}, 900_000);
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const naive: ForeignClient = {
  programs: [],
  meet: async (cases) => {
    await Promise.all(cases.map((met) => meet(met.url.replace('https:', 'http:'), met, 'naive')));
  },
};

const toAccept = 'It accepts the response.';

async function judge(
  name: string,
  client: ForeignClient,
  cases: readonly (Met & Step)[],
): Promise<void> {
  const headers = { 'x-sandbox': `client-${name.replace(' ', '-')}` };
  const begun = await send(service.url, 'POST /api/http2/plan/runs', {
    headers,
    json: { cases: cases.map((each) => each.case) },
  });
  const report = new URL(begun.headers.location ?? '').pathname;
  const read = async (): Promise<readonly Step[]> =>
    (await send(service.url, `GET ${report}`, { headers })).json;
  const met = (begun.json as readonly Step[]).map((step, at) => ({
    ...(cases[at] as Met & Step),
    url: name === 'naive' ? step.url : step.tlsUrl,
  }));
  const judgeAll = async (some: typeof met) => {
    await client.meet(some, mkdtempSync(join(folder, 'client-')), service.tlsUrl ?? '');
    const isJudged = ({ visits, observed }: Step) => visits === 0 || observed !== undefined;
    const isOver = async () => (await read()).every(isJudged);
    await vi.waitUntil(isOver, { timeout: 20_000 }).catch(() => {});
  };
  await judgeAll(met);
  // On a busy machine, clients are too slow for some cases.
  const steps = await read();
  const isUndecided = ({ rightClient }: Step, step: Step) =>
    isWritten || name === 'naive'
      ? step.observed === 'unclear' && rightClient === toAccept
      : undecided.includes(step.verdict) && cellOf(step) !== guideCellOf(name, step.case);
  const again = met.filter((each, at) => {
    const step = steps[at];
    return step === undefined || step.visits === 0 || isUndecided(each, step);
  });
  if (again.length > 0) await judgeAll(again);
  reports.set(name, new Map((await read()).map((step) => [step.case, step])));
}

/** Outcomes of a client that is too slow on a busy machine, or uses another connection by chance. */
const undecided = ['unclear', 'not-reached'];
/** Cases of a client that may be undecided by chance. */
const maxUndecided = 3;

const shown: Readonly<Record<string, string>> = { kept: '', 'not-reached': '–' };
const cellOf = ({ verdict = '' }: Partial<Step>) => shown[verdict] ?? verdict.replace('-', ' ');
const guideCellOf = (client: string, row: string) =>
  tableRows.get(row)?.[Object.keys(clients).indexOf(client)];

const verdictOf = (client: string, name: string) => reports.get(client)?.get(name)?.verdict ?? '';
const namesOf = (client: string, ...verdicts: readonly string[]) =>
  plan.map((each) => each.case).filter((name) => verdicts.includes(verdictOf(client, name)));

/** Each must that a client of nghttp2 does not keep, with the reason. */
const unkept: Readonly<Record<string, string>> = {
  'rst-after-response': 'unclear', // Only a report shows whether the response was discarded.
  'settings-table-zero': 'not-reached', // Its requests use separate connections.
  'hpack-size-missing': 'not-reached', // It has not reduced its table.
  'push-disabled': 'not-reached', // nghttp allows PUSH_PROMISE.
  // nghttp2 offers the check of whitespace, which curl switches off: RFC 9113 section 8.2.1.
  'value-leading-space': 'broken',
  'value-trailing-tab': 'broken',
};

testsWith('curl', 'nghttp').test('clients of nghttp2 keep every must that they meet', () => {
  expect(namesOf('nghttp', 'broken')).toEqual([]);
  for (const client of ['curl', 'nghttp']) {
    const rest = plan.filter(
      ({ case: name, level }) =>
        level === 'must' && !['kept', unkept[name]].includes(verdictOf(client, name)),
    );
    const ofRest = rest.map((each) => [each.case, verdictOf(client, each.case)]);
    // By chance, on a busy machine.
    expect([client, ofRest.filter(([, verdict]) => !undecided.includes(verdict ?? ''))]).toEqual([
      client,
      [],
    ]);
    expect(ofRest.length, `${client}: ${ofRest}`).toBeLessThanOrEqual(maxUndecided);
  }
});

testsWith('nghttp').test('a naive client differs in at least 60 cases, with 45 broken', () => {
  const different = plan.filter(
    (each) => verdictOf('nghttp', each.case) !== verdictOf('naive', each.case),
  );
  expect(different.length).toBeGreaterThanOrEqual(60);
  const broken = namesOf('naive', 'broken').filter((name) => verdictOf('nghttp', name) === 'kept');
  expect(broken.length).toBeGreaterThanOrEqual(45);
});

test('for each must that this can show, there is a client that keeps it', () => {
  if (!(isWritten || isWhole) || reports.size <= Object.keys(clients).length) return;
  const kept = Object.keys(clients).flatMap((client) => namesOf(client, 'kept'));
  const never = plan.filter((each) => each.level === 'must' && !kept.includes(each.case));
  // Only a report decides the first, and no client has reduced its table.
  expect(never.map((each) => each.case)).toEqual(['rst-after-response', 'hpack-size-missing']);
});

for (const [client, { programs }] of Object.entries(clients)) {
  testsWith(...programs).test(`${client} does what the guide says`, () => {
    if (isWritten) return;
    const rows = [...(reports.get(client)?.values() ?? [])].map((step) => ({
      step,
      cell: cellOf(step),
      // Cases without a row are kept, or not reached.
      guide: guideCellOf(client, step.case) ?? (step.verdict === 'not-reached' ? '–' : ''),
    }));
    expect(rows.length).toBeGreaterThan(50);
    const differing = rows.filter(({ cell, guide }) => cell !== guide);
    const wrong = differing.filter(
      ({ step, guide }) =>
        !(
          undecided.includes(step.verdict) ||
          (step.verdict === 'kept' && /^(?:unclear|–)$/.test(guide))
        ),
    );
    expect(wrong.map(({ step, guide }) => [step.case, step.verdict, guide])).toEqual([]);
    expect(differing.length).toBeLessThanOrEqual(maxUndecided);
    if (rows.length < plan.length) return;
    for (const verdict of counted) {
      const figure = Number(guideCellOf(client, verdict.replace('-', ' ')));
      const off = Math.abs(namesOf(client, verdict).length - figure);
      expect([verdict, figure, off <= maxUndecided]).toEqual([verdict, figure, true]);
    }
  });
}

test('the table of the guide is written', () => {
  if (isWritten) writeFileSync(guide, before + begin + tableOf() + end + after);
  expect(tableRows.size).toBeGreaterThan(counted.length);
});

const counted = ['kept', 'broken', 'against-advice', 'unclear', 'not-reached'];

function tableOf(): string {
  const names = Object.keys(clients);
  const head = `| Case | Level | ${names.join(' | ')} |\n| --- | --- |${' --- |'.repeat(names.length)}`;
  const row = (each: Step) => {
    const cells = names.map((client) => cellOf(reports.get(client)?.get(each.case) ?? {}));
    return `| \`${each.case}\` | ${each.level} | ${cells.join(' | ')} |`;
  };
  const differing = plan.filter((each) =>
    names.some((client) => !['kept', 'not-reached'].includes(verdictOf(client, each.case))),
  );
  const counts = counted.map(
    (verdict) =>
      `| ${verdict.replace('-', ' ')} | | ${names.map((client) => namesOf(client, verdict).length).join(' | ')} |`,
  );
  return [head, ...counts, ...differing.map(row)].join('\n');
}
