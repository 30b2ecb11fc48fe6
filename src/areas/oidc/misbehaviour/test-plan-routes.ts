/** The test plan, and its runs: each run has an issuer for every misbehaviour, and watches what a client does. */

import { HttpError } from '../../../http/http-error.js';
import type { App } from '../../../kit/app.js';
import type { Services } from '../../../kit/area.js';
import type { Sandbox } from '../../../state/state.js';
import { belowPath } from '../below-path.js';
import { Issuer, paths, type StepParameters } from '../issuer.js';
import { outcomeOf } from './judge-step.js';
import { isMisbehaviour, misbehaviourNames, ruleOf } from './misbehaviours.js';
import { beginRun, changeStep, type Run, runs } from './runs.js';
import { readPlan, readRun, reportStep, startRun } from './test-plan-schemas.js';

export function addTestPlanRoutes(app: App, services: Services): void {
  const { sandboxOf, baseUrlOf } = services;
  app.get(paths.testPlan, { schema: readPlan }, () =>
    misbehaviourNames.map((name) => {
      const { what, rightClient, expected, optionalBecause } = ruleOf(name);
      return { name, what, rightClient, expected, optionalBecause };
    }),
  );
  app.post(paths.runs, { schema: startRun }, async (request, reply) => {
    const url = `${baseUrlOf(request)}${paths.runs}/${await beginRun(sandboxOf(request))}`;
    return reply.code(201).header('location', url).send(describeRun(url, undefined));
  });
  app.get(paths.run, { schema: readRun }, async (request) => {
    const { run: id } = request.params;
    const run = await findRun(sandboxOf(request), id);
    return describeRun(`${baseUrlOf(request)}${paths.runs}/${id}`, run);
  });
  app.put(paths.step, { schema: reportStep }, async (request) => {
    const { run: id, misbehaviour: name } = request.params;
    const { outcome: reported } = request.body;
    if (!isMisbehaviour(name)) throw noStep();
    const run = await changeStep(sandboxOf(request), id, name, (step) => ({ ...step, reported }));
    if (run === undefined) throw noRun();
    const steps = describeRun(`${baseUrlOf(request)}${paths.runs}/${id}`, run);
    return steps.find((step) => step.name === name);
  });
}

/** Returns an application that adds the endpoints of an issuer once more, for the steps of runs. */
export function belowRuns(app: App, { sandboxOf }: Pick<Services, 'sandboxOf'>): App {
  return belowPath(app, paths.step, async (request) => {
    const { run = '', misbehaviour = '' } = request.params as StepParameters;
    if (!isMisbehaviour(misbehaviour)) throw noStep();
    await findRun(sandboxOf(request), run);
  });
}

async function findRun(sandbox: Sandbox, id: string): Promise<Run> {
  const run = await sandbox.read(runs, id);
  if (run === undefined) throw noRun();
  return run;
}

function describeRun(url: string, run: Run | undefined) {
  return misbehaviourNames.map((name) => ({
    name,
    issuer: new Issuer(`${url}/${name}`).url,
    outcome: outcomeOf(run?.steps[name] ?? {}),
    expected: ruleOf(name).expected,
  }));
}

function noRun(): HttpError {
  return new HttpError(
    404,
    'There is no such run in this sandbox: each expires after a day. Begin one by POST /oidc/test-plan/runs.',
  );
}

function noStep(): HttpError {
  const known = misbehaviourNames.join(', ');
  return new HttpError(404, `There is no such misbehaviour. There are ${known}.`);
}
