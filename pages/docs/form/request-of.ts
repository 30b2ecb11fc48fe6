/** Makes the request from what is entered in the form of an operation. */

import { encodeBasic } from '../../../src/describe/snippets/encode-basic.js';
import type { BodyForm, Field, OperationForm } from './form-of.js';

/** Credentials of one scheme. */
export type Credential =
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'digest'; readonly username: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string }
  | {
      readonly kind: 'apiKey';
      readonly in: 'header' | 'query' | 'cookie';
      readonly name: string;
      readonly key: string;
    };

export interface Entered {
  readonly method: string;
  /** Text of a field. */
  readonly textOf: (field: Field) => string;
  readonly filesOf: (field: Field) => readonly File[];
  readonly body?: { readonly form: BodyForm; readonly text: string; readonly file?: File };
  readonly credentials: readonly Credential[];
}

export interface MadeRequest {
  readonly method: string;
  /** Begins with a slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookie?: string;
  readonly body?: string | File | FormData;
  readonly digest?: { readonly username: string; readonly password: string };
}

/** Returns the required fields without a value instead, if there are any. */
export function requestOf(
  form: OperationForm,
  entered: Entered,
): { readonly request: MadeRequest } | { readonly missing: readonly string[] } {
  const { method, textOf, credentials } = entered;
  const fields = form.fields.map((field) => ({ field, values: valuesOf(field, textOf(field)) }));
  const missing = fields.filter(({ field, values }) => field.isRequired && values.length === 0);
  const body = bodyOf(form, entered);
  if (body !== undefined && 'missing' in body) return body;
  if (missing.length > 0) return { missing: missing.map(({ field }) => field.name) };
  const of = (place: Field['place']) => fields.filter(({ field }) => field.place === place);
  const query = new URLSearchParams();
  for (const { field, values } of of('query')) {
    if (field.isOpen)
      for (const [name, value] of new URLSearchParams(values[0])) query.append(name, value);
    else for (const value of values) query.append(field.name, value);
  }
  const path = of('path').reduce(
    (text, { field, values }) => text.replace(`{${field.name}}`, () => pathValue(field, values[0])),
    form.path,
  );
  const headers: Record<string, string> = body?.type ? { 'Content-Type': body.type } : {};
  for (const { field, values } of of('header'))
    if (values.length > 0) headers[field.name] = values.join(', ');
  const cookies = of('cookie').flatMap(({ field, values }) =>
    values.map((value) => `${field.name}=${value}`),
  );
  const digest = applyCredentials(credentials, { query, headers, cookies });
  return {
    request: {
      method,
      path: `${path}${query.size > 0 ? `?${query}` : ''}`,
      headers,
      ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
      ...(body !== undefined && { body: body.content }),
      ...(digest && { digest }),
    },
  };
}

/** A path of several parts keeps its slashes. */
function pathValue({ name }: Field, value = ''): string {
  return name === 'subPath' ? encodeURI(value) : encodeURIComponent(value);
}

function valuesOf({ isList }: Field, text: string): string[] {
  return (isList ? text.split('\n') : [text]).filter((each) => each !== '');
}

interface Parts {
  readonly query: URLSearchParams;
  readonly headers: Record<string, string>;
  readonly cookies: string[];
}

function applyCredentials(credentials: readonly Credential[], { query, headers, cookies }: Parts) {
  let digest: MadeRequest['digest'];
  for (const each of credentials) {
    if (each.kind === 'basic') headers.Authorization = encodeBasic(each);
    else if (each.kind === 'bearer') headers.Authorization = `Bearer ${each.token}`;
    else if (each.kind === 'digest') digest = each;
    else if (each.in === 'query') query.set(each.name, each.key);
    else if (each.in === 'header') headers[each.name] = each.key;
    else cookies.push(`${each.name}=${each.key}`);
  }
  return digest;
}

type Body = { readonly type: string; readonly content: string | File | FormData };

function bodyOf(
  { isBodyRequired }: OperationForm,
  { method, body, textOf, filesOf }: Entered,
): Body | { readonly missing: readonly string[] } | undefined {
  // Browsers send none with these methods.
  if (body === undefined || /^(?:GET|HEAD|TRACE)$/.test(method)) return undefined;
  const { form, text, file } = body;
  if (form.fields === undefined) {
    if (file !== undefined) return { type: form.type, content: file };
    if (text === '') return isBodyRequired ? { missing: ['body'] } : undefined;
    return { type: form.type, content: text };
  }
  const entries = form.fields.flatMap((field): (readonly [string, string | File])[] =>
    field.isFile && filesOf(field).length > 0
      ? filesOf(field).map((each) => [field.name, each] as const)
      : valuesOf(field, textOf(field)).map((each) => [field.name, each] as const),
  );
  const missing = form.fields
    .filter(({ isRequired, name }) => isRequired && !entries.some(([each]) => each === name))
    .map(({ name }) => name);
  if (missing.length > 0) return { missing };
  if (entries.length === 0) return isBodyRequired ? { missing: ['body'] } : undefined;
  if (!form.type.startsWith('multipart/')) {
    // A form with files is sent only as multipart.
    const texts = entries.map(([name, value]): [string, string] => [name, String(value)]);
    return { type: form.type, content: String(new URLSearchParams(texts)) };
  }
  const content = new FormData();
  for (const [name, value] of entries) content.append(name, value);
  // The browser adds the type, with its boundary.
  return { type: '', content };
}
