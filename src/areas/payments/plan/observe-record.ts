/** Observes records that a client writes in the sandbox about the events of payments. */

import type { Exchange, Observer } from '#kit/recording/exchange-record.js';
import { type Observation, recordObservations } from '#kit/verdict/findings.js';
import { ignoringOutages } from '#kit/verdict/ignoring-outages.js';
import type { Sandbox, Space } from '#state/state.js';
import { spaceOf } from '../engine/ledger.js';
import { judgeName, ruleNamed } from '../judge/rules.js';
import { type Mark, marksSpace } from './acts.js';
import { observeMarked } from './play.js';

/** A record with the id of an event. */
interface Handled {
  readonly route: string;
  readonly record: string;
  readonly bodyHash: string;
  readonly requestId: string;
}

/** Records by the id of the event. */
const handledSpace: Space<readonly Handled[]> = { name: 'payments-handled', maxKeys: 500 };

/** Records of one event that are compared. */
const maxHandled = 10;

/** Ids in one record. */
const maxIds = 5;

/** These paths are no records of the client. */
const ownPaths = /^\/(?:v1|payments|api\/(?:webhooks|sandbox))(?:\/|$)/i;

const idForm = /\b(?:evt_[A-Za-z0-9]{16,40}|cs_test_[A-Za-z0-9]{40,70})\b/g;

/** Larger records are not examined. */
const maxRecordBytes = 64 * 1024;

export const observeRecord: Observer = async (sandbox, exchange) => {
  const { method, status, path, parsed, bodyBytes } = exchange;
  const isWrite = method === 'POST' || method === 'PUT' || method === 'PATCH';
  if (!isWrite || status < 200 || status >= 300 || ownPaths.test(path)) return;
  if (typeof parsed.json !== 'object' || parsed.json === null) return;
  if (bodyBytes > maxRecordBytes) return;
  const ids = new Set(JSON.stringify(parsed.json).match(idForm));
  for (const id of [...ids].slice(0, maxIds)) {
    await ignoringOutages(() => observeId(sandbox, exchange, id));
  }
};

async function observeId(sandbox: Sandbox, exchange: Exchange, id: string): Promise<void> {
  const mark = await sandbox.read(marksSpace, id);
  const event = id.startsWith('evt_') && (await sandbox.read(spaceOf('event'), id));
  if (mark === undefined && !event) return;
  const { twice, isSecond } = event
    ? await compare(sandbox, exchange, id)
    : { twice: [], isSecond: false };
  if (mark !== undefined) await observeMarked(mark, { sandbox, id, isSecond });
  const observations = [...verified(exchange, id, mark), ...twice];
  if (observations.length > 0) {
    await recordObservations(sandbox, judgeName, exchange.requestId, observations);
  }
}

function verified({ method, route }: Exchange, id: string, mark: Mark | undefined): Observation[] {
  if (mark?.kind === 'session') return [];
  const rule = ruleNamed('verified-events');
  const sent = `${method} ${route} with ${id}, whose signature is wrong`;
  return [mark?.kind === 'forged' ? { rule, sent } : { rule }];
}

/** Compares with the earlier records of an event, and remembers this one. */
async function compare(
  sandbox: Sandbox,
  { method, route, status, bodyHash, responseBody, requestId }: Exchange,
  id: string,
): Promise<{ readonly twice: readonly Observation[]; readonly isSecond: boolean }> {
  const record = recordIn(responseBody);
  const isCreated = method === 'POST' && status === 201;
  const next = { route, record, bodyHash, requestId };
  const earlier = await sandbox.update(handledSpace, id, (all: readonly Handled[] = []) => {
    const value = isCreated ? [...all, next].slice(-maxHandled) : all;
    return { value: value.length > 0 ? value : undefined, result: all };
  });
  if (earlier.length === 0) return { twice: [], isSecond: false };
  const rule = ruleNamed('events-handled-once');
  const others = earlier.filter((each) => each.route === route && each.record !== record);
  if (!isCreated || others.length === 0) {
    return { twice: isCreated && record === '' ? [] : [{ rule }], isSecond: false };
  }
  const isSame = others.some((each) => each.bodyHash === bodyHash);
  const sent = `${method} ${route} with ${id}, a second record`;
  const decidedBy = 'Whether both records are about the same work.';
  return { twice: [{ rule, sent, ...(!isSame && { decidedBy }) }], isSecond: true };
}

/** Returns the id of the record in a response; empty without one. */
function recordIn(body: string): string {
  const [, id = ''] = /"id":\s*("[^"]{1,100}"|\d{1,20})/.exec(body.slice(0, 2000)) ?? [];
  return id;
}
