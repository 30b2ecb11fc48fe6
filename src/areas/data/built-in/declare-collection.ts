/** A dataset as a REST collection, and what some collections have beside the paths of all. */

import type { TObject, TSchema } from 'typebox';
import type { RecordDeclaration } from '../../../data/declare-record.js';
import type { CollectionName } from '../../../data/records.js';
import type { Reply, Request } from '../../../http/exchange.js';
import type { App, Preset, Services } from '../../../kit/area.js';
import type { Example } from '../../../kit/example.js';
import type { Flow } from '../../../kit/request-collection.js';
import type { ResourceRecord } from '../source/record-fields.js';

export interface DeclaredCollection extends CollectionExtras {
  /** The dataset that records come from; GraphQL shows the same ones. */
  readonly name: CollectionName;
  /** The name of all of them in addresses and titles: `Events`, at `/api/Events`. */
  readonly title: string;
  /** One record, in words: `event`. */
  readonly noun: string;
  readonly path: string;
  /** What a record holds. */
  readonly record: RecordDeclaration;
}

/** What only some collections have. */
export interface CollectionExtras {
  /** Requests that show the most, for the front page. */
  readonly examples?: readonly Example[];
  /** Requests for the front page's console. */
  readonly presets?: readonly Preset[];
  /** What collections of requests do with it in an order. */
  readonly flows?: readonly Flow[];
  /** Adds the paths that only this collection has. */
  readonly addViews?: (app: App, views: Views, services: Services) => void;
}

/** What views are made of. */
export interface Views {
  readonly recordSchema: () => TObject;
  /** The parameters of a list, to be described with those of a view. */
  readonly listParameters: () => Readonly<Record<string, TSchema>>;
  readonly all: (request: Request) => Promise<readonly ResourceRecord[]>;
  /** Responds with the part of `records` that the query asks for. */
  readonly sendList: (request: Request, reply: Reply, view: ListView) => Promise<Reply>;
  readonly sendRecord: (
    request: Request,
    reply: Reply,
    record: ResourceRecord,
  ) => Reply | Promise<Reply>;
}

export interface ListView {
  readonly records: readonly ResourceRecord[];
  /** Where it is, below the base URL. */
  readonly path: string;
  /** Parameters beside those of every list, which the view reads itself. */
  readonly alsoTaken?: readonly string[];
}
