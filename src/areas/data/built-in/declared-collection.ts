/** A dataset as a REST collection. */

import type { TObject, TSchema } from 'typebox';
import type { RecordDeclaration } from '../../../data/declare-record.js';
import type { CollectionName } from '../../../data/records.js';
import type { Serve } from '../routes/add-collection.js';
import type { Relation } from '../source/source.js';

export interface DeclaredCollection {
  /** The dataset that records come from; GraphQL shows the same ones. */
  readonly name: CollectionName;
  /** Its name in paths and titles: `Events`, at `/api/Events`. */
  readonly title: string;
  /** One record, in words: `event`. */
  readonly noun: string;
  readonly path: string;
  readonly record: RecordDeclaration;
  readonly relations: readonly DeclaredRelation[];
}

export interface DeclaredRelation extends Omit<Relation, 'other'> {
  /** The dataset that it leads to. */
  readonly to: CollectionName;
}

/** What views are made of. */
export interface ViewParts {
  readonly serve: Serve;
  readonly recordSchema: () => TObject;
  /** The parameters of a list, which views support beside their own. */
  readonly listParameters: () => Readonly<Record<string, TSchema>>;
}
