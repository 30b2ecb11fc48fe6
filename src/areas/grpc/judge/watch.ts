/** Watches the calls of a sandbox, and records what they say about the rules. */

import { hash } from 'node:crypto';
import { type Message, toBinary } from '@bufbuild/protobuf';
import { http2RequestOf } from '#kit/connection.js';
import { crossingMs } from '#kit/verdict/exchange.js';
import { type Observation, recordObservations } from '#kit/verdict/findings.js';
import { ignoringOutages } from '#kit/verdict/ignoring-outages.js';
import { type Space, sharedSandboxName } from '#state/state.js';
import { codeOf } from '../messages/codes.js';
import type { Call } from '../model/call.js';
import type { ServedMethod } from '../model/method.js';
import { isPageToken, placeOf } from '../services/page-tokens.js';
import { judgeName, type RuleName, ruleOf } from './rules.js';

/** A call that has ended with a failure. */
interface Failed {
  readonly key: string;
  readonly code: number;
  readonly hadHead: boolean;
  /** Attempts of the call before this one. */
  readonly attempts: number;
  readonly pushback?: string;
  readonly respondedAtMs: number;
}

const maxFailed = 50;
const failedSpace: Space<readonly Failed[]> = { name: 'grpc-failed-calls', maxKeys: 1 };
const failedKey = 'all';
const maxAttempts = 5;

/** Values of `idempotency_level` of methods that may be repeated. */
const repeatable: readonly number[] = [1, 2];

const nowMs = () => performance.timeOrigin + performance.now();

/** The shared sandbox has no judge, because all its clients would be one. */
export const isJudged = ({ request }: Call): boolean => request.sandbox.name !== sharedSandboxName;

export class CallWatch {
  readonly #call: Call;
  readonly #method: ServedMethod;
  readonly #arrivedAtMs = nowMs();
  readonly #attempts: number;
  #key = '';
  hadHead = false;

  constructor(call: Call, method: ServedMethod) {
    this.#call = call;
    this.#method = method;
    this.#attempts = Number(call.request.headers['grpc-previous-rpc-attempts'] ?? 0);
    const stream = http2RequestOf(call.request.raw);
    const report = () => void this.#record([this.#against('keepalive-pings', 'too many PINGs')]);
    stream?.onTooManyPings(report);
  }

  /** Judges a call with its only message. */
  async begin(input: Message | undefined): Promise<void> {
    const { desc, path } = this.#method;
    const bytes = input === undefined ? '' : toBinary(desc.input, input);
    const { timeoutMs, request } = this.#call;
    // Other credentials are another client.
    const head = Buffer.from(`${path} ${request.headers.authorization ?? ''}`);
    this.#key = hash('sha256', Buffer.concat([head, Buffer.from(bytes)]), 'base64url');
    const observations: Observation[] = [];
    if (!this.#method.isOutputStream) {
      observations.push(
        timeoutMs === undefined
          ? this.#against('deadline-sent', `${path} without grpc-timeout`)
          : { rule: ruleOf('deadline-sent') },
      );
    }
    if (input !== undefined) observations.push(...this.#judgeMessage(input));
    if (this.#attempts > 0) observations.push(...(await this.#judgeRetry()));
    await this.#record(observations);
  }

  #against(name: RuleName, sent: string): Observation {
    return { rule: ruleOf(name), sent };
  }

  #judgeMessage(input: Message): Observation[] {
    const { desc } = this.#method;
    const fields = input as unknown as Readonly<Record<string, unknown>>;
    if (desc.parent.name !== 'Books' && desc.parent.name !== 'Todos') return [];
    if (desc.name === 'Update' || desc.name === 'Delete') {
      const record = (fields.book ?? fields.todo ?? fields) as { readonly etag?: string };
      const isKept = record.etag !== '';
      return [
        isKept ? { rule: ruleOf('etag-on-update') } : this.#against('etag-on-update', desc.name),
      ];
    }
    if (desc.name !== 'List' || fields.pageToken === '') return [];
    return [this.#judgeToken(String(fields.pageToken), desc.parent.name.toLowerCase())];
  }

  /** Another instance may have signed a token of the right form. */
  #judgeToken(token: string, collection: string): Observation {
    try {
      placeOf(this.#call.parts, collection, token);
      return { rule: ruleOf('page-token-unchanged') };
    } catch {
      const against = this.#against('page-token-unchanged', `page_token ${token}`);
      return isPageToken(token) ? { ...against, decidedBy: 'The list that returned it.' } : against;
    }
  }

  async #judgeRetry(): Promise<Observation[]> {
    const attempts = this.#attempts;
    const rule = ruleOf('attempts-bounded');
    const bounded = attempts < maxAttempts ? { rule } : { rule, sent: `attempt ${attempts + 1}` };
    // Client streams to one path look the same, whatever their messages are.
    if (this.#method.isInputStream) return [bounded];
    const failed = (await this.#call.request.sandbox.read(failedSpace, failedKey)) ?? [];
    const before = failed.filter(
      (each) => each.key === this.#key && each.attempts === attempts - 1,
    );
    // A hedged attempt may have crossed the response.
    const isCrossing = before.some((each) => this.#arrivedAtMs < each.respondedAtMs + crossingMs);
    const judged = isCrossing ? [] : before.map((each) => this.#judgeAfter(each));
    // The earliest failure that explains it counts.
    const right = judged.find((all) => all.every(({ sent }) => sent === undefined));
    return [bounded, ...(right ?? judged.at(-1) ?? [])];
  }

  #judgeAfter({ pushback, respondedAtMs, hadHead, code }: Failed): Observation[] {
    const waitedMs = Math.round(this.#arrivedAtMs - respondedAtMs);
    const observations: Observation[] = [];
    if (pushback !== undefined) {
      const isTime = /^\d{1,9}$/.test(pushback) && waitedMs >= Number(pushback) - 10;
      const sent = `repeated after ${waitedMs} ms, against ${pushback}`;
      observations.push({ rule: ruleOf('pushback-obeyed'), ...(!isTime && { sent }) });
    }
    observations.push({
      rule: ruleOf('no-retry-after-message'),
      ...(hadHead && { sent: `${this.#method.path} after a head` }),
    });
    const isSafe =
      code === codeOf('UNAVAILABLE') || repeatable.includes(this.#method.desc.idempotency);
    const sent = `${this.#method.path} after code ${code}`;
    observations.push({ rule: ruleOf('safe-retries'), ...(!isSafe && { sent }) });
    return observations;
  }

  /** Remembers a failure, which a retry would react to. */
  async failed(code: number, pushback?: string): Promise<void> {
    const entry: Failed = {
      ...{ key: this.#key, code, hadHead: this.hadHead, respondedAtMs: nowMs() },
      attempts: this.#attempts,
      ...(pushback !== undefined && { pushback }),
    };
    await ignoringOutages(() =>
      this.#call.request.sandbox.update(failedSpace, failedKey, (all = []) => ({
        value: [...all, entry].slice(-maxFailed),
        result: undefined,
      })),
    );
  }

  async #record(observations: readonly Observation[]): Promise<void> {
    if (observations.length === 0) return;
    const { sandbox, id } = this.#call.request;
    await ignoringOutages(() => recordObservations(sandbox, judgeName, id, observations));
  }
}
