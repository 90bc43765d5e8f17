import fc from 'fast-check';

import type { FaultName, FaultRule } from '../../sandbox';
import { faults } from '../../sandbox/faults/table';
import { HANGING, phasesOf, ruleOf } from './cases';

// The fault matrix covers the hanging faults; here they would only cost time.
const quick = (Object.keys(faults) as FaultName[]).filter((name) => !HANGING.includes(name));
const rule: fc.Arbitrary<FaultRule> = fc
	.constantFrom(...quick.flatMap((fault) => phasesOf(fault).map((phase) => ({ fault, phase }))))
	.chain((where) =>
		fc.record({ after: fc.nat(6), times: fc.integer({ min: 1, max: 4 }) }).map((how) => ({
			...ruleOf({ ...where, lasting: false }),
			...how,
		})),
	);

/** Up to `maxLength` faults, each on a few requests in a row. */
export function randomFaults(maxLength: number): fc.Arbitrary<FaultRule[]> {
	return fc.array(rule, { maxLength });
}
