/** Requests of the page about the sandbox of this browser. */

import { addressOf } from '../shared/address-of.js';
import { call, callJson } from '../shared/call.js';
import type { Counts, Outcome } from '../shared/counts.js';
import { placeOfVisitor } from '../shared/visitor/place-of-visitor.js';

export interface Verdict {
  readonly rule: string;
  readonly level: string;
  readonly outcome: Outcome;
  readonly section: string;
  readonly hint: string;
  readonly evidence: readonly string[];
  readonly seen?: string;
  readonly decidedBy?: string;
}

export interface Judged {
  readonly judge: string;
  readonly run?: string;
  readonly counts: Counts;
  readonly verdicts: readonly Verdict[];
}

interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** An entry of HAR 1.2. */
export interface RecordedRequest {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly httpVersion: string;
    readonly headers: readonly NamedValue[];
  };
  readonly response: {
    readonly status: number;
    readonly statusText: string;
    readonly httpVersion: string;
    readonly headers: readonly NamedValue[];
  };
  readonly _id: number;
  readonly _requestId: string;
  readonly _fault: string | null;
}

const verdictsPath = addressOf('/api/sandbox/verdicts');
const requestsPath = addressOf('/api/sandbox/requests');

export const readVerdicts = async () =>
  (await callJson<{ readonly judges: readonly Judged[] }>(verdictsPath)).judges;

export const clearVerdicts = (judge: string) =>
  call(`${verdictsPath}?judge=${encodeURIComponent(judge)}`, { method: 'DELETE' });

/** Starts a run of a test plan. */
export const startRun = async (plan: string) =>
  call(`${await placeOfVisitor()}${plan}/runs`, { method: 'POST' });

export async function isRecording(): Promise<boolean> {
  const newest = `${requestsPath}?since=${Number.MAX_SAFE_INTEGER}`;
  return (await callJson<{ readonly recording: boolean }>(newest)).recording;
}

export const setRecording = (on: boolean) =>
  callJson(addressOf('/api/sandbox/recording'), 'PUT', { on });

/** Returns `undefined` for a request that was not recorded. */
export async function readRequest(id: string): Promise<RecordedRequest | undefined> {
  const { requests } = await callJson<{
    readonly requests: readonly { readonly id: number; readonly requestId: string }[];
  }>(requestsPath);
  const found = requests.findLast(({ requestId }) => requestId === id);
  if (found === undefined) return undefined;
  const { log } = await callJson<{
    readonly log: { readonly entries: readonly RecordedRequest[] };
  }>(`${requestsPath}?since=${found.id - 1}`, 'GET', undefined, {
    Accept: 'application/har+json',
  });
  return log.entries.find(({ _id }) => _id === found.id);
}
