import { recommendedSizes, toolNames } from '../../catalog';
import { faults } from '../../faults/table';
import { tools } from '../../tools';
import type { ToolDefinition } from '../../tools/tool';
import type { RecordedRequest } from '../../types';
import type { Subscriber } from '../account/subscribers';
import type { Parts } from '../parts';

const about =
	'A local image generation service for building and testing workflows. No AI model runs here: ' +
	'simple rules draw, cut out and edit the pictures, and nobody is billed.';

/** What the sandbox is, with its tools, routes and faults. */
export function aboutView(routes: Record<string, { about: string }>) {
	return {
		sandbox: about,
		tools: tools.map(toolView),
		sizes: recommendedSizes,
		routes: Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, route.about])),
		faults: Object.entries(faults).map(([name, { target, moment, description }]) => ({
			name,
			strikes: target,
			moment,
			words: description,
		})),
	};
}

function toolView({ id, parameters }: ToolDefinition) {
	const quality = parameters.find(({ name }) => name === 'image_generator_version');
	const named = quality?.values ?? [];
	return {
		id,
		name: toolNames[id],
		fields: parameters.map(({ name }) => name),
		/** The first one is that of a call that names none. */
		qualities: quality && quality.default === undefined ? ['standard', ...named] : named,
	};
}

export function accountView({ account }: Subscriber) {
	const { month, allowance, allowanceLeft, walletCentsLeft, prices } = account;
	return { month, allowance, allowanceLeft, walletCentsLeft, prices };
}

export function limitView({ limiter }: Subscriber) {
	return { limit: limiter.limit ?? null, refused: limiter.refused };
}

/** What the page shows beside the calls. */
export function stateView(subscriber: Subscriber, { journal, subscribers }: Parts) {
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
