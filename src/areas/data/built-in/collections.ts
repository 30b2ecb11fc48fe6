/** The REST collections of this service: one for each dataset, whose declaration says what its records are. */

import { type CollectionName, collectionNames, declarations } from '../../../data/records.js';
import { books } from './books.js';
import type { CollectionExtras, DeclaredCollection } from './declare-collection.js';
import { events } from './events.js';

const extras: Readonly<Partial<Record<CollectionName, CollectionExtras>>> = { books, events };

export const collections: readonly DeclaredCollection[] = collectionNames.map((name) => {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const record = declarations[name];
  const noun = record.type.toLowerCase();
  return { name, title, noun, path: `/api/${title}`, record, ...extras[name] };
});
