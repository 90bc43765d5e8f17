import { core } from './core.mjs';

core('n8n-1', ['separate']);
