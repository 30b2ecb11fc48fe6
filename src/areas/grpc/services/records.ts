/** The services of records: books and todos of the sandbox, as REST and GraphQL have them. */

import {
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Message,
  toJson,
} from '@bufbuild/protobuf';
import type { FieldMask } from '@bufbuild/protobuf/wkt';
import { HttpError } from '#http/http-error.js';
import type { RecordWrite } from '#kit/offers/steering.js';
import { ChangeFeed } from '#state/rows/change-feed.js';
import type { Row } from '#state/rows/dataset.js';
import { Table } from '#state/rows/table.js';
import {
  BookSchema,
  Books,
  ChangeKind,
  TodoSchema,
  Todos,
} from '../generated/practice/v1/records_pb.js';
import { badFields, detailsOf, fieldFault, toRpcError } from '../messages/details.js';
import { RpcError } from '../messages/rpc-error.js';
import type { Call } from '../model/call.js';
import { type Runs, serve } from '../model/method.js';
import type { RecordParts } from '../model/parts.js';
import { pageToken, placeOf } from './page-tokens.js';

export const maxPageSize = 100;
const usualPageSize = 20;
const maxChatRecords = 100;
const changesPerRead = 20;

/** Names of the messages of one collection. */
interface Noun {
  readonly collection: 'books' | 'todos';
  /** The field of a request that has the record. */
  readonly one: 'book' | 'todo';
  readonly schema: DescMessage;
}

type Given = Readonly<Record<string, unknown>>;

class Records {
  readonly #noun: Noun;
  readonly #call: Call;
  readonly #parts: RecordParts;

  constructor(noun: Noun, call: Call) {
    const { records } = call.parts;
    if (records === undefined) {
      throw new RpcError('UNIMPLEMENTED', 'This service has no collections.');
    }
    this.#noun = noun;
    this.#call = call;
    this.#parts = records;
  }

  get #table(): Table<Row> {
    const { parts, request } = this.#call;
    const dataset = parts.datasetOf(this.#noun.collection);
    return new Table<Row>(request.sandbox, dataset as never);
  }

  get feed(): ChangeFeed<Row> {
    return new ChangeFeed<Row>(this.#call.request.sandbox, this.#noun.collection);
  }

  show(record: object): Message {
    const { schema } = this.#noun;
    const etag = this.#parts.tag(record).replaceAll('"', '');
    const json = { ...record, etag } as unknown as JsonValue;
    return fromJson(schema, json, { ignoreUnknownFields: true });
  }

  async get(id: number): Promise<Message> {
    const record = await this.#table.get(id);
    if (record === undefined) throw this.#unknown(id);
    return this.show(record);
  }

  #unknown(id: number): RpcError {
    return new RpcError('NOT_FOUND', `There is no ${this.#noun.one} with the id ${id}.`);
  }

  async list(size: number, token: string): Promise<object> {
    if (size < 0) throw fieldFault('page_size', 'page_size must not be negative.');
    const { collection } = this.#noun;
    const { parts } = this.#call;
    const after = placeOf(parts, collection, token);
    const all = await this.#table.list();
    const rest = after === 0 ? all : all.filter(({ id }) => Number(id) > after);
    const page = rest.slice(0, Math.min(size || usualPageSize, maxPageSize));
    const last = Number(page.at(-1)?.id ?? 0);
    return {
      [collection]: page.map((record) => this.show(record)),
      nextPageToken: page.length < rest.length ? pageToken(parts, collection, last) : '',
      totalSize: all.length,
    };
  }

