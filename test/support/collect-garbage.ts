import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Collects several times, because the first collection frees holders of other memory. */
export async function collectGarbage(): Promise<void> {
  for (let collections = 0; collections < 3; collections++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
}
