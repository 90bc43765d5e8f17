import { HOUR, MINUTE, SECOND } from './simulation/clock';
import type { Start, Workflow } from './simulation/plan';
import { service, wishes, worldAfter } from './simulation/play';

/** Who asks for an image. */
const WHO: Record<string, { workflow?: Partial<Workflow>; isManual?: boolean }> = {
	default: {},
	fixed: { workflow: { isFixed: true } },
	'cut-out': { workflow: { operation: 'removeBackground' } },
	editor: { isManual: true },
	always: { workflow: { reuse: 'always' } },
	never: { workflow: { reuse: 'never' } },
	'never-in-editor': { workflow: { reuse: 'never' }, isManual: true },
};

/** An image, who may have it, and how long after its run has begun they ask. */
interface Row {
	had: string;
	/** The same with a log, and on another worker with a log, if it makes a difference. */
	logged?: string;
	elsewhere?: string;
	/** An hour by default. */
	askedAt?: number;
	/** What else its run does. By default it ends well. */
	first?: Partial<Start>;
	workflow?: Partial<Workflow>;
	/** Seconds that the service takes for it, 3 by default. */
	takes?: number;
}

const ALL = 'default fixed cut-out editor always never';
const SHARED = 'cut-out editor always';
const NOBODY_HAS = { stopAt: 2 * SECOND };
const FAILED = { failsAt: [0, 0] } as const;
const OF_EDITOR = { isManual: true };
const OTHER_NODE = { name: 'Another workflow' };
const OTHER_KEY = { key: 'another-key' };
const IN_PROGRESS = { askedAt: 10 * SECOND, takes: 60, elsewhere: '' };

const ROWS: Record<string, Row> = {
	'that nobody has': { first: NOBODY_HAS, had: ALL },
	'whose execution failed': { first: FAILED, had: 'default cut-out editor always' },
	'whose execution ended well': { had: SHARED },
	'that Stop And Error rejected': {
		workflow: { steps: [{ kind: 'gate', ms: SECOND }], rejects: 1 },
		had: SHARED,
	},
	'whose failed execution n8n does not save': {
		first: FAILED,
		workflow: { savesFailed: false },
		had: SHARED,
	},
	'whose execution goes on in a later node': {
		workflow: { steps: [{ kind: 'write', ms: 5 * HOUR }] },
		had: SHARED,
	},
	'whose run goes on with another image': {
		first: { wishes: wishes('first@a', 'another@b') },
		askedAt: MINUTE,
		had: 'cut-out always',
		elsewhere: SHARED,
	},
	'that the editor bought, and nobody has': {
		first: { ...NOBODY_HAS, ...OF_EDITOR },
		had: 'cut-out editor always never-in-editor',
	},
	'of a failed execution of the editor': { first: { ...FAILED, ...OF_EDITOR }, had: SHARED },
	'of another node, that nobody has': { first: NOBODY_HAS, workflow: OTHER_NODE, had: SHARED },
	'of a failed execution of another node': { first: FAILED, workflow: OTHER_NODE, had: SHARED },
	'that another account bought, and nobody has': {
		first: NOBODY_HAS,
		workflow: OTHER_KEY,
		had: 'default fixed cut-out never',
		logged: 'default fixed cut-out always never',
		elsewhere: ALL,
	},
	'of another account, whose execution ended well': {
		workflow: OTHER_KEY,
		had: '',
		logged: 'always',
		elsewhere: SHARED,
	},
	'of almost 80 hours ago': { first: NOBODY_HAS, askedAt: 80 * HOUR - MINUTE, had: ALL },
	'of more than 80 hours ago': {
		first: NOBODY_HAS,
		askedAt: 80 * HOUR + MINUTE,
		had: '',
		logged: 'always',
		elsewhere: 'always',
	},
	'in progress, of a run that goes on': { ...IN_PROGRESS, had: 'cut-out always' },
	'in progress, of a stopped run': { ...IN_PROGRESS, first: NOBODY_HAS, had: ALL },
	'in progress, of a stopped run of the editor': {
		...IN_PROGRESS,
		first: { ...NOBODY_HAS, ...OF_EDITOR },
		had: 'cut-out editor always never-in-editor',
	},
	'in progress, of a stopped run of another node': {
		...IN_PROGRESS,
		first: NOBODY_HAS,
		workflow: OTHER_NODE,
		had: SHARED,
	},
	'in progress, of another account': { ...IN_PROGRESS, workflow: OTHER_KEY, had: '' },
	'in progress for more than two minutes': {
		takes: 300,
		first: NOBODY_HAS,
		askedAt: 2 * MINUTE + SECOND,
		had: '',
		elsewhere: '',
	},
};

/** Those who have the first image without a request, and read so, in a process that made it, or in another one. */
async function whoHas(
	{ askedAt = HOUR, first = {}, workflow = {}, takes = 3 }: Row,
	{ hasLog, process }: { hasLog: boolean; process: number },
): Promise<string> {
	const having: string[] = [];
	for (const [name, { workflow: asking = {}, ...start }] of Object.entries(WHO)) {
		const kind: Partial<Workflow> = { ...asking, reuse: undefined };
		const world = await worldAfter(
			[
				{ at: 0, wishes: wishes('first@a'), ...first, workflow: { ...kind, ...workflow } },
				{ at: askedAt, wishes: wishes('later@a'), ...start, process, workflow: asking },
			],
			{ ...service(takes, 'image', ['image', 300 * SECOND]), hasLog, processes: 2 },
		);
		const asked = world.executions.find((each) => each.startedAt === askedAt);
		if (asked?.pictures.get('later')?.id !== 0) continue;
		having.push(name);
		expect(world.service.charges.filter(({ execution }) => execution === asked)).toStrictEqual([]);
		expect(asked.said.join()).toContain('1 image is used again');
	}
	return having.join(' ');
}

it.each(Object.entries(ROWS))(
	'an image %s comes to those who may have it, and to nobody else',
	async (_what, row) => {
		const { had, logged = had, elsewhere = logged } = row;

		expect({
			here: await whoHas(row, { hasLog: false, process: 0 }),
			logged: await whoHas(row, { hasLog: true, process: 0 }),
			elsewhere: await whoHas(row, { hasLog: true, process: 1 }),
		}).toStrictEqual({ here: had, logged, elsewhere });
	},
);
