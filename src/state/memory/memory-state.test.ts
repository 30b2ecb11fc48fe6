import { describeState } from '../state.contract.js';
import { createMemoryState } from './memory-state.js';

describeState('memory', createMemoryState);
