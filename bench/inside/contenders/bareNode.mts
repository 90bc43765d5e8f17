import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';
import { inEngine } from './inEngine.mjs';

type Helpers = IExecuteFunctions['helpers'];

/**
 * The least that a streaming node can do in n8n: it uses n8n's helpers and has no checks, retries,
 * timeouts or logs.
 */
export const bareNode = inEngine(({ concurrency }) => {
	const name = 'Bare node';
	const type: INodeType = {
		description: {
			displayName: name,
			name: 'bareNode',
			group: ['transform'],
			version: 1,
			description: 'A node to compare with',
			defaults: { name },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'imageGenerationApi', required: true }],
			properties: [],
		},
		async execute(this: IExecuteFunctions) {
			return [await severalAtOnce(this, concurrency)];
		},
	};
	return {
		steps: [{ name, typeName: 'bareNode', type, typeVersion: 1, parameters: {} }],
		links: [{ from: 'Items', output: 0, to: name }],
		last: name,
	};
});

async function severalAtOnce(
	context: IExecuteFunctions,
	concurrency: number,
): Promise<INodeExecutionData[]> {
	const { baseUrl } = await context.getCredentials('imageGenerationApi');
	const rows: INodeExecutionData[] = [];
	const queue = context.getInputData().entries();
	const worker = async () => {
		for (const [index, { binary }] of queue) {
			rows[index] = {
				...(await work(context, `${baseUrl as string}/api/background-remover`, binary?.data)),
				pairedItem: { item: index },
			};
		}
	};
	await Promise.all(Array.from({ length: concurrency }, worker));
	return rows;
}

async function work(
	context: IExecuteFunctions,
	url: string,
	image: IBinaryData | undefined,
): Promise<INodeExecutionData> {
	const { helpers } = context;
	const body = new FormData();
	if (image !== undefined) body.append('image', new StoredFile(helpers, image));
	const job = (await helpers.httpRequestWithAuthentication.call(context, 'imageGenerationApi', {
		method: 'POST',
		url,
		body,
		disableFollowRedirect: true,
	})) as IDataObject;
	const result = (await helpers.httpRequest({
		url: job.output_url as string,
		encoding: 'stream',
		disableFollowRedirect: true,
	})) as Awaited<ReturnType<Helpers['getBinaryStream']>>;
	const data = await helpers.prepareBinaryData(result, 'output.png', 'image/png');
	return { json: job, binary: { data } };
}

/** A file that n8n's HTTP client streams from n8n's storage, or one that the item has itself. */
class StoredFile extends File {
	override readonly size: number;

	constructor(
		private readonly helpers: Helpers,
		private readonly binary: IBinaryData,
	) {
		super([], 'image.png', { type: 'image/png' });
		this.size = binary.bytes ?? Buffer.byteLength(binary.data, 'base64');
	}

	override stream(): ReturnType<File['stream']> {
		return ReadableStream.from(this.read());
	}

	private async *read(): AsyncGenerator<Uint8Array> {
		const { id, data } = this.binary;
		if (id === undefined) yield Buffer.from(data, 'base64');
		else yield* await this.helpers.getBinaryStream(id);
	}
}
