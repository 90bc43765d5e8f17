import { answer, close, delay, hang, reset, type Fault } from './fault';

/** Faults of the connection that strike before anything is charged. */
export const connection = {
	delay: {
		target: 'any',
		moment: 'before',
		words: 'waits `delayMs` (1000), then goes on as usual',
		strike: delay,
	},
	hang: {
		target: 'any',
		moment: 'before',
		words: 'never answers',
		strike: hang,
	},
	refuse: {
		target: 'any',
		moment: 'arrival',
		words: 'reset as soon as the head is here, before the body is read',
		strike: reset,
	},
	'reset-upload': {
		target: 'tool',
		moment: 'arrival',
		words: 'reset in the middle of the upload, after `bytes` (1) of the body',
		strike: (s) => {
			const { raw } = s.request;
			if (raw.readableEnded) return reset(s);
			let received = 0;
			raw.on('data', (chunk: Buffer) => {
				received += chunk.length;
				if (received >= (s.rule.bytes ?? 1)) raw.socket.resetAndDestroy();
			});
			raw.once('end', () => raw.socket.resetAndDestroy());
		},
	},
	'answer-mid-upload': {
		target: 'tool',
		moment: 'arrival',
		words: '`status` (413) while the body is still coming, then closes',
		strike: (s) => {
			const body = JSON.stringify(s.rule.body ?? { err: 'Payload too large.' });
			const headers = { 'content-type': 'application/json', connection: 'close' };
			answer(s, s.rule.status ?? 413, body, headers);
		},
	},
	'reset-before': {
		target: 'any',
		moment: 'before',
		words: 'reset after the body was read, nothing charged',
		strike: reset,
	},
	'close-before': {
		target: 'any',
		moment: 'before',
		words: 'closed politely without an answer, nothing charged',
		strike: close,
	},
	'no-http': {
		target: 'any',
		moment: 'before',
		words: 'answers with bytes that are not HTTP',
		strike: (s) => {
			s.reply.hijack();
			s.request.raw.socket.end('220 mail.example.org ESMTP ready\r\n');
		},
	},
} satisfies Record<string, Fault>;
