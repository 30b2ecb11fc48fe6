/** The table of json-server's paths, for the data of the sandbox. */

import { METHODS } from 'node:http';
import { Type } from 'typebox';
import { valuesIn } from '#config/setting.js';
import { shownPath } from '#http/address/mount.js';
import type { Fields, Reply, Request } from '#http/exchange.js';
import { respondToPreflight } from '#http/preflight.js';
import { failures } from '#http/schemas/error-schema.js';
import { ifNoneMatch, location, optional } from '#http/schemas/header-schemas.js';
import { anyBodies } from '#kit/describe/any-body.js';
import { anyObject, text } from '#kit/describe/value-schemas.js';
import {
  type Endpoint,
  type EndpointSpec,
  endpoint,
  methodsOf,
  type Step,
  unvalidated,
} from '#kit/endpoint.js';
import { isVersion } from '#kit/json-server/read-query.js';
import type { Services } from '#kit/services.js';
import { ownStoreOf } from '../own/load-store.js';
import type { OwnStore } from '../own/own-store.js';
import { type DataServices, dataServicesOf } from '../source/data-services.js';
import {
  type Dialect,
  Exchange,
  type NestedPath,
  type RecordPath,
  type Sending,
} from './dialect.js';
import { isTargetMissing, type Target } from './missing-target.js';
import { jsonServerSettings } from './settings.js';
import { version0 } from './version-0.js';
import { version1 } from './version-1.js';

export const mount = '/json-server';

const resource = { resource: text('The name of a member of the data.') };
const record = { ...resource, id: text('The id of the record.') };
const nested = { ...record, nested: text('The collection whose records belong to it.') };

const version = { v: Type.Optional(text('0 or 1: the version of json-server to imitate.')) };

const related = {
  _embed: text("A collection whose records with this record's id are embedded. May be repeated."),
  _expand: text('The parent of a foreign key, such as post for postId. May be repeated.'),
};

const delay = { _delay: text('Milliseconds to wait, at most 10,000.') };

const listQuery = {
  _page: text('The page, from 1. Link has the other pages.'),
  _limit: text('Maximum number of records. Default for a page: 10.'),
  _start: text('Number of records to skip.'),
  _end: text('The position after the last record, if there is no _limit.'),
  _sort: text('Fields, separated by commas.'),
  _order: text('asc or desc for each field, separated by commas.'),
  q: text('Text to find in any member.'),
  ...related,
  ...delay,
  _per_page: text('Version 1: records per page.'),
  _where: text('Version 1: conditions as JSON.'),
};

const value = Type.Unknown({ description: 'The value in the data.' });
const absent = anyObject('Empty; in version 1 with the member error.');
const missing = { 404: absent };
const ofBody = failures(413, 415);

type Handle = (dialect: Dialect, exchange: Exchange, params: never) => Promise<Sending>;

export function jsonServerEndpoints(all: Services): Endpoint[] {
  const { jsonServerVersion, jsonServerRoutes } = valuesIn(all.runtime.config, jsonServerSettings);
  const rules = Object.fromEntries(jsonServerRoutes.map(({ from, to }) => [from, to]));
  const store = ownStoreOf(all.runtime);
  const table = new Table(dataServicesOf(all), store, jsonServerVersion, rules);
  const served = [table.index(), ...reads(table), ...writes(table)];
  const paths = [...new Set(served.map(({ path }) => path))];
  return [...served, ...paths.map((path) => optionsAt(path, served)), table.nothing()];
}

/** Responds to OPTIONS like json-server, with or without the headers of a preflight; adds `Allow`. */
function optionsAt(path: string, served: readonly Endpoint[]): Endpoint {
  const methods = served.filter((each) => each.path === path).flatMap(methodsOf);
  const allow = [...methods, 'OPTIONS'].sort().join(', ');
  return endpoint('OPTIONS', path, {
    hide: true,
    queryFaults: 'none',
    handle: (request, reply) => respondToPreflight(request, reply.header('allow', allow)),
  });
}

