import { describe } from 'vitest';
import { isRedisMissing, redisPrograms } from '../../test/support/redis.js';
import { useRedisStates } from '../../test/support/redis-states.js';
import { describeLog } from './log.contract.js';
import { describeState } from './state.contract.js';

describe.skipIf(isRedisMissing).each(redisPrograms)('%s', (program) => {
  const { open } = useRedisStates({ program });
  describeState(program, open);
  describeLog(program, open);
});
