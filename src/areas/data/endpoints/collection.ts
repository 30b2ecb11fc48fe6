/** The differences between collections. This service's collections and callers' collections share their endpoints. */

import type { TSchema } from 'typebox';
import { type Awaitable, whenKnown } from '#base/awaitable.js';
import type { Fields, Reply, Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import type { EndpointSpec } from '#kit/endpoint.js';
import type { DataServices } from '../source/data-services.js';
import { Call, type Handle, type Source } from '../source/source.js';

type Responses = Pick<EndpointSpec, 'responses' | 'responseHeaders'>;

export interface Collection {
  readonly path: string;
  readonly services: DataServices;
  readonly sourceOf: (request: Request) => Awaitable<Source>;
  readonly bodyParsers: NonNullable<EndpointSpec['otherBodies']>;
  /** One record with its article: `a book`. */
  readonly one: string;
  /** The plural: `books`. */
  readonly many: string;
  readonly params: Fields;
  readonly recordParams: Fields;
  /** Schemas of filters, of bodies, and of responses with a record to reads and writes. */
  readonly schemas: {
    readonly filters: () => Fields;
    readonly create: () => TSchema;
    readonly replace: () => TSchema;
    readonly change: () => TSchema;
    readonly read: () => object;
    readonly written: () => object;
  };
  readonly readParameters: Pick<EndpointSpec, 'headers' | 'query'>;
  /** Descriptions of what differs from other collections. */
  readonly says: Readonly<Record<'create' | 'replace' | 'change' | 'remove', string>>;
  /** Statuses for an unknown collection or record, and for writes without a required condition. */
  readonly failures: {
    readonly collection: readonly number[];
    readonly record: readonly number[];
    readonly condition: readonly number[];
  };
  readonly ofCreate?: Responses;
  readonly ofReplace?: Responses;
}

/** Returns the handler of an endpoint. A single resource has another handler, or none. */
export function serve(
  { sourceOf, services }: Pick<Collection, 'sourceOf' | 'services'>,
  handle: Handle,
  ofSingle: Handle = nothingBelow,
) {
  return (request: Request, reply: Reply) =>
    whenKnown(sourceOf(request), (source) =>
      (source.isSingle ? ofSingle : handle)(new Call(source, request, reply, services)),
    );
}

function nothingBelow({ source: { name, path } }: Call): never {
  throw new HttpError(404, `${name} is a single resource without records. GET ${path} reads it.`);
}