function reads({ read, rules }: Table): Endpoint[] {
  return [
    read('/db', 'Get all data', { responses: missing }, (dialect, exchange) =>
      dialect.all(exchange),
    ),
    read('/__rules', 'Get the rules that rewrite paths', { responses: {} }, async () => ({
      value: rules,
    })),
    read(
      ofResource,
      'List records, or get a single resource',
      ofList,
      (dialect, exchange, params: RecordPath) => dialect.list(exchange, params.resource),
    ),
    read(ofRecord, 'Get a record', ofOne, (dialect, exchange, params: RecordPath) =>
      dialect.show(exchange, params.resource, params.id),
    ),
    read(
      ofNested,
      'List the records that belong to a record',
      ofList,
      (dialect, exchange, params: NestedPath) => dialect.listBelow(exchange, params),
    ),
  ];
}

function writes({ write }: Table): Endpoint[] {
  const updatingSingle =
    (isPatch: boolean): Handle =>
    (dialect, exchange, { resource }: RecordPath) =>
      dialect.updateSingle(exchange, resource, isPatch);
  const updating =
    (isPatch: boolean): Handle =>
    (dialect, exchange, params: RecordPath) =>
      dialect.update(exchange, params, isPatch);
  return [
    write('POST', ofResource, ofNew, created, (dialect, exchange, params: RecordPath) =>
      dialect.create(exchange, params.resource),
    ),
    write('POST', ofNested, ofNew, createdBelow, (dialect, exchange, params: NestedPath) =>
      dialect.createBelow(exchange, params),
    ),
    write('PUT', ofResource, 'single', changed('Replace a single resource'), updatingSingle(false)),
    write(
      'PATCH',
      ofResource,
      'single',
      changed('Change members of a single resource'),
      updatingSingle(true),
    ),
    write('PUT', ofRecord, 'record', changed('Replace a record'), updating(false)),
    write('PATCH', ofRecord, 'record', changed('Change members of a record'), updating(true)),
    write('DELETE', ofRecord, 'record', removed, (dialect, exchange, params: RecordPath) =>
      dialect.remove(exchange, params),
    ),
  ];
}

const tooLong = { ...missing, ...failures(414) };
const ofList = { query: listQuery, responses: tooLong };
const ofOne = { query: { ...related, ...delay }, responses: tooLong };

/** The headers of each response of 0.17. */
const ofAll = optional({
  ETag: text('A weak entity tag of the body.'),
  Pragma: text('no-cache.'),
  Expires: text('-1.'),
  'X-Content-Type-Options': text('nosniff.'),
});

const ofPages = {
  'X-Total-Count': Type.Integer({
    description: 'Number of matching records, if the list is limited.',
  }),
  Link: text('The URLs of the other pages.'),
};

const ofRead = { ...ofAll, ...optional(ofPages) };

const ofResource = '/:resource';
const ofRecord = '/:resource/:id';
const ofNested = '/:resource/:id/:nested';

type TargetOf = Target | ((dialect: Dialect) => Target);

/** Only version 0 replaces a single resource by POST. */
const ofNew: TargetOf = (dialect) => (dialect === version0 ? 'resource' : 'collection');

type WriteSpec = Pick<EndpointSpec, 'summary' | 'bodies' | 'isBodyOptional' | 'responses'>;

const creating = {
  ...anyBodies,
  responses: { 201: value, ...missing, ...ofBody, ...failures(409) },
};
const created: WriteSpec = { summary: 'Create a record', ...creating };
const createdBelow: WriteSpec = {
  summary: 'Create a record that belongs to another record',
  ...creating,
};
const changed = (summary: string): WriteSpec => ({
  summary,
  ...anyBodies,
  responses: { 200: value, ...missing, ...ofBody },
});
const removed: WriteSpec = {
  summary: 'Delete a record and the records that depend on it',
  responses: { 200: value, ...missing },
};

class Table {
  readonly #services: DataServices;
  readonly #store: OwnStore;
  readonly #version: 0 | 1;
  readonly rules: Readonly<Record<string, string>>;

