/** A sandbox of a running service, as a test uses it: a base URL, fault plans and verdicts. */

import { randomUUID } from 'node:crypto';
import type { Fault, GivenRule } from './faults/plan/fault-plan.js';
import type { Judgement, Verdict } from './faults/plan/judge-attempts.js';

/** Members of a rule beside its sequence, such as `match` and `then`. */
type RuleOptions = Omit<GivenRule, 'sequence'>;

export interface TestSandbox {
  readonly name: string;
  /** The base URL of the client under test. */
  readonly url: string;
  /** Name the sandbox in requests to the URL of the service. */
  readonly headers: Readonly<Record<'X-Sandbox', string>>;
  /** Lets one request after another fail with one of these faults; later requests pass. */
  plan(faults: Fault | readonly Fault[], rule?: RuleOptions): Promise<void>;
  /** Sets a plan of several rules. */
  planRules(...rules: readonly GivenRule[]): Promise<void>;
  /** Returns the requests that the plan matched, and the verdicts. */
  log(): Promise<Judgement>;
  /** Returns how well the client retried. Name the path if there are requests to several. */
  verdict(path?: string): Promise<Verdict>;
  /** Moves the clock of the sandbox to this many seconds after the real time. */
  advance(seconds: number): Promise<void>;
  /** Deletes everything in the sandbox. */
  delete(): Promise<void>;
}

/** Returns a sandbox of the service at a URL, by default with a new name. */
export function testSandbox(serviceUrl: string, name = `test-${randomUUID()}`): TestSandbox {
  const url = `${serviceUrl}/s/${name}`;
  const call = (method: string, path: string, body?: unknown) => callJson(method, url + path, body);
  const planRules: TestSandbox['planRules'] = async (...rules) => {
    await call('PUT', '/api/sandbox/faults', { rules });
  };
  const log = () => call('GET', '/api/sandbox/faults/log') as Promise<Judgement>;
  return {
    name,
    url,
    headers: { 'X-Sandbox': name },
    plan: (faults, rule = {}) => planRules({ ...rule, sequence: [faults].flat() as Fault[] }),
    planRules,
    log,
    verdict: async (path) => verdictIn(await log(), path),
    async advance(seconds) {
      await call('PUT', '/api/sandbox/clock', { offsetSeconds: seconds });
    },
    async delete() {
      await call('DELETE', '/api/sandbox');
    },
  };
}

function verdictIn({ series }: Judgement, path: string | undefined): Verdict {
  const [only, ...others] = series.filter((each) => path === undefined || each.path === path);
  if (only !== undefined && others.length === 0) return only.verdict;
  const seen = series.map((each) => `${each.method} ${each.path}`).join(', ') || 'none';
  throw new Error(`A verdict is about one series of requests; got: ${seen}.`);
}

async function callJson(method: string, url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method,
    ...(body !== undefined && {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
