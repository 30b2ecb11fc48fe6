/**
 * Writes the service as a request file, in the syntax of VS Code's REST Client, which other editors
 * follow.
 */

import type { Steps } from '#base/run-steps.js';
import type { ResponsePart } from '#kit/example.js';
import type { SampleAuth } from '#kit/request-collection.js';
import type { SampleCollector } from './collect-samples.js';
import {
  bodyText,
  type Sample,
  type SampleRequest,
  targetOf,
  variablesIn,
} from './sample-request.js';

const introduce = (isInside: boolean) =>
  `# Every operation of Practice API, and multi-step flows.
# {{jwtLogin.response.body.$.accessToken}} refers to the response of an earlier request:
# send that request first. Editors without this feature, such as JetBrains, need the value itself.
# Changes go to the sandbox ${isInside ? 'in the base URL' : 'below, which only you use'}.`;

export function* httpFile(
  collector: SampleCollector,
  baseUrl: string,
  credentials: Readonly<Record<string, string>>,
  isAccountRequired: boolean,
  isInside: boolean,
): Steps<string> {
  const { flows, leftOutOfFile, fileValues } = collector.known;
  const values = {
    baseUrl,
    sandbox: 'http-file',
    ...fileValues,
    ...(isAccountRequired && { serviceKey: '' }),
    ...credentials,
  };
  const sections = [
    ...flows.map(({ title, steps }) => ({
      title: `Flow: ${title}`,
      samples: steps
        .filter(({ needsScripts }) => !needsScripts)
        .map((step) => collector.step(step)),
    })),
    ...(yield* collector.folders()).map(({ title, operations }) => ({
      title,
      samples: operations
        .map(({ sample }) => sample)
        .filter(({ id }) => !Object.hasOwn(leftOutOfFile, id)),
    })),
  ];
  const text = writeSections(
    sections,
    isAccountRequired ? { 'X-Service-Key': '{{serviceKey}}' } : {},
  );
  const variables = Object.entries(values)
    .filter(([name]) => text.includes(`{{${name}}}`))
    .map(([name, value]) => fileVariable(name, value));
  return `${introduce(isInside)}\n\n${variables.join('\n')}\n\n${text}`;
}

export function fileVariable(name: string, value: string): string {
  return `@${name} = ${value}`;
}

interface Section {
  readonly title: string;
  readonly samples: readonly Sample[];
}

function writeSections(
  sections: readonly Section[],
  usualHeaders: Readonly<Record<string, string>>,
): string {
  const parts: string[] = [];
  /** References to the latest values of variables. */
  const references = new Map<string, string>();
  const written = new Set<string>();
  /** Rewrites the request that provides a forgotten value, under another name. */
  const obtainAgain = new Map<string, () => void>();

  /** Writes the sample, after the samples of its section whose values it uses. */
  function write(sample: Sample, section: Section): void {
    const { id, request, keeps, forgets = [] } = sample;
    if (written.has(id)) return;
    written.add(id);
    for (const name of variablesIn(request)) {
      if (references.has(name)) continue;
      const source = section.samples.find((each) => Object.hasOwn(each.keeps, name));
      if (source !== undefined) write(source, section);
      else obtainAgain.get(name)?.();
    }
    const text = writeSample(sample, section.title, usualHeaders);
    parts.push(text.replace(/\{\{(\w+)\}\}/g, (found, name) => references.get(name) ?? found));
    for (const [name, part] of Object.entries(keeps)) {
      references.set(name, `{{${id}.response.${referenceTo(part)}}}`);
      obtainAgain.set(name, () => write({ ...sample, id: `${id}Again` }, section));
    }
    for (const name of forgets) references.delete(name);
  }

  for (const section of sections) {
    for (const sample of section.samples) write(sample, section);
  }
  return `${parts.join('\n\n')}\n`;
}

function writeSample(
  { id, title, request, expected }: Sample,
  section: string,
  usualHeaders: Readonly<Record<string, string>>,
): string {
  const { method, headers, body, auth } = request;
  const all = { ...usualHeaders, ...headers, ...headersOf(auth) };
  return [
    `### ${section}: ${title}`,
    `# Responds with ${expected.map(({ status }) => status).join(' or ')}.`,
    `# @name ${id}`,
    `${method} {{baseUrl}}${targetOf(withKey(request))}`,
    ...Object.entries(all).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['', bodyText(body)]),
  ].join('\n');
}

function headersOf(auth: SampleAuth | undefined): Readonly<Record<string, string>> {
  switch (auth?.kind) {
    case 'basic':
      return { Authorization: `Basic ${basicCredentials(auth)}` };
    case 'digest':
      return { Authorization: `Digest ${auth.username} ${auth.password}` };
    case 'bearer':
      return { Authorization: `Bearer ${auth.token}` };
    case 'apiKey':
      return auth.in === 'header' ? { [auth.name]: auth.value } : {};
    default:
      return {};
  }
}

/** Editors encode a name and a password, but not an empty one. */
function basicCredentials({ username, password }: { username: string; password: string }): string {
  return password === ''
    ? Buffer.from(`${username}:`).toString('base64')
    : `${username} ${password}`;
}

function withKey(request: SampleRequest): SampleRequest {
  const { auth, query } = request;
  if (auth?.kind !== 'apiKey' || auth.in !== 'query') return request;
  return { ...request, query: [...query, [auth.name, auth.value]] };
}

function referenceTo(part: ResponsePart): string {
  if ('header' in part) return `headers.${part.header}`;
  const steps = part.body.map((name) => (/^\w+$/.test(name) ? `.${name}` : `['${name}']`));
  return `body.$${steps.join('')}`;
}
