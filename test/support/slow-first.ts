import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { projectNames } from '../../scripts/tests/test-files.js';

/**
 * Projects run in the order of their list, and within each slow files first, so that no long file
 * remains when all others have ended.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return projectNames.flatMap((name) => {
      const ofProject = sorted.filter(({ project }) => project.name === name);
      const isSlow = ({ moduleId }: TestSpecification) => moduleId.includes('.slow.');
      return [...ofProject.filter(isSlow), ...ofProject.filter((file) => !isSlow(file))];
    });
  }
}
