import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { publicShape } from './publicShape';

it('the public shape that saved workflows rely on matches contract.json; `npm run contract` accepts an intended change', () => {
	const committed: unknown = JSON.parse(readFileSync(join(__dirname, 'contract.json'), 'utf8'));

	expect(JSON.parse(publicShape(resolve(__dirname, '../..')))).toStrictEqual(committed);
});
