/** The request that the reference sends for an unchanged operation, and the values that it lacks. */

import type {
  Description,
  ListedOperation,
  Parameter,
  Schema,
} from '../../pages/docs/description.js';
import { resolved } from '../../pages/docs/told-description.js';

export interface UnchangedRequest {
  readonly target: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** Names of required values that a person must enter. */
  readonly missing: readonly string[];
}

/** Values of the schemes that the page has filled in: a header, or a parameter of the query. */
export type FilledIn = Readonly<Record<string, Credential | undefined>>;

export interface Credential {
  readonly in: 'header' | 'query';
  readonly name: string;
  readonly value: string;
}

/** `operation` is of the description that the viewer gets. */
export function unchangedRequest(
  description: Description,
  operation: ListedOperation,
  filledIn: FilledIn,
): UnchangedRequest {
  const missing: string[] = [];
  const headers: Record<string, string> = {};
  const query = new URLSearchParams();
  const cookies: string[] = [];
  let path = operation.path;
  for (const reference of operation.parameters ?? []) {
    const parameter = resolved(description, reference) as Parameter;
    const { name = '', in: place, required = false } = parameter;
    const value = filledInValue(description, parameter);
    if (value === undefined) {
      if (required) missing.push(name);
      continue;
    }
    const values = [value].flat().map(String);
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(values.join(',')));
    else if (place === 'query') for (const each of values) query.append(name, each);
    else if (place === 'cookie') cookies.push(`${name}=${values.join(',')}`);
    else if (!/^(?:accept|authorization|content-type)$/i.test(name)) headers[name] = String(value);
  }
  for (const scheme of (operation.security ?? []).flatMap((way) => Object.keys(way))) {
    const credential = filledIn[scheme];
    if (credential?.in === 'query') query.set(credential.name, credential.value);
    else if (credential !== undefined) headers[credential.name] = credential.value;
  }
  if (cookies.length > 0) headers.Cookie = cookies.join('; ');
  const accept = acceptOf(description, operation);
  headers.Accept = accept;
  const body = bodyOf(description, operation, missing);
  if (body !== undefined) headers['Content-Type'] = body.type;
  const search = query.size > 0 ? `?${query}` : '';
  return { target: path + search, headers, ...(body && { body: body.text }), missing };
}

/** The viewer fills in the example, else the default, else the first value of a required list. */
function filledInValue(description: Description, parameter: Parameter): unknown {
  const schema = resolved(description, parameter.schema) as Schema & {
    readonly anyOf?: readonly Schema[];
    readonly oneOf?: readonly Schema[];
  };
  const first = (schema?.oneOf ?? schema?.anyOf)?.[0];
  const whole = { ...(first && resolved(description, first)), ...schema };
  const value = parameter.example ?? whole.example ?? whole.default;
  const filledIn = value ?? (parameter.required ? whole.enum?.[0] : undefined);
  const isEmpty = whole.type === 'object' || filledIn === '' || filledIn === null;
  return isEmpty ? undefined : filledIn;
}

/** The first media type of the first described success. */
function acceptOf(description: Description, { responses = {} }: ListedOperation): string {
  const successes = Object.keys(responses).filter((status) => status.startsWith('2'));
  const types = successes.sort().map((status) => {
    return Object.keys(resolved(description, responses[status])?.content ?? {})[0];
  });
  return types.find((type) => type !== undefined) ?? '*/*';
}

function bodyOf(
  description: Description,
  operation: ListedOperation,
  missing: string[],
): { type: string; text: string } | undefined {
  const { required = false, content = {} } = resolved(description, operation.requestBody) ?? {};
  const [[type, media] = []] = Object.entries(content);
  if (type === undefined || media === undefined) return undefined;
  const schema = resolved(description, media.schema);
  const isForm = /^(?:multipart\/|application\/x-www-form-urlencoded)/.test(type);
  if (isForm && schema?.properties !== undefined) {
    const form = new URLSearchParams();
    for (const [name, { example }] of Object.entries(schema.properties)) {
      for (const each of [example].flat()) if (each) form.append(name, String(each));
    }
    missing.push(...(schema.required ?? []).filter((name) => !form.has(name)));
    if (form.size === 0 && required) missing.push('body');
    // A form with files is sent as the same fields.
    return { type: 'application/x-www-form-urlencoded', text: String(form) };
  }
  if (media.example === undefined) {
    // The viewer would invent a text, or let the visitor choose a file.
    missing.push('body');
    return undefined;
  }
  const { example } = media;
  if (example === '') return undefined;
  return { type, text: typeof example === 'string' ? example : JSON.stringify(example) };
}
