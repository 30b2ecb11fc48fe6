import { describeChangeFeed } from '../../../test/state/contracts/describe-change-feed.js';
import { describeState } from '../../../test/state/contracts/describe-state.js';
import { describeTransactions } from '../../../test/state/contracts/describe-transactions.js';
import { createMemoryState } from './memory-state.js';

describeState('memory', createMemoryState);
describeTransactions('memory', createMemoryState);
describeChangeFeed('memory', createMemoryState);
