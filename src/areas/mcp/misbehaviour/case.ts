/** A misbehaviour as one value: what it is, where it acts, and the functions that make it happen. */

import type { JsonObject } from '#base/json-object.js';
import type { Request } from '#http/exchange.js';
import type { CaseText, SomeOf } from '#kit/misbehaviour/misbehaviour.js';
import type { TestCase } from '#kit/verdict/test-runs.js';
import type { ClientRule } from '../judge/rule.js';
import type { Acceptance } from './acceptance.js';
import type { Step } from './runs.js';

/** A request that meets a misbehaviour. */
export interface Met {
  readonly request: Request;
  readonly misbehaviour: TestCase;
  readonly method: string;
  readonly params: JsonObject;
  readonly isStateless: boolean;
}

/** A response that is about to be sent. */
export interface MetResponse extends Met {
  /** A URL that no right client requests. */
  readonly canary: string;
  /** Wrong responses so far, with this one. */
  readonly count: number;
  /** Identifies the token of the request. */
  readonly reader: string;
}

/** How a wrong response is sent: as events, or as a body. */
export interface Wire {
  readonly events?: readonly JsonObject[];
  readonly end?: 'cut' | 'never';
  readonly body?: string;
  readonly type?: string;
}

/** Notes in the run that a client met the misbehaviour. */
export type Note = (change?: (step: Step, nowMs: number) => Step) => Promise<Step | undefined>;

export interface Effects {
  /** Returns the failure instead of a response; `undefined` to respond this time. */
  readonly fail: (met: Met, note: Note) => Promise<Error | undefined>;
  /** Returns the parameters that the method gets. */
  readonly params: (params: JsonObject) => JsonObject;
  /** Changes a response with a result. */
  readonly response: (response: JsonObject, met: MetResponse) => JsonObject;
  /** Returns another way to send a response; `undefined` for the usual one. */
  readonly wire: (response: JsonObject, met: Met) => Wire | undefined;
  /** Returns the failure of a GET for the stream of a session. */
  readonly listen: () => Error;
  /** Returns the URL for messages of the transport of 2024-11-05. */
  readonly endpoint: (request: Request, misbehaviour: TestCase) => string;
  /** Returns the resource in the metadata of the login. */
  readonly resource: (baseUrl: string) => string;
  /** The misbehaviour of the issuer that the login meets. */
  readonly issuer: string;
}

interface Place {
  /** Methods whose responses are wrong. */
  readonly methods: readonly string[];
  /** Absent if it is about clients of each revision. */
  readonly only?: 'sessions' | 'stateless';
  readonly acceptedBy: Acceptance;
  /** The rule that a client breaks by accepting it. */
  readonly rule?: ClientRule;
  /** Whether a request reaches the rule; by default, each does. */
  readonly reachesRule?: (step: Step | undefined, reader: string) => boolean;
}

export type Case = CaseText & Place & SomeOf<Effects>;
