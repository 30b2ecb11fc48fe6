/** Parses tus's Upload-Concat: an upload is partial, or final and made of partial uploads. */

import { gotValue } from '#base/text/got-value.js';
import { basePathOf } from '#http/address/sandbox-address.js';
import { HttpError } from '#http/http-error.js';
import type { Part, StoredFile } from './uploads.js';

/**
 * Returns the ids of the parts of a final upload. `baseUrl` is the URL of uploads; URLs in the header may omit its
 * origin.
 */
export function parseConcat(
  header: string | undefined,
  baseUrl: string,
): 'partial' | readonly string[] | undefined {
  const value = header?.trim();
  if (value === undefined || value === 'partial') return value;
  const [, list] = /^final;\s*(\S.*)$/.exec(value) ?? [];
  if (list === undefined) {
    const message = `Upload-Concat must be partial, or final; and the URLs of partial uploads${gotValue('value', value)}.`;
    throw new HttpError(400, message);
  }
  const ids = list.split(/\s+/).map((address) => idOf(address, baseUrl));
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated === undefined) return ids;
  throw new HttpError(400, `Upload-Concat names the upload ${repeated} more than once.`);
}

function idOf(address: string, baseUrl: string): string {
  for (const base of [`${baseUrl}/`, `${basePathOf(baseUrl)}/`]) {
    const id = address.startsWith(base) ? address.slice(base.length) : '';
    if (/^[\w-]+$/.test(id)) return id;
  }
  const message = `Upload-Concat must have URLs of partial uploads, such as ${baseUrl}/{id}${gotValue('address', address)}.`;
  throw new HttpError(400, message);
}

export function formatConcat(concat: NonNullable<StoredFile['concat']>, baseUrl: string): string {
  if (concat === 'partial') return concat;
  return `final;${concat.map(({ id }: Part) => `${baseUrl}/${id}`).join(' ')}`;
}
