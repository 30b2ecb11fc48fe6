/** Selects the version of the profile that a request names. */

import { HttpError } from '#http/http-error.js';
import { readPreferences } from '#http/negotiation/read-preferences.js';

export const supportedVersions = ['1', '2'] as const;
export type Version = (typeof supportedVersions)[number];

export const latestVersion: Version = '2';

/** The sources of a selection, the strongest first. */
export const precedence = ['header', 'query', 'accept', 'default'] as const;
type Source = (typeof precedence)[number];

export interface VersionRequest {
  readonly header?: string | undefined;
  readonly query?: string | readonly string[] | undefined;
  readonly accept?: string | undefined;
}

export interface ChosenVersion {
  readonly version: Version;
  readonly source: Source;
  /** Media type of the response, if the caller selected the version by media type. */
  readonly mediaType?: string;
}

/** Throws 400 with the supported versions if the request selects another one. */
export function chooseVersion({ header, query, accept }: VersionRequest): ChosenVersion {
  for (const [source, name, sent] of [
    ['header', 'X-API-Version: ', header],
    ['query', 'api-version=', query],
  ] as const) {
    if (sent === undefined) continue;
    const texts = [sent].flat();
    const [version, ...others] = new Set(texts.map(readVersion));
    if (version !== undefined && others.length === 0) return { version, source };
    throw unsupported(source, texts.map((text) => name + text).join('&'));
  }
  return chooseByAccept(accept);
}

/** Parses forms such as `2`, `v2` and `2.0`. */
export function readVersion(text: string): Version | undefined {
  const [, major] = /^v?(\d+)(?:\.0+)?$/i.exec(text.trim()) ?? [];
  return supportedVersions.find((version) => version === major);
}

export function mediaTypeOf(version: Version): string {
  return `application/vnd.service.v${version}+json`;
}

const versionedType = /^application\/vnd\.service\.(.+)\+json$/;
const anyVersion = new Set(['application/json', 'application/*', '*/*']);

/**
 * Returns the best supported type; with equal weights, a version's type beats a type of any version. A header that
 * names only unsupported versions is an error; other callers, such as a browser that wants HTML, get the latest.
 */
function chooseByAccept(header: string | undefined): ChosenVersion {
  const wanted = [...readPreferences(header)].filter(([, weight]) => weight > 0);
  const ranked = wanted
    .flatMap(([type, weight]) => {
      const chosen = offerOf(type);
      return chosen === undefined ? [] : [{ chosen, rank: rankOf(chosen, weight) }];
    })
    .sort((one, other) => other.rank - one.rank);
  if (ranked[0] !== undefined) return ranked[0].chosen;
  const unknown = wanted.find(([type]) => versionedType.test(type));
  if (unknown !== undefined) throw unsupported('accept', `Accept: ${unknown[0]}`);
  return { version: latestVersion, source: 'default' };
}

function offerOf(type: string): ChosenVersion | undefined {
  if (anyVersion.has(type)) return { version: latestVersion, source: 'default' };
  const version = readVersion(versionedType.exec(type)?.[1] ?? '');
  return version && { version, source: 'accept', mediaType: mediaTypeOf(version) };
}

/** Weights have three decimals. With equal weights the latest version wins. */
function rankOf({ version, source }: ChosenVersion, weight: number): number {
  return 20_000 * weight + (source === 'accept' ? 10 : 0) + Number(version);
}

function unsupported(source: Source, asked: string): HttpError {
  const message = `${asked} selects an unsupported version. Supported are ${supportedVersions.join(' and ')}.`;
  return new HttpError(400, message, { body: { source, supportedVersions } });
}
