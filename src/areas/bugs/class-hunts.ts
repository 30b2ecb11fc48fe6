/** Hunts for classes: lists the hunts of a sandbox, and starts and ends the hunt of a teacher. */

import {
  defectsIn,
  drawBugs,
  maxBugs,
  maxHuntSeed,
  newHunt,
  readHunts,
  replaceHunt,
  summaryOf,
} from '#defects/hunts-in-state.js';
import type { ClassHunt, ClassHunts, HuntsOf } from '#kit/offers/hunts-of.js';
import type { HuntLevel } from '#kit/sandbox/hunts-space.js';
import { describeBug, levels } from './bug-schemas.js';

export const huntsOf: HuntsOf = async (sandbox) => {
  const { current, ended } = await readHunts(sandbox);
  return {
    wrongReports: ended.wrongReports + (current?.wrongReports ?? 0),
    hunts: [...ended.hunts, ...(current === undefined ? [] : [summaryOf(current)])],
  };
};

/** The secret of the class is part of the key, so that the same seed elsewhere chooses other bugs. */
const drawn = ({ level, count, seed, secret }: ClassHunt) =>
  drawBugs(level as HuntLevel, count, `class ${secret} ${seed ?? ''}`);

export const classHunts: ClassHunts = {
  ...{ levels, maxBugs, maxSeed: maxHuntSeed },
  async begin(sandbox, hunt) {
    const { id, level } = hunt;
    const begun = { ...newHunt(level as HuntLevel, drawn(hunt)), id, isOfClass: true };
    await replaceHunt(sandbox, begun, () => true);
  },
  async end(sandbox) {
    await replaceHunt(sandbox, undefined, ({ isOfClass }) => isOfClass);
  },
  bugsOf: (hunt) => defectsIn(drawn(hunt)).map(describeBug),
};
