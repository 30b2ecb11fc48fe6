/** Offers about all requests below the paths of an area, whether or not there is an endpoint. */

import type { FindPupil } from '#http/address/pupil.js';
import type { Request } from '#http/exchange.js';
import { OfferToken } from './offers.js';

/** A lower-case path whose requests are kept as bytes; see `bytesOf`. */
export const rawPathToken = new OfferToken<string>('raw path');

/** A host name that always means this machine (RFC 6761 section 6.3). */
export interface OwnHost {
  /** Prefix that clients omit at this host, such as `/httpbin`. */
  readonly prefix: string;
  /** Such as `httpbin.localhost`. */
  readonly host: string;
}

export const ownHostToken = new OfferToken<OwnHost>('own host');

/** Paths that can have a separate port. */
export interface OwnPort {
  /** The name that `--serve` accepts. */
  readonly name: string;
  /** Prefix that clients omit on the port, such as `/httpbin`. */
  readonly prefix: string;
  /** The port from a setting of the area, if `--serve` has none. */
  readonly port?: number | undefined;
}

export const ownPortToken = new OfferToken<readonly OwnPort[]>('own port');

/** Maps each target to the routed one. */
export type Rewriter = (target: string) => string;

/** `undefined` if targets are unchanged. */
export const rewriterToken = new OfferToken<Rewriter | undefined>('rewriter');

export const findPupilToken = new OfferToken<FindPupil>('pupils');

export type HeaderValues = Readonly<Record<string, string>>;

/** Headers of every response below a path, also for unknown paths. */
export interface FixedHeaders {
  /** In lower case. */
  readonly below: string;
  readonly values: HeaderValues | ((request: Request) => HeaderValues);
}

export const fixedHeadersToken = new OfferToken<FixedHeaders>('fixed headers');

/** An API that tutorials name, and its base path here. */
export interface TutorialHint {
  readonly title: string;
  readonly base: string;
}

/** Finds the APIs that have an unknown path below another base URL. */
export interface TutorialHints {
  /** Their paths, which are not suggested for unknown paths. */
  readonly below: readonly string[];
  readonly find: (path: string) => readonly TutorialHint[];
  /** Returns the target below another base URL, of a request that an API of this service gets instead. */
  readonly findAlternate: (
    request: Request,
  ) => (TutorialHint & { readonly path: string }) | undefined;
}

export const tutorialHintToken = new OfferToken<TutorialHints>('tutorial hint');
