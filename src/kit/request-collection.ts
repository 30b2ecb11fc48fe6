/**
 * Details of request collections, for Postman and editors. Texts can have variables, such as
 * `{{binId}}`.
 */

import type { Config } from '#config/settings.js';
import type { Json, ResponsePart } from './example.js';

export interface RequestCollection {
  /** Variables for credentials; recorded calls contain their default values. */
  readonly variables?: (config: Config) => Readonly<Record<string, string>>;
  readonly presents?: Readonly<Record<string, SampleAuth | PresentedByPath>>;
  /** Values that differ in each run, by `operationId`. */
  readonly adaptations?: Readonly<Record<string, Adaptation>>;
  readonly pathValues?: Readonly<Record<string, string>>;
  /** Operations that come last, in this order, because they delete what others need. */
  readonly endings?: readonly string[];
  /** Reasons why operations are in no collection. */
  readonly leftOut?: Readonly<Record<string, string>>;
  /** Reasons why operations, which need scripts, are not in the request file. */
  readonly leftOutOfFile?: Readonly<Record<string, string>>;
  readonly flows?: readonly Flow[];
  /** Postman scripts to run before requests with a variable, by its name. */
  readonly scripts?: Readonly<Record<string, string>>;
  /** Values of variables in the request file, which has no scripts to set them. */
  readonly fileValues?: Readonly<Record<string, string>>;
  /** Variables that keep their value until a response changes them. */
  readonly lasting?: readonly string[];
}

/** Credentials of the path. */
type PresentedByPath = (pathValues: readonly string[]) => SampleAuth;

export interface Adaptation {
  readonly call?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Members of a JSON body or fields of a form. */
  readonly body?: Readonly<Record<string, string>>;
  /** Variables that get a value from the response. */
  readonly keeps?: Readonly<Record<string, ResponsePart>>;
  readonly forgets?: readonly string[];
  /** Whether the client has the cookie from an earlier response. */
  readonly isCookieKept?: true;
  /** Other accepted statuses, because they depend on earlier callers. */
  readonly otherwise?: readonly number[];
}

/** Requests in order, each using earlier responses. */
export interface Flow {
  readonly title: string;
  readonly description: string;
  /**
   * Whether it selects the sandbox for all others, and comes first; below `/s/` the path has
   * selected it.
   */
  readonly isSandboxChoice?: true;
  readonly steps: readonly FlowStep[];
}

export interface FlowStep {
  readonly id: string;
  readonly title: string;
  readonly operationId: string;
  /** Method to use if the operation accepts any. */
  readonly method?: string;
  readonly request?: FlowRequest;
  readonly status: number;
  readonly orStatus?: number;
  readonly keeps?: Readonly<Record<string, ResponsePart>>;
  readonly before?: string;
  /** JavaScript to run after it, in addition to the tests from the description. */
  readonly tests?: string;
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
      readonly kind: 'awsv4';
      readonly accessKey: string;
      readonly secretKey: string;
      readonly region: string;
      readonly service: string;
    }
  | {
      readonly kind: 'apiKey';
      readonly in: 'header' | 'query';
      readonly name: string;
      readonly value: string;
    };

export function json(value: Json): SampleBody {
  return { kind: 'json', value };
}

export function form(fields: Readonly<Record<string, string>>): SampleBody {
  return { kind: 'form', fields: Object.entries(fields) };
}

/** JSON that must be sent byte for byte. */
export function jsonText(text: string): Pick<FlowRequest, 'body' | 'headers'> {
  return { body: { kind: 'text', text }, headers: { 'Content-Type': 'application/json' } };
}

export function bearer(token: string): FlowRequest {
  return { auth: { kind: 'bearer', token } };
}

export function member(...body: string[]): ResponsePart {
  return { body };
}
