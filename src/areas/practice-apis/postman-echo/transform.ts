/** Converts collections of Postman between their formats 1 and 2. */

import { randomUUID } from 'node:crypto';
import { isObject, type JsonObject } from '#base/json-object.js';

const schema = 'https://schema.getpostman.com/json/collection/v2.0.0/collection.json';

const objectsIn = (value: unknown): JsonObject[] =>
  (Array.isArray(value) ? value : []).filter(isObject);
const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** Scripts by the names of their events in both formats. */
const events = [
  ['tests', 'test'],
  ['preRequestScript', 'prerequest'],
] as const;

function requestToNew(request: JsonObject) {
  const { name, description, url, method, headers, dataMode, rawModeData, data } = request;
  const lines = text(headers)
    .split('\n')
    .filter((line) => line.includes(':'));
  const header = lines.map((line) => {
    const at = line.indexOf(':');
    return { key: line.slice(0, at).trim(), value: line.slice(at + 1).trim(), description: '' };
  });
  const event = events.flatMap(([old, listen]) =>
    text(request[old]) === ''
      ? []
      : [{ listen, script: { type: 'text/javascript', exec: text(request[old]).split('\n') } }],
  );
  const isRaw = dataMode === 'raw';
  const mode = dataMode === 'params' ? 'formdata' : text(dataMode);
  const body = mode === '' ? undefined : { mode, [mode]: isRaw ? rawModeData : (data ?? []) };
  return {
    name,
    ...(event.length > 0 && { event }),
    request: {
      url,
      method,
      header,
      ...(body && { body }),
      ...(description !== undefined && { description }),
    },
    response: [],
  };
}

export function toNew({ id, name, description = '', requests, folders, order }: JsonObject) {
  const all = objectsIn(requests);
  const byId = new Map<unknown, JsonObject>(all.map((request) => [request.id, request]));
  // Each request has one place, so the result grows with what was sent only.
  const inOrder = (ids: unknown) =>
    (Array.isArray(ids) ? ids : []).flatMap((each) => {
      const request = byId.get(each);
      byId.delete(each);
      return request === undefined ? [] : [requestToNew(request)];
    });
  const groups = objectsIn(folders).map((folder) => ({
    name: folder.name,
    item: inOrder(folder.order),
  }));
  const placed = new Set(objectsIn(folders).flatMap((folder) => folder.order as unknown[]));
  const rest = Array.isArray(order)
    ? inOrder(order)
    : all.filter((each) => !placed.has(each.id)).map(requestToNew);
  return {
    variables: [],
    info: { name, _postman_id: id ?? randomUUID(), description, schema },
    item: [...groups, ...rest],
  };
}

function requestToOld(item: JsonObject, collectionId: unknown) {
  const request: JsonObject = isObject(item.request) ? item.request : { url: item.request };
  const { url, method = 'GET', header, body, description = '' } = request;
  const { mode = 'raw', ...content }: JsonObject = isObject(body) ? body : {};
  const scripts = events.map(([old, listen]) => {
    const found = objectsIn(item.event).find((each) => each.listen === listen);
    const exec = isObject(found?.script) ? found.script.exec : '';
    return [old, [exec].flat().join('\n')];
  });
  const lines = objectsIn(header).map(({ key, value }) => `${key}: ${value}`);
  return {
    ...{ id: randomUUID(), collectionId, name: item.name, description, method },
    ...{ url: isObject(url) ? url.raw : url, headers: lines.join('\n') },
    dataMode: mode === 'formdata' ? 'params' : mode,
    ...(mode === 'raw' ? { rawModeData: content.raw ?? '' } : { data: content[text(mode)] ?? [] }),
    ...Object.fromEntries(scripts),
  };
}

export function toOld({ info, item }: JsonObject) {
  const {
    name,
    _postman_id: id = randomUUID(),
    description = '',
  }: JsonObject = isObject(info) ? info : {};
  const made = objectsIn(item).map((each) => ({
    folder: Array.isArray(each.item) ? each : undefined,
    requests: (Array.isArray(each.item) ? objectsIn(each.item) : [each]).map((one) =>
      requestToOld(one, id),
    ),
  }));
  const idsOf = ({ requests }: (typeof made)[number]) => requests.map((request) => request.id);
  const folders = made.flatMap((each) =>
    each.folder ? [{ id: randomUUID(), name: each.folder.name, order: idsOf(each) }] : [],
  );
  const order = made.filter(({ folder }) => folder === undefined).flatMap(idsOf);
  return {
    id,
    name,
    description,
    order,
    folders,
    requests: made.flatMap(({ requests }) => requests),
  };
}
