import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Within a project slow files run first, so that none remains when all others have ended. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = new Set(sorted.map(({ project }) => project));
    return [...projects].flatMap((own) => {
      const ofProject = sorted.filter(({ project }) => project === own);
      const isSlow = ({ moduleId }: TestSpecification) => moduleId.includes('.slow.');
      return [...ofProject.filter(isSlow), ...ofProject.filter((file) => !isSlow(file))];
    });
  }
}
