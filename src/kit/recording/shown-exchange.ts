/**
 * Shortens an exchange to what recordings show. Values are shown if their names are known to be
 * harmless; the others are replaced by `(removed)`.
 */

import { cutText } from '#base/text/cut-text.js';
import { decodePercent } from '#base/text/decode-percent.js';
import { redact, removed, type Shown } from '#base/text/redact.js';
import { originForm } from '#http/address/target.js';
import type { Fields, Request } from '#http/exchange.js';
import { isSaneId } from '#http/request-id.js';
import type { AnySpec } from '../endpoint.js';
import type { Exchange, Pair, RequestEntry } from './exchange-record.js';
import { harmlessParameters, isHarmlessHeader, isHarmlessParameter } from './harmless-names.js';

type ShowPath = (path: string) => Shown;

const maxFields = 30;
const maxNameLength = 64;
const maxLength = 200;
/** Longer values are cut before they are searched. */
const maxSearched = 4096;

/** Shows an exchange by what the endpoint declares; `spec` is absent for an unknown path. */
export function entryOf(
  exchange: Exchange,
  spec: Partial<AnySpec>,
  showPath: ShowPath,
): RequestEntry {
  const { method, shownPath, shownQuery: query, status, atMs, endMs } = exchange;
  const { requestId, fault, httpVersion } = exchange;
  const declared = Object.assign({}, ...Object.values(spec.responseHeaders ?? {})) as Fields;
  const responseHeaders = Object.entries(exchange.responseHeaders).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, String(each)] as const),
  );
  return {
    method,
    path: shownPath,
    query,
    status,
    atMs,
    durationMs: Math.max(0, Math.round((endMs - atMs) * 100) / 100),
    requestId,
    fault,
    httpVersion,
    headers: shownHeaders(pairsOf(exchange.rawHeaders), spec.headers, showPath),
    responseHeaders: shownHeaders(responseHeaders, declared, showPath),
    bodyBytes: exchange.bodyBytes,
    responseBytes: exchange.responseBytes,
  };
}

/** Shows parameters by what the endpoint declares, as {@link entryOf}. */
export function shownParameters(
  query: URLSearchParams,
  spec: Partial<AnySpec>,
  showPath: ShowPath,
): readonly Pair[] {
  return [...query].slice(0, maxFields).map(([name, value]) => {
    const isShown = isHarmlessParameter(name, spec.query);
    return [nameOf(name), isShown ? shownValue(value, showPath) : removed] as const;
  });
}

/** Characters that people read more easily than their escapes. */
const readable = /%(?:28|29|2C|2F|3A|3B|40|24|5B|5D|7E)/g;

/** Writes shown parameters as a query in ASCII, cut to `maxBytes`. */
export function queryText(parameters: readonly Pair[], maxBytes: number): Shown {
  const pairs = parameters.map(([name, value]): [string, string] => [name, value]);
  const text = String(new URLSearchParams(pairs)).replace(readable, decodeURIComponent);
  return cutText(text, maxBytes) as Shown;
}

function shownHeaders(
  headers: readonly (readonly [name: string, value: string])[],
  declared: Fields | undefined,
  showPath: ShowPath,
): Pair[] {
  return headers.slice(0, maxFields).map(([name, value]) => {
    const key = name.toLowerCase();
    const isShown = key === 'x-request-id' ? isSaneId(value) : isHarmlessHeader(key, declared);
    return [nameOf(name), isShown ? shownValue(value, showPath) : removed];
  });
}

const nameOf = (name: string) =>
  redact(name.slice(0, maxSearched)).slice(0, maxNameLength) as Shown;

/** A URL or path in a value, up to a space, a quotation mark or an angle bracket. */
const url = /(?<![^\s"'<(=])(?:[a-z][a-z\d+.-]*:)?\/[^\s"'<>]*/gi;

const partsOfUrl = /^([^/?#]*\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?(#)?/;

/** No endpoint is known for the parameters of a URL in a value. */
const isUsual = (name: string) => (harmlessParameters as readonly string[]).includes(name);

/** Returns a value without keys, in which URLs are shown as far as their paths are known. */
function shownValue(value: string, showPath: ShowPath): Shown {
  const text = value.slice(0, maxSearched).replace(url, (found) => {
    const [, origin = '', path = '', query, fragment] = partsOfUrl.exec(found) ?? [];
    return [
      origin.replace(/\/\/[^/]*@/, `//${removed}@`),
      path === '' ? '' : showPath(path),
      query === undefined ? '' : `?${shownQuery(query, isUsual)}`,
      fragment === undefined ? '' : `#${removed}`,
    ].join('');
  });
  return redact(text).slice(0, maxLength) as Shown;
}

/** Parameters are shown with their values, or only by their names. */
function shownQuery(query: string, isShown: (name: string) => boolean): string {
  const shown = query.split('&').map((part) => {
    const [name = '', value] = part.split('=', 2);
    if (isShown(decodePercent(name) ?? name)) return part;
    return value === undefined ? removed : `${name}=${removed}`;
  });
  return shown.join('&');
}

/** Returns the target of a request to a known endpoint, without its sandbox. */
export function shownTarget({ url, route, exchanges }: Request): Shown {
  const [path = '', ...rest] = originForm(url).split('?');
  const { query } = (route?.spec ?? {}) as Partial<AnySpec>;
  const isShown = (name: string) => isHarmlessParameter(name, query);
  const shown = rest.length === 0 ? '' : `?${shownQuery(rest.join('?'), isShown)}`;
  return redact(exchanges.showPath(path) + shown);
}

function pairsOf(raw: readonly string[]) {
  const pairs: (readonly [name: string, value: string])[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    pairs.push([raw[index] ?? '', raw[index + 1] ?? '']);
  }
  return pairs;
}
