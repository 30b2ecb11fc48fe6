/** A request to a practice API, with the data of its sandbox. */

import { addValue } from '#base/add-value.js';
import { isObject, type JsonObject } from '#base/json-object.js';
import { shownPath } from '#http/address/mount.js';
import { basePathOf, rootUrl, sentTargetOf } from '#http/address/sandbox-address.js';
import { originForm } from '#http/address/target.js';
import { type MultipartForm, parseForm, parseMultipart } from '#http/body/parse-form.js';
import { bodyText, maxParsedBodyBytes, mediaType, readBody } from '#http/body/request-body.js';
import { sentCookies } from '#http/cookies/set-cookie.js';
import type { Reply, Request } from '#http/exchange.js';
import { headerValues } from '#http/headers/header-values.js';
import { HttpError } from '#http/http-error.js';
import { JsonSyntaxError, parseJson } from '#http/json/parse-json.js';
import type { Services } from '#kit/services.js';
import { Table, WritableTable } from '#state/rows/table.js';
import type { Collection, Item } from './collection.js';
import { optionsOf } from './options.js';

/** Stands for the base URL in records, and is replaced when they are sent. */
export const baseMark = '\ue000';

const maxJsonValues = 10_000;
const maxWaitMs = 10_000;

/** Makes an item with the next id. */
type Build = (id: number) => Item;

/** The part of a dialect that a call uses. */
interface Served {
  readonly name: string;
  readonly keepsWrites?: boolean;
}

export class Call {
  readonly request: Request;
  readonly reply: Reply;
  readonly services: Services;
  readonly dialect: Served;
  /** The parameters in the path. */
  readonly params: Readonly<Record<string, string>>;
  #bytes: Promise<Buffer> | undefined;
  #body: Promise<unknown> | undefined;

  constructor(
    request: Request,
    reply: Reply,
    services: Services,
    dialect: Served,
    params: Readonly<Record<string, string>> = {},
  ) {
    this.request = request;
    this.reply = reply;
    this.services = services;
    this.dialect = dialect;
    this.params = params;
  }

  /** Returns the first value of a query parameter. */
  query(name: string): string | undefined {
    return this.queries(name)[0];
  }

  queries(name: string): readonly string[] {
    const query = this.request.query as Readonly<Record<string, string | readonly string[]>>;
    return Object.hasOwn(query, name) ? [query[name] as string | readonly string[]].flat() : [];
  }

  header(name: string): string | undefined {
    return headerValues(this.request, name)[0];
  }

  cookie(name: string): string | undefined {
    const sent = sentCookies(headerValues(this.request, 'cookie'));
    return sent.find((each) => each.name === name)?.value;
  }

  get bodyType(): string {
    return mediaType(this.request.headers['content-type']) ?? '';
  }

