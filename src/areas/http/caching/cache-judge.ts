/** The judge of caches, for the page of verdicts: all resources of the sandbox together. */

import { type Judge, mergeVerdicts } from '#kit/verdict/judge.js';
import { cacheRules } from './cache-rules.js';
import { judgeHits } from './judge-hits.js';
import { resourcesSpace, reusesSpace } from './resource.js';

export const cacheJudge: Judge = {
  name: 'cache',
  title: 'Caches',
  says: 'Requests that reached the cache lab, and what the cache of the client did with its responses.',
  guide: 'http/caching',
  rules: cacheRules.map(({ rule, level, section, hint }) => ({ rule, level, section, hint })),
  async read(sandbox) {
    const names = (await sandbox.entries(resourcesSpace)).map(([name]) => name);
    const all = names.map(async (name) => {
      const [hits, reuses] = await Promise.all([
        sandbox.log(resourcesSpace, name).newest(resourcesSpace.maxEntries),
        sandbox.log(reusesSpace, name).newest(reusesSpace.maxEntries),
      ]);
      return judgeHits(
        hits.map(({ item }) => item).reverse(),
        reuses.map(({ item }) => item).reverse(),
      );
    });
    return { verdicts: mergeVerdicts((await Promise.all(all)).flat()) };
  },
  async clear(sandbox) {
    for (const [name] of await sandbox.entries(resourcesSpace)) {
      await sandbox.log(resourcesSpace, name).clear();
      await sandbox.log(reusesSpace, name).clear();
    }
  },
};
