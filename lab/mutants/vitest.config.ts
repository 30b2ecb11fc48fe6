/**
 * Runs the tests that PRACTICE_MUTANT_TESTS lists for each project, in that order, up to the first failure, and prints what
 * begins, ends and fails, a line of JSON each.
 */

import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { UserWorkspaceConfig, ViteUserConfig } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from 'vitest/node';
import usual from '../../vitest.config.js';

const tests: Readonly<Record<string, readonly string[]>> = JSON.parse(
  process.env.PRACTICE_MUTANT_TESTS ?? '{}',
);
const root = fileURLToPath(new URL('../..', import.meta.url));
const order = Object.entries(tests).flatMap(([project, files]) =>
  files.map((file) => `${project} ${file}`),
);

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ project, moduleId }: TestSpecification) =>
      order.indexOf(`${project.name} ${relative(root, moduleId)}`);
    return files.sort((a, b) => placeOf(a) - placeOf(b));
  }
}

function print(what: string, { project, moduleId }: TestModule, name?: string) {
  const event = {
    what,
    project: project.name,
    file: relative(root, moduleId),
    name: name?.slice(0, 150),
  };
  process.stdout.write(`\n${JSON.stringify(event)}\n`);
}

const reporter: Reporter = {
  onTestModuleStart: (module) => print('begun', module),
  onTestCaseResult(test) {
    const isFailed = test.result().state === 'failed';
    print(isFailed ? 'failed' : 'ended', test.module, test.fullName);
  },
  onTestModuleEnd(module) {
    const isFailed = module.state() === 'failed' && module.errors().length > 0;
    print(isFailed ? 'failed' : 'ended', module);
  },
  onTestRunEnd(_modules, errors) {
    for (const { message } of errors) console.error(message);
  },
};

const { projects: usualProjects = [], ...usualTest } = usual.test ?? {};
const projects = (usualProjects as UserWorkspaceConfig[]).flatMap((project) => {
  const include = tests[String(project.test?.name)] ?? [];
  return include.length === 0
    ? []
    : [{ ...project, test: { ...project.test, include: [...include] } }];
});

export default {
  ...usual,
  test: {
    ...usualTest,
    // Beside the copy of the project, so that the next copy uses it too.
    experimental: { fsModuleCache: true, fsModuleCachePath: `${root}../cache` },
    cache: false,
    bail: 1,
    maxWorkers: 1,
    // A run in which no project is left, because Redis is missing, has no file instead of all.
    include: [],
    passWithNoTests: true,
    sequence: { sequencer: InOrder },
    reporters: [reporter],
    ...(projects.length > 0 && { projects }),
  },
} satisfies ViteUserConfig;
