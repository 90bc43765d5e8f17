import { recommendedSizes, toolNames, type Prices, type Tool } from '../../catalog';
import type { Fault } from '../../faults/fault';
import type { ListedRule } from '../../faults/queue';
import { faults, type FaultName } from '../../faults/table';
import { tools } from '../../tools';
import type { ToolDefinition } from '../../tools/tool';
import type { RateLimit, RecordedRequest } from '../../types';
import type { Subscriber } from '../account/subscribers';
import type { Parts } from '../parts';

/** What the sandbox offers. */
export interface AboutView {
	/** What the sandbox is. */
	sandbox: string;
	tools: ToolView[];
	/** The recommended sizes of each quality, by shape. */
	sizes: typeof recommendedSizes;
	/** What each route does, by method and path. */
	routes: Record<string, string>;
	faults: FaultView[];
}

interface ToolView {
	id: Tool;
	/** The n8n node's name for it. */
	name: string;
	/** The names of its parameters. */
	fields: string[];
	/** The first one is that of a call that names none. */
	qualities: readonly string[];
}

interface FaultView {
	name: string;
	strikes: Fault['target'];
	moment: Fault['moment'];
	/** What it does, in Markdown. */
	words: string;
}

/** The account of a key. */
export interface AccountView {
	month: string;
	allowance: number;
	allowanceLeft: number;
	walletCentsLeft: number;
	prices: Prices;
}

/** The rate limit of a key, and how many calls it has refused. */
export interface LimitView {
	limit: RateLimit | null;
	refused: number;
}

/** What the page shows beside the calls. */
export interface StateView {
	apiKey: string;
	apiKeys: string[];
	account: AccountView;
	rateLimit: LimitView;
	faults: ListedRule[];
	/** How many calls there were. */
	calls: number;
	/** How many of the key's calls were charged. */
	charged: number;
}

const sandbox =
	'A local image generation service for building and testing workflows. No AI model runs here: ' +
	'simple rules draw, cut out and edit the pictures, and nobody is billed.';

export function aboutView(routes: Record<string, { about: string }>): AboutView {
	return {
		sandbox,
		tools: tools.map(toolView),
		sizes: recommendedSizes,
		routes: Object.fromEntries(Object.entries(routes).map(([name, { about }]) => [name, about])),
		faults: (Object.keys(faults) as FaultName[]).map(faultView),
	};
}

function toolView({ id, parameters }: ToolDefinition): ToolView {
	const quality = parameters.find(({ name }) => name === 'image_generator_version');
	const named = quality?.values ?? [];
	return {
		id,
		name: toolNames[id],
		fields: parameters.map(({ name }) => name),
		qualities: quality && quality.default === undefined ? ['standard', ...named] : named,
	};
}

function faultView(name: FaultName): FaultView {
	const { target, moment, description } = faults[name];
	return {
		name,
		strikes: target,
		moment,
		words: description,
	};
}

export function accountView({ account }: Subscriber): AccountView {
	const { month, allowance, allowanceLeft, walletCentsLeft, prices } = account;
	return {
		month,
		allowance,
		allowanceLeft,
		walletCentsLeft,
		prices,
	};
}

export function limitView({ limiter }: Subscriber): LimitView {
	return {
		limit: limiter.limit ?? null,
		refused: limiter.refused,
	};
}

export function stateView(subscriber: Subscriber, { journal, subscribers }: Parts): StateView {
	return {
		apiKey: subscriber.key,
		apiKeys: subscribers.all.map(({ key }) => key),
		account: accountView(subscriber),
		rateLimit: limitView(subscriber),
		faults: subscriber.faults.list(),
		calls: journal.count,
		charged: subscriber.ledger.length,
	};
}

const secrets = ['api-key', 'authorization', 'cookie', 'proxy-authorization'];

/** A request as the control API shows it. */
export function withoutSecrets(request: RecordedRequest): RecordedRequest {
	const headers = Object.entries(request.headers).map(([name, value]) => [
		name,
		secrets.includes(name) ? '***' : value,
	]);
	return { ...request, headers: Object.fromEntries(headers) as Record<string, string> };
}
