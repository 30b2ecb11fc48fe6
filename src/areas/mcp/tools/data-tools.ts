/** Tools over the records of the sandbox. */

import type { JsonObject } from '#base/json-object.js';
import { pictureFields, withPictureUrls } from '#data/picture-address.js';
import { type CollectionName, collectionNames, declarations } from '#data/records.js';
import type { RecordWrite, WriteRecord } from '#kit/offers/steering.js';
import { Table } from '#state/rows/table.js';
import type { Call } from '../model/call.js';
import { recordUri } from '../model/record-uri.js';
import {
  argumentsOf,
  errorResult,
  explained,
  readOnly,
  structured,
  type Tool,
  toolWith,
} from './tool.js';

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

/** Returns records as clients of the REST API see them. */
const shown = <Each extends object>(name: CollectionName, record: Each, { baseUrl }: Call): Each =>
  withPictureUrls(record, pictureFields(declarations[name].fields), () => baseUrl);

const found = (name: CollectionName, record: JsonObject) =>
  structured({ uri: recordUri(name, record.id as number), record });

const missing = ({ collection, id }: JsonObject) =>
  errorResult(`There is no record ${id} in ${collection}.`);

/** Writes as the REST API does it; faults of the record become an error result. */
const write = (
  { sandbox, baseUrl }: Call,
  args: JsonObject,
  change: RecordWrite,
  writeRecord: WriteRecord,
) =>
  explained(async () => {
    const name = nameIn(args);
    const record = await writeRecord(sandbox, name, change, () => baseUrl);
    if (record !== undefined) return found(name, record);
    return structured({ deleted: recordUri(name, args.id as number) });
  });

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
      const listed = rows.slice(0, Number(args.limit ?? limit.default));
      const records = listed.map((row) => shown(nameIn(args), row, call));
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
      if (row === undefined) return missing(args);
      return found(nameIn(args), shown(nameIn(args), { ...row }, call));
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
      const listed = matching.slice(0, Number(args.limit ?? limit.default));
      const records = listed.map((row) => shown(nameIn(args), row, call));
      return structured({ total: matching.length, records });
    },
  },
];

const writing: readonly Tool[] = [
  toolWith('writeRecord', {
    name: 'create_record',
    title: 'Create a record',
    description: 'Creates a record in this sandbox.',
    inputSchema: argumentsOf({ collection, record }),
    outputSchema: recordOutput,
    annotations: { destructiveHint: false, openWorldHint: false },
    isWriting: true,
    run: (args, call, writeRecord) =>
      write(call, args, { kind: 'create', body: args.record }, writeRecord),
  }),
  toolWith('writeRecord', {
    name: 'update_record',
    title: 'Update a record',
    description: 'Changes fields of a record in this sandbox.',
    inputSchema: argumentsOf({ collection, id, record }),
    outputSchema: recordOutput,
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
    isWriting: true,
    run: (args, call, writeRecord) =>
      write(call, args, { kind: 'merge', id: args.id as number, body: args.record }, writeRecord),
  }),
  toolWith('writeRecord', {
    name: 'delete_record',
    title: 'Delete a record',
    description: 'Deletes a record from this sandbox.',
    inputSchema: argumentsOf({ collection, id }),
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
    isWriting: true,
    run: (args, call, writeRecord) =>
      write(call, args, { kind: 'remove', id: args.id as number }, writeRecord),
  }),
];

export const dataTools: readonly Tool[] = [...reading, ...writing];
