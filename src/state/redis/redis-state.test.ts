import { describeChangeFeed } from '../../../test/state/contracts/describe-change-feed.js';
import { describeLog } from '../../../test/state/contracts/describe-log.js';
import { describeState } from '../../../test/state/contracts/describe-state.js';
import { describeTransactions } from '../../../test/state/contracts/describe-transactions.js';
import { commandsOf } from '../../../test/support/find-program.js';
import { testsWith } from '../../../test/support/foreign-program.js';
import { useRedisStates } from '../../../test/support/redis-states.js';

const { isInstalled, describe } = testsWith('redis');
const programs = isInstalled ? commandsOf('redis') : ['redis-server'];

describe.each(programs)('%s', (program) => {
  const { open } = useRedisStates({ program });
  describeState(program, open);
  describeLog(program, open);
  describeTransactions(program, open);
  describeChangeFeed(program, open);
});
