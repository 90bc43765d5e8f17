import type { Profiler } from 'node:inspector';

type Frame = Profiler.ProfileNode['callFrame'];

const PROFILER = '(profiler)';

/**
 * Adds up a profile's time by package, in milliseconds. Node's own code counts for the package that
 * called it; if none did, it counts as Node.
 */
export function timeByOwner({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile) {
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const callers = new Map(
		nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
	);
	const stackOf = (id: number | undefined): Frame[] => {
		const node = id === undefined ? undefined : byId.get(id);
		return node === undefined ? [] : [node.callFrame, ...stackOf(callers.get(node.id))];
	};
	const owners = new Map(nodes.map(({ id }) => [id, ownerOf(stackOf(id))]));
	const times = new Map<string, number>();
	samples.forEach((id, index) => {
		const owner = owners.get(id) ?? '';
		times.set(owner, (times.get(owner) ?? 0) + (timeDeltas[index] ?? 0) / 1000);
	});
	for (const owner of ['(idle)', PROFILER]) times.delete(owner);
	return times;
}

function ownerOf(stack: Frame[]): string {
	const [{ functionName, url } = { functionName: '', url: '' }] = stack;
	if (url === '' && functionName.startsWith('(')) return functionName;
	return stack.map(packageOf).find((name) => name !== undefined) ?? 'Node';
}

function packageOf({ url }: Frame): string | undefined {
	const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
	if (name !== undefined) return name;
	if (url.includes('/package/dist/')) return 'Image Generation';
	if (url.includes('/bench/inside/startProfile')) return PROFILER;
	return url.includes('/bench/') ? 'benchmark script' : undefined;
}
