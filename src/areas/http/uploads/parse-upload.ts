/** Files that are sent in one request: as the body itself, or as the one file of a form (RFC 7578). */

import { controlCharacterFault } from '../../../base/text/text-patterns.js';
import { type FormFile, readParts } from '../../../http/body/parse-form.js';
import { mediaType } from '../../../http/body/request-body.js';
import type { Request } from '../../../http/exchange.js';
import { filenameIn } from '../../../http/headers/content-disposition.js';
import { HttpError } from '../../../http/http-error.js';

interface SentFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

const maxNameLength = 200;
const maxTypeLength = 200;
const binary = 'application/octet-stream';

/** Throws 400 for another body. */
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
    const message = `The file name has ${name.length} characters, and at most ${maxNameLength} are kept.`;
    throw new HttpError(400, message);
  }
  return name === '' ? 'upload' : name;
}

/** A media type as a header can carry it; anything else counts as bytes. */
export function checkType(type: string): string {
  const isOne = /^[\w.+-]+\/[\w.+-]+(?:\s*;[\x20-\x7e]*)?$/.test(type);
  return isOne && type.length <= maxTypeLength ? type : binary;
}

/** More parts than a form of one file has. */
const maxParts = 100;

async function parseForm(contentType: string, body: Buffer): Promise<SentFile> {
  const files: Omit<FormFile, 'name'>[] = [];
  const severalFiles = 'The form has several files. Send one in each request.';
  try {
    await readParts(contentType, body, {
      options: { limits: { parts: maxParts, fieldSize: 10_000 } },
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
    throw new HttpError(400, 'The form has no file: a part needs a filename.');
  }
  const { filename = 'upload', contentType: type, pieces } = file;
  return { name: checkName(filename), type: checkType(type), bytes: Buffer.concat(pieces) };
}
