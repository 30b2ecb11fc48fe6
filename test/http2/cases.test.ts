/** The bytes of each case, compared with a table by a client that reads frames without a library. */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { send } from '../support/service.js';
import { type Exchange, lineOf, meet, type RawCase } from './lab-client.js';

interface Listed extends RawCase {
  readonly case: string;
  readonly url: string;
  readonly section: string;
  readonly level: string;
}

let service: Service;
let plan: readonly Listed[];
const seen = new Map<string, Exchange>();

beforeAll(async () => {
  service = await createService({ http2LabPort: 0 });
  plan = (await send(service.url, 'GET /api/http2/plan')).json;
  await Promise.all(plan.map(async (each) => void seen.set(each.case, await meet(each.url, each))));
});
afterAll(() => service.close());

/** The frames of an ordinary exchange, each of which a case may have once. */
const ordinary = [
  'settings 0 #0 6 000300000040',
  'settings 1 #0 0',
  'headers 4 #1 38 (ok)',
  `data 1 #1 18 ${Buffer.from('The case is over.\n').toString('hex')}`,
  'rstStream 0 #1 4 00000000',
  'goaway 0 #0 8 0000000100000000',
];
/** `probe-` and `ping-`. */
const isProbe = (line: string) => /^ping 0 #0 8 70(?:726f62652d|696e672d)/.test(line);

const table = JSON.parse(readFileSync(new URL('cases.json', import.meta.url), 'utf8')) as Record<
  string,
  readonly string[]
>;

/** Returns the frames of a case beyond an ordinary exchange, and what it lacks. */
function unusual({ frames, rest }: Exchange): string[] {
  const lines = frames.map(lineOf).filter((line) => !isProbe(line));
  const begins = lines[0] === ordinary[0] ? [] : [`begins with ${lines[0] ?? 'no frame'}`];
  const own = [...lines];
  const lacking = ordinary.filter((line) => {
    const at = own.indexOf(line);
    if (at >= 0) own.splice(at, 1);
    return at < 0 && !line.startsWith('rstStream');
  });
  const raw = rest.length > 0 ? [`octets ${rest.toString('hex')}`] : [];
  return [...begins, ...counted(own), ...raw, ...lacking.map((line) => `lacks ${line}`)];
}

/** Writes equal lines in a row as one. */
function counted(lines: readonly string[]): string[] {
  const groups: [line: string, count: number][] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last?.[0] === line) last[1]++;
    else groups.push([line, 1]);
  }
  return groups.map(([line, count]) => (count === 1 ? line : `${count} times ${line}`));
}

/** Cases that only withhold: an acknowledgement, and room in a window. */
const withholding = ['ping-never-acknowledged', 'window-exhausted'];

describe('the plan', () => {
  test('has at least 90 cases, each with its section and its level', () => {
    expect(plan.length).toBeGreaterThanOrEqual(90);
    expect(Object.keys(table)).toEqual(plan.map((each) => each.case));
    for (const { section, level } of plan) {
      expect(section).toMatch(/^RFC (?:9113|7541|9110) section [\d.]+, \w/);
      expect(['must', 'should', 'may']).toContain(level);
    }
  });

  test('has the bytes of the table, and no case without an effect', () => {
    const found = Object.fromEntries(
      plan.map((each) => [each.case, unusual(seen.get(each.case) as Exchange)]),
    );
    expect(found).toEqual(table);
    const empty = Object.entries(found).filter(([, lines]) => lines.length === 0);
    expect(empty.map(([name]) => name)).toEqual(withholding);
  });
});
