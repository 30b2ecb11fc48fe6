/** A cacheable resource in the state, and the requests that reached the origin. */

import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { redact, removed, type Shown } from '#base/text/redact.js';
import type { Request } from '#http/exchange.js';
import { headerValues } from '#http/headers/header-values.js';
import { isHarmlessHeader } from '#kit/recording/harmless-names.js';
import { shownTarget } from '#kit/recording/shown-exchange.js';
import type { Arrival } from '#kit/verdict/exchange.js';
import type { LogSpace, Sandbox } from '#state/state.js';
import type { Choices, JudgedDirective } from './choices.js';

export const path = '/api/http/cache/:name';

export const params = {
  name: Type.String({
    pattern: '^[\\w.-]{1,64}$',
    description: '1 to 64 letters, digits, dots, underscores and hyphens. Every name exists.',
  }),
};

export interface Resource {
  readonly version: number;
  /** By the clock of the sandbox. */
  readonly changedAtMs: number;
  /** Limited by the real time, because Last-Modified may not be later than Date. */
  readonly lastModifiedMs: number;
  readonly choices: Choices;
  readonly content?: { readonly type: string; readonly text: string };
}

/** The caching of a response, for the judge of later requests. */
export interface SentCaching {
  readonly directives?: readonly JudgedDirective[];
  /** The directive because of which no cache may store it. */
  readonly forbiddenBy?: 'no-store' | 'must-understand';
  /** The opaque tag, without quotes. */
  readonly tag?: string;
  readonly isWeak?: true;
  /** Whether it has Last-Modified. */
  readonly isDated: boolean;
  /** How long a private cache may reuse it; absent if the response does not say. */
  readonly freshMs?: number;
  /** The same for a shared cache. */
  readonly sharedFreshMs?: number;
  /** How long it may be used once it is stale, while it is revalidated, and after an error. */
  readonly swrMs?: number;
  readonly sieMs?: number;
}

export interface Hit {
  readonly requestId: string;
  readonly atMs: number;
  /** Time of the response, by the real clock, like caches. */
  readonly realMs: number;
  readonly arrival: Arrival;
  /** Digest of the credentials and of the client's name. */
  readonly client: string;
  readonly method: string;
  /** Without the sandbox prefix, as others may see it. */
  readonly target: Shown;
  readonly status: number;
  readonly headers: Readonly<Record<string, Shown>>;
  /** Digest of the target and the headers in Vary as sent, if others see less of them. */
  readonly sentAs?: string;
  /** Whether it came over TLS. */
  readonly isEncrypted?: true;
  /** Absent after failures and changes. */
  readonly sent?: SentCaching;
}

/** Beyond it, the resource that was first requested is deleted. */
export const resourcesSpace: LogSpace<Resource, Hit> = {
  name: 'http-cache',
  maxKeys: 100,
  maxEntries: 100,
};

/** A report that a cache responded without a request, and with which response. */
export interface Reuse {
  /** Id of the request whose response was stored. */
  readonly requestId: string;
  readonly cache: 'private' | 'shared';
  /** By the real clock. */
  readonly reportedAtMs: number;
}

export const reusesSpace: LogSpace<true, Reuse> = {
  name: 'http-cache-reuses',
  maxKeys: 100,
  maxEntries: 100,
  isAlwaysThere: true,
};

/** The resource of every name before its first PUT. */
export function firstVersion(nowMs: number, realNowMs: number): Resource {
  return {
    version: 1,
    changedAtMs: nowMs,
    lastModifiedMs: Math.min(nowMs, realNowMs),
    choices: {},
  };
}

/** The resource of the shared sandbox, which never changes. */
export const sharedResource = firstVersion(Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 1));

/** The first request creates the resource, so that hits can be recorded. */
export async function resourceOf(
  sandbox: Sandbox,
  name: string,
  realNowMs: number,
): Promise<Resource> {
  const known = await sandbox.read(resourcesSpace, name);
  if (known !== undefined) return known;
  return sandbox.update(resourcesSpace, name, (before, nowMs) => {
    const resource = before ?? firstVersion(nowMs, realNowMs);
    return { value: resource, result: resource };
  });
}

/** The request headers in Vary and their values, by name in lower case; null for an absent header. */
export type Variant = Readonly<Record<string, string | null>>;

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

export function variantOf(request: Request, vary: string | undefined): Variant {
  if (vary === undefined || vary === '*') return {};
  const names = vary.split(',').map((name) => name.trim().toLowerCase());
  return Object.fromEntries(
    [...new Set(names)].sort().map((name) => [name, sent(request, name) || null]),
  );
}

function sent(request: Request, name: string): string {
  return headerValues(request, name).join(', ').slice(0, 200);
}

/** Returns an opaque tag without quotes; each variant has its own. */
export function tagOf(name: string, { version }: Resource, variant: Variant): string {
  const values = JSON.stringify(variant);
  const suffix = values === '{}' ? '' : `-${digestOf(values).slice(0, 8)}`;
  return `${name}-${version}${suffix}`;
}

/** The request headers about caching, and the sign of a proxy. */
export const notedHeaders = [
  'cache-control',
  'pragma',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'range',
  'via',
];

const noBytes = Buffer.alloc(0);
const maxTargetLength = 500;

type Noted = Pick<Hit, 'status' | 'atMs' | 'realMs' | 'arrival' | 'sent'> & {
  readonly variant?: Variant;
};

/** Records a request with its response. */
export async function noteHit(
  request: Request<{ Params: { name: string } }>,
  { variant = {}, ...response }: Noted,
): Promise<void> {
  const { sandbox, method, url, params, id } = request;
  const noted = notedHeaders.map((name) => [name, sent(request, name)] as const);
  const headers = [...noted, ...Object.entries(variant)].flatMap(([name, value]) => {
    const shown = isHarmlessHeader(name) ? redact(value ?? '') : removed;
    return value ? [[name, shown] as const] : [];
  });
  const target = shownTarget(request);
  const isWhole = target === url && headers.every(([name, shown]) => shown === sent(request, name));
  const hit: Hit = {
    ...response,
    requestId: id,
    client: digestOf(JSON.stringify([sent(request, 'authorization'), sent(request, 'user-agent')])),
    method,
    ...(request.baseUrl.startsWith('https:') && { isEncrypted: true }),
    target: target.slice(0, maxTargetLength) as Shown,
    headers: Object.fromEntries(headers),
    ...(!isWhole && { sentAs: digestOf(JSON.stringify([url, variant])) }),
  };
  await sandbox.log(resourcesSpace, params.name).append(hit, noBytes);
}
