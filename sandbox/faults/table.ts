import { answers } from './answers';
import { charged } from './charged';
import { connection } from './connection';
import { download } from './download';

/** Every fault by name. */
export const faults = { ...answers, ...connection, ...charged, ...download };

export type FaultName = keyof typeof faults;
