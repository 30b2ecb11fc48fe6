import { describeChangeFeed } from '../../../test/state/contracts/describe-change-feed.js';
import { describeLog } from '../../../test/state/contracts/describe-log.js';
import { describeState } from '../../../test/state/contracts/describe-state.js';
import { describeTransactions } from '../../../test/state/contracts/describe-transactions.js';
import { useRestartingStates } from '../../../test/support/restarting-state.js';

const open = useRestartingStates();

const name = 'a file, opened again before each step';
describeState(name, open);
describeLog(name, open);
describeTransactions(name, open);
describeChangeFeed(name, open);