  constructor(
    services: DataServices,
    store: OwnStore,
    version: 0 | 1,
    rules: Readonly<Record<string, string>>,
  ) {
    this.#services = services;
    this.#store = store;
    this.#version = version;
    this.rules = rules;
  }

  index(): Endpoint {
    return endpoint('GET', mount, {
      summary: 'List the paths of json-server',
      queryFaults: 'none',
      responses: {
        200: anyObject('The URLs of all collections and single resources, by name.'),
        304: Type.Null({ description: 'The response matches If-None-Match.' }),
      },
      headers: unvalidated(ifNoneMatch),
      responseHeaders: { 200: ofAll, 304: ofAll },
      handle: async (request, reply) => {
        const exchange = this.#exchange(request, reply);
        const urlOf = (path: string) =>
          request.baseUrl + shownPath(request.raw, `${mount}/${path}`);
        const names = (await exchange.members()).names;
        const urls = [...names, 'db'].map((name) => [name, urlOf(encodeURIComponent(name))]);
        return version0.send(request, reply, { value: Object.fromEntries(urls) });
      },
    });
  }

  readonly read = (
    path: string,
    summary: string,
    { query = {}, responses = missing }: Pick<EndpointSpec, 'query' | 'responses'>,
    handle: Handle,
  ): Endpoint =>
    endpoint('GET', mount + path, {
      summary,
      params: paramsOf(path),
      query: unvalidated({ ...optional(query), ...version }),
      headers: unvalidated(ifNoneMatch),
      queryFaults: 'none',
      responses: {
        200: value,
        304: Type.Null({ description: 'The response matches If-None-Match.' }),
        ...responses,
      },
      responseHeaders: { 200: ofRead, 304: ofRead, 404: ofAll },
      validation: 'own',
      handle: this.#handler(handle),
    });

  readonly write = (
    method: string,
    path: string,
    target: TargetOf,
    spec: WriteSpec,
    handle: Handle,
  ): Endpoint =>
    endpoint(method, mount + path, {
      queryFaults: 'none',
      params: paramsOf(path),
      query: unvalidated({ ...optional(delay), ...version }),
      ...spec,
      responseHeaders: { 200: ofAll, 201: { ...ofAll, ...optional(location) }, 404: ofAll },
      validation: 'own',
      before: this.#checkTarget(target),
      handle: this.#handler(handle),
    });

  /** Paths with more names than any resource has. */
  nothing(): Endpoint {
    const handle = this.#handler((dialect, exchange) => dialect.none(exchange));
    return endpoint(METHODS, `${mount}${ofNested}/*`, {
      hide: true,
      queryFaults: 'none',
      handle: (request, reply) =>
        request.method === 'OPTIONS' ? respondToPreflight(request, reply) : handle(request, reply),
    });
  }

  #checkTarget(target: TargetOf): Step {
    return async (request, reply) => {
      const exchange = this.#exchange(request, reply);
      const dialect = this.#dialectOf(request);
      const needed = typeof target === 'string' ? target : target(dialect);
      const isMissing = await isTargetMissing(exchange, needed, request.params as RecordPath);
      if (isMissing) await dialect.send(request, reply, await dialect.none(exchange));
    };
  }

  #handler(handle: Handle) {
    return async (request: Request, reply: Reply) => {
      const dialect = this.#dialectOf(request);
      const exchange = this.#exchange(request, reply);
      return dialect.send(request, reply, await handle(dialect, exchange, request.params as never));
    };
  }

  #exchange(request: Request, reply: Reply): Exchange {
    return new Exchange(this.#store, this.#services, request, reply);
  }

  #dialectOf({ query }: Request): Dialect {
    const { v } = query as { readonly v?: unknown };
    return (isVersion(v) ? Number(v) : this.#version) === 1 ? version1 : version0;
  }
}

function paramsOf(path: string): Fields {
  const places = path.split('/:').length - 1;
  return [{}, resource, record, nested][places] ?? {};
}
