import { queue } from './queue.mjs';

queue('n8n-1');
