import { refusedFormCases } from './cases/combinedForm.mjs';
import { scheduleCases } from './cases/schedule.mjs';
import { core } from './core.mjs';

core('n8n-2', ['separate', 'combined'], refusedFormCases, scheduleCases);
