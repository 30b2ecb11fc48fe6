/**
 * The service as a file of requests, in the dialect of the HTTP clients of editors: the REST Client of
 * VS Code and those that follow it, JetBrains for all but the values taken from earlier responses.
 */

import type { Steps } from '../../base/run-steps.js';
import type { ResponsePart, SampleAuth } from '../../kit/request-collection.js';
import type { SampleCollector } from './collect-samples.js';
import type { Gathered } from './gather-collections.js';
import {
  bodyText,
  type Sample,
  type SampleRequest,
  targetOf,
  variablesIn,
} from './sample-request.js';

const introduce = (
  isInside: boolean,
) => `# Every operation of Practice API, and flows that need an order.
# A request that uses a value of an earlier one names it, as in {{jwtLogin.response.body.$.accessToken}}:
# send that one first. Editors that do not know this, such as those of JetBrains, need the value in its place.
# Changes go to the sandbox that ${isInside ? 'the base URL names' : 'is named here, where nobody else sees them'}.`;

export function* httpFile(
  collector: SampleCollector,
  baseUrl: string,
  { flows, leftOutOfFile, fileValues }: Gathered,
  credentials: Readonly<Record<string, string>>,
  {
    isAccountRequired,
    isInside,
  }: { readonly isAccountRequired: boolean; readonly isInside: boolean },
): Steps<string> {
  const values = {
    baseUrl,
    sandbox: 'http-file',
    ...fileValues,
    ...(isAccountRequired && { serviceKey: '' }),
    ...credentials,
  };
  const file = new HttpFile(isAccountRequired);
  for (const { title, steps } of flows) {
    const kept = steps.filter(({ needsScripts }) => !needsScripts);
    if (kept.length > 0)
      file.addSection(
        `Flow: ${title}`,
        kept.map((step) => collector.step(step)),
      );
  }
  for (const { title, operations } of yield* collector.folders()) {
    const samples = operations.map(({ sample }) => sample);
    file.addSection(
      title,
      samples.filter(({ id }) => !Object.hasOwn(leftOutOfFile, id)),
    );
  }
  const text = file.text();
  const variables = Object.entries(values)
    .filter(([name]) => text.includes(`{{${name}}}`))
    .map(([name, value]) => fileVariable(name, value));
  return `${introduce(isInside)}\n\n${variables.join('\n')}\n\n${text}`;
}

export function fileVariable(name: string, value: string): string {
  return `@${name} = ${value}`;
}

class HttpFile {
  readonly #isAccountRequired: boolean;
  readonly #parts: string[] = [];
  /** How to refer to the latest values of variables. */
  readonly #references = new Map<string, string>();
  readonly #written = new Set<string>();

  constructor(isAccountRequired: boolean) {
    this.#isAccountRequired = isAccountRequired;
  }

  addSection(title: string, samples: readonly Sample[]): void {
    for (const sample of samples) this.#add(sample, title, samples);
  }

  text(): string {
    return `${this.#parts.join('\n\n')}\n`;
  }

  /** Writes the sample, and before it those of its section that it takes values from. */
  #add(sample: Sample, title: string, section: readonly Sample[]): void {
    if (this.#written.has(sample.id)) return;
    this.#written.add(sample.id);
    for (const name of variablesIn(sample.request)) {
      if (this.#references.has(name)) continue;
      const source = section.find(({ keeps }) => Object.hasOwn(keeps, name));
      if (source !== undefined) this.#add(source, title, section);
    }
    this.#parts.push(this.#write(title, sample));
    for (const [name, part] of Object.entries(sample.keeps)) {
      this.#references.set(name, `{{${sample.id}.response.${referenceTo(part)}}}`);
    }
  }

  #write(section: string, { id, title, request, expected }: Sample): string {
    const statuses = expected.map(({ status }) => status).join(' or ');
    const headers: Record<string, string> = {
      ...(this.#isAccountRequired && { 'X-Service-Key': '{{serviceKey}}' }),
      ...request.headers,
      ...headersOf(request.auth),
    };
    const body = bodyText(request.body);
    const text = [
      `### ${section}: ${title}`,
      `# Answers ${statuses}.`,
      `# @name ${id}`,
      `${request.method} {{baseUrl}}${targetOf(withKey(request))}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...(body === undefined ? [] : ['', body]),
    ].join('\n');
    return text.replace(/\{\{(\w+)\}\}/g, (written, name) => this.#references.get(name) ?? written);
  }
}

function headersOf(auth: SampleAuth | undefined): Readonly<Record<string, string>> {
  switch (auth?.kind) {
    case 'basic':
      return { Authorization: `Basic ${auth.username} ${auth.password}` };
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
