/** Offers about all requests below the paths of an area, whether or not there is an endpoint. */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Awaitable } from '#base/awaitable.js';
import type { FindPupil } from '#http/address/pupil.js';
import type { Request } from '#http/exchange.js';
import type { RawPorts } from '#wire/servers/listen-raw.js';
import type { Rejection } from '#wire/wire-service.js';
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
  /** Whether clients send the prefix on the port as well. */
  readonly isPrefixSent?: true;
  /** The port from a setting of the area, if `--serve` has none. */
  readonly port?: number | undefined;
}

export const ownPortToken = new OfferToken<readonly OwnPort[]>('own port');

/** A port whose connections an area serves as bytes. An area that has none offers `undefined`. */
export interface RawPort {
  readonly port: number;
  /** Called with each connection, after its TLS handshake if it has one. */
  readonly accept: (socket: Socket) => void;
  /** Called with the actual ports, once the service listens. */
  readonly opened: (ports: RawPorts) => void;
}

export const rawPortToken = new OfferToken<Awaitable<RawPort | undefined>>('raw port');

/** Maps each target to the routed one. */
export type Rewriter = (target: string) => string;

/** `undefined` if targets are unchanged. */
export const rewriterToken = new OfferToken<Rewriter | undefined>('rewriter');

/** Sets the sandbox of a request by its credentials, before it is routed. */
export type EnterByKey = (request: IncomingMessage) => void;

export const enterByKeyToken = new OfferToken<EnterByKey>('sandbox of a key');

/** Returns the rejection of a request that reaches no handler, in the format of its protocol. */
export type ShapeRejection = (
  request: IncomingMessage,
  status: number,
  message: string,
) => Rejection | undefined;

export const shapeRejectionToken = new OfferToken<ShapeRejection>('shape of a rejection');

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
  /** The paths of their routes, which the log shows. */
  readonly routes: readonly string[];
  readonly find: (path: string) => readonly TutorialHint[];
  /** Returns the target below another base URL, of a request that an API of this service gets instead. */
  readonly findAlternate: (
    request: Request,
  ) => (TutorialHint & { readonly path: string }) | undefined;
}

export const tutorialHintToken = new OfferToken<TutorialHints>('tutorial hint');

/** Suggests paths of the sandbox for an unknown one, from the root. */
export type OwnPaths = (request: Request, path: string) => Awaitable<readonly string[]>;

export const ownPathsToken = new OfferToken<OwnPaths>('paths of a sandbox');
