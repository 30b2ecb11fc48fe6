import { createMemoryState } from './memory-state.js';
import { describeState } from '../state.contract.js';

describeState('memory', createMemoryState);
