/** The headers and problems of draft-ietf-httpbis-resumable-upload. */

import { STATUS_CODES } from 'node:http';
import { maxBodyBytes } from '#http/body/request-body.js';
import type { Reply, Request } from '#http/exchange.js';
import { headerValues } from '#http/headers/header-values.js';
import { booleanItem, integerItem } from '#http/headers/structured-fields.js';
import { HttpError } from '#http/http-error.js';
import { sendInformational } from '#http/sending/informational.js';
import { maxTotalBytes, type StoredFile } from '../uploads.js';

/** The interop version of the draft; earlier ones are rejected. */
export const interopVersion = 9;

export const partialUpload = 'application/partial-upload';

const versionHeader = 'upload-draft-interop-version';

export interface DraftHeaders {
  /** `undefined` for no header; null for a value other than an integer. */
  readonly version: number | null | undefined;
  /** Malformed headers are ignored, as the draft demands. */
  readonly offset: number | undefined;
  readonly isComplete: boolean | undefined;
  readonly length: number | undefined;
  /** Bytes that Content-Length announces; `undefined` in chunks. */
  readonly announced: number | undefined;
}

export function readDraftHeaders(request: Request): DraftHeaders {
  const isPresent = headerValues(request, versionHeader).length > 0;
  const { 'content-length': sized, 'transfer-encoding': coded } = request.headers;
  return {
    version: isPresent ? (integerItem(request, versionHeader) ?? null) : undefined,
    offset: integerItem(request, 'upload-offset'),
    isComplete: booleanItem(request, 'upload-complete'),
    length: integerItem(request, 'upload-length'),
    announced: sized === undefined ? (coded || isHttp2(request) ? undefined : 0) : Number(sized),
  };
}

/** HTTP/2 needs no Content-Length. */
const isHttp2 = ({ raw }: Request) => raw.httpVersionMajor === 2;

/** Throws 400 for another interop version. Without one, the client gets no interim responses. */
export function checkInteropVersion({ version }: DraftHeaders): void {
  if (version === undefined || version === interopVersion) return;
  const said = version === null ? 'is no integer' : `is ${version}`;
  const message = `Upload-Draft-Interop-Version ${said}. The only known version is ${interopVersion}.`;
  throw new HttpError(400, message, {
    headers: { [versionHeader]: String(interopVersion) },
    body: { versions: [interopVersion] },
  });
}

/** Returns Upload-Limit; `max-age` is the remaining lifetime of an unfinished upload. */
export function limitsOf(file?: StoredFile, nowMs = 0): string {
  const limits = [`max-size=${maxTotalBytes}`, `min-size=0`, `max-append-size=${maxBodyBytes}`];
  const { expiresAtMs } = file ?? {};
  if (expiresAtMs === undefined) return limits.join(', ');
  return [...limits, `max-age=${Math.max(0, Math.floor((expiresAtMs - nowMs) / 1000))}`].join(', ');
}

/** Announces the upload, or its progress, to clients of this version of the draft. */
export function sendResumptionSupported(
  { raw }: Reply,
  { version, isComplete }: DraftHeaders,
  headers: Readonly<Record<string, string>>,
): void {
  if (version !== interopVersion || isComplete === undefined) return;
  const all = { 'Upload-Draft-Interop-Version': String(interopVersion), ...headers };
  sendInformational(raw, { status: 104, headers: all });
}

const registry = 'https://iana.org/assignments/http-problem-types';

/** A problem of the draft (RFC 9457). */
export class UploadProblem extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    detail: string,
    type: 'mismatching-upload-offset' | 'inconsistent-upload-length',
    offsets?: { readonly expected: number; readonly provided: number },
  ) {
    super(detail);
    this.status = status;
    this.headers = {
      'upload-complete': '?0',
      ...(offsets !== undefined && { 'upload-offset': String(offsets.expected) }),
    };
    this.members = {
      ...{ type: `${registry}#${type}`, title: STATUS_CODES[status], status, detail },
      ...(offsets !== undefined && {
        'expected-offset': offsets.expected,
        'provided-offset': offsets.provided,
      }),
    };
  }
}

export function mismatch(expected: number, provided: number): UploadProblem {
  const message = `Upload-Offset is ${provided}, but ${expected} bytes have arrived. HEAD returns the offset to continue at.`;
  return new UploadProblem(409, message, 'mismatching-upload-offset', { expected, provided });
}

export function inconsistent(message: string): UploadProblem {
  return new UploadProblem(400, message, 'inconsistent-upload-length');
}
