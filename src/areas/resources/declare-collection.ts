/** What makes a REST collection of a dataset: a file in `collections/` for each. */

import type { TObject, TSchema } from 'typebox';
import type { RecordDeclaration } from '../../data/declare-record.js';
import { type DatasetName, declarations } from '../../data/records.js';
import type { Reply, Request } from '../../http/exchange.js';
import type { Preset, Services } from '../../kit/area.js';
import type { App } from '../../kit/endpoint.js';
import type { Example } from '../../kit/example.js';
import type { Flow } from '../../kit/request-collection.js';
import type { ResourceRecord } from './record-fields.js';

export interface CollectionDeclaration {
  /** The dataset that records come from; GraphQL shows the same ones. */
  readonly name: DatasetName;
  /** What people call all of them: `Events`, at `/api/Events`. */
  readonly title: string;
  /** One record, in words: `event`. */
  readonly noun: string;
  /** The records of other collections that a record belongs to. */
  readonly parents?: readonly ParentRelation[];
  /** Whether records are replaced, changed and deleted under a condition only: 428 without. */
  readonly demandsCondition?: true;
  /** Requests that show the most, for the front page. */
  readonly examples?: readonly Example[];
  /** Requests for the front page's console. */
  readonly presets?: readonly Preset[];
  /** What collections of requests do with it in an order. */
  readonly flows?: readonly Flow[];
  /** Adds the paths that only this collection has. */
  readonly addViews?: (app: App, views: Views, services: Services) => void;
}

/** A field that holds the id of a record of some collection. */
export interface ParentRelation {
  /** Such as `userId`. */
  readonly field: string;
  /** The name of the collection that has the parent: `users`. */
  readonly of: string;
  /** What one parent is to a child: `user`. */
  readonly parentAs: string;
  /** What the children are to their parent: `posts`, at `/api/Users/{id}/Posts`. */
  readonly childrenAs: string;
}

export interface DeclaredCollection extends CollectionDeclaration {
  readonly path: string;
  /** What a record holds. */
  readonly record: RecordDeclaration;
}

export function declareCollection(declaration: CollectionDeclaration): DeclaredCollection {
  const { name, title } = declaration;
  return { ...declaration, path: `/api/${title}`, record: declarations[name] };
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
