/** Tools over the records of the sandbox. */

import type { JsonObject } from '../../../base/json-object.js';
import { type CollectionName, collectionNames } from '../../../data/records.js';
import { Table, WritableTable } from '../../../state/rows/table.js';
import type { Call } from '../capabilities/call.js';
import { recordUri } from '../resources/record-uri.js';
import { InvalidRecord, newRecord, patchedRecord } from './record-writes.js';
import { argumentsOf, errorResult, readOnly, structured, type Tool } from './tool.js';

const collection = { type: 'string', enum: collectionNames, description: 'The collection.' };
const id = { type: 'integer', minimum: 1, description: 'The id of the record.' };
const record = { type: 'object', description: 'The fields of the record.' };

const recordOutput = {
  type: 'object',
  properties: { uri: { type: 'string' }, record: { type: 'object' } },
  required: ['uri', 'record'],
};

const listOutput = {
  type: 'object',
  properties: {
    total: { type: 'integer' },
    records: { type: 'array', items: { type: 'object' } },
  },
  required: ['total', 'records'],
};

const maxListed = 100;

const limit = { type: 'integer', minimum: 1, maximum: maxListed, default: 10 };

const tableOf = ({ sandbox, parts }: Call, name: CollectionName) =>
  new Table(sandbox, parts.datasetOf(name));

const nameIn = (args: JsonObject) => args.collection as CollectionName;

const found = (name: CollectionName, row: JsonObject) =>
  structured({ uri: recordUri(name, row.id as number), record: row });

const missing = ({ collection, id }: JsonObject) =>
  errorResult(`There is no record ${id} in ${collection}.`);

/** Runs a change in one step; faults of the record become an error result. */
async function change(
  { sandbox, parts }: Call,
  args: JsonObject,
  make: (table: WritableTable<{ readonly id: number | string }>) => JsonObject,
): Promise<JsonObject> {
  try {
    const dataset = parts.datasetOf(nameIn(args));
    return await sandbox.transact((view) => make(new WritableTable(view, dataset)));
  } catch (error) {
    if (error instanceof InvalidRecord) return errorResult(error.message);
    throw error;
  }
}

const reading: readonly Tool[] = [
  {
    name: 'list_records',
    title: 'List records',
    description: 'Returns the first records of a collection.',
    inputSchema: argumentsOf({ collection, limit }, ['collection']),
    outputSchema: listOutput,
    annotations: readOnly,
    async run(args, call) {
      const rows = await tableOf(call, nameIn(args)).list();
      const records = rows.slice(0, Number(args.limit ?? limit.default));
      return structured({ total: rows.length, records });
    },
  },
  {
    name: 'get_record',
    title: 'Read a record',
    description: 'Returns a record by its id.',
    inputSchema: argumentsOf({ collection, id }),
    outputSchema: recordOutput,
    annotations: readOnly,
    async run(args, call) {
      const row = await tableOf(call, nameIn(args)).get(args.id as number);
      return row === undefined ? missing(args) : found(nameIn(args), { ...row });
    },
  },
  {
    name: 'search_records',
    title: 'Search records',
    description: 'Returns records of a collection that contain a text, in any letter case.',
    inputSchema: argumentsOf(
      { collection, query: { type: 'string', minLength: 1, maxLength: 100 }, limit },
      ['collection', 'query'],
    ),
    outputSchema: listOutput,
    annotations: readOnly,
    async run(args, call) {
      const wanted = String(args.query).toLowerCase();
      const rows = await tableOf(call, nameIn(args)).list();
      const matching = rows.filter((row) =>
        Object.values(row).some((value) => String(value).toLowerCase().includes(wanted)),
      );
      const records = matching.slice(0, Number(args.limit ?? limit.default));
      return structured({ total: matching.length, records });
    },
  },
];

const writing: readonly Tool[] = [
  {
    name: 'create_record',
    title: 'Create a record',
    description: 'Creates a record in this sandbox.',
    inputSchema: argumentsOf({ collection, record }),
    outputSchema: recordOutput,
    annotations: { destructiveHint: false, openWorldHint: false },
    isWriting: true,
    run: (args, call) =>
      change(call, args, (table) => {
        const build = newRecord(nameIn(args), args.record as JsonObject);
        return found(nameIn(args), { ...table.create(build) });
      }),
  },
  {
    name: 'update_record',
    title: 'Update a record',
    description: 'Changes fields of a record in this sandbox.',
    inputSchema: argumentsOf({ collection, id, record }),
    outputSchema: recordOutput,
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
    isWriting: true,
    run: (args, call) =>
      change(call, args, (table) => {
        const patch = args.record as JsonObject;
        const row = table.update(args.id as number, (before) =>
          patchedRecord(nameIn(args), before, patch),
        );
        return row === undefined ? missing(args) : found(nameIn(args), { ...row });
      }),
  },
  {
    name: 'delete_record',
    title: 'Delete a record',
    description: 'Deletes a record from this sandbox.',
    inputSchema: argumentsOf({ collection, id }),
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
    isWriting: true,
    run: (args, call) =>
      change(call, args, (table) =>
        table.remove(args.id as number)
          ? structured({ deleted: recordUri(nameIn(args), args.id as number) })
          : missing(args),
      ),
  },
];

export const dataTools: readonly Tool[] = [...reading, ...writing];
