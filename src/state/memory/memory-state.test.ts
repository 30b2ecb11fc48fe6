import { describeChangeFeed } from '../rows/change-feed.contract.js';
import { describeState } from '../state.contract.js';
import { describeTransactions } from '../transactions.contract.js';
import { createMemoryState } from './memory-state.js';

describeState('memory', createMemoryState);
describeTransactions('memory', createMemoryState);
describeChangeFeed('memory', createMemoryState);
