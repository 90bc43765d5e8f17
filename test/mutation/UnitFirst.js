const Sequencer = require('@jest/test-sequencer').default;

/** Unit tests first: most mutants end there, long before n8n's engine would be loaded. */
class UnitFirst extends Sequencer {
	/**
	 * @override
	 * @param {Parameters<Sequencer['sort']>[0]} tests
	 */
	sort(tests) {
		const rank = ({ path = '' }) => (path.includes('/unit/') ? 0 : 1);
		return [...tests].sort((a, b) => rank(a) - rank(b));
	}
}

module.exports = UnitFirst;
