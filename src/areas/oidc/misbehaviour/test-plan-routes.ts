/** The test plan, and runs of it: each has an issuer for every misbehaviour, and watches what a client does. */

import type { FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { App, Services } from '../../../server/area.js';
import { HttpError } from '../../../server/http-error.js';
import type { Sandbox } from '../../../state/state.js';
import { Issuer } from '../issuer.js';
import { outcomeOf } from './judge-step.js';
import { isMisbehaviour, misbehaviourNames, misbehaviourOf } from './misbehaviours.js';
import { type PlayParameters, playPath, runsPath } from './play-path.js';
import { beginRun, changeStep, type Run, runs } from './runs.js';
import { readPlan, readRun, startRun, tellStep } from './test-plan-schemas.js';

export function addTestPlanRoutes(app: App, services: Services): void {
  const { sandboxOf, baseUrlOf } = services;
  app.get('/oidc/test-plan', { schema: readPlan }, async () =>
    misbehaviourNames.map((name) => {
      const { what, rightClient, expected, optionalBecause } = misbehaviourOf(name);
      const optional = optionalBecause === undefined ? {} : { optionalBecause };
      return { name, what, rightClient, expected, ...optional };
    }),
  );
  app.post(runsPath, { schema: startRun }, async (request, reply) => {
    const id = await beginRun(sandboxOf(request));
    const base = `${baseUrlOf(request)}${runsPath}/${id}`;
    return reply.code(201).header('location', base).send(describeRun(base, undefined));
  });
  app.get(`${runsPath}/:run`, { schema: readRun }, async (request) => {
    const { run: id } = request.params;
    const run = await findRun(sandboxOf(request), id);
    return describeRun(`${baseUrlOf(request)}${runsPath}/${id}`, run);
  });
  app.put(playPath, { schema: tellStep }, async (request) => {
    const { run: id, misbehaviour } = request.params;
    const { outcome: told } = request.body;
    if (!isMisbehaviour(misbehaviour)) throw noStep();
    const sandbox = sandboxOf(request);
    const run = await changeStep(sandbox, id, misbehaviour, (step) => ({ ...step, told }));
    if (run === undefined) throw noRun();
    const steps = describeRun(`${baseUrlOf(request)}${runsPath}/${id}`, run);
    return steps.find(({ name }) => name === misbehaviour) as (typeof steps)[number];
  });
}

/** An application to which the paths of an issuer can be added once more, for the steps of runs. */
export function belowRuns(app: App, { sandboxOf }: Pick<Services, 'sandboxOf'>): App {
  const preHandler = async (request: FastifyRequest) => {
    const { run = '', misbehaviour = '' } = request.params as PlayParameters;
    if (!isMisbehaviour(misbehaviour)) throw noStep();
    await findRun(sandboxOf(request), run);
  };
  const below =
    (method: 'get' | 'post' | 'put' | 'delete') =>
    (path: string, options: RouteShorthandOptions, handler: never) => {
      // The description has them once, where the issuer itself is.
      const schema = { ...options.schema, describedAs: path };
      app[method](urlBelow(path), { ...options, schema, preHandler }, handler);
    };
  return {
    get: below('get'),
    post: below('post'),
    put: below('put'),
    delete: below('delete'),
  } as never;
}

/** Documents about an issuer stand before its path (RFC 8414 section 3.1, RFC 9728 section 3.1). */
function urlBelow(path: string): string {
  const [, document] = /^(\/\.well-known\/[\w-]+)\//.exec(path) ?? [];
  return document === undefined
    ? playPath + path
    : document + playPath + path.slice(document.length);
}

async function findRun(sandbox: Sandbox, id: string): Promise<Run> {
  const run = await sandbox.read(runs, id);
  if (run === undefined) throw noRun();
  return run;
}

function describeRun(base: string, run: Run | undefined) {
  return misbehaviourNames.map((name) => ({
    name,
    issuer: new Issuer(`${base}/${name}`).url,
    outcome: outcomeOf(run?.steps[name] ?? {}),
    expected: misbehaviourOf(name).expected,
  }));
}

function noRun(): HttpError {
  return new HttpError(
    404,
    'There is no such run in this sandbox: each ends after a day. Begin one by POST /oidc/test-plan/runs.',
  );
}

function noStep(): HttpError {
  return new HttpError(
    404,
    `There is no such misbehaviour. There are ${misbehaviourNames.join(', ')}.`,
  );
}
