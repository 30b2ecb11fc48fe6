/** The test plan, and runs of it: each has an issuer for every misbehaviour, and watches what a client does. */

import { HttpError } from '../../../http/http-error.js';
import type { Services } from '../../../kit/area.js';
import type { App } from '../../../kit/endpoint.js';
import type { Sandbox } from '../../../state/state.js';
import { belowPath } from '../below-path.js';
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
  return belowPath(app, playPath, async (request) => {
    const { run = '', misbehaviour = '' } = request.params as PlayParameters;
    if (!isMisbehaviour(misbehaviour)) throw noStep();
    await findRun(sandboxOf(request), run);
  });
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
    'There is no such run in this sandbox: each expires after a day. Begin one by POST /oidc/test-plan/runs.',
  );
}

function noStep(): HttpError {
  return new HttpError(
    404,
    `There is no such misbehaviour. There are ${misbehaviourNames.join(', ')}.`,
  );
}
