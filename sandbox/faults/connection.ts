import { answer, beforeCharge, close, delay, hang, reset, type Fault } from './fault';

/** Connection faults that strike before anything is charged. */
export const connection = {
	delay: beforeCharge('waits `delayMs` (1000), then continues normally', delay),
	hang: beforeCharge('never responds', hang),
	refuse: {
		target: 'any',
		moment: 'arrival',
		description: 'resets the connection once the headers arrive, before reading the body',
		strike: reset,
	},
	'reset-upload': {
		target: 'tool',
		moment: 'arrival',
		description: 'resets the connection during the upload, after `bytes` (1) of the body',
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
		description: 'returns `status` (413) while the body is still arriving, then closes',
		strike: (s) => {
			const body = JSON.stringify(s.rule.body ?? { err: 'Payload too large.' });
			const headers = { 'content-type': 'application/json', connection: 'close' };
			answer(s, s.rule.status ?? 413, body, headers);
		},
	},
	'reset-before': beforeCharge(
		'resets the connection after reading the body, charges nothing',
		reset,
	),
	'close-before': beforeCharge(
		'closes the connection cleanly without a response, charges nothing',
		close,
	),
	'no-http': beforeCharge('returns bytes that are not HTTP', (s) => {
		s.reply.hijack();
		s.request.raw.socket.end('220 mail.example.org ESMTP ready\r\n');
	}),
} satisfies Record<string, Fault>;
