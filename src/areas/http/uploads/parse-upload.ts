/** Parses files sent in one request: as the body, or as the only file of a form (RFC 7578). */

import { controlCharacterFault } from '#base/text/text-patterns.js';
import { type FormFile, readParts } from '#http/body/read-parts.js';
import { mediaType } from '#http/body/request-body.js';
import type { Request } from '#http/exchange.js';
import { filenameIn } from '#http/headers/content-disposition.js';
import { HttpError } from '#http/http-error.js';

interface SentFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

const maxNameLength = 200;
const maxTypeLength = 200;
const binary = 'application/octet-stream';

/** Throws 400 for any other body. */
export async function parseUpload({ headers }: Request, body: Buffer): Promise<SentFile> {
  const { 'content-type': type, 'content-disposition': disposition } = headers;
  if (mediaType(type) === 'multipart/form-data') return parseForm(type ?? '', body);
  const name = checkName(filenameIn(disposition) ?? 'upload');
  return { name, type: checkType(type ?? binary), bytes: body };
}

export function checkName(name: string): string {
  const fault = controlCharacterFault(name);
  if (fault !== undefined) throw new HttpError(400, `The file name ${fault}.`);
  if (name.length > maxNameLength) {
    const message = `The file name has ${name.length} characters; at most ${maxNameLength} are allowed.`;
    throw new HttpError(400, message);
  }
  return name === '' ? 'upload' : name;
}

/** Returns a media type that a header can carry; anything else becomes application/octet-stream. */
export function checkType(type: string): string {
  const isOne = /^[\w.+-]+\/[\w.+-]+(?:\s*;[\x20-\x7e]*)?$/.test(type);
  return isOne && type.length <= maxTypeLength ? type : binary;
}

/** More than enough for a form with one file. */
const maxParts = 100;

async function parseForm(contentType: string, body: Buffer): Promise<SentFile> {
  const files: Omit<FormFile, 'name'>[] = [];
  const severalFiles = 'The form has several files. Send each in a separate request.';
  try {
    await readParts(contentType, body, {
      options: {},
      maxParts,
      tooMany: new Error(`The form has more than ${maxParts} parts.`),
      onFile(file) {
        files.push(file);
        return files.length > 1 ? new Error(severalFiles) : undefined;
      },
    });
  } catch (error) {
    throw new HttpError(400, (error as Error).message);
  }
  const [file] = files;
  if (file === undefined) {
    throw new HttpError(400, 'The form has no file: one part needs a filename.');
  }
  const { filename = 'upload', contentType: type, pieces } = file;
  return { name: checkName(filename), type: checkType(type), bytes: Buffer.concat(pieces) };
}
