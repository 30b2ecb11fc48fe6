/** Notes requests that show that a client has accepted a misbehaviour. */

import { isObject, type JsonObject } from '../../../base/json-object.js';
import type { Request } from '../../../http/exchange.js';
import { ruleAbout } from '../judge/input-rules.js';
import { readerOf, sessionKey } from '../judge/memory.js';
import { noteRule } from '../judge/watch.js';
import type { Misbehaviour } from './choose-misbehaviour.js';
import { pageOf } from './distort.js';
import { type AcceptedBy, ruleOf } from './misbehaviours.js';
import { changeStep, runSpace, type Step } from './runs.js';
import { badToolName, illegalToolName, isToolOfOther } from './wrong-tools.js';

/** Pages that a right client may read. */
const maxPages = 20;
const freshMs = 60_000;

interface Seen {
  readonly method: string;
  readonly params: JsonObject;
  readonly headers: Request['headers'];
  readonly step: Step;
  readonly nowMs: number;
  readonly methods: readonly string[];
}

const checks: Partial<Record<AcceptedBy, (seen: Seen) => boolean>> = {
  'bad-tool': ({ method, params: { name } }) =>
    method === 'tools/call' && (name === badToolName || name === illegalToolName),
  'many-pages': ({ params: { cursor } }) => pageOf(cursor) >= maxPages,
  resumption: ({ headers }) =>
    headers['last-event-id'] !== undefined && headers['mcp-session-id'] === undefined,
  'too-early': ({ step: { notBeforeMs = 0 }, nowMs, method }) =>
    method === 'tools/call' && nowMs < notBeforeMs,
  'same-session': ({ headers, step: { session } }) =>
    sessionKey(headers['mcp-session-id']) === session,
  'further-request': ({ method }) => method !== '' && method !== 'server/discover',
  'third-request': ({ step: { count = 0 }, method, methods }) =>
    count >= 2 && methods.includes(method),
  'fresh-list': ({ method, params, headers, step: { metAtMs = 0, reader }, nowMs }) =>
    method === 'tools/list' &&
    params.cursor === undefined &&
    nowMs - metAtMs < freshMs &&
    readerOf(headers) === reader,
  'tool-of-other': ({ method, params: { name }, headers }) =>
    method === 'tools/call' && isToolOfOther(String(name), readerOf(headers)),
};

export async function noteAcceptance(
  request: Request,
  misbehaviour: Misbehaviour,
  value: unknown,
): Promise<void> {
  const { sandbox, headers, id } = request;
  const rule = ruleOf(misbehaviour.name);
  const check = checks[rule.acceptedBy];
  const step = (await sandbox.read(runSpace, misbehaviour.run))?.steps[misbehaviour.name];
  if (check === undefined || step?.metAtMs === undefined || step.acceptedBy !== undefined) return;
  const message = isObject(value) ? value : {};
  const params = isObject(message.params) ? message.params : {};
  const method = typeof message.method === 'string' ? message.method : '';
  const nowMs = await sandbox.now();
  if (!check({ method, params, headers, step, nowMs, methods: rule.methods })) return;
  await changeStep(sandbox, misbehaviour, (each) => ({ ...each, acceptedBy: id }));
  const broken = ruleAbout(misbehaviour.name);
  if (broken !== undefined) await noteRule(request, broken, method);
}
