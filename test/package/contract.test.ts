import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { publicShape, type PublicShape } from './publicShape';

const root = resolve(__dirname, '../..');
const committed = JSON.parse(readFileSync(join(__dirname, 'contract.json'), 'utf8')) as PublicShape;

it('the public shape that saved workflows rely on matches contract.json; `npm run contract` accepts an intended change', () => {
	// JSON drops undefined fields.
	expect(JSON.parse(JSON.stringify(publicShape(root)))).toStrictEqual(committed);
});
