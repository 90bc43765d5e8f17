import { readOptions } from '../../nodes/ImageGeneration/fields/field';
import { itemOptions, runOptions } from '../../nodes/ImageGeneration/fields/options';

const readItemOptions = (given: Record<string, unknown>) =>
	readOptions(itemOptions, (name) => given[name]);
const readRunOptions = (given: Record<string, unknown>) =>
	readOptions(runOptions, (name) => given[name]);

describe('an item’s options', () => {
	it('have defaults', () => {
		expect(readItemOptions({})).toStrictEqual({
			allowOtherHosts: false,
			fileName: '',
			includeInputFields: false,
			maxRetries: 3,
			retryUnclearOutcome: false,
			timeout: 600,
		});
	});

	it('are read as given', () => {
		const options = {
			allowOtherHosts: true,
			fileName: 'fox',
			includeInputFields: true,
			maxRetries: 0,
			retryUnclearOutcome: true,
			timeout: 3600,
		};

		expect(readItemOptions(options)).toStrictEqual(options);
	});

	it.each<[given: unknown, name: string]>([
		[' fox ', 'fox'],
		[12, '12'],
		[null, ''],
		[{ a: 1 }, ''],
	])('read %p as a file name', (fileName, name) => {
		expect(readItemOptions({ fileName }).fileName).toBe(name);
	});

	it.each([
		[{ allowOtherHosts: 'yes' }, `'Allow Other Hosts' is "yes". Allowed: true, false.`],
		[{ includeInputFields: 1 }, `'Include Input Fields' is "1". Allowed: true, false.`],
		[{ retryUnclearOutcome: 'no' }, `'Retry Unclear Outcomes' is "no". Allowed: true, false.`],
		[{ maxRetries: 11 }, `'Max Retries' is "11". Allowed: a whole number from 0 to 10.`],
		[{ maxRetries: -1 }, `'Max Retries' is "-1". Allowed: a whole number from 0 to 10.`],
		[
			{ timeout: 0 },
			`'Timeout (Seconds)' is "0". Allowed: a whole number of seconds from 1 to 3600.`,
		],
		[
			{ timeout: 3601 },
			`'Timeout (Seconds)' is "3601". Allowed: a whole number of seconds from 1 to 3600.`,
		],
	])('are rejected if they are out of range: %j', (options, message) => {
		expect(() => readItemOptions(options)).toThrow(message);
	});
});

describe('a run’s options', () => {
	it.each([[undefined], [null]])('have defaults for %p, but no limit of images', (unset) => {
		expect(readRunOptions({ concurrency: unset, maxImages: unset })).toStrictEqual({
			concurrency: 5,
			maxImages: undefined,
			purchaseLog: '',
			requestInterval: 0,
			dryRun: false,
			reuse: 'never',
		});
		expect(readRunOptions({ maxImages: 7 }).maxImages).toBe(7);
	});

	it.each([
		[1, 0],
		[100, 3_600_000],
	])('accept a concurrency of %i and an interval of %i', (concurrency, requestInterval) => {
		const options = { concurrency, requestInterval };

		expect(readRunOptions(options)).toStrictEqual({
			...options,
			maxImages: undefined,
			dryRun: false,
			purchaseLog: '',
			reuse: 'never',
		});
	});

	it.each([
		[0, 0, `'Concurrency' is "0". Allowed: a whole number from 1 to 100.`],
		[101, 0, `'Concurrency' is "101". Allowed: a whole number from 1 to 100.`],
		[
			5,
			-1,
			`'Request Interval (Milliseconds)' is "-1". Allowed: a whole number of milliseconds from 0 to 3600000.`,
		],
		[
			5,
			3_600_001,
			`'Request Interval (Milliseconds)' is "3600001". Allowed: a whole number of milliseconds from 0 to 3600000.`,
		],
	])('are rejected if they are out of range: %i, %i', (concurrency, requestInterval, message) => {
		expect(() => readRunOptions({ concurrency, requestInterval })).toThrow(message);
	});
});
