/** The JavaScript of the Postman collection, which runs in Postman's sandbox. */

import type { ResponsePart } from '#kit/example.js';
import type { JsonObject } from '../openapi/json.js';
import type { Gathered } from './gather-collections.js';
import { postmanSource } from './postman-request.js';
import { type Expectation, type Sample, variablesIn } from './sample-request.js';

const nameSandbox = `if (!pm.variables.get('sandbox')) variables.set('sandbox', pm.variables.replaceIn('postman-{{$guid}}'));
`;

const obtaining = `function variablesIn(value) {
  const found = JSON.stringify(value).match(/\\{\\{\\w+\\}\\}/g) || [];
  return [...new Set(found)].map((each) => each.slice(2, -2));
}

function filled(value) {
  if (typeof value === 'string') return pm.variables.replaceIn(value);
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each)]));
}

function read(response, part) {
  if (part.header) return response.headers.get(part.header);
  return part.body.reduce((value, name) => value[name], response.json());
}

const asked = new Set();
function obtain([name, ...others], next) {
  if (name === undefined) return next();
  const kept = keptBy[name];
  const isKnown = lasting.includes(name) && pm.variables.get(name);
  if (!kept || isKnown || asked.has(kept.source)) return obtain(others, next);
  asked.add(kept.source);
  const { request, uses } = sources[kept.source];
  obtain(uses, () => {
    const sent = filled(request);
    if (serviceKey) sent.header.push({ key: 'X-Service-Key', value: serviceKey });
    pm.sendRequest(sent, (error, response) => {
      if (error) throw error;
      if (response.code < 300) {
        for (const [variable, { source, part }] of Object.entries(keptBy)) {
          if (source === kept.source) variables.set(variable, read(response, part));
        }
      } else if (lasting.includes(name)) {
        console.log('Skipped, because ' + response.json().message);
        pm.execution.skipRequest();
      } else {
        throw new Error(kept.source + ' has the status ' + response.code + ': ' + response.text());
      }
      obtain(others, next);
    });
  });
}`;

/**
 * Runs before every request: names the sandbox, sends the account key, and gets the variables of
 * the request from responses to others, so that each request works by itself.
 */
export function obtainVariables(
  samples: readonly Sample[],
  { lasting, scripts }: Pick<Gathered, 'lasting' | 'scripts'>,
  isInside: boolean,
): string {
  const sources: Record<string, JsonObject> = {};
  const keptBy: Record<string, JsonObject> = {};
  for (const { id, request, keeps } of samples) {
    for (const [variable, part] of Object.entries(keeps)) {
      if (Object.hasOwn(keptBy, variable)) continue;
      sources[id] ??= { request: postmanSource(request), uses: variablesIn(request) };
      keptBy[variable] = { source: id, part };
    }
  }
  const preparations = Object.entries(scripts).map(
    ([name, code]) => `if (used.includes('${name}')) {\n  ${code.replaceAll('\n', '\n  ')}\n}`,
  );
  return `// Where variables come from that are other values each time.
const sources = ${JSON.stringify(sources, null, 2)};
const keptBy = ${JSON.stringify(keptBy, null, 2)};
// These stay what they are once they are known.
const lasting = ${JSON.stringify(lasting)};

const variables = pm.collectionVariables;
${isInside ? '' : nameSandbox}
const serviceKey = pm.variables.get('serviceKey');
if (serviceKey && !pm.request.headers.has('X-Service-Key')) {
  pm.request.headers.add({ key: 'X-Service-Key', value: serviceKey });
}

${obtaining}

const used = variablesIn(pm.request.toJSON());
${preparations.join('\n')}
obtain(used, () => {});`;
}

/** Runs after a request: checks the response against the description, and stores variables. */
export function testScript(
  { expected, keeps, forgets = [] }: Sample,
  isKept: (variable: string) => boolean,
): string {
  const [first] = expected;
  if (first === undefined) return '';
  const isCertain = expected.length === 1;
  const parts = isCertain
    ? [statusTest(first), ...demands(first)]
    : [
        `pm.test('the status is ${expected.map(({ status }) => status).join(' or ')}', () => {
  pm.expect(pm.response.code).to.be.oneOf([${expected.map(({ status }) => status).join(', ')}]);
});`,
        ...expected.map((each) => {
          const body = demands(each).join('\n').replaceAll('\n', '\n  ');
          return `if (pm.response.code === ${each.status}) {\n  ${body}\n}`;
        }),
      ];
  const kept = Object.entries(keeps)
    .filter(([name]) => isKept(name))
    .map(([name, part]) => `pm.collectionVariables.set('${name}', ${partOf(part)});`);
  kept.push(...forgets.map((name) => `pm.collectionVariables.unset('${name}');`));
  if (kept.length > 0) {
    parts.push(`if (pm.response.code === ${first.status}) {\n  ${kept.join('\n  ')}\n}`);
  }
  return parts.join('\n');
}

function statusTest({ status }: Expectation): string {
  return `pm.test('the status is ${status}', () => pm.response.to.have.status(${status}));`;
}

function demands({ contentType, schema, headers, isEmpty, isSome }: Expectation): string[] {
  const tests: string[] = [];
  if (headers.length > 0) {
    tests.push(`pm.test('it has the headers of its description', () => {
  for (const name of ${JSON.stringify(headers)}) pm.response.to.have.header(name);
});`);
  }
  if (isEmpty) {
    tests.push(`pm.test('there is no body', () => pm.expect(pm.response.text()).to.eql(''));`);
  }
  if (contentType === undefined) return tests;
  tests.push(`pm.test('the body is ${contentType}', () => {
  pm.expect(pm.response.headers.get('Content-Type')${contentType.includes(';') ? '' : ".split(';')[0]"}).to.eql(${JSON.stringify(contentType)});
});`);
  if (isSome) {
    tests.push(`pm.test('there is a body', () => pm.expect(pm.response.text()).to.not.eql(''));`);
  }
  if (schema !== undefined) {
    tests.push(`pm.test('the body is as described', () => {
  pm.response.to.have.jsonSchema(${JSON.stringify(schema, null, 2).replaceAll('\n', '\n  ')});
});`);
  }
  return tests;
}

function partOf(part: ResponsePart): string {
  if ('header' in part) return `pm.response.headers.get('${part.header}')`;
  return `pm.response.json()${part.body.map((name) => `[${JSON.stringify(name)}]`).join('')}`;
}
