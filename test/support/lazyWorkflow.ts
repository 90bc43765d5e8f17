// In jest's unit project, this is n8n-workflow. Loading its 700 modules takes most of the time of a file of
// tests, and most files need nothing of it but `sleep` (2.41.0).
const folder = { paths: [require.resolve('n8n-workflow/package.json')] };
const { sleep } = jest.requireActual<{ sleep: unknown }>(
	require.resolve('@n8n/utils/sleep', folder),
);

module.exports = new Proxy<Record<string, unknown>>(
	{ sleep },
	{
		get: (loaded, name: string) =>
			loaded[name] ?? jest.requireActual<typeof loaded>('n8n-workflow/dist/cjs/index.js')[name],
	},
);
