/** Which version of the profile a request asks for. */

import { HttpError } from '../../http/http-error.js';
import { readPreferences } from '../../http/negotiation/read-preferences.js';

export const supportedVersions = ['1', '2'] as const;
export type Version = (typeof supportedVersions)[number];

export const latestVersion: Version = '2';

/** What can decide, the strongest first. */
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
  /** Of the response, when the caller asked for the version by media type. */
  readonly mediaType?: string;
}

/** Throws 400 with the supported versions when what decides asks for another one. */
export function chooseVersion({ header, query, accept }: VersionRequest): ChosenVersion {
  if (header !== undefined) {
    const version = readVersion(header);
    if (version === undefined) throw unsupported('header', `X-API-Version: ${header}`);
    return { version, source: 'header' };
  }
  if (query !== undefined) {
    const texts = [query].flat();
    const [version, ...others] = [...new Set(texts.map(readVersion))];
    if (version === undefined || others.length > 0) {
      throw unsupported('query', texts.map((text) => `api-version=${text}`).join('&'));
    }
    return { version, source: 'query' };
  }
  return chooseByAccept(accept);
}

/** Forms such as `2`, `v2` and `2.0`. */
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
 * The best that is on offer: a type of a version beats one of any version that is wanted as much.
 * A header without anything on offer is a mistake when it names versions; other callers, such as a
 * browser that wants HTML, get the latest.
 */
function chooseByAccept(header: string | undefined): ChosenVersion {
  let best: Offer | undefined;
  let unknown: string | undefined;
  for (const [type, weight] of readPreferences(header)) {
    if (weight === 0) continue;
    const [, asked] = versionedType.exec(type) ?? [];
    let offer: Offer | undefined;
    if (asked !== undefined) {
      const version = readVersion(asked);
      if (version === undefined) unknown ??= type;
      else {
        const mediaType = mediaTypeOf(version);
        offer = { chosen: { version, source: 'accept', mediaType }, rank: 2 * weight + 0.001 };
      }
    } else if (anyVersion.has(type)) {
      offer = { chosen: { version: latestVersion, source: 'default' }, rank: 2 * weight };
    }
    // Of equals the first named wins, but the latest version beats an older one.
    if (offer !== undefined && isBetter(offer, best)) best = offer;
  }
  if (best !== undefined) return best.chosen;
  if (unknown !== undefined) throw unsupported('accept', `Accept: ${unknown}`);
  return { version: latestVersion, source: 'default' };
}

interface Offer {
  readonly chosen: ChosenVersion;
  readonly rank: number;
}

function isBetter(offer: Offer, best: Offer | undefined): boolean {
  if (best === undefined || offer.rank > best.rank) return true;
  return offer.rank === best.rank && offer.chosen.version > best.chosen.version;
}

function unsupported(source: Source, asked: string): HttpError {
  const message = `${asked} asks for a version that is not supported. Supported are ${supportedVersions.join(' and ')}.`;
  return new HttpError(400, message, { body: { source, supportedVersions } });
}
