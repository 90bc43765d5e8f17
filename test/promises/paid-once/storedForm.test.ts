import { ExecutionMemory } from '../../../nodes/ImageGeneration/recall/executionMemory';
import { toCells, toPurchase } from '../../../nodes/ImageGeneration/recall/logRow';
import { storable, type Purchase } from '../../../nodes/ImageGeneration/recall/purchase';
import { rowWith } from '../../support/jobs';

// What n8n keeps of one bought image. Stored executions and Purchase Logs of people look like this.
const FOX: Purchase = {
	entry: '9f2c',
	request: 'a1b2c3',
	file: '',
	node: 'workflow 1, node 2',
	round: 0,
	isManual: false,
	execution: '7',
	holder: '7',
	time: Date.parse('2026-11-28T12:00:00Z'),
	result: { id: 'job-1', output_url: 'https://example.com/fox.jpg' },
	shown: {
		image: 'Item 1, "A fox"',
		operation: 'generate',
		quality: 'standard',
		size: '512x512',
		workflow: 'Shop',
	},
	accounts: ['only in memory'],
	instruction: 'only in memory',
	generation: 1,
};

/** The node's context, `getContext('node')`, in the data of the execution. */
const IN_EXECUTION = `{
  "purchases": {
    "0.0": {
      "entry": "9f2c",
      "request": "a1b2c3",
      "file": "",
      "node": "workflow 1, node 2",
      "round": 0,
      "isManual": false,
      "execution": "7",
      "holder": "7",
      "time": 1795867200000,
      "result": {
        "id": "job-1",
        "output_url": "https://example.com/fox.jpg"
      },
      "shown": {
        "image": "Item 1, \\"A fox\\"",
        "operation": "generate",
        "quality": "standard",
        "size": "512x512",
        "workflow": "Shop"
      }
    }
  }
}`;

/** A row of the Purchase Log. */
const IN_LOG = {
	image: 'Item 1, "A fox"',
	link: 'https://example.com/fox.jpg',
	operation: 'generate',
	quality: 'standard',
	size: '512x512',
	workflow: 'Shop',
	execution: '7',
	time: '2026-11-28T12:00:00.000Z',
	entry: '9f2c',
	request: 'a1b2c3',
	file: null,
	node: 'workflow 1, node 2',
	round: '0',
	manual: null,
	holder: '7',
	result: '{"id":"job-1","output_url":"https://example.com/fox.jpg"}',
};

const row = rowWith({ key: '0.0' });
const { entry, request, node, execution, holder, time, result, shown } = FOX;
const KNOWN = { entry, request, node, execution, holder, time, result, shown };

it('an execution keeps a bought image in this form, and reads it back', () => {
	const context = {};
	new ExecutionMemory(context as never).set([row], FOX);
	expect(JSON.stringify(context, null, 2)).toBe(IN_EXECUTION);

	const stored = new ExecutionMemory(JSON.parse(IN_EXECUTION) as never).get(row);
	expect(stored).toMatchObject(KNOWN);
});

it('a Purchase Log keeps a bought image in this form, and reads it back', () => {
	expect(toCells(FOX)).toStrictEqual(IN_LOG);
	expect(toPurchase({ id: 1, ...IN_LOG }, 'a table')).toMatchObject(KNOWN);
});

it('of a result of more than 10,000 characters, its id and link are kept', () => {
	const long = {
		...FOX.result,
		output_url: 'https://example.com/fox.jpg',
		more: 'x'.repeat(10_000),
	};

	expect(storable(long)).toStrictEqual(FOX.result);
});