  async search(text: string): Promise<object> {
    const wanted = text.toLowerCase();
    const all = (await this.#table.list()) as readonly (Row & { readonly title: string })[];
    const matching = all.filter(({ title }) => title.toLowerCase().includes(wanted));
    return {
      [this.#noun.collection]: matching.slice(0, maxChatRecords).map((each) => this.show(each)),
      totalSize: matching.length,
    };
  }

  async write(write: RecordWrite): Promise<JsonObject> {
    const { sandbox } = this.#call.request;
    const { collection } = this.#noun;
    const baseUrl = () => this.#call.request.baseUrl;
    try {
      const record = await this.#parts.write(sandbox, collection, write, baseUrl);
      return (record ?? {}) as JsonObject;
    } catch (error) {
      throw this.#explained(error, write.id);
    }
  }

  /** Names fields as the messages do. */
  #explained(error: unknown, id = 0): unknown {
    if (!(error instanceof HttpError)) return error;
    if (error.status === 404 || error.status === 410) return this.#unknown(id);
    if (error.status === 412) {
      return new RpcError('ABORTED', `The ${this.#noun.one} has changed since: read it again.`);
    }
    const { errors } = error.extra as { readonly errors?: readonly Fault[] };
    if (!Array.isArray(errors)) return toRpcError(error);
    const faults = errors.map(({ field, message }: Fault) => ({
      field: `${this.#noun.one}.${snakeCase(field)}`,
      message,
    }));
    return new RpcError('INVALID_ARGUMENT', error.message, detailsOf([badFields(faults)]));
  }

  async create(message: Message | undefined): Promise<Message> {
    return this.show(await this.write({ kind: 'create', body: this.bodyOf(message) }));
  }

  /** Returns the fields of a message that are set, as REST has them. */
  bodyOf(message: Message | undefined): JsonObject {
    const { one, schema } = this.#noun;
    if (message === undefined) throw fieldFault(one, `The request has no ${one}.`);
    const { id: _id, etag: _etag, ...body } = toJson(schema, message) as JsonObject;
    return body;
  }

  async update(message: Message | undefined, mask: FieldMask | undefined): Promise<Message> {
    const set = this.bodyOf(message);
    const { id, etag } = message as unknown as { readonly id: number; readonly etag: string };
    const body = mask === undefined ? set : this.#masked(message as Message, set, mask);
    const record = await this.write({ kind: 'merge', id, body, ...conditionOf(etag) });
    return this.show(record);
  }

  /** Returns the fields of a mask; null resets a field that is not set. */
  #masked(message: Message, set: JsonObject, { paths }: FieldMask): JsonObject {
    const { schema } = this.#noun;
    const whole = toJson(schema, message, { alwaysEmitImplicit: true }) as JsonObject;
    const names = paths[0] === '*' ? Object.keys(whole) : paths;
    const fields = names.map((path) => {
      const found = schema.fields.find(({ name, jsonName }) => name === path || jsonName === path);
      if (found === undefined) {
        throw fieldFault('update_mask', `update_mask has no field "${path.slice(0, 100)}".`);
      }
      const { jsonName } = found;
      return [jsonName, set[jsonName] ?? valueUnset(whole[jsonName])] as const;
    });
    const { id: _id, etag: _etag, ...masked } = Object.fromEntries(fields);
    return masked;
  }

  async remove(id: number, etag: string): Promise<Record<string, never>> {
    await this.write({ kind: 'remove', id, ...conditionOf(etag) });
    return {};
  }
}

/** Null resets a field. An empty text is no value of any field. */
const valueUnset = (value: JsonValue | undefined): JsonValue =>
  value === undefined || value === '' ? null : value;

/** HTTP has quotes around the same etag. */
const conditionOf = (etag: string) =>
  etag === '' ? {} : { ifMatch: `"${etag.replaceAll('"', '')}"` };

interface Fault {
  readonly field: string;
  readonly message: string;
}

const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const kinds = {
  created: ChangeKind.CREATED,
  updated: ChangeKind.UPDATED,
  deleted: ChangeKind.DELETED,
} as const;

/** Makes the functions of a service; both have the same. */
function runsOf(noun: Noun) {
  const { one } = noun;
  const of = (call: Call) => new Records(noun, call);
  const recordIn = (request: Given) => request[one] as Message | undefined;
  return {
    create: (request: Given, call: Call) => of(call).create(recordIn(request)),
    get: ({ id }: { id: number }, call: Call) => of(call).get(id),
    list: ({ pageSize, pageToken }: { pageSize: number; pageToken: string }, call: Call) =>
      of(call).list(pageSize, pageToken),
    update: (request: Given, call: Call) =>
      of(call).update(recordIn(request), request.updateMask as FieldMask | undefined),
    delete: ({ id, etag }: { id: number; etag: string }, call: Call) => of(call).remove(id, etag),
    watch: (_request: Given, call: Call) => watch(of(call), one, call),
    async import(requests: AsyncIterable<Given>, call: Call) {
      const ids: number[] = [];
      for await (const request of requests) {
        ids.push(await importOne(of(call), recordIn(request), ids.length));
      }
      return { ids };
    },
    async *chat(requests: AsyncIterable<{ text: string }>, call: Call) {
      for await (const { text } of requests) yield of(call).search(text);
    },
  };
}

/** Creates a record. Its failure names its index; earlier records stay. */
async function importOne(
  records: Records,
  message: Message | undefined,
  index: number,
): Promise<number> {
  try {
    const body = records.bodyOf(message);
    return Number((await records.write({ kind: 'create', body })).id);
  } catch (error) {
    const { code, message: why, details } = toRpcError(error);
    throw new RpcError(code, `Record ${index}: ${why}`, details);
  }
}

async function* watch(records: Records, one: string, call: Call): AsyncGenerator<object> {
  const { feed } = records;
  let place = await feed.lastSequence();
  call.begin();
  while (call.failure === undefined) {
    const changes = await feed.after(place, changesPerRead);
    if (changes === undefined) {
      throw new RpcError(
        'ABORTED',
        'Some changes were dropped: list the records, and watch again.',
      );
    }
    for (const { kind, record } of changes)
      yield { kind: kinds[kind], [one]: records.show(record) };
    place = changes.at(-1)?.sequence ?? place;
    if (changes.length === 0) await feed.waitPast(place, call.signal);
  }
}

const books = runsOf({ collection: 'books', one: 'book', schema: BookSchema });
const todos = runsOf({ collection: 'todos', one: 'todo', schema: TodoSchema });

// The names of messages differ, and not the functions.
export const bookService = serve(Books, books as unknown as Runs<typeof Books>);
export const todoService = serve(Todos, todos as unknown as Runs<typeof Todos>);
