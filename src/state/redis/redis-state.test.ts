import { commandsOf } from '../../../test/support/find-program.js';
import { testsWith } from '../../../test/support/foreign-program.js';
import { useRedisStates } from '../../../test/support/redis-states.js';
import { describeLog } from '../log.contract.js';
import { describeChangeFeed } from '../rows/change-feed.contract.js';
import { describeState } from '../state.contract.js';
import { describeTransactions } from '../transactions.contract.js';

const { isThere, describe } = testsWith('redis');
const programs = isThere ? commandsOf('redis') : ['redis-server'];

describe.each(programs)('%s', (program) => {
  const { open } = useRedisStates({ program });
  describeState(program, open);
  describeLog(program, open);
  describeTransactions(program, open);
  describeChangeFeed(program, open);
});
