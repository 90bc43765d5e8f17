import fc from 'fast-check';

import type { FaultName, FaultRule } from '../../sandbox';
import { faults } from '../../sandbox/faults/table';
import { HANGING, phasesOf, ruleOf } from './cases';

// The fault matrix covers the hanging faults; here they would only cost time.
const QUICK = (Object.keys(faults) as FaultName[]).filter((name) => !HANGING.includes(name));

/** A fault on up to `times` requests in a row, after up to `after` others. */
export function randomFault({ names = QUICK, after = 6, times = 4 } = {}): fc.Arbitrary<FaultRule> {
	const places = names.flatMap((fault) => phasesOf(fault).map((phase) => ({ fault, phase })));
	return fc
		.record({
			place: fc.constantFrom(...places),
			after: fc.nat(after),
			times: fc.integer({ min: 1, max: times }),
		})
		.map(({ place, ...how }) => ({ ...ruleOf({ ...place, lasting: false }), ...how }));
}
