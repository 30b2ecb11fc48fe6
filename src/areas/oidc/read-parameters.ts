/** The parameters of an OAuth request, from its query or from a form (RFC 6749 appendix B). */

import { isFault } from '../../http/credentials/fault.js';
import { type Form, parseForm } from '../../http/credentials/oauth-form.js';
import type { Request } from '../../http/exchange.js';
import { HttpError } from '../../http/http-error.js';
import { bodyText, mediaType, readBody } from '../../http/request-body.js';
import { oauthError } from './oauth-error.js';

/** Assertions and request objects are the longest of them. */
const maxFormBytes = 64 * 1024;

export function queryParameters({ raw }: Request): Form {
  const { url = '' } = raw;
  const start = url.indexOf('?');
  return parsed(start < 0 ? '' : url.slice(start + 1));
}

export async function formParameters(request: Request): Promise<Form> {
  const { bytes } = await readBody(request, maxFormBytes, maxFormBytes);
  const { 'content-type': contentType, 'content-encoding': encoding } = request.headers;
  if (mediaType(contentType) !== 'application/x-www-form-urlencoded') {
    throw oauthError(
      'invalid_request',
      'The body must be a form: send Content-Type: application/x-www-form-urlencoded.',
    );
  }
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw oauthError('invalid_request', 'Send the form without a Content-Encoding.');
  }
  return parsed(textOf(bytes));
}

export function needed(form: Form, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw oauthError('invalid_request', `The parameter ${name} is missing.`);
  return value;
}

/** RFC 8707 section 2, RFC 8693 section 2.1. */
const repeatable = ['resource', 'audience'];

function parsed(text: string): Form {
  const form = parseForm(text, repeatable);
  if (isFault(form)) throw oauthError('invalid_request', form.fault);
  return form;
}

function textOf(bytes: Buffer): string {
  try {
    return bodyText(bytes);
  } catch (error) {
    if (error instanceof HttpError) throw oauthError('invalid_request', error.message);
    throw error;
  }
}