  /** Reads the body, once. */
  bytes(): Promise<Buffer> {
    this.#bytes ??= readBody(this.request, maxParsedBodyBytes, maxParsedBodyBytes).then(
      ({ bytes }) => bytes,
    );
    return this.#bytes;
  }

  /** Parses JSON and forms; a body of another type counts as absent. */
  value(): Promise<unknown> {
    this.#body ??= this.#read();
    return this.#body;
  }

  async #read(): Promise<unknown> {
    const bytes = await this.bytes();
    if (bytes.length === 0) return undefined;
    try {
      const text = bodyText(bytes);
      if (/[/+]json$/.test(this.bodyType)) return parseJson(text, maxJsonValues);
      return this.bodyType === 'application/x-www-form-urlencoded'
        ? nested(parseForm(text))
        : undefined;
    } catch (error) {
      return rejectBody(error);
    }
  }

  /** Returns the members of the body; none for anything but an object. */
  async body(): Promise<JsonObject> {
    const value = await this.value();
    return isObject(value) ? value : {};
  }

  /** Parses a multipart body. */
  async form(): Promise<MultipartForm> {
    return parseMultipart(this.header('content-type') ?? '', await this.bytes()).catch(rejectBody);
  }

  now(): Promise<number> {
    return Promise.resolve(this.request.sandbox.now());
  }

  /** Waits for milliseconds, or until the client leaves. */
  async wait(ms: number): Promise<void> {
    if (!(ms >= 1)) return;
    const { held } = this.services.limits;
    await held.hold(this.request, this.reply, Math.min(ms, maxWaitMs)).ended;
  }

  /** The URL of a path below the mount. */
  url(path = ''): string {
    const { baseUrl, raw } = this.request;
    const url = baseUrl + shownPath(raw, `/${this.dialect.name}${path}`);
    return path === '' ? url.replace(/\/$/, '') : url;
  }

  /** The complete URL of the request, as the client sent it. */
  get sentUrl(): string {
    const { baseUrl, raw } = this.request;
    return rootUrl(baseUrl, raw) + originForm(sentTargetOf(raw));
  }

  /** The path that cookies are for. */
  get cookiePath(): string {
    const { baseUrl, raw } = this.request;
    return basePathOf(baseUrl) + shownPath(raw, `/${this.dialect.name}`);
  }

  list(of: Collection): Promise<readonly Item[]> {
    return Promise.resolve(new Table(this.request.sandbox, of.dataset()).list());
  }

  find(of: Collection, id: string | number): Promise<Item | undefined> {
    return Promise.resolve(new Table(this.request.sandbox, of.dataset()).get(id));
  }

  /** Whether writes are kept in the sandbox. */
  async keeps(): Promise<boolean> {
    return this.dialect.keepsWrites === true || (await optionsOf(this.request.sandbox)).keepWrites;
  }

  /** Creates an item, or returns what would be created. `build` must be pure. */
  async create(of: Collection, build: Build, id?: string | number): Promise<Item> {
    if (!(await this.keeps())) return build(Number(id ?? of.dataset().ids.highest + 1));
    return this.write((rowsOf) => rowsOf(of).create((given) => build(given as number), id));
  }

  /** Changes an item, or returns what it would be; `undefined` for an unknown id. */
  async change(
    of: Collection,
    id: string | number,
    change: (item: Item) => Item,
  ): Promise<Item | undefined> {
    if (!(await this.keeps())) {
      const found = await this.find(of, id);
      return found && change(found);
    }
    return this.write((rowsOf) => rowsOf(of).update(id, change));
  }

  /** Removes an item, or only finds it, and returns it; `undefined` for an unknown id. */
  async remove(of: Collection, id: string | number): Promise<Item | undefined> {
    if (!(await this.keeps())) return this.find(of, id);
    return this.write((rowsOf) => {
      const rows = rowsOf(of);
      const found = rows.get(id);
      rows.remove(id);
      return found;
    });
  }

  /** Writes to several collections at once. `change` must be pure, and kept writes must be on. */
  async write<Result>(
    change: (rowsOf: (of: Collection) => WritableTable<Item>) => Result,
  ): Promise<Result> {
    return this.request.sandbox.transact((view) =>
      change((of) => new WritableTable(view, of.dataset())),
    );
  }
}

function rejectBody(error: unknown): never {
  if (error instanceof HttpError) throw error;
  const { message } = error as Error;
  throw new HttpError(
    400,
    error instanceof JsonSyntaxError ? message : `The body is malformed: ${message}`,
  );
}

/** Reads `dates[checkin]=…` as a member of `dates`. */
function nested(form: JsonObject): JsonObject {
  const made: Record<string, unknown> = Object.create(null);
  const groups = new Map<string, Record<string, unknown>>();
  for (const [name, value] of Object.entries(form)) {
    const [, outer, inner] = /^([^[]+)\[([^\]]+)\]$/.exec(name) ?? [];
    if (outer === undefined || inner === undefined) {
      addValue(made, name, value as string);
      continue;
    }
    const group = groups.get(outer) ?? Object.create(null);
    group[inner] = value;
    groups.set(outer, group);
    made[outer] = group;
  }
  return { ...made };
}
