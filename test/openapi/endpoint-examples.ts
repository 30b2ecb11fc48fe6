/** Sends the examples of the endpoints. */

import { createLog } from '../../src/app/request-log.js';
import { configFrom } from '../../src/config/config.js';
import { nameOperation } from '../../src/kit/describe/name-operation.js';
import type { ExampleRequest } from '../../src/kit/example.js';
import { type CataloguedRoute, RouteCatalogue } from '../../src/kit/route-catalogue.js';
import { settings, startService } from '../../src/service.js';
import type { Caller, HttpResponse } from './caller.js';

/** Returns all endpoints of a service. */
async function listRoutes(): Promise<readonly CataloguedRoute[]> {
  const catalogue = new RouteCatalogue();
  const config = configFrom(settings, { port: 0 });
  const service = await startService(config, createLog('silent'), { catalogue });
  await service.stop(0);
  return catalogue.routes;
}

export async function sendExamples(caller: Caller): Promise<void> {
  // By area and name.
  const variables = new Map<string, string>();
  for (const { area, methods, url, spec } of await listRoutes()) {
    const { examples = {}, hide } = spec;
    if (hide) continue;
    const key = (name: string) => `${area.area.name} ${name}`;
    for (const method of methods) {
      const ofMethod = typeof examples === 'function' ? examples(method) : examples;
      for (const [name, example] of Object.entries(ofMethod)) {
        const { keeps = {}, ...request } = filled(example, (each) => variables.get(key(each)));
        const response = await caller.call(nameOperation(method, url), name, request);
        for (const [variable, part] of Object.entries(keeps)) {
          variables.set(key(variable), partOf(response, part));
        }
      }
    }
  }
}

type Part = NonNullable<ExampleRequest['keeps']>[string];

function partOf(response: HttpResponse, part: Part): string {
  if ('header' in part) {
    const value = response.headers[part.header.toLowerCase()] ?? '';
    return part.header === 'Location' ? (value.split('/').at(-1) ?? '') : value;
  }
  return String(part.body.reduce((value, name) => value[name], response.json));
}

/** Replaces variables in all texts, except bytes. */
function filled<Value>(value: Value, textOf: (name: string) => string | undefined): Value {
  if (typeof value === 'string') {
    return value.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => {
      const text = textOf(name);
      if (text === undefined) throw new Error(`No earlier example of the area keeps ${name}.`);
      return text;
    }) as Value;
  }
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map((each) => filled(each, textOf)) as Value;
  const entries = Object.entries(value).map(([name, each]) => [name, filled(each, textOf)]);
  return Object.fromEntries(entries);
}
