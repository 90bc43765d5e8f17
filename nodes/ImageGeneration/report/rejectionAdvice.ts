import type { FailureOf } from '../failures/failures';
import { isRedirect } from '../failures/retryDecision';

/** What a rejection is about. */
type Subject = 'account' | 'content' | 'key' | 'address' | 'image' | 'sender';

/** What the service may write about, and what to do then. */
interface Topic {
	about: Subject;
	words: readonly string[];
	/** Of these, the message has one as well. */
	andOneOf?: readonly string[];
	advice: string;
}

const KEY = "The service does not accept the key. Check 'API Key' in the credential.";

/** The first topic with a word of the message counts: "Your API key has no credits" is about the account. */
const TOPICS: readonly Topic[] = [
	{
		about: 'account',
		words: [
			'allowance',
			'balance',
			'billing',
			'credit',
			'credits',
			'funds',
			'payment',
			'quota',
			'wallet',
		],
		advice: 'Check the allowance and the wallet of your account.',
	},
	{
		about: 'account',
		words: ['plan', 'subscribe', 'subscribed', 'subscriber', 'subscription', 'upgrade'],
		advice: 'Subscribe, or use another key.',
	},
	{
		about: 'content',
		words: [
			'explicit',
			'filter',
			'filters',
			'guidelines',
			'inappropriate',
			'moderation',
			'nsfw',
			'nudity',
			'policy',
			'prohibited',
			'safety',
			'unsafe',
		],
		advice: 'Change the prompt or the picture.',
	},
	{
		about: 'key',
		words: [
			'apikey',
			'authentication',
			'authorization',
			'authorized',
			'credential',
			'credentials',
			'key',
			'keys',
			'login',
			'token',
			'unauthorized',
		],
		advice: KEY,
	},
	{
		about: 'sender',
		words: ['banned', 'blacklisted', 'blocked', 'suspended'],
		andOneOf: ['account', 'address', 'ip', 'user'],
		advice: 'The service blocks your address or account. Ask it why.',
	},
];

/** What a status usually means. Section 7 does not define any. */
const STATUSES: Record<number, { about: Subject; advice: string }> = {
	401: { about: 'key', advice: KEY },
	402: {
		about: 'account',
		advice:
			'Your allowance and wallet are used up, or you have no subscription. Check your account.',
	},
	403: {
		about: 'account',
		advice:
			'The key has no API access, which requires a paid subscription. Subscribe, or use another key.',
	},
	404: {
		about: 'address',
		advice: "The service does not have this tool. Check 'Base URL' in the credential.",
	},
	413: {
		about: 'image',
		advice: 'The image is too large for the service. Make it smaller first.',
	},
	415: {
		about: 'image',
		advice: 'The service does not accept this type of file. Convert it to JPG or PNG first.',
	},
};

/** What a service's message is about; undefined if its words do not tell. */
export function topicOf(serviceMessage = ''): Topic | undefined {
	return TOPICS.find(
		({ words, andOneOf }) =>
			hasWord(serviceMessage, words) &&
			(andOneOf === undefined || hasWord(serviceMessage, andOneOf)),
	);
}

/** Whether a text has one of these words outside of web addresses. */
export function hasWord(text: string, words: readonly string[]): boolean {
	const plain = text.toLowerCase().replace(/https?:\S+/g, '');
	return (plain.match(/[a-z]+/g) ?? []).some((word) => words.includes(word));
}

/**
 * What to do about a rejection: what the service's words are about, then what its status usually
 * means, unless both are about the same.
 * @returns undefined if neither tells.
 */
export function rejectionAdvice({
	status,
	serviceMessage,
	location = 'another address',
}: Pick<FailureOf<'rejection'>, 'status' | 'serviceMessage' | 'location'>): string | undefined {
	if (isRedirect(status)) {
		return `The service redirects to ${location.slice(0, 200)}. If that address is the service's, set 'Base URL' in the credential to it.`;
	}
	const topic = topicOf(serviceMessage);
	const usual = STATUSES[status];
	if (topic === undefined) return usual?.advice;
	if (usual === undefined || usual.about === topic.about) return topic.advice;
	return orElse(topic, usual.advice);
}

/** What a topic advises, and what to do if that does not help. */
export function orElse(topic: Topic | undefined, advice: string): string {
	return topic === undefined ? advice : `${topic.advice} If that does not help: ${advice}`;
}
