/** How records of one collection lead to those of another. */

import type { Request } from '../../../http/exchange.js';
import type { FieldFault } from '../../../http/http-error.js';
import type { Awaitable } from '../../../state/state.js';
import type { Resource, SentFields } from '../built-in/resource.js';
import type { FieldValue, ResourceRecord } from './record-fields.js';

export interface Relation {
  /** As `?embed=` names it: `user`, or `posts`. */
  readonly name: string;
  /** Whether it leads to the one record that a record belongs to, or to all that belong to it. */
  readonly kind: 'parent' | 'children';
  /** The field of the child that holds the id of the parent. */
  readonly field: string;
  readonly other: Resource;
  /** What follows the id in the address of the children: `Posts`. */
  readonly segment: string;
}

/** The records that a relation leads to from each record; none that is gone. */
export type Related = (record: ResourceRecord) => ResourceRecord | null | readonly ResourceRecord[];

/** Reads the other records once, for however many records are asked about. */
export async function relatedBy(
  { kind, field, other }: Relation,
  request: Request,
): Promise<Related> {
  const others = await other.recordsOf(request).list();
  if (kind === 'parent') {
    const byId = new Map<FieldValue, ResourceRecord>(others.map((each) => [each.id, each]));
    return (record) => byId.get(record[field] ?? null) ?? null;
  }
  const byParent = new Map<FieldValue, ResourceRecord[]>();
  for (const child of others) {
    const parentId = child[field] ?? null;
    const siblings = byParent.get(parentId);
    if (siblings === undefined) byParent.set(parentId, [child]);
    else siblings.push(child);
  }
  return ({ id }) => byParent.get(id) ?? [];
}

/** Faults of the fields among those sent that must hold the id of a parent. */
export function orphanFaults(
  relations: readonly Relation[],
  request: Request,
  sent: SentFields,
): Awaitable<FieldFault[]> {
  // What is no id at all is a fault of the schema.
  const named = relations.filter(({ kind, field }) => kind === 'parent' && isId(sent[field]));
  return named.length === 0 ? [] : faultsOfAbsent(named, request, sent);
}

function isId(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1;
}

async function faultsOfAbsent(
  named: readonly Relation[],
  request: Request,
  sent: SentFields,
): Promise<FieldFault[]> {
  const faults: FieldFault[] = [];
  for (const { field, other } of named) {
    const id = sent[field] as number;
    if ((await other.recordsOf(request).get(id)) !== undefined) continue;
    const message = `${field} must be the id of one of the ${other.name}; there is none with the id ${id}.`;
    faults.push({ field, message });
  }
  return faults;
}
