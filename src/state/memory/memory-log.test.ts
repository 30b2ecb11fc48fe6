import { describeLog } from '../log.contract.js';
import { createMemoryState } from './memory-state.js';

describeLog('memory', createMemoryState);
