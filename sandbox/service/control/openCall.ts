import type { FastifyReply, FastifyRequest } from 'fastify';
import { quote } from '../http/refusal';
import type { Parts } from '../parts';
import type { Call } from './journal';

/** Adds a call to the journal, and logs it when its response ends or its client disconnects. */
export function openCall(
	{ journal, recorder, settings }: Parts,
	request: FastifyRequest,
	reply: FastifyReply,
): Call {
	const call = journal.open(recorder.entry(request));
	reply.raw.once('close', () => {
		if (call.request.status === null) journal.note(call, { clientLeft: true });
		settings.log?.(toLine(call, reply.elapsedTime));
	});
	return call;
}

/** Such as `14:05:01 #3 text2img 200, "a red fox", charged to the allowance, 31 ms`. */
function toLine({ number, at, request, charge, refusal }: Call, ms: number): string {
	const tool = request.path.split('?')[0]?.replace('/api/', '') ?? '';
	const { fault } = request;
	const { text } = request.fields;
	const paid =
		charge?.source === 'wallet' ? `charged ${charge.cents} cents` : 'charged to the allowance';
	const details = [
		text === undefined ? [] : quote(text),
		fault === undefined ? [] : `fault ${fault}`,
		charge ? paid : (refusal ?? []),
		`${Math.round(ms)} ms`,
	].flat();
	const line = `${at.slice(11, 19)} #${number} ${tool} ${request.status ?? 'no response'}, ${details.join(', ')}`;
	// Control characters could make the terminal do anything.
	return line.replace(
		/\p{C}/gu,
		(character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
	);
}
