const Sequencer = require('@jest/test-sequencer').default;

/** Tests that need no engine first: most mutants end there, long before it would be loaded. */
class UnitFirst extends Sequencer {
	/**
	 * @override
	 * @param {Parameters<Sequencer['sort']>[0]} tests
	 */
	sort(tests) {
		const rank = ({ path = '' }) =>
			['/mutation/', '.slow.'].findIndex((part) => path.includes(part));
		return [...tests].sort((a, b) => rank(a) - rank(b));
	}
}

module.exports = UnitFirst;
