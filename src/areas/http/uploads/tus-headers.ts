/** Reads the headers of tus. */

import { gotValue } from '#base/text/got-value.js';
import { titleCase } from '#base/text/title-case.js';
import type { Request } from '#http/exchange.js';
import { singleHeader } from '#http/headers/header-values.js';
import { HttpError } from '#http/http-error.js';

export const version = '1.0.0';

export function checkVersion(request: Request): void {
  const given = singleHeader(request, 'tus-resumable');
  if (given === version) return;
  const said = given === undefined ? 'is missing' : `is ${JSON.stringify(given.slice(0, 50))}`;
  throw new HttpError(412, `Tus-Resumable ${said}. Send Tus-Resumable: ${version}.`, {
    headers: { 'tus-version': version },
  });
}

/** Returns null if a later request has the size. */
export function sizeOf(request: Request, isFinal: boolean): number | null {
  const length = singleHeader(request, 'upload-length');
  const deferred = singleHeader(request, 'upload-defer-length');
  if (isFinal) {
    if (length === undefined && deferred === undefined) return null;
    const message = 'The length of a final upload is the sum of its parts: omit Upload-Length.';
    throw new HttpError(400, message);
  }
  if (deferred === undefined) {
    if (length !== undefined) return wholeNumber(request, 'upload-length');
    const message =
      'Upload-Length is missing. Send the size in bytes, or Upload-Defer-Length: 1 to send it later.';
    throw new HttpError(400, message);
  }
  if (length !== undefined) {
    throw new HttpError(400, 'Send either Upload-Length or Upload-Defer-Length, not both.');
  }
  if (deferred.trim() === '1') return null;
  throw new HttpError(400, `Upload-Defer-Length must be 1${gotValue('length', deferred)}.`);
}

export function wholeNumber(request: Request, name: string): number {
  const value = singleHeader(request, name);
  if (value !== undefined && /^\d{1,15}$/.test(value)) return Number(value);
  const got = gotValue(titleCase(name), value);
  throw new HttpError(
    400,
    `${titleCase(name)} must be a number of bytes, an integer of at least 0${got}.`,
  );
}
