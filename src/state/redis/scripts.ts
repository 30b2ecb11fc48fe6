/** Scripts that the server runs as single steps: the Lua files next to this file, which the build copies. */

import { createHash } from 'node:crypto';
import { ErrorReply } from '@redis/client';
import { isBuilt, readPackageFile } from '#base/package/package-files.js';
import type { Argument } from './redis-client.js';
import type { RedisConnection } from './redis-connection.js';

export type Script = (key: string, args: readonly Argument[]) => Promise<unknown>;

const folder = isBuilt ? 'dist/' : 'src/state/redis/';

/** Returns a script, which is sent to servers that do not have it, as after a restart. */
export function loadScript(
  connection: Pick<RedisConnection, 'send'>,
  name: 'sandbox' | 'registry',
): Script {
  const text = String(readPackageFile(`${folder}${name}.lua`));
  const hash = createHash('sha1').update(text).digest('hex');
  return async (key, args) => {
    try {
      return await connection.send(key, ['EVALSHA', hash, '1', key, ...args]);
    } catch (error) {
      if (!(error instanceof ErrorReply && error.message.startsWith('NOSCRIPT'))) throw error;
      return connection.send(key, ['EVAL', text, '1', key, ...args]);
    }
  };
}
