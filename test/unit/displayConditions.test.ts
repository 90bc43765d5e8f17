import { ImageGenerationApi } from '../../credentials/ImageGenerationApi.credentials';
import { ImageGeneration } from '../../nodes/ImageGeneration/ImageGeneration.node';

/** Every condition on a value that is more than a list of values, wherever it stands. */
function conditionsIn(value: unknown): unknown[] {
	if (typeof value !== 'object' || value === null) return [];
	const own = '_cnd' in value ? [value._cnd] : [];
	return [...own, ...Object.values(value).flatMap(conditionsIn)];
}

// n8n gives each 250 ms of the clock, in which a busy machine may not finish, and the run ends (2.41.1).
it('no condition of a field is a regular expression, because a busy machine would end the run', () => {
	const { properties } = new ImageGenerationApi();
	const all = conditionsIn([properties, new ImageGeneration().description]);

	expect(all.length).toBeGreaterThan(0);
	expect(all.filter((condition) => 'regex' in Object(condition))).toStrictEqual([]);
});
