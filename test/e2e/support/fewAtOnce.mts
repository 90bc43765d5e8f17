/** More at once make each slower, until the timeout of a workflow or of a test ends it too early. */
const FEW = 5;

/** Does something for each value, a few at a time. */
export async function fewAtOnce<Value>(
	values: readonly Value[],
	work: (value: Value) => Promise<unknown>,
): Promise<void> {
	const rest = [...values];
	const workRest = async () => {
		for (let value = rest.shift(); value !== undefined; value = rest.shift()) await work(value);
	};
	await Promise.all(Array.from({ length: FEW }, workRest));
}
