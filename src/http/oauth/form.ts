/**
 * Parses parameters of OAuth requests, from a form or a query (RFC 6749 section 3.2 and appendix
 * B).
 */

import {
  bodyText,
  checkHead,
  maxParsedBodyBytes,
  mediaType,
  readBody,
} from '../body/request-body.js';
import { type Fault, isFault } from '../credentials/fault.js';
import type { Request } from '../exchange.js';
import { HttpError } from '../http-error.js';
import { invalidRequest } from './oauth-error.js';

export type Form = ReadonlyMap<string, string>;

/**
 * Treats empty parameters as missing. A repeated parameter is a fault unless it is `repeatable`;
 * then its values are joined with spaces.
 */
export function parseForm(text: string, repeatable: readonly string[] = []): Form | Fault {
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = form.get(name);
    if (before !== undefined && !repeatable.includes(name)) {
      return { fault: `The parameter ${printable(name)} is repeated.` };
    }
    form.set(name, before ? `${before} ${value}`.trim() : value);
  }
  for (const [name, value] of form) if (value === '') form.delete(name);
  return form;
}

/** Like {@link parseForm}, but throws {@link OAuthError}. */
export function readFormText(text: string, repeatable?: readonly string[]): Form {
  const form = parseForm(text, repeatable);
  if (isFault(form)) throw invalidRequest(form.fault);
  return form;
}

/**
 * Decodes application/x-www-form-urlencoded; returns `undefined` if a percent sign is malformed.
 */
export function decodeFormText(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Shortens a sender's text for a message, and removes special characters. */
function printable(text: string): string {
  return text.slice(0, 40).replace(/[^\w.-]/g, '?');
}

/** Reads the form in the body of a request. Throws {@link OAuthError}. */
export async function readForm(
  request: Request,
  maxBytes = maxParsedBodyBytes,
  repeatable: readonly string[] = [],
): Promise<Form> {
  // Checks only the head, so it also works if a client sends the body in chunks, or never.
  checkHead(request, maxBytes);
  checkFormType(request);
  const { bytes } = await readBody(request, maxBytes, maxBytes);
  const form = readFormText(textOf(bytes), repeatable);
  request.onParsed?.({ form });
  return form;
}

function checkFormType(request: Request): void {
  const { 'content-type': contentType, 'content-encoding': encoding } = request.headers;
  if (mediaType(contentType) !== 'application/x-www-form-urlencoded') {
    throw invalidRequest(
      'The body must be a form: send Content-Type: application/x-www-form-urlencoded.',
    );
  }
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw invalidRequest('Send the form without a Content-Encoding.');
  }
}

/** Parses the query of a request as sent. Throws {@link OAuthError}. */
export function readQuery({ url }: Request, repeatable: readonly string[]): Form {
  const start = url.indexOf('?');
  return readFormText(start < 0 ? '' : url.slice(start + 1), repeatable);
}

/** Returns a parameter. Throws {@link OAuthError} if it is missing. */
export function needed(form: Form, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw invalidRequest(`The parameter ${name} is missing.`);
  return value;
}

function textOf(bytes: Buffer): string {
  try {
    return bodyText(bytes);
  } catch (error) {
    throw error instanceof HttpError ? invalidRequest(error.message) : error;
  }
}
