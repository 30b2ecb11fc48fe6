/**
 * What collections of requests (for Postman, for editors) have to know of an area's operations beyond
 * the description and the recorded calls: credentials, values that are others with each run, flows.
 * Any text can hold variables, such as `{{binId}}`.
 */

import type { Config } from '../config/settings.js';
import type { Json } from './example.js';

export interface RequestCollection {
  /** Variables for credentials, with their values; recorded calls hold those of the defaults. */
  readonly variables?: (config: Config) => Readonly<Record<string, string>>;
  /** How a client presents what lets it in, by the name of the security scheme. */
  readonly presents?: Readonly<Record<string, SampleAuth | PresentedByPath>>;
  /** What is another value with each run, by `operationId`. */
  readonly adaptations?: Readonly<Record<string, Adaptation>>;
  /** Values of path parameters that many operations have. */
  readonly pathValues?: Readonly<Record<string, string>>;
  /** Operations that end what others of their area need: they come last, in this order. */
  readonly endings?: readonly string[];
  /** Operations that are in no collection, and why. */
  readonly leftOut?: Readonly<Record<string, string>>;
  /** Operations that need scripts, and so are not in the file of requests, and why. */
  readonly leftOutOfFile?: Readonly<Record<string, string>>;
  readonly flows?: readonly Flow[];
  /** JavaScript in Postman's sandbox that sets variables, by a variable of the requests it precedes. */
  readonly scripts?: Readonly<Record<string, string>>;
  /** Values of variables in the file of requests, which has no scripts to set them. */
  readonly fileValues?: Readonly<Record<string, string>>;
  /** Variables that stay what they are until an answer changes them. */
  readonly lasting?: readonly string[];
}

/** Where the path names who is let in. */
type PresentedByPath = (pathValues: readonly string[]) => SampleAuth;

export interface Adaptation {
  /** The recorded call to show; otherwise the most telling of those that were taken. */
  readonly call?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Members of a JSON body or fields of a form. */
  readonly body?: Readonly<Record<string, string>>;
  /** Variables that get a value from the answer. */
  readonly keeps?: Readonly<Record<string, ResponsePart>>;
  /** Variables whose values are of no use afterwards. */
  readonly forgets?: readonly string[];
  /** Whether the client has the cookie from an earlier answer, and sends it by itself. */
  readonly isCookieKept?: true;
  /** Other statuses that are right as well, because earlier callers decide. */
  readonly otherwise?: readonly number[];
}

/** Requests that need an order: each uses what the earlier ones were answered. */
export interface Flow {
  readonly title: string;
  readonly description: string;
  /** Whether it chooses the sandbox of all others, and comes first; below `/s/` the address has chosen it. */
  readonly isSandboxChoice?: true;
  readonly steps: readonly FlowStep[];
}

export interface FlowStep {
  /** A name for programs, unique among all. */
  readonly id: string;
  readonly title: string;
  readonly operationId: string;
  readonly request?: FlowRequest;
  readonly status: number;
  /** Where the status depends on how often it was asked. */
  readonly orStatus?: number;
  readonly keeps?: Readonly<Record<string, ResponsePart>>;
  /** JavaScript in Postman's sandbox, before the request. */
  readonly before?: string;
  /** The same after it, beyond what the description demands. */
  readonly tests?: string;
  /** It makes no sense without its scripts. */
  readonly needsScripts?: true;
}

export interface FlowRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: SampleBody;
  readonly auth?: SampleAuth;
}

export type SampleBody =
  | { readonly kind: 'json'; readonly value: Json }
  | { readonly kind: 'form'; readonly fields: readonly (readonly [name: string, value: string])[] }
  | { readonly kind: 'text'; readonly text: string };

export type SampleAuth =
  | { readonly kind: 'basic' | 'digest'; readonly username: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string }
  | {
      readonly kind: 'apiKey';
      readonly in: 'header' | 'query';
      readonly name: string;
      readonly value: string;
    };

/** The members that lead to a value in a JSON body, or a header. */
export type ResponsePart = { readonly body: readonly string[] } | { readonly header: string };

/** A body of JSON, by its value. */
export function json(value: Json): SampleBody {
  return { kind: 'json', value };
}

/** A body as a form sends it. */
export function form(fields: Readonly<Record<string, string>>): SampleBody {
  return { kind: 'form', fields: Object.entries(fields) };
}

/** JSON whose very bytes count. */
export function jsonText(text: string): Pick<FlowRequest, 'body' | 'headers'> {
  return { body: { kind: 'text', text }, headers: { 'Content-Type': 'application/json' } };
}

export function bearer(token: string): FlowRequest {
  return { auth: { kind: 'bearer', token } };
}

/** The value that these names lead to in an answer of JSON. */
export function member(...body: string[]): ResponsePart {
  return { body };
}
